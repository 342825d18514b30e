//! How an attempt is shown.

use baton_domain::{
    JobId, Timestamp, WorkerId,
    job::{self, Failure, Late, Outcome, State},
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::FieldError;

/// One attempt of a job, as history keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Attempt {
    /// The job.
    #[schema(value_type = String)]
    pub job_id: JobId,
    /// Which attempt: 1, 2, 3 without a gap.
    pub attempt: u32,
    /// Which run of the job it belongs to.
    pub run: u32,
    /// The worker that had it.
    #[schema(value_type = String)]
    pub worker: WorkerId,
    /// When the handler started; null if it never did.
    pub started_at: Option<Timestamp>,
    /// When the outcome was recorded; null while it runs.
    pub ended_at: Option<Timestamp>,
    /// How it ended; null while it runs.
    pub outcome: Option<Outcome>,
    /// The state it led to; null while it runs.
    pub state: Option<State>,
    /// When the next attempt was planned for.
    pub next_run_at: Option<Timestamp>,
    /// Why it failed.
    pub error: Option<Failure>,
    /// A result that came after the lease was lost.
    pub late: Option<Late>,
}

impl From<job::Attempt> for Attempt {
    fn from(attempt: job::Attempt) -> Self {
        Self {
            job_id: attempt.job,
            attempt: attempt.attempt,
            run: attempt.run,
            worker: attempt.worker,
            started_at: attempt.started_at,
            ended_at: attempt.ended_at,
            outcome: attempt.outcome,
            state: attempt.state,
            next_run_at: attempt.next_run_at,
            error: attempt.error,
            late: attempt.late,
        }
    }
}

/// Whose attempts a list shows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AttemptsQuery {
    /// The ids of the jobs, with commas between them; 100 at most.
    pub jobs: String,
    /// Where the last page ended, as its `next` said.
    pub after: Option<String>,
}

impl AttemptsQuery {
    /// How many jobs can be asked about at once.
    pub const MAX: usize = 100;

    /// Asks about these jobs.
    #[must_use]
    pub fn of(ids: &[JobId]) -> Self {
        let ids: Vec<_> = ids.iter().map(JobId::to_string).collect();
        Self {
            jobs: ids.join(","),
            after: None,
        }
    }

    /// The jobs.
    pub fn ids(&self) -> Result<Vec<JobId>, FieldError> {
        let ids: Vec<_> = self.jobs.split(',').collect();
        if ids.len() > Self::MAX {
            return Err(FieldError::new("jobs", "can name 100 jobs at most"));
        }
        let read = |id: &str| {
            let wrong =
                |_| FieldError::new("jobs", "must be ids of jobs, with commas between them");
            id.parse::<JobId>().map_err(wrong)
        };
        ids.into_iter().map(read).collect()
    }
}
