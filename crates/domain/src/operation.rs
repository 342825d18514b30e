//! A bulk operation: what an operator does to many rows at once, with progress.

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{
    OperationId, Timestamp,
    erasure::Stage,
    job::{State, Trigger},
    words::words,
};

words! {
    /// What an operation does: to each dead letter, to each job of a state, or to a person.
    pub enum Action, or "expected {words}" {
        /// Runs dead letters again, or jobs that ended otherwise.
        Retry = "retry",
        /// Cancels jobs; those that run are asked to stop.
        Cancel = "cancel",
        /// Takes dead letters off the list; they stay `failed`.
        Discard = "discard",
        /// Erases a person.
        Erase = "erase",
    }
}

/// Which dead letters; what is not given does not matter.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeadLetterFilter {
    /// Of this group.
    pub fingerprint: Option<String>,
    /// Of this kind.
    pub kind: Option<String>,
    /// Of this queue.
    pub queue: Option<String>,
    /// Failed for this reason.
    pub reason: Option<String>,
}

impl Action {
    /// What moves each job, where the action is one on jobs of a state.
    #[must_use]
    pub const fn on_jobs(self) -> Option<Trigger> {
        match self {
            Self::Retry => Some(Trigger::Redrive),
            Self::Cancel => Some(Trigger::Cancel),
            Self::Discard | Self::Erase => None,
        }
    }
}

/// Which jobs: those of one state; what else is not given does not matter.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct JobSelection {
    /// In this state.
    pub state: State,
    /// Of this kind.
    pub kind: Option<String>,
    /// In this queue.
    pub queue: Option<String>,
    /// With this tag.
    pub tag: Option<String>,
}

/// A bulk operation and how far it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Operation {
    /// Its id.
    pub id: OperationId,
    /// What it does.
    pub action: Action,
    /// To which dead letters.
    pub filter: DeadLetterFilter,
    /// To which jobs instead.
    pub jobs: Option<JobSelection>,
    /// Why, in the words of whoever began it.
    pub reason: Option<String>,
    /// How many matched when it began; later failures are not touched. An erasure learns on its way how
    /// many there are, and says as many as it has changed.
    pub total: u64,
    /// Whether more may have matched than were counted.
    pub is_at_least: bool,
    /// How many it has changed.
    pub done: u64,
    /// How many it found already gone.
    pub skipped: u64,
    /// What an erasure that has not ended looks through.
    pub stage: Option<Stage>,
    /// When it began.
    pub created_at: Timestamp,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// Whether somebody stopped it before it was through.
    pub is_stopped: bool,
}

impl Operation {
    /// One that begins now.
    #[must_use]
    pub fn begun(id: OperationId, action: Action, now: Timestamp) -> Self {
        Self {
            id,
            action,
            filter: DeadLetterFilter::default(),
            jobs: None,
            reason: None,
            total: 0,
            is_at_least: false,
            done: 0,
            skipped: 0,
            stage: None,
            created_at: now,
            finished_at: None,
            is_stopped: false,
        }
    }
}

/// Dead letters of one cause.
#[derive(Debug, Clone, PartialEq)]
pub struct DeadLetterGroup {
    /// The name of the group.
    pub fingerprint: String,
    /// The kind of its jobs.
    pub kind: String,
    /// The reason most lately seen.
    pub reason: String,
    /// What went wrong, as one of them said it.
    pub sample: crate::job::Failure,
    /// The job that said so.
    pub sample_job: crate::JobId,
    /// How many there are.
    pub count: u64,
    /// When the first of them failed.
    pub first_at: Timestamp,
    /// When the last of them failed.
    pub last_at: Timestamp,
}
