//! What runs here: until when, and what cannot be stopped.

use std::{collections::HashMap, sync::Arc, time::Duration};

use baton_domain::JobId;
use parking_lot::Mutex;
use tokio::{sync::Notify, time::Instant};

use crate::Context;

/// How long a handler may take to end after it was stopped, before it counts as stuck.
const TIMEOUT: Duration = Duration::from_secs(1);

/// What runs here.
#[derive(Default)]
pub struct RunningJobs {
    attempts: Mutex<Attempts>,
    /// Rings whenever an attempt has ended.
    ended: Notify,
}

#[derive(Default)]
struct Attempts {
    next: u64,
    all: HashMap<u64, Attempt>,
}

struct Attempt {
    context: Context,
    /// Since when nobody waits for it.
    stopped: Option<Instant>,
}

/// An attempt that runs, until this is dropped.
pub struct Entry {
    running: Arc<RunningJobs>,
    pub number: u64,
}

impl RunningJobs {
    /// Takes note of an attempt.
    pub fn enter(self: &Arc<Self>, context: Context) -> Entry {
        let mut attempts = self.attempts.lock();
        let number = attempts.next;
        attempts.next += 1;
        let stopped = None;
        attempts.all.insert(number, Attempt { context, stopped });
        Entry {
            running: Arc::clone(self),
            number,
        }
    }

    /// Takes note that nobody waits for it any more.
    pub fn stopped(&self, number: u64) {
        if let Some(attempt) = self.attempts.lock().all.get_mut(&number) {
            attempt.stopped = Some(Instant::now());
        }
    }

    /// When the last time-out of what runs is over.
    pub fn last_deadline(&self) -> Option<Instant> {
        let attempts = self.attempts.lock();
        let deadlines = attempts.all.values().map(|one| one.context.deadline());
        deadlines.max()
    }

    /// Whether anything runs.
    pub fn is_any(&self) -> bool {
        !self.attempts.lock().all.is_empty()
    }

    /// Waits until this attempt has ended.
    pub async fn gone(&self, job: JobId, attempt: u32) {
        let is_it = |one: &Attempt| one.context.job_id() == job && one.context.attempt() == attempt;
        loop {
            let ended = self.ended.notified();
            if !self.attempts.lock().all.values().any(is_it) {
                return;
            }
            ended.await;
        }
    }

    /// How many were stopped a while ago and go on all the same.
    pub fn stuck(&self) -> u32 {
        let attempts = self.attempts.lock();
        let is_stuck = |one: &&Attempt| one.stopped.is_some_and(|at| at.elapsed() > TIMEOUT);
        let stuck = attempts.all.values().filter(is_stuck).count();
        u32::try_from(stuck).unwrap_or(u32::MAX)
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        self.running.attempts.lock().all.remove(&self.number);
        self.running.ended.notify_waiters();
    }
}
