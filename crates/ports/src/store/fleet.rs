//! The fleet: workers, and who leads.

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::{
    JobId, Timestamp, WorkerId,
    fleet::{Heartbeat, Worker},
};

use super::Result;

/// What is wanted of a worker.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Wish {
    /// That it takes nothing new.
    pub drain: bool,
    /// That it knows it has said goodbye: it is not taken up again under this id.
    pub has_left: bool,
    /// That it stops these jobs. A heartbeat is not told of them; a renewal is.
    pub cancels: Vec<JobId>,
}

/// The fleet: workers, and who leads.
#[async_trait]
pub trait Fleet: Send + Sync {
    /// Writes what a worker says of itself; the first heartbeat is a fact (`worker.joined`). It hears what is wanted of it.
    async fn heartbeat(&self, heartbeat: &Heartbeat, now: Timestamp) -> Result<Wish>;

    /// Writes at once what many workers have said again, each with when it did: one that is known and has not left was seen then, runs as
    /// many jobs as it says, and is, as a remote one, what it says. Nobody joins by it, and nothing is written over what was said later;
    /// what seems to be said after `now` is from before the clock was put back.
    async fn heartbeats(&self, said: &[(Heartbeat, Timestamp)], now: Timestamp) -> Result<()>;

    /// Writes at once that these remote workers wait for jobs: each that has not left was seen now, and asked for jobs now, unless it was
    /// seen within `lately`. Says what is wanted of them, but for what they are to stop; one that is not known is told of as one that has left.
    async fn note_waiting(
        &self,
        workers: &[WorkerId],
        lately: Duration,
        now: Timestamp,
    ) -> Result<Vec<(WorkerId, Wish)>>;

    /// Asks a worker to take nothing new, or to go on; `false` if there is no such worker, or it has left. A change is a
    /// fact (`worker.drain_asked`).
    async fn drain_worker(&self, worker: WorkerId, drain: bool, now: Timestamp) -> Result<bool>;

    /// What is wanted of some workers: one look for all of them. Those that nothing is wanted of may be missing.
    async fn wishes(&self, workers: &[WorkerId]) -> Result<Vec<(WorkerId, Wish)>>;

    /// A worker says goodbye; that is a fact (`worker.left`).
    async fn leave(&self, worker: WorkerId, now: Timestamp) -> Result<()>;

    /// Workers seen since `since`, by name.
    async fn workers(&self, since: Timestamp) -> Result<Vec<Worker>>;

    /// Wins or keeps the leadership for `term`; `false` means that another one has it.
    async fn lead(&self, node: WorkerId, term: Duration, now: Timestamp) -> Result<bool>;

    /// Gives the leadership up, if this one has it.
    async fn resign(&self, node: WorkerId) -> Result<()>;

    /// Who leads now.
    async fn leader(&self, now: Timestamp) -> Result<Option<WorkerId>>;
}
