//! An attempt that has ended and is not recorded yet.

use std::{borrow::Cow, sync::Arc, time::Duration};

use baton_domain::{
    Timestamp, chance, fingerprint,
    job::{self, AttemptCounters, Decision, Illegal, State, Verdict},
};
use baton_ports::{Origin, store::AttemptResult};
use tokio::time::Instant;

use crate::{job::Job, lease::Lease};

/// An attempt that has ended and is not recorded yet.
#[derive(Debug, Clone)]
pub struct FinishedAttempt {
    /// What is to be recorded.
    pub result: AttemptResult,
    /// What else the worker knows of it.
    pub context: AttemptContext,
}

/// What the worker knows of an attempt beyond what is recorded. The payload is not held until then.
#[derive(Debug, Clone)]
pub struct AttemptContext {
    /// The lease it ran under.
    pub lease: Arc<Lease>,
    /// The job's queue.
    pub queue: Arc<str>,
    /// The job's kind.
    pub kind: Cow<'static, str>,
    /// Whether the claim source had named it.
    pub is_named: bool,
    /// How long its handler ran; `None` if it never started.
    pub ran: Option<Duration>,
    /// Since when it waits to be recorded.
    pub since: Instant,
    /// Its span.
    pub span: Origin,
}

/// The beginning of an attempt, by both clocks.
#[derive(Debug, Clone, Copy)]
pub struct AttemptStart {
    /// As the store will know it.
    pub at: Timestamp,
    /// What it is measured by.
    pub since: Instant,
}

impl FinishedAttempt {
    /// A job that ends by a verdict: of its handler, or without one having seen it. What follows is decided by these counters.
    pub fn by_verdict(
        job: &Job,
        counters: AttemptCounters,
        queue: &Arc<str>,
        verdict: Verdict,
        started: Option<AttemptStart>,
        now: Timestamp,
    ) -> Result<Self, Illegal> {
        let args = &job.args;
        let policy = args.options.policy();
        let decision =
            chance::draw(|mut chance| job::decide(verdict, counters, policy, now, &mut chance))?;
        Ok(Self::new(job, queue, decision, started))
    }

    /// A job that is handed back as it came.
    pub fn given_back(job: &Job, queue: &Arc<str>, now: Timestamp) -> Result<Self, Illegal> {
        let decision = Decision::give_back(job.counters, now)?;
        Ok(Self::new(job, queue, decision, None))
    }

    fn new(job: &Job, queue: &Arc<str>, decision: Decision, started: Option<AttemptStart>) -> Self {
        let since = Instant::now();
        let failure = decision.failure.as_ref();
        let failure = failure.filter(|_| decision.transition.to() == State::Failed);
        Self {
            result: AttemptResult {
                lease: job.lease.id,
                job: job.args.id,
                counters: job.counters,
                queued_at: job.queued_at,
                started_at: started.map(|started| started.at),
                fingerprint: failure
                    .map(|failure| fingerprint::fingerprint(&job.args.kind, failure)),
                decision,
                seen: None,
            },
            context: AttemptContext {
                lease: Arc::clone(&job.lease),
                queue: Arc::clone(queue),
                kind: job.kind(),
                is_named: job.is_named,
                ran: started.map(|started| since - started.since),
                since,
                span: Origin::default(),
            },
        }
    }
}
