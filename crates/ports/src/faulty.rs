//! A store whose connection fails: on a seeded schedule, before a call or after its commit.
//!
//! Whoever uses a store must live with both: what fails before has not happened, what fails after has
//! happened and nobody said so.

use std::sync::Arc;

use async_trait::async_trait;
use parking_lot::Mutex;
use rand::{RngExt, SeedableRng, rngs::StdRng};

use crate::{
    layer::{Effect, Hook, Layer, StoreCall},
    store::{Error, Result, Store},
};

/// How often a call fails, each as a share of one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Odds {
    /// Before anything was done.
    pub before: f64,
    /// After the commit, which nobody hears of; a call that only reads is not done instead.
    pub after: f64,
}

/// A store whose connection fails. The same seed and the same calls make the same faults.
pub type Faulty = Layer<Faults>;

impl Faulty {
    /// Wraps a store.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, seed: u64, odds: Odds) -> Arc<Self> {
        let schedule = Schedule {
            chance: StdRng::seed_from_u64(seed),
            odds,
            injected: 0,
        };
        Self::over(store, Faults(Mutex::new(schedule)))
    }

    /// Changes how often calls fail from now on; at no odds, none does.
    pub fn set(&self, odds: Odds) {
        self.hook.0.lock().odds = odds;
    }

    /// How many calls have failed so far.
    #[must_use]
    pub fn injected(&self) -> u64 {
        self.hook.0.lock().injected
    }
}

/// What goes wrong with a connection, and how often.
#[derive(Debug)]
pub struct Faults(Mutex<Schedule>);

#[derive(Debug)]
struct Schedule {
    chance: StdRng,
    odds: Odds,
    injected: u64,
}

impl Schedule {
    fn strikes(&mut self, odds: f64) -> bool {
        let is_struck = self.chance.random::<f64>() < odds;
        self.injected += u64::from(is_struck);
        is_struck
    }
}

#[async_trait]
impl Hook for Faults {
    async fn before(&self, call: StoreCall) -> Result<()> {
        let mut schedule = self.0.lock();
        let Odds { before, after } = schedule.odds;
        let odds = match call.effect {
            Effect::Reads => before + after,
            Effect::Writes => before,
        };
        match schedule.strikes(odds) {
            true => Err(Error::Unavailable("a fault was injected".to_owned())),
            false => Ok(()),
        }
    }

    async fn after(&self, call: StoreCall) -> Result<()> {
        let mut schedule = self.0.lock();
        let Odds { before, after } = schedule.odds;
        // Only calls that were spared before come here, so that it strikes them more often.
        let odds = after / (1.0 - before);
        match call.effect == Effect::Writes && schedule.strikes(odds) {
            true => Err(Error::Unconfirmed("a fault was injected".to_owned())),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use baton_domain::{Timestamp, queue::QueueChange};

    use super::*;
    use crate::{MemoryStore, store::Queues};

    const NOW: Timestamp = Timestamp::from_micros(0);
    const NEVER: Odds = Odds {
        before: 0.0,
        after: 0.0,
    };

    fn faulty(seed: u64, odds: Odds) -> Arc<Faulty> {
        Faulty::new(Arc::new(MemoryStore::new()), seed, odds)
    }

    async fn pauses(store: &Faulty) -> Vec<bool> {
        let change = QueueChange {
            paused: Some(true),
            ..QueueChange::default()
        };
        let mut answers = Vec::new();
        for queue in 0..50 {
            let name = format!("q{queue}");
            answers.push(store.change_queue(&name, &change, NOW).await.is_ok());
        }
        answers
    }

    #[tokio::test]
    async fn a_call_that_fails_before_has_not_happened() {
        let before = Odds {
            before: 1.0,
            after: 0.0,
        };
        let store = faulty(1, before);

        let answers = pauses(&store).await;
        store.set(NEVER);

        assert!(answers.iter().all(|is_ok| !is_ok));
        assert!(store.queues(NOW).await.unwrap().is_empty());
    }

    #[tokio::test]
    async fn a_call_that_fails_after_has_happened() {
        let after = Odds {
            before: 0.0,
            after: 1.0,
        };
        let store = faulty(1, after);

        let answers = pauses(&store).await;
        store.set(NEVER);

        assert!(answers.iter().all(|is_ok| !is_ok));
        assert_eq!(store.queues(NOW).await.unwrap().len(), 50);
        assert_eq!(store.injected(), 50);
    }

    #[tokio::test]
    async fn the_same_seed_makes_the_same_faults() {
        let odds = Odds {
            before: 0.2,
            after: 0.2,
        };

        let first = pauses(&faulty(7, odds)).await;
        let again = pauses(&faulty(7, odds)).await;
        let other = pauses(&faulty(8, odds)).await;

        assert_eq!(first, again);
        assert_ne!(first, other);
    }
}
