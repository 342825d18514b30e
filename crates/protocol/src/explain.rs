//! Why a job is where it is.

use baton_domain::{JobId, Timestamp, job::State};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::words;

/// Why a job runs, or does not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Explanation {
    /// The job.
    #[schema(value_type = String)]
    pub job_id: JobId,
    /// Where it is.
    #[schema(value_type = words::JobState)]
    pub state: State,
    /// The answer in one sentence.
    pub summary: String,
    /// What the answer rests on, the most important first.
    pub causes: Vec<Cause>,
    /// When something will happen by itself, if that is known.
    #[schema(value_type = Option<words::Moment>)]
    pub next_at: Option<Timestamp>,
}

/// One thing that keeps a job where it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Cause {
    /// A stable word for it.
    #[schema(example = "queue_paused")]
    pub code: String,
    /// What it means, and what to do about it.
    pub message: String,
}
