//! A job as a schedule makes it.

use std::time::Duration;

use baton_domain::{
    duration,
    job::{self, Backoff, DeliveryGuarantee},
    schedule::JobTemplate,
    strict,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Json, job::BackoffSchema, schemas};

/// A job as a schedule makes it each time. It has no time of its own, and no key: each is another job.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ScheduledJob {
    /// The name that chooses the handler.
    #[schema(example = "http")]
    pub kind: String,
    /// The handler's arguments, kept to the letter.
    #[serde(default)]
    #[schema(example = json!({"url": "https://example.com/hook"}))]
    pub payload: Json,
    /// The queue it stands in; `default` if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<String>,
    /// Smaller is sooner; 0 if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = -100, maximum = 100)]
    pub priority: Option<i64>,
    /// How many tries it has; 4 if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 100)]
    pub max_attempts: Option<i64>,
    /// When to try again.
    #[serde(
        default,
        deserialize_with = "strict::read",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<BackoffSchema>)]
    pub backoff: Option<Backoff>,
    /// How long one attempt may take; 30s if none is given.
    #[serde(
        default,
        with = "duration::option",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<schemas::Span>)]
    pub timeout: Option<Duration>,
    /// How long after its nominal time it is still of use; what is older is not made, and not run.
    #[serde(
        default,
        with = "duration::option",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<schemas::Span>)]
    pub expires_after: Option<Duration>,
    /// What to do when the outcome of a call is in doubt; `at_least_once` if nothing is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<schemas::Delivery>)]
    pub delivery: Option<DeliveryGuarantee>,
    /// Words to find it by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

impl From<ScheduledJob> for JobTemplate {
    fn from(job: ScheduledJob) -> Self {
        Self {
            kind: job.kind,
            payload: job.payload.into_text(),
            queue: job.queue,
            priority: job.priority,
            max_attempts: job.max_attempts,
            backoff: job.backoff,
            timeout: job.timeout,
            expires_after: job.expires_after,
            delivery: job.delivery,
            tags: job.tags,
        }
    }
}

impl From<JobTemplate> for ScheduledJob {
    fn from(job: JobTemplate) -> Self {
        let payload = Json::from_text(&job::masked(&job.kind, &job.payload));
        Self {
            kind: job.kind,
            payload,
            queue: job.queue,
            priority: job.priority,
            max_attempts: job.max_attempts,
            backoff: job.backoff,
            timeout: job.timeout,
            expires_after: job.expires_after,
            delivery: job.delivery,
            tags: job.tags,
        }
    }
}
