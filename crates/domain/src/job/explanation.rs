//! Why a job is where it is.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::State;
use crate::JobId;

/// Why a job is, or is not, running.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Explanation {
    /// The job.
    #[schema(value_type = String)]
    pub job_id: JobId,
    /// Where it is.
    pub state: State,
    /// The answer in one sentence.
    pub summary: String,
    /// What holds it up, each in one sentence; empty when nothing does.
    pub blockers: Vec<String>,
    /// What will happen, or what a person can do.
    pub next: String,
}
