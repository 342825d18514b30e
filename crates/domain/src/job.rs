//! A job: a durable request to run a *kind* of work once to completion.

mod args;
mod backoff;
mod control;
mod decision;
mod explanation;
mod kinds;
mod masked;
mod new;
mod options;
mod spec;
mod state;
mod verdict;

pub use args::JobArgs;
pub use backoff::{Backoff, Jitter, LONGEST_RETRY_AFTER, Strategy};
pub use control::{Cancel, Resolution};
pub use decision::{AttemptCounters, Decision, MAX_LOSSES, Policy, Reason, decide, lose};
pub use explanation::Explanation;
pub use kinds::Kinds;
pub use masked::{HIDDEN, is_sensitive, masked};
pub use new::NewJob;
pub use options::JobOptions;
pub use spec::{FieldError, JobSpec, KEY_RULE, Limits, is_key};
pub use state::{Illegal, State, Transition, Trigger, diagram};
pub use verdict::{Class, Failure, Verdict};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{JobId, LeaseId, Timestamp, WorkerId, words::words};

words! {
    /// How often a call may be made when its outcome is in doubt.
    #[derive(Default)]
    pub enum DeliveryGuarantee as "Delivery", or "expected {words}" {
        /// In doubt it is called again, with the same idempotency key.
        #[default]
        AtLeastOnce = "at_least_once",
        /// In doubt it is parked as `uncertain`, and a person decides.
        AtMostOnce = "at_most_once",
    }
}

/// A job as a store shows it: what was asked, and where it is now.
#[derive(Debug, Clone, PartialEq)]
pub struct Job {
    /// Its id.
    pub id: JobId,
    /// The caller's own key, if one was given.
    pub key: Option<String>,
    /// The name that chooses the handler.
    pub kind: String,
    /// The line it stands in.
    pub queue: String,
    /// Where it is.
    pub state: State,
    /// Why it is there, for `failed`, `canceled` and `skipped`.
    pub reason: Option<String>,
    /// Smaller is sooner.
    pub priority: i16,
    /// The handler's arguments: JSON text, to the letter as it came.
    pub payload: String,
    /// Not before this moment.
    pub run_at: Timestamp,
    /// Numbers the claims; 0 before the first.
    pub attempt: u32,
    /// Attempts that count against `max_attempts`, the present or last one included.
    pub tries: u32,
    /// Attempts that ended without a word, in this run.
    pub losses: u32,
    /// 1, and one more each time a person runs it again.
    pub run: u32,
    /// Not after this moment.
    pub expires_at: Option<Timestamp>,
    /// How it is to be run, and what it is known by.
    pub options: JobOptions,
    /// Why the last attempt failed, if it did.
    pub last_error: Option<Failure>,
    /// What the handler answered: JSON text.
    pub result: Option<String>,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// When it last moved.
    pub updated_at: Timestamp,
    /// When it reached a terminal state.
    pub finished_at: Option<Timestamp>,
    /// The worker that has it, while it runs.
    pub worker: Option<WorkerId>,
    /// Until when that worker has it.
    pub leased_until: Option<Timestamp>,
    /// When somebody asked a running job to stop.
    pub cancel_asked_at: Option<Timestamp>,
}

impl From<NewJob> for Job {
    /// A job as it is when it has just been accepted.
    fn from(job: NewJob) -> Self {
        let is_due = job.run_at <= job.created_at;
        Self {
            id: job.id,
            key: job.key,
            kind: job.kind,
            queue: job.queue,
            state: if is_due {
                State::Queued
            } else {
                State::Pending
            },
            reason: None,
            priority: job.priority,
            payload: job.payload,
            run_at: job.run_at,
            attempt: 0,
            tries: 0,
            losses: 0,
            run: 1,
            expires_at: job.expires_at,
            options: job.options,
            last_error: None,
            result: None,
            created_at: job.created_at,
            updated_at: job.created_at,
            finished_at: None,
            worker: None,
            leased_until: None,
            cancel_asked_at: None,
        }
    }
}

/// One attempt of a job, as history keeps it.
#[derive(Debug, Clone, PartialEq)]
pub struct Attempt {
    /// The job.
    pub job: JobId,
    /// Which attempt: 1, 2, 3 without a gap.
    pub attempt: u32,
    /// Which run of the job it belongs to.
    pub run: u32,
    /// The lease it ran under.
    pub lease: LeaseId,
    /// The worker that had it.
    pub worker: WorkerId,
    /// When the handler started; `None` if it never did.
    pub started_at: Option<Timestamp>,
    /// When the outcome was recorded; `None` while it runs.
    pub ended_at: Option<Timestamp>,
    /// How it ended; `None` while it runs.
    pub outcome: Option<Outcome>,
    /// The state it led to; `None` while it runs.
    pub state: Option<State>,
    /// When the next attempt was planned for.
    pub next_run_at: Option<Timestamp>,
    /// Why it failed.
    pub error: Option<Failure>,
    /// A result that came after the lease was lost: its outcome, and whether it was adopted.
    pub late: Option<Late>,
}

/// A result that came too late.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Late {
    /// How the attempt really ended.
    pub outcome: Outcome,
    /// When it was recorded.
    pub at: Timestamp,
    /// Whether it became the job's state, as nobody had claimed the job since.
    pub adopted: bool,
}

words! {
    /// How an attempt ended.
    pub enum Outcome, or "{text} names no outcome" {
        /// It did what was asked.
        Succeeded = "succeeded",
        /// There was nothing to do.
        Skipped = "skipped",
        /// It failed.
        Failed = "failed",
        /// Its lease ended without a word.
        Lost = "lost",
        /// It was handed back unstarted.
        GivenBack = "given_back",
        /// It asked to be run later.
        Snoozed = "snoozed",
        /// The target asked for patience.
        Throttled = "throttled",
        /// It was stopped.
        Canceled = "canceled",
        /// It was called and no answer came.
        Uncertain = "uncertain",
    }
}
