//! A job as its worker is told of it, and as the worker understands that.

use std::time::Duration;

use baton_domain::{
    JobId, Json, Timestamp, Trace,
    checkpoint::{Checkpoint, Progress},
    duration::{self, Span},
    job::{AttemptCounters, Backoff, DeliveryGuarantee, JobArgs, JobOptions},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A job, for one attempt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ClaimedJob {
    /// Its id.
    #[schema(value_type = String)]
    pub id: JobId,
    /// Its kind.
    pub kind: String,
    /// What was asked, as any JSON.
    pub payload: Json,
    /// The right to this attempt. Whoever has it can settle the job: it belongs in no log.
    pub token: String,
    /// Numbers the claims of the job.
    pub attempt: u32,
    /// Attempts that count towards `max_attempts`, this one included.
    pub tries: u32,
    /// How many tries it has.
    pub max_attempts: u32,
    /// Which run of the job this is.
    pub run: u32,
    /// How many attempts of this run were lost with their worker.
    pub losses: u32,
    /// How long the attempt may take, from its start or its last checkpoint.
    #[serde(with = "duration")]
    #[schema(value_type = Span, example = "30s")]
    pub timeout: Duration,
    /// What to do in doubt.
    pub delivery: DeliveryGuarantee,
    /// The same for every attempt of this run, and for no other.
    pub idempotency_key: String,
    /// For how long it could have been claimed.
    #[serde(with = "duration")]
    #[schema(value_type = Span, example = "3ms")]
    pub queued_ago: Duration,
    /// How long ago it was accepted.
    #[serde(with = "duration")]
    #[schema(value_type = Span, example = "41s")]
    pub created_ago: Duration,
    /// In how long it expires, if it does.
    #[serde(default, with = "duration::option")]
    #[schema(value_type = Option<Span>)]
    pub expires_in: Option<Duration>,
    /// The caller's own key, if one was given.
    #[serde(default)]
    pub key: Option<String>,
    /// Words to find it by.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The trace of whoever asked for it.
    #[serde(default)]
    pub trace: Option<Trace>,
    /// Where an earlier attempt left off, if it said so.
    #[serde(default)]
    pub checkpoint: Option<ClaimedCheckpoint>,
}

impl ClaimedJob {
    /// What is told of a job that was claimed and has left off nowhere yet.
    #[must_use]
    pub fn of(
        args: JobArgs,
        counters: AttemptCounters,
        token: String,
        queued_at: Timestamp,
        now: Timestamp,
    ) -> Self {
        let options = args.options;
        Self {
            idempotency_key: format!("{}.{}", args.id, counters.run),
            id: args.id,
            kind: args.kind,
            payload: Json::from_text(&args.payload),
            token,
            attempt: counters.attempt,
            tries: counters.tries,
            max_attempts: options.max_attempts,
            run: counters.run,
            losses: counters.losses,
            timeout: options.timeout,
            delivery: options.delivery,
            queued_ago: now.since(queued_at),
            created_ago: now.since(args.created_at),
            expires_in: args.expires_at.map(|at| at.since(now)),
            key: args.key,
            tags: options.tags,
            trace: options.trace,
            checkpoint: None,
        }
    }

    /// What its handler needs to know. The server decides when it is tried again, so the backoff is nobody's business here.
    #[must_use]
    pub fn args(self, queue: &str, now: Timestamp) -> JobArgs {
        JobArgs {
            id: self.id,
            kind: self.kind,
            queue: queue.to_owned(),
            payload: self.payload.into_text(),
            expires_at: self.expires_in.map(|span| now + span),
            options: JobOptions {
                max_attempts: self.max_attempts,
                backoff: Backoff::default(),
                timeout: self.timeout,
                delivery: self.delivery,
                tags: self.tags,
                trace: self.trace.filter(|trace| trace.errors().is_empty()),
            },
            created_at: now - self.created_ago,
            key: self.key,
        }
    }
}

/// Where an earlier attempt left off.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ClaimedCheckpoint {
    /// How often the cursor was moved.
    pub seq: u64,
    /// 1, and one more each time somebody had the job begin anew.
    pub era: u32,
    /// The job's own word for where it is.
    #[schema(value_type = Json, required = false)]
    pub cursor: Option<Json>,
    /// How far it was, as it was told to people.
    pub progress: Option<Progress>,
    /// How long ago that was.
    #[serde(with = "duration")]
    #[schema(value_type = Span, example = "31s")]
    pub ago: Duration,
}

impl ClaimedCheckpoint {
    /// What is told of where it left off.
    #[must_use]
    pub fn of(left: Checkpoint, now: Timestamp) -> Self {
        Self {
            seq: left.seq,
            era: left.era,
            cursor: left.cursor.as_deref().map(Json::from_text),
            progress: left.progress,
            ago: now.since(left.at),
        }
    }
}
