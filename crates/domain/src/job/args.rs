//! What a handler is told of a job.

use super::{AttemptCounters, JobOptions, NewJob};
use crate::{JobId, Timestamp};

/// What a handler needs to know of a job.
#[derive(Debug, Clone, PartialEq)]
pub struct JobArgs {
    /// Its id.
    pub id: JobId,
    /// The name that chooses the handler.
    pub kind: String,
    /// The line it stood in.
    pub queue: String,
    /// JSON text.
    pub payload: String,
    /// Not after this moment.
    pub expires_at: Option<Timestamp>,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// The caller's own key, if one was given.
    pub key: Option<String>,
    /// How it is to be run, and what it is known by.
    pub options: JobOptions,
}

impl JobArgs {
    /// What a handler needs to know of a job in this attempt.
    #[must_use]
    pub fn of(job: &NewJob, counters: AttemptCounters) -> Self {
        Self {
            id: job.id,
            kind: job.kind.clone(),
            queue: job.queue.clone(),
            payload: job.payload.clone(),
            // Who runs a job again wants it run.
            expires_at: job.expires_at.filter(|_| counters.run == 1),
            created_at: job.created_at,
            key: job.key.clone(),
            options: job.options.clone(),
        }
    }
}
