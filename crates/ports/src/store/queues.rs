//! Queues: lines of jobs that can be paused and limited.

use async_trait::async_trait;
use baton_domain::{
    Timestamp,
    page::{Page, PageRequest},
    queue::{Queue, QueueChange, WorkedBy},
};

use super::Result;

/// Queues: lines of jobs that can be paused and limited.
#[async_trait]
pub trait Queues: Send + Sync {
    /// Every queue that was ever named, by name, with its counters. Counts no table.
    async fn queues(&self, now: Timestamp) -> Result<Vec<Queue>>;

    /// A page of them, by name.
    async fn queue_page(&self, page: &PageRequest, now: Timestamp) -> Result<Page<Queue>>;

    /// Changes a queue, and makes it if there is none; the change is a fact.
    async fn change_queue(&self, name: &str, change: &QueueChange, now: Timestamp)
    -> Result<Queue>;

    /// The queues that can be claimed from at all: not paused, with something claimable.
    async fn ready_queues(&self) -> Result<Vec<ReadyQueue>>;

    /// How many claimable jobs of a queue were due before a moment. It counts to `most`, and reads no more than that however long the line is.
    async fn late_jobs(&self, queue: &str, before: Timestamp, most: u32) -> Result<u64>;

    /// Who works these queues off, of those that were ever named. Once said it does not change.
    async fn worked_by(&self, names: &[String]) -> Result<Vec<(String, WorkedBy)>>;
}

/// A queue that can be claimed from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadyQueue {
    /// Its name.
    pub name: String,
    /// Whether it has limits of its own, which need a lock to be kept.
    pub limited: bool,
    /// Who works it off.
    pub worked_by: WorkedBy,
}
