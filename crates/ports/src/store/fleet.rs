//! The fleet: workers, and who leads.

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::{
    Timestamp, WorkerId,
    fleet::{Heartbeat, Worker},
};

use super::Result;

/// The fleet: workers, and who leads.
#[async_trait]
pub trait Fleet: Send + Sync {
    /// Writes what a worker says of itself; the first heartbeat is a fact (`worker.joined`).
    async fn heartbeat(&self, heartbeat: &Heartbeat, now: Timestamp) -> Result<()>;

    /// A worker says goodbye; that is a fact (`worker.left`).
    async fn leave(&self, worker: WorkerId, now: Timestamp) -> Result<()>;

    /// Workers seen since `since`, by name.
    async fn workers(&self, since: Timestamp) -> Result<Vec<Worker>>;

    /// Wins or keeps the leadership for `term`; `false` means that another one has it.
    async fn lead(&self, node: WorkerId, term: Duration, now: Timestamp) -> Result<bool>;

    /// Gives the leadership up, if this one has it.
    async fn resign(&self, node: WorkerId, now: Timestamp) -> Result<()>;

    /// Who leads now.
    async fn leader(&self, now: Timestamp) -> Result<Option<WorkerId>>;
}
