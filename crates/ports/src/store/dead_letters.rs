//! Dead letters: failed jobs, grouped by cause, and what is done to many of them at once.

use async_trait::async_trait;
use baton_domain::{
    OperationId, Timestamp,
    operation::{Action, DeadLetterFilter, DeadLetterGroup, Operation},
    page::{Page, PageRequest},
};

use super::Result;

/// Dead letters: failed jobs, grouped by cause, and what is done to many of them at once.
#[async_trait]
pub trait DeadLetters: Send + Sync {
    /// The groups that are not empty, the one that last grew first.
    async fn dead_letters(&self, page: &PageRequest) -> Result<Page<DeadLetterGroup>>;

    /// Begins an operation on the dead letters that match now; those that fail later are not touched.
    async fn begin(
        &self,
        id: OperationId,
        action: Action,
        filter: &DeadLetterFilter,
        now: Timestamp,
    ) -> Result<Operation>;

    /// Does the next `limit` jobs of an unfinished operation: their moves, their facts and the
    /// operation's progress are one transaction. `None` means that none is unfinished. A job that cannot be moved is
    /// skipped, and an operation that cannot go on holds up no other.
    async fn step(&self, limit: u32, now: Timestamp) -> Result<Option<Operation>>;

    /// One operation.
    async fn operation(&self, id: OperationId) -> Result<Option<Operation>>;

    /// Operations, newest first.
    async fn operations(&self, page: &PageRequest) -> Result<Page<Operation>>;
}
