//! A store whose connection fails: on a seeded schedule, before a call or after its commit.
//!
//! Whoever uses a store must live with both: what fails before has not happened, what fails after has
//! happened and nobody said so.

mod campaigns;
mod control;
mod events;
mod fleet;
mod jobs;
mod recipients;
mod schedules;

use std::{future::Future, sync::Arc};

use parking_lot::Mutex;
use rand::{RngExt, SeedableRng, rngs::StdRng};

use crate::store::{Error, Result, Store};

/// How often a call fails, each as a share of one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Odds {
    /// Before anything was done.
    pub before: f64,
    /// After the commit, which nobody hears of; a call that only reads is not done instead.
    pub after: f64,
}

/// A store whose connection fails. The same seed and the same calls make the same faults.
#[derive(Debug)]
pub struct Faulty<S: ?Sized> {
    schedule: Mutex<Schedule>,
    store: Arc<S>,
}

#[derive(Debug)]
struct Schedule {
    chance: StdRng,
    odds: Odds,
    injected: u64,
}

enum Fault {
    Before,
    After,
}

impl<S: Store + ?Sized> Faulty<S> {
    /// Wraps a store.
    #[must_use]
    pub fn new(store: Arc<S>, seed: u64, odds: Odds) -> Self {
        let schedule = Schedule {
            chance: StdRng::seed_from_u64(seed),
            odds,
            injected: 0,
        };
        Self {
            schedule: Mutex::new(schedule),
            store,
        }
    }

    /// Changes how often calls fail from now on; at no odds, none does.
    pub fn set(&self, odds: Odds) {
        self.schedule.lock().odds = odds;
    }

    /// How many calls have failed so far.
    #[must_use]
    pub fn injected(&self) -> u64 {
        self.schedule.lock().injected
    }

    /// The store behind.
    #[must_use]
    pub fn inner(&self) -> &Arc<S> {
        &self.store
    }

    /// A future does nothing until it is awaited, so a call dropped here has not happened.
    async fn write<T>(&self, call: impl Future<Output = Result<T>> + Send) -> Result<T> {
        match self.next_fault() {
            Some(Fault::Before) => Err(cut_before()),
            Some(Fault::After) => {
                call.await?;
                Err(Error::Unconfirmed("a fault was injected".to_owned()))
            }
            None => call.await,
        }
    }

    async fn read<T>(&self, call: impl Future<Output = Result<T>> + Send) -> Result<T> {
        match self.next_fault() {
            Some(_) => Err(cut_before()),
            None => call.await,
        }
    }

    fn next_fault(&self) -> Option<Fault> {
        let mut schedule = self.schedule.lock();
        let (odds, dice) = (schedule.odds, schedule.chance.random::<f64>());
        let fault = match dice {
            dice if dice < odds.before => Fault::Before,
            dice if dice < odds.before + odds.after => Fault::After,
            _ => return None,
        };
        schedule.injected += 1;
        Some(fault)
    }
}

fn cut_before() -> Error {
    Error::Unavailable("a fault was injected".to_owned())
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

    fn faulty(seed: u64, odds: Odds) -> Faulty<dyn Store> {
        Faulty::new(Arc::new(MemoryStore::new()), seed, odds)
    }

    async fn pauses(store: &Faulty<dyn Store>) -> Vec<bool> {
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
