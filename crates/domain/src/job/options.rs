//! What is asked of a job beside its payload, and comes to its handler and to whoever looks at it as it was asked.

use std::{mem::take, time::Duration};

use super::{Backoff, DeliveryGuarantee, JobSpec, Policy};
use crate::Trace;

/// How a job is to be run, and what it is known by: every default filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct JobOptions {
    /// How many tries it has.
    pub max_attempts: u32,
    /// When to try again.
    pub backoff: Backoff,
    /// How long one attempt may take.
    pub timeout: Duration,
    /// What to do in doubt.
    pub delivery: DeliveryGuarantee,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// The trace of whoever asked for it; no part of its content.
    pub trace: Option<Trace>,
}

impl JobOptions {
    /// Takes them out of what was asked.
    pub(super) fn of(asked: &mut JobSpec) -> Self {
        Self {
            max_attempts: asked
                .max_attempts
                .and_then(|n| u32::try_from(n).ok())
                .unwrap_or(4),
            backoff: asked.backoff.take().unwrap_or_default(),
            timeout: asked.timeout.unwrap_or(Duration::from_secs(30)),
            delivery: asked.delivery.unwrap_or_default(),
            tags: take(&mut asked.tags),
            trace: asked.trace.take().map(Trace::plain),
        }
    }

    /// What they allow.
    #[must_use]
    pub const fn policy(&self) -> Policy<'_> {
        Policy {
            max_attempts: self.max_attempts,
            backoff: &self.backoff,
            delivery: self.delivery,
        }
    }
}

impl Default for JobOptions {
    /// Those of a job of which nothing is said.
    fn default() -> Self {
        Self::of(&mut JobSpec::default())
    }
}
