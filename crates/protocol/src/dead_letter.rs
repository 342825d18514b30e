//! Dead letters: failed jobs, grouped by cause.

use baton_domain::{
    JobId, Timestamp,
    job::Class,
    operation::{DeadLetterFilter, DeadLetterGroup},
    strict,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Dead letters of one cause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct DeadLetters {
    /// The name of the group.
    #[schema(example = "fp_9f86d081884c7d65")]
    pub fingerprint: String,
    /// The kind of its jobs.
    pub kind: String,
    /// The reason most lately seen.
    #[schema(example = "exhausted")]
    pub reason: String,
    /// How many there are.
    pub count: u64,
    /// When the first of them failed.
    pub first: Timestamp,
    /// When the last of them failed.
    pub last: Timestamp,
    /// One of them.
    pub sample: Sample,
}

/// What went wrong, as one job of a group said it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Sample {
    /// The job.
    #[schema(value_type = String)]
    pub job_id: JobId,
    /// What sort of failure it was.
    pub class: Class,
    /// A stable word for it.
    pub code: String,
    /// What happened.
    pub message: String,
}

impl From<DeadLetterGroup> for DeadLetters {
    fn from(group: DeadLetterGroup) -> Self {
        Self {
            fingerprint: group.fingerprint,
            kind: group.kind,
            reason: group.reason,
            count: group.count,
            first: group.first_at,
            last: group.last_at,
            sample: Sample {
                job_id: group.sample_job,
                class: group.sample.class,
                code: group.sample.code,
                message: group.sample.message,
            },
        }
    }
}

/// Which dead letters a bulk operation is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SelectDeadLetters {
    /// The dead letters; `{}` means all of them.
    #[serde(deserialize_with = "strict::read")]
    pub filter: DeadLetterFilter,
}
