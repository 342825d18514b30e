//! A lease as its worker sees it: until when, by its own watch, and whether it is over.

use std::{
    sync::atomic::{AtomicU8, AtomicUsize, Ordering},
    time::Duration,
};

use baton_domain::LeaseId;
use parking_lot::Mutex;
use tokio::{sync::Notify, time::Instant};
use tokio_util::sync::CancellationToken;

/// Why work under a lease has to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It need not.
    Held,
    /// The store no longer has the lease: another worker may have the jobs.
    Lost,
    /// The lease may have ended by now; nobody could say.
    Expired,
}

/// The right to a claimed batch.
#[derive(Debug)]
pub struct Lease {
    /// Its id.
    pub id: LeaseId,
    /// Fires when work under it has to end, for whatever reason.
    pub over: CancellationToken,
    deadline: Mutex<Instant>,
    fate: AtomicU8,
    /// How many of its jobs are not settled.
    open: AtomicUsize,
    extended: Notify,
}

impl Lease {
    /// A lease over `jobs` jobs; `over` also fires when the worker ends all work.
    pub fn new(id: LeaseId, deadline: Instant, jobs: usize, over: CancellationToken) -> Self {
        Self {
            id,
            over,
            deadline: Mutex::new(deadline),
            fate: AtomicU8::new(Fate::Held as u8),
            open: AtomicUsize::new(jobs),
            extended: Notify::new(),
        }
    }

    /// Until when the worker may rely on it.
    pub fn deadline(&self) -> Instant {
        *self.deadline.lock()
    }

    /// Takes over a renewal.
    pub fn extend(&self, deadline: Instant) {
        *self.deadline.lock() = deadline;
        self.extended.notify_waiters();
    }

    /// What became of it.
    pub fn fate(&self) -> Fate {
        match self.fate.load(Ordering::Acquire) {
            fate if fate == Fate::Lost as u8 => Fate::Lost,
            fate if fate == Fate::Expired as u8 => Fate::Expired,
            _ => Fate::Held,
        }
    }

    /// Ends the work under it. The first word stands, but a loss is known for certain.
    pub fn end(&self, fate: Fate) {
        if fate == Fate::Lost || self.fate() == Fate::Held {
            self.fate.store(fate as u8, Ordering::Release);
        }
        self.over.cancel();
    }

    /// Whether a call that needs `need` may start now.
    pub fn suffices(&self, need: Duration) -> bool {
        !self.over.is_cancelled()
            && self.deadline().saturating_duration_since(Instant::now()) >= need
    }

    /// Waits for a renewal that makes room for a call; `false` when the lease ends first.
    pub async fn made_to_suffice(&self, need: Duration, renewer: &Notify) -> bool {
        loop {
            let extended = self.extended.notified();
            tokio::pin!(extended);
            extended.as_mut().enable();
            if self.suffices(need) {
                return true;
            }
            renewer.notify_one();
            tokio::select! {
                biased;
                () = extended => {}
                () = self.over.cancelled() => return false,
            }
        }
    }

    /// Takes note that a job is settled or dropped; says whether it was the last.
    pub fn close_one(&self) -> bool {
        self.open.fetch_sub(1, Ordering::AcqRel) == 1
    }
}
