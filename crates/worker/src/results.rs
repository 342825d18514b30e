//! Results on their way to the store.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use parking_lot::Mutex;
use tokio::{sync::Notify, time::Instant};

use crate::finished_attempt::FinishedAttempt;

/// How many results one flush takes.
pub const FULL: usize = 1_000;
/// How many results can be in doubt, beside those of the calls under way, while the store is slow to answer.
const IN_DOUBT: usize = 100;
/// How many results are worth a second flush while one is under way.
pub const WORTH_A_SECOND: usize = FULL / 2;

/// Results on their way to the store: waiting, under way, or put off after a refusal.
#[derive(Debug, Default)]
pub struct Results {
    /// Those that no flush has taken.
    waiting: Mutex<Vec<FinishedAttempt>>,
    /// All of them.
    held: AtomicUsize,
    /// How many flushes are being repeated because the store does not take them.
    failing: AtomicUsize,
    is_closed: AtomicBool,
    is_behind: AtomicBool,
    /// Wakes whoever waits for it to catch up.
    caught_up: Notify,
    /// Rings when there is something to do for the settler.
    pub wake: Notify,
}

impl Results {
    /// Takes a result in.
    pub fn push(&self, ended: FinishedAttempt) {
        self.held.fetch_add(1, Ordering::Relaxed);
        self.put(ended);
    }

    /// Takes results in again that were put off: they wait anew.
    pub fn put_back(&self, results: Vec<FinishedAttempt>) {
        for mut ended in results {
            ended.context.since = Instant::now();
            self.put(ended);
        }
    }

    fn put(&self, ended: FinishedAttempt) {
        let waiting = {
            let mut waiting = self.waiting.lock();
            waiting.push(ended);
            waiting.len()
        };
        if matches!(waiting, 1 | WORTH_A_SECOND | FULL) {
            self.wake.notify_one();
        }
    }

    /// The oldest results, as many as one flush takes.
    pub fn take(&self) -> Vec<FinishedAttempt> {
        let mut waiting = self.waiting.lock();
        let rest = match waiting.len() > FULL {
            true => waiting.split_off(FULL),
            // As many will come until the next.
            false => Vec::with_capacity(waiting.len()),
        };
        std::mem::replace(&mut waiting, rest)
    }

    /// Since when the oldest waits that no flush has taken.
    pub fn waiting_since(&self) -> Option<Instant> {
        oldest(&self.waiting.lock())
    }

    /// How many results wait for a flush.
    pub fn waiting(&self) -> usize {
        self.waiting.lock().len()
    }

    /// How many results the store does not have yet.
    pub fn held(&self) -> usize {
        self.held.load(Ordering::Relaxed)
    }

    /// Takes note that the store has so many more.
    pub fn recorded(&self, count: usize) {
        self.held.fetch_sub(count, Ordering::Relaxed);
    }

    /// Takes note that a flush failed and will be repeated.
    pub fn begin_failing(&self) {
        self.failing.fetch_add(1, Ordering::Relaxed);
    }

    /// Takes note that a failing flush has come through.
    pub fn end_failing(&self) {
        self.failing.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether the store does not take results.
    pub fn is_failing(&self) -> bool {
        self.failing.load(Ordering::Relaxed) > 0
    }

    /// Takes note of whether the store has not answered for a while.
    pub fn set_behind(&self, is_behind: bool) {
        if self.is_behind.swap(is_behind, Ordering::AcqRel) && !is_behind {
            self.caught_up.notify_waiters();
        }
    }

    /// Waits until the store has answered, if there are too many.
    pub async fn keep_up(&self) {
        loop {
            let caught_up = self.caught_up.notified();
            if !self.are_too_many() {
                return;
            }
            caught_up.await;
        }
    }

    /// Whether the store has not answered for a while and there is much that it does not have: all of that would run
    /// again if this process died now.
    pub fn are_too_many(&self) -> bool {
        self.is_behind.load(Ordering::Acquire) && self.held() >= IN_DOUBT
    }

    /// No more results will come: what there is goes out at once.
    pub fn close(&self) {
        self.is_closed.store(true, Ordering::Release);
        self.wake.notify_one();
    }

    /// Whether no more results will come.
    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::Acquire)
    }
}

/// Since when the first of these waits; they are in the order in which they came.
pub fn oldest(results: &[FinishedAttempt]) -> Option<Instant> {
    results.first().map(|ended| ended.context.since)
}

#[cfg(test)]
mod tests {
    use std::{sync::Arc, time::Duration};

    use baton_domain::{
        JobId, LeaseId, Timestamp,
        job::{AttemptCounters, JobOptions},
    };
    use baton_ports::store::JobArgs;
    use tokio_util::sync::CancellationToken;

    use super::*;
    use crate::{job::Job, lease::Lease};

    #[tokio::test(start_paused = true)]
    async fn those_that_a_flush_has_taken_make_those_behind_them_no_older() {
        let results = Results::default();
        let job = job();
        (0..=FULL).for_each(|_| results.push(ended(&job)));
        tokio::time::advance(Duration::from_secs(1)).await;
        let later = Instant::now();
        (0..=FULL).for_each(|_| results.push(ended(&job)));

        results.take();
        results.take();

        assert_eq!(
            (results.waiting(), results.waiting_since()),
            (2, Some(later))
        );
    }

    fn ended(job: &Job) -> FinishedAttempt {
        FinishedAttempt::given_back(job, &"default".into(), Timestamp::from_micros(0)).unwrap()
    }

    fn job() -> Job {
        let (at, over) = (Timestamp::from_micros(0), CancellationToken::new());
        let lease = Lease::new(LeaseId::random(), Instant::now(), 1, over);
        Job {
            args: Arc::new(JobArgs {
                id: JobId::new(at),
                kind: "simulate".to_owned(),
                queue: "default".to_owned(),
                payload: "{}".to_owned(),
                expires_at: None,
                options: JobOptions::default(),
                created_at: at,
                key: None,
            }),
            counters: AttemptCounters {
                attempt: 1,
                tries: 1,
                losses: 0,
                run: 1,
            },
            lease: Arc::new(lease),
            queued_at: at,
            since: Instant::now(),
            is_named: false,
            handler: None,
        }
    }
}
