//! Erasing a person: an operation that goes on where it was, whoever dies.

use async_trait::async_trait;
use baton_domain::{OperationId, Timestamp, operation::Operation};

use super::Result;

/// Erasing a person: an operation that goes on where it was, whoever dies.
///
/// From its first transaction on the recipient is gone and has a mark. As long as the mark stands, nothing is
/// written that was begun before: no notification to them, no chunk of a campaign with them in it, no
/// campaign or schedule that names them; and nobody is put down under their id.
#[async_trait]
pub trait Erasures: Send + Sync {
    /// Begins to erase whoever has this id, or had it. One who is being erased already is not begun with
    /// again: this is the operation.
    async fn begin_erasure(
        &self,
        id: OperationId,
        recipient: &str,
        now: Timestamp,
    ) -> Result<Operation>;

    /// Looks at the next `limit` rows of an unfinished erasure: what it changes there and where it goes on
    /// are one transaction. `None` means that none is unfinished.
    async fn step_erasure(&self, limit: u32, now: Timestamp) -> Result<Option<Erasing>>;
}

/// How far an erasure is.
#[derive(Debug, Clone, PartialEq)]
pub struct Erasing {
    /// The operation.
    pub operation: Operation,
    /// How many deliveries it waits for: they were asked to stop and have not ended yet. Nothing else was
    /// done in this step then.
    pub running: u32,
}
