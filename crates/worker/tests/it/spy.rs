//! A store that tells what it was asked, and misbehaves where a test wants it to.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{JobId, LeaseId, Timestamp, WorkerId};
use baton_ports::{
    MemoryStore, Store,
    layer::{Hook, Layer, StoreCall},
    store::{AttemptResult, By, Claim, Claimed, Error, Renewed, Result, SettleOutcome},
};
use parking_lot::Mutex;
use tokio::time::Instant;

/// A store that tells what it was asked.
pub type Spy = Layer<Habits>;

/// What it remembers, and how it misbehaves.
#[derive(Default)]
pub struct Habits {
    pub seen: Mutex<Seen>,
    pub mood: Mutex<Mood>,
}

/// Lays a spy over a store.
pub fn spy(store: MemoryStore) -> Arc<Spy> {
    Layer::over(Arc::new(store), Habits::default())
}

/// What it was asked.
#[derive(Debug, Default)]
pub struct Seen {
    /// How many jobs each claim wanted, queue by queue.
    pub claims: Vec<Vec<(String, u32)>>,
    /// Which jobs were claimed because of a hint, claim by claim.
    pub hinted: Vec<Vec<JobId>>,
    /// How many jobs were searched for, and when.
    pub searches: Vec<(Instant, u32)>,
    /// What else it was asked, in order.
    pub asked: Vec<&'static str>,
    /// How many results each call brought.
    pub settles: Vec<usize>,
    /// How many results each call brought that was not answered in time.
    pub timed_out: Vec<usize>,
    pub renewals: usize,
}

impl Seen {
    /// How often it was asked this.
    pub fn times(&self, name: &str) -> usize {
        assert!(StoreCall::NAMES.contains(&name), "no call is named {name}");
        self.asked.iter().filter(|asked| **asked == name).count()
    }
}

/// How it misbehaves.
#[derive(Debug, Default)]
pub struct Mood {
    /// What the worker says of itself is not taken in.
    pub hears_no_beat: bool,
    /// Nothing can be claimed.
    pub gives_nothing: bool,
    /// Claims from this queue are refused, and all that is claimed with it.
    pub refuses_queue: Option<&'static str>,
    /// Nothing can be recorded.
    pub takes_no_results: bool,
    /// Results are answered for after so long.
    pub answers_results_after: Option<Duration>,
    /// Results are taken in but not answered for.
    pub keeps_results_waiting: bool,
    /// Leases cannot be renewed.
    pub renews_nothing: bool,
    /// The next claim is made and its answer lost.
    pub loses_an_answer: bool,
    /// The next claim from this queue that is not refused is made, and its answer lost.
    pub loses_an_answer_from: Option<&'static str>,
    /// Results that hold this text are refused, and what comes with them.
    pub refuses: Option<&'static str>,
    /// Results that hold this text are not answered for in time, nor what comes with them.
    pub times_out: Option<&'static str>,
}

impl Habits {
    fn see_wants(&self, claim: &Claim) {
        let mut seen = self.seen.lock();
        for want in &claim.queues {
            match &want.jobs {
                Some(jobs) => seen.hinted.push(jobs.clone()),
                None => seen.searches.push((Instant::now(), want.limit)),
            }
        }
    }
}

fn down<T>() -> Result<T> {
    Err(Error::Unavailable("the test says so".to_owned()))
}

#[async_trait]
impl Hook for Habits {
    async fn before(&self, call: StoreCall) -> Result<()> {
        self.seen.lock().asked.push(call.name);
        if call.name == "heartbeat" && self.mood.lock().hears_no_beat {
            return down();
        }
        Ok(())
    }

    async fn claim(
        &self,
        below: &dyn Store,
        claim: &Claim,
        now: Timestamp,
    ) -> Result<Vec<Claimed>> {
        let wants = claim.queues.iter();
        let wants = wants.map(|want| (want.queue.clone(), want.limit)).collect();
        self.see_wants(claim);
        self.seen.lock().claims.push(wants);
        if self.mood.lock().gives_nothing {
            return down();
        }
        let wants = |queue| claim.queues.iter().any(|want| want.queue == queue);
        let refused = self.mood.lock().refuses_queue;
        if refused.is_some_and(wants) {
            return Err(Error::Refused("the test says so".to_owned()));
        }
        let claimed = below.claim(claim, now).await;
        let mut mood = self.mood.lock();
        let is_lost = mood.loses_an_answer_from.take_if(|queue| wants(queue));
        if std::mem::take(&mut mood.loses_an_answer) || is_lost.is_some() {
            return Err(Error::Unconfirmed("the test says so".to_owned()));
        }
        claimed
    }

    async fn renew(
        &self,
        below: &dyn Store,
        worker: WorkerId,
        leases: &[LeaseId],
        until: Timestamp,
    ) -> Result<Renewed> {
        self.seen.lock().renewals += 1;
        if self.mood.lock().renews_nothing {
            return down();
        }
        below.renew(worker, leases, until).await
    }

    async fn settle(
        &self,
        below: &dyn Store,
        by: By,
        results: &[AttemptResult],
        now: Timestamp,
    ) -> Result<Vec<SettleOutcome>> {
        if self.mood.lock().takes_no_results {
            return down();
        }
        while self.mood.lock().keeps_results_waiting {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        if let Some(words) = self.mood.lock().refuses {
            let holds_them = |s: &AttemptResult| s.decision.result.as_deref() == Some(words);
            if results.iter().any(holds_them) {
                return Err(Error::Refused("the test says so".to_owned()));
            }
        }
        if let Some(words) = self.mood.lock().times_out {
            let holds_them = |s: &AttemptResult| s.decision.result.as_deref() == Some(words);
            if results.iter().any(holds_them) {
                self.seen.lock().timed_out.push(results.len());
                return down();
            }
        }
        self.seen.lock().settles.push(results.len());
        let answer = below.settle(by, results, now).await;
        let after = self.mood.lock().answers_results_after;
        tokio::time::sleep(after.unwrap_or_default()).await;
        answer
    }
}
