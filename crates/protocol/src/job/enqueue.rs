//! Asking for jobs.

use std::time::Duration;

use baton_domain::{
    JobId, Timestamp, duration,
    job::{Backoff, DeliveryGuarantee, JobSpec},
    strict,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{Json, schemas};

/// A job to be run once to completion.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EnqueueJob {
    /// The name that chooses the handler.
    #[schema(example = "http")]
    pub kind: String,
    /// The handler's arguments, kept to the letter; 256 KiB at most. Those of the kind `http` are `url`, or
    /// `destination` (one that the configuration names, with its credentials) and `path` below it; `method`,
    /// `headers` and `body`.
    #[serde(default)]
    #[schema(example = json!({"url": "https://example.com/hook", "body": {"hello": "world"}}))]
    pub payload: Json,
    /// Your own key. The same key with the same content is the same job, with other content a conflict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "order-4711")]
    pub key: Option<String>,
    /// The queue it stands in; `default` if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queue: Option<String>,
    /// Smaller is sooner; 0 if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = -100, maximum = 100)]
    pub priority: Option<i64>,
    /// Not before this moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<schemas::Moment>)]
    pub run_at: Option<Timestamp>,
    /// Not before this long from now; instead of `run_at`.
    #[serde(
        default,
        with = "duration::option",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<schemas::Span>)]
    pub delay: Option<Duration>,
    /// How many tries it has; 4 if none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 1, maximum = 100)]
    pub max_attempts: Option<i64>,
    /// When to try again; exponential from 5s to 15m with full jitter if none is given.
    #[serde(
        default,
        deserialize_with = "strict::read",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<BackoffSchema>)]
    pub backoff: Option<Backoff>,
    /// How long one attempt may take, 24h at most; 30s if none is given.
    #[serde(
        default,
        with = "duration::option",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<schemas::Span>)]
    pub timeout: Option<Duration>,
    /// Not after this moment: the job fails with the reason `expired` if it has not run by then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<schemas::Moment>)]
    pub expires_at: Option<Timestamp>,
    /// What to do when the outcome of a call is in doubt; `at_least_once` if nothing is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<schemas::Delivery>)]
    pub delivery: Option<DeliveryGuarantee>,
    /// Words to find it by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
}

impl EnqueueJob {
    /// A job of a kind, with a payload.
    #[must_use]
    pub fn new(kind: impl Into<String>, payload: Json) -> Self {
        Self {
            kind: kind.into(),
            payload,
            ..Self::default()
        }
    }
}

impl From<EnqueueJob> for JobSpec {
    fn from(job: EnqueueJob) -> Self {
        Self {
            kind: job.kind,
            payload: job.payload.into_text(),
            key: job.key,
            queue: job.queue,
            priority: job.priority,
            run_at: job.run_at,
            delay: job.delay,
            max_attempts: job.max_attempts,
            backoff: job.backoff,
            timeout: job.timeout,
            expires_at: job.expires_at,
            delivery: job.delivery,
            tags: job.tags,
        }
    }
}

/// When to try again, as the API description shows it.
#[derive(Debug, ToSchema)]
#[schema(as = Backoff)]
#[expect(dead_code, reason = "it only describes the domain's Backoff")]
pub struct BackoffSchema {
    /// How the wait grows.
    #[schema(value_type = schemas::Strategy, default = "exponential")]
    strategy: String,
    /// The wait after the first try.
    #[schema(value_type = schemas::Span, default = "5s")]
    base: String,
    /// The longest wait.
    #[schema(value_type = schemas::Span, default = "15m")]
    cap: String,
    /// Whether chance shortens the wait, so that jobs that failed together do not return together.
    #[schema(value_type = schemas::Jitter, default = "full")]
    jitter: String,
}

/// Jobs to be added in one transaction: all or none.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EnqueueBatch {
    /// The jobs.
    #[schema(min_items = 1, max_items = 10_000)]
    pub jobs: Vec<EnqueueJob>,
}

impl EnqueueBatch {
    /// The most jobs a batch can have.
    pub const MAX: usize = 10_000;
}

/// What became of a batch, in the order of its jobs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Batch {
    /// One answer for each job.
    pub items: Vec<BatchItem>,
}

/// What became of one job of a batch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct BatchItem {
    /// The job that has the key, or the new one.
    #[schema(value_type = String, example = "job_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")]
    pub id: JobId,
    /// Whether this request made it.
    pub created: bool,
}
