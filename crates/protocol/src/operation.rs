//! Bulk operations, with progress.

use baton_domain::{
    OperationId, Timestamp,
    erasure::Stage,
    operation::{self, Action, DeadLetterFilter, JobSelection},
    strict,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A bulk operation and how far it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Operation {
    /// Its id.
    #[schema(value_type = String, example = "op_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")]
    pub id: OperationId,
    /// What it does.
    pub action: Action,
    /// To which dead letters.
    pub filter: DeadLetterFilter,
    /// To which jobs instead, where it is about jobs of a state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jobs: Option<JobSelection>,
    /// Why, in the words of whoever began it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether it is under way or has ended.
    pub state: OperationState,
    /// How many matched when it began; later failures are not touched. An erasure learns on its way how many
    /// there are, and says as many as it has changed.
    pub total: u64,
    /// Whether `total` is only the least: more than were counted may have matched.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub total_is_least: bool,
    /// How many it has changed.
    pub done: u64,
    /// How many it found already gone.
    pub skipped: u64,
    /// What an erasure that has not ended looks through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stage: Option<Stage>,
    /// When it began.
    pub created_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
}

/// Whether an operation is under way or has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OperationState {
    /// It is under way.
    Running,
    /// It has ended.
    Done,
    /// Somebody stopped it before it was through; what it had done stays done.
    Stopped,
}

/// Which jobs an operation is about, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SelectJobs {
    /// The jobs: those of one state.
    #[serde(deserialize_with = "strict::read")]
    pub filter: JobSelection,
    /// Why, as canceled jobs and the audit log will say; 500 characters at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 500)]
    pub reason: Option<String>,
}

impl From<operation::Operation> for Operation {
    fn from(operation: operation::Operation) -> Self {
        Self {
            id: operation.id,
            action: operation.action,
            filter: operation.filter,
            jobs: operation.jobs,
            reason: operation.reason,
            state: match operation.finished_at {
                None => OperationState::Running,
                Some(_) if operation.is_stopped => OperationState::Stopped,
                Some(_) => OperationState::Done,
            },
            total: operation.total,
            total_is_least: operation.is_at_least,
            done: operation.done,
            skipped: operation.skipped,
            stage: operation.stage,
            created_at: operation.created_at,
            finished_at: operation.finished_at,
        }
    }
}
