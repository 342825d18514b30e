//! What does the work of one kind of job.

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::job::{FieldError, Ticket, Verdict};
use tokio_util::sync::CancellationToken;

use crate::store::Order;

/// Does the work of one kind of job.
#[async_trait]
pub trait Handler: Send + Sync + 'static {
    /// The kind it handles.
    fn kind(&self) -> &'static str;

    /// Checks a payload before the job is accepted, so that a mistake is found by who made it.
    ///
    /// # Errors
    /// Everything that is wrong, field by field, with paths that begin with `payload`.
    fn check(&self, payload: &str) -> Result<(), Vec<FieldError>>;

    /// Makes one attempt. It is called in a task of its own: a panic is contained, and the future is
    /// dropped when the job's time-out or its lease ends.
    async fn run(&self, call: Call) -> Verdict;
}

/// One attempt, as its handler sees it.
#[derive(Debug, Clone)]
pub struct Call {
    /// What was asked.
    pub order: Order,
    /// Which attempt this is.
    pub ticket: Ticket,
    /// How long it may take.
    pub timeout: Duration,
    /// Fires when somebody asks the job to stop.
    pub cancel: CancellationToken,
}

impl Call {
    /// The key that is the same for every try of a job's run, and for no other.
    #[must_use]
    pub fn idempotency_key(&self) -> String {
        format!("{}.{}", self.order.id, self.ticket.run)
    }
}
