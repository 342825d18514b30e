//! A node: what its worker has, and what its rescuer has seen.

use crate::{design::LEASE, state::LeaseId};

/// A process: worker and rescuer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Node {
    /// Whether the process lives.
    pub is_up: bool,
    /// Whether it is not stopped.
    pub is_awake: bool,
    /// Whether it reaches the store.
    pub is_reachable: bool,
    /// How far what it takes for the store's time is ahead of true time.
    pub ahead: i8,
    /// Its loops that have died without a word.
    pub dead: [bool; 3],
    /// What its worker has.
    pub hand: WorkerJob,
    /// What its rescuer watches, and for how long by its monotonic clock.
    pub watch: Option<(ObservedLease, u8)>,
    /// What its rescuer read and is about to take back.
    pub prey: Option<ObservedLease>,
}

/// A loop of a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Loop {
    /// Takes jobs.
    Claimer,
    /// Keeps leases.
    Renewer,
    /// Records results.
    Flusher,
}

/// What a worker has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WorkerJob {
    /// Nothing.
    Empty,
    /// A claim was sent under this lease and granted; the answer is on its way.
    Asked(Run),
    /// The answer was lost.
    Doubts(Run),
    /// The job runs.
    Runs(Run),
    /// It has ended, and the result is to be recorded.
    Ended(Run, Verdict),
}

/// An attempt as its worker sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Run {
    /// Under which lease.
    pub lease: LeaseId,
    /// Which attempt.
    pub attempt: u8,
    /// How long ago the last granted claim or renewal was sent, by the worker's monotonic clock.
    pub sent: u8,
}

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// Well.
    Success,
    /// It is to be tried again.
    Retry,
}

/// What a rescuer saw of a lease, and where exactly this still stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ObservedLease {
    /// The lease.
    pub lease: LeaseId,
    /// The store shows it so: it was not renewed since.
    pub in_store: bool,
    /// A crash of the database would leave it so.
    pub on_disk: bool,
}

impl Node {
    /// A process that has just started.
    pub(crate) const fn fresh(ahead: i8) -> Self {
        Self {
            is_up: true,
            is_awake: true,
            is_reachable: true,
            ahead,
            dead: [false; 3],
            hand: WorkerJob::Empty,
            watch: None,
            prey: None,
        }
    }

    pub(crate) const fn is_at_work(&self) -> bool {
        self.is_up && self.is_awake
    }

    pub(crate) const fn runs(&self, which: Loop) -> bool {
        !self.dead[which as usize]
    }

    /// Whether its worker runs the job and relies on its lease.
    pub(crate) const fn relies_on_its_lease(&self) -> bool {
        self.is_at_work() && matches!(self.hand, WorkerJob::Runs(run) if run.sent < LEASE)
    }
}

impl WorkerJob {
    pub(crate) const fn run(self) -> Option<Run> {
        match self {
            Self::Empty => None,
            Self::Asked(run) | Self::Doubts(run) | Self::Runs(run) | Self::Ended(run, _) => {
                Some(run)
            }
        }
    }

    pub(crate) const fn run_mut(&mut self) -> Option<&mut Run> {
        match self {
            Self::Empty => None,
            Self::Asked(run) | Self::Doubts(run) | Self::Runs(run) | Self::Ended(run, _) => {
                Some(run)
            }
        }
    }
}
