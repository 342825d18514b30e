//! Operations on the jobs of a state, and the end of any operation before it is through.

use async_trait::async_trait;
use baton_domain::{JobId, OperationId, Timestamp, operation::Operation};

use super::{Result, UnclaimedTransition};

/// Operations on the jobs of a state, and the end of any operation before it is through.
#[async_trait]
pub trait Operations: Send + Sync {
    /// Begins an operation on jobs. The same id again comes from a call whose answer was lost.
    async fn begin_on_jobs(&self, operation: &Operation) -> Result<Operation>;

    /// The oldest operation on jobs that has not ended, and the job it has come to; `None` at its beginning.
    async fn unfinished_on_jobs(&self) -> Result<Option<(Operation, Option<JobId>)>>;

    /// Does what an operation is about to one job, and counts it as done, in one transaction. `false` means that nothing was
    /// done: the job has moved, is asked to stop already, or the operation has ended.
    async fn act_on_job(&self, id: OperationId, act: &JobAct, now: Timestamp) -> Result<bool>;

    /// Moves an operation on, if it has not ended and stands where the step began. `false` means that it does not.
    async fn advance_on_jobs(&self, step: &JobsStep, now: Timestamp) -> Result<bool>;

    /// Ends an operation before it is through: what it has done stays done. `false` means that it had ended, or cannot be
    /// stopped, as an erasure.
    async fn stop_operation(&self, id: OperationId, now: Timestamp) -> Result<bool>;
}

/// What is done to one job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobAct {
    /// It is moved.
    Move(UnclaimedTransition),
    /// It runs, and is asked to stop, for this reason.
    AskToStop(JobId, Option<String>),
}

/// One step of an operation on jobs, which goes from the newest to the oldest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JobsStep {
    /// The operation.
    pub operation: OperationId,
    /// Where it stood.
    pub from: Option<JobId>,
    /// The oldest job it has looked at.
    pub to: Option<JobId>,
    /// How many it could not change: they had moved.
    pub skipped: u32,
    /// Whether it is through.
    pub is_last: bool,
}
