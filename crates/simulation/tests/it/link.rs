//! One process's line to the store: how long calls take, and whether they arrive.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::{Timestamp, job::NewJob};
use baton_ports::{
    Store,
    store::{Claim, Claimed, Error, InlineStart, InlineStarted, Result},
};
use parking_lot::Mutex;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::{sync::Notify, time::sleep};

use baton_ports::layer::{Hook, StoreCall};

/// How a process and its line are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// Calls take milliseconds.
    Up,
    /// Calls take up to three seconds each way.
    Slow,
    /// Calls fail.
    Cut,
    /// The process stands still.
    Frozen,
    /// The process is no more: what was on its way is lost, and nobody hears an answer.
    Dead,
}

/// One process's line to the store.
pub struct Link {
    condition: Mutex<Condition>,
    changed: Notify,
    /// The next claim or start that gets something is made, and its answer lost.
    pub loses_a_claim: AtomicBool,
    dice: Mutex<StdRng>,
}

impl Link {
    pub fn new(seed: u64) -> Arc<Self> {
        Arc::new(Self {
            condition: Mutex::new(Condition::Up),
            changed: Notify::new(),
            loses_a_claim: AtomicBool::new(false),
            dice: Mutex::new(StdRng::seed_from_u64(seed)),
        })
    }

    /// Changes how it is; nothing wakes the dead.
    pub fn set(&self, condition: Condition) {
        let mut now = self.condition.lock();
        if *now != Condition::Dead {
            *now = condition;
            self.changed.notify_waiters();
        }
    }

    pub fn is(&self, condition: Condition) -> bool {
        *self.condition.lock() == condition
    }

    /// Waits while the process stands still, for ever if it is no more.
    pub async fn moving(&self) {
        loop {
            let changed = self.changed.notified();
            if !self.is(Condition::Frozen) && !self.is(Condition::Dead) {
                return;
            }
            changed.await;
        }
    }

    async fn travel(&self) {
        self.moving().await;
        let most = if self.is(Condition::Slow) { 3_000 } else { 20 };
        let millis = self.dice.lock().random_range(0..most);
        sleep(Duration::from_millis(millis)).await;
        self.moving().await;
    }
}

/// Sends every call of a store along a link.
pub struct Along(pub Arc<Link>);

#[async_trait]
impl Hook for Along {
    async fn before(&self, _call: StoreCall) -> Result<()> {
        self.0.travel().await;
        if self.0.is(Condition::Cut) {
            return Err(Error::Unavailable("the line is cut".to_owned()));
        }
        Ok(())
    }

    async fn after(&self, _call: StoreCall) -> Result<()> {
        self.0.travel().await;
        if self.0.is(Condition::Cut) {
            return Err(Error::Unconfirmed("the line was cut".to_owned()));
        }
        Ok(())
    }

    async fn claim(
        &self,
        below: &dyn Store,
        claim: &Claim,
        now: Timestamp,
    ) -> Result<Vec<Claimed>> {
        let claimed = below.claim(claim, now).await?;
        if !claimed.is_empty() && self.0.loses_a_claim.swap(false, Ordering::SeqCst) {
            return Err(Error::Unconfirmed("the answer was lost".to_owned()));
        }
        Ok(claimed)
    }

    async fn enqueue_and_claim(
        &self,
        below: &dyn Store,
        jobs: Vec<NewJob>,
        start: &InlineStart,
    ) -> Result<InlineStarted> {
        let started = below.enqueue_and_claim(jobs, start).await?;
        if !started.claimed.is_empty() && self.0.loses_a_claim.swap(false, Ordering::SeqCst) {
            return Err(Error::Unconfirmed("the answer was lost".to_owned()));
        }
        Ok(started)
    }
}
