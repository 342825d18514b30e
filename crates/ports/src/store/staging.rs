//! Staging: jobs that programs beside the server ask for, in transactions of their own in its database.

use async_trait::async_trait;
use baton_domain::{JobId, Timestamp, job::NewJob};

use super::{Enqueued, Result};

/// Staging: jobs that programs beside the server ask for, in transactions of their own in its database. What is staged is
/// durable with their commit, and becomes a job, or is refused, soon after.
#[async_trait]
pub trait Staging: Send + Sync {
    /// What nobody has turned to yet, the oldest first.
    async fn staged(&self, limit: u32) -> Result<Vec<StagedJob>>;

    /// A job that is still staged.
    async fn staged_job(&self, id: JobId) -> Result<Option<StagedJob>>;

    /// Enqueues staged jobs as [`super::Jobs::enqueue`] does, each under the id that it was staged by. What is a job
    /// afterwards is staged no more, in the same transaction; what is not, because its key belongs to another, stays.
    async fn enqueue_staged(&self, jobs: Vec<NewJob>, now: Timestamp) -> Result<Vec<Enqueued>>;

    /// Says why a staged job cannot be had. It stays as long as a job would after its end.
    async fn refuse_staged(&self, id: JobId, why: &str) -> Result<()>;
}

/// A job that somebody has asked for in a transaction of their own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StagedJob {
    /// The id that the job will have.
    pub id: JobId,
    /// What was asked, as JSON text.
    pub job: String,
    /// When.
    pub at: Timestamp,
    /// Why it cannot be had.
    pub refused: Option<String>,
}
