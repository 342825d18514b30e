//! A claim source names jobs that can be claimed, so that the store need not be searched for them.

use std::{future::ready, sync::Arc, time::Duration};

use baton_domain::JobId;
use baton_ports::store::{AttemptResult, Claimed, ReadyQueue, Result};
use futures::{FutureExt, future::BoxFuture};
use tokio::sync::oneshot;

use crate::{core::Core, finished_attempt::AttemptContext, queue_slots::QueueSlots};

/// How often the store is polled when no wake-up comes, at the least.
pub const SAFETY: Duration = Duration::from_secs(2);
/// The same while there is nothing to do, and a wake-up tells of all that comes.
const IDLE: Duration = Duration::from_secs(5);
/// The same while there is nothing to do, and a poller of the same process finds as soon as a poll would whatever comes.
pub const ACCOMPANIED: Duration = Duration::from_secs(15);

/// Jobs of one queue that a source has named, to be claimed.
pub struct NamedJobs {
    /// Where they are to run.
    pub slots: Arc<QueueSlots>,
    /// Each of them once.
    pub jobs: Vec<JobId>,
    /// Whether there may be more where they come from.
    pub may_be_more: bool,
    /// Who named them waits until this is dropped.
    pub waiter: oneshot::Sender<()>,
}

/// What names jobs to a worker. Whatever nobody names is searched for, so the promises do without any of this.
pub trait ClaimSource: Send + Sync {
    /// Whether it names all that joins the line of a queue: then the line is searched only once a poll has found it.
    fn names_all_of(&self, _: &QueueSlots) -> bool {
        false
    }

    /// Whether it has named jobs.
    fn has_named(&self) -> bool {
        false
    }

    /// The jobs that it has named.
    fn take_named(&self) -> Vec<NamedJobs> {
        Vec::new()
    }

    /// Whether something may have gone unnamed since this was asked: then the store is polled at once.
    fn take_alarm(&self) -> bool {
        false
    }

    /// How long the next poll may take to come; `is_idle` while there is nothing to do, `is_accompanied` while
    /// a poller of this process looks as well.
    fn poll_within(&self, is_idle: bool, is_accompanied: bool) -> Duration {
        match (is_idle, is_accompanied) {
            (true, true) => ACCOMPANIED,
            (true, false) => IDLE,
            (false, _) => SAFETY,
        }
    }

    /// Waits until a poll sees what is there.
    fn before_poll(&self) -> BoxFuture<'_, ()> {
        ready(()).boxed()
    }

    /// Takes note of the queues that a poll has found.
    fn polled<'a>(
        self: Arc<Self>,
        _: &'a Arc<Core>,
        _: &'a [ReadyQueue],
    ) -> BoxFuture<'a, Result<()>> {
        ready(Ok(())).boxed()
    }

    /// Waits, if need be, before a claim is sent; says whether a search sees all that is there.
    fn before_claim(&self) -> BoxFuture<'_, bool> {
        ready(true).boxed()
    }

    /// Takes note of which of the named jobs were claimed; says whether something is wrong with them, and the store
    /// is to be polled.
    fn followed(&self, _: NamedJobs, _: &[Claimed]) -> bool {
        false
    }

    /// Takes note of how many jobs a search for `limit` has found; says whether the line has nothing more.
    fn searched(self: Arc<Self>, _: &Arc<Core>, search: &Search<'_>) -> bool {
        search.found < search.limit
    }

    /// Leaves to others what it has named and is not to be claimed here.
    fn leave(&self, _queue: &str, _: &[JobId]) {}

    /// Takes note that a job it had named is another worker's now.
    fn lost(&self, _queue: &str, _: JobId) {}

    /// Takes note of attempts that have ended and are recorded.
    fn recorded(&self, _: &[AttemptResult], _: &[AttemptContext]) {}

    /// Shows that the worker lives, for so long.
    fn heartbeat(&self, _: Duration) {}

    /// Names nothing more.
    fn close(&self) {}

    /// What it does beside the claimer, until the worker is over.
    fn run(self: Arc<Self>, core: Arc<Core>) -> BoxFuture<'static, ()> {
        async move {
            tokio::select! {
                () = core.over.cancelled() => {}
                () = core.hard.cancelled() => {}
            }
        }
        .boxed()
    }
}

/// A search that was answered.
pub struct Search<'a> {
    /// The queue's slots.
    pub slots: &'a Arc<QueueSlots>,
    /// How many jobs were wanted.
    pub limit: u32,
    /// How many it found.
    pub found: u32,
    /// Whether it saw all that was there.
    pub sees_all: bool,
}

/// Claims that wait until there is something: none has seen the end of a line.
pub struct WaitingClaims;

impl ClaimSource for WaitingClaims {
    fn searched(self: Arc<Self>, _: &Arc<Core>, _: &Search<'_>) -> bool {
        false
    }
}

/// The store alone: nothing is named, everything is searched for.
pub struct StoreAlone;

impl ClaimSource for StoreAlone {}
