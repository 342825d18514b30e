//! How a worker is, for health checks and metrics.

use std::{
    fmt,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use crate::core::Core;

/// How a worker is: a handle that is cheap to copy and outlives the worker's run.
#[derive(Clone)]
pub struct Status(Arc<Core>);

/// The slots of one queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueueStatus {
    /// The queue.
    pub queue: String,
    /// How many jobs run at once.
    pub slots: u32,
    /// How many run now.
    pub running: u32,
    /// How many were claimed and wait for a slot.
    pub buffered: u32,
}

impl Status {
    pub(crate) const fn new(core: Arc<Core>) -> Self {
        Self(core)
    }

    /// The slots of every queue the worker has met.
    #[must_use]
    pub fn slots(&self) -> Vec<QueueStatus> {
        let all = self.0.slots.all();
        let statuses = all.iter().map(|slots| {
            let (running, buffered) = slots.counts();
            QueueStatus {
                queue: slots.queue.to_string(),
                slots: slots.count,
                running,
                buffered,
            }
        });
        statuses.collect()
    }

    /// How long ago the store last answered; `None` if it never did.
    #[must_use]
    pub fn silence(&self) -> Option<Duration> {
        self.0.silence()
    }

    /// Whether it takes new work: it is not draining, and the store takes its calls.
    #[must_use]
    pub fn is_claiming(&self) -> bool {
        self.0.may_claim() && self.0.is_answered.load(Ordering::Relaxed)
    }

    /// How many results the store does not have yet.
    #[must_use]
    pub fn unrecorded(&self) -> usize {
        self.0.results.held()
    }
}

impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Status")
            .field("slots", &self.slots())
            .field("unrecorded", &self.unrecorded())
            .finish_non_exhaustive()
    }
}
