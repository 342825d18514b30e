//! Asking for jobs.

use baton_domain::JobId;
pub use baton_domain::job::JobSpec as EnqueueJob;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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
