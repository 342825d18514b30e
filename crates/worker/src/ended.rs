//! An attempt that has ended and is not recorded yet.

use std::{borrow::Cow, sync::Arc, time::Duration};

use baton_domain::{
    Timestamp, chance, fingerprint,
    job::{self, Backoff, Decision, Delivery, Illegal, Policy, State, Ticket, Verdict},
};
use baton_ports::store::Settlement;

use crate::{job::Job, lease::Lease};

/// An attempt that has ended and is not recorded yet.
#[derive(Debug)]
pub struct Ended {
    /// What is to be recorded.
    pub settlement: Settlement,
    /// What else the worker knows of it.
    pub about: About,
}

/// What the worker knows of an attempt beyond what is recorded.
#[derive(Debug)]
pub struct About {
    /// The lease it ran under.
    pub lease: Arc<Lease>,
    /// The job's queue.
    pub queue: Arc<str>,
    /// The job's kind.
    pub kind: Cow<'static, str>,
    /// Whether the claim source had named it.
    pub is_named: bool,
    /// How long it had waited, and how long it ran; `None` if it never started.
    pub spans: Option<Spans>,
}

/// How long a job waited and ran.
#[derive(Debug, Clone, Copy)]
pub struct Spans {
    /// From claimable to started.
    pub waited: Duration,
    /// From started to ended.
    pub ran: Duration,
}

/// What is needed of a job after its handler has taken the order.
#[derive(Debug)]
pub struct Stub {
    /// The job.
    pub job: baton_domain::JobId,
    /// The counters of the attempt.
    pub ticket: Ticket,
    /// Since when it could have been claimed.
    pub queued_at: Timestamp,
    /// How many tries it has.
    pub max_attempts: u32,
    /// When to try again.
    pub backoff: Backoff,
    /// What to do in doubt.
    pub delivery: Delivery,
}

impl Stub {
    /// What is needed of a job after its handler has taken the order.
    pub fn of(job: &Job) -> Self {
        Self {
            job: job.order.id,
            ticket: job.ticket,
            queued_at: job.queued_at,
            max_attempts: job.order.max_attempts,
            backoff: job.order.backoff.clone(),
            delivery: job.order.delivery,
        }
    }

    /// What follows from a verdict.
    pub fn decide(
        self,
        verdict: Verdict,
        started_at: Option<Timestamp>,
        now: Timestamp,
        about: About,
    ) -> Result<Ended, Illegal> {
        let policy = Policy {
            max_attempts: self.max_attempts,
            backoff: &self.backoff,
            delivery: self.delivery,
        };
        let decision =
            chance::draw(|mut chance| job::decide(verdict, self.ticket, policy, now, &mut chance))?;
        let fingerprint = decision
            .failure
            .as_ref()
            .filter(|_| decision.transition.to() == State::Failed)
            .map(|failure| fingerprint::fingerprint(&about.kind, failure));
        Ok(Ended {
            settlement: Settlement {
                lease: about.lease.id,
                job: self.job,
                ticket: self.ticket,
                queued_at: self.queued_at,
                started_at,
                decision,
                fingerprint,
                seen: None,
            },
            about,
        })
    }
}

impl Ended {
    /// A job that ends by a verdict although no handler has seen it.
    pub fn unstarted(
        job: Job,
        queue: &Arc<str>,
        verdict: Verdict,
        now: Timestamp,
    ) -> Result<Self, Illegal> {
        let stub = Stub::of(&job);
        stub.decide(verdict, None, now, About::unstarted(job, queue))
    }

    /// A job that is handed back as it came.
    pub fn given_back(job: Job, queue: &Arc<str>, now: Timestamp) -> Result<Self, Illegal> {
        Ok(Self {
            settlement: Settlement {
                lease: job.lease.id,
                job: job.order.id,
                ticket: job.ticket,
                queued_at: job.queued_at,
                started_at: None,
                decision: Decision::give_back(job.ticket, now)?,
                fingerprint: None,
                seen: None,
            },
            about: About::unstarted(job, queue),
        })
    }
}

impl About {
    fn unstarted(job: Job, queue: &Arc<str>) -> Self {
        Self {
            lease: job.lease,
            queue: Arc::clone(queue),
            kind: Cow::Owned(job.order.kind),
            is_named: job.is_named,
            spans: None,
        }
    }
}
