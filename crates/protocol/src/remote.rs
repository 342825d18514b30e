//! The protocol of remote workers: register, claim, beat, results, checkpoints, release.
//!
//! Every call may be repeated in the same words. All moments are spans relative to the call, as clocks of other machines are
//! not trusted. Workers ignore fields of answers that they do not know.

mod claimed;

pub use claimed::{ClaimedCheckpoint, ClaimedJob};

use std::{collections::BTreeMap, time::Duration};

use baton_domain::{
    JobId, Json, LeaseId, Timestamp, WorkerId,
    checkpoint::{LONGEST_CURSOR, MOST_JOBS, Progress},
    duration::{self, Span},
    job::{Class, State},
};
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::{
    FieldError,
    job::{BatchItem, EnqueueJob},
};

/// The version of the protocol that this program speaks.
pub const PROTOCOL: u32 = 1;

/// Who a worker is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RegisterWorker {
    /// The version of the protocol that it speaks.
    #[schema(example = 1)]
    pub protocol: u32,
    /// The machine it runs on, and its process id there.
    #[schema(example = "host:4711")]
    pub name: String,
    /// What it is written with.
    #[schema(example = "python/0.1.0")]
    pub sdk: String,
    /// The version of the program it is part of.
    #[serde(default)]
    #[schema(example = "shop 2026.11.3")]
    pub version: Option<String>,
    /// The kinds it handles, 1 to 100.
    pub kinds: Vec<String>,
    /// The queues it claims from, 1 to 200; those of the names of its kinds if none are named.
    #[serde(default)]
    pub queues: Vec<String>,
    /// How many jobs it runs at once, 1 to 10,000.
    pub slots: u32,
    /// Words of its operator's, 16 at the most.
    #[serde(default)]
    pub labels: BTreeMap<String, String>,
}

/// What a worker is told as it registers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Registered {
    /// Its id.
    #[schema(value_type = String)]
    pub id: WorkerId,
    /// The version of the protocol.
    pub protocol: u32,
    /// How long a lease lasts without a renewal.
    #[serde(with = "duration")]
    #[schema(value_type = Span, example = "30s")]
    pub lease: Duration,
    /// How often to beat, at the least.
    #[serde(with = "duration")]
    #[schema(value_type = Span, example = "10s")]
    pub beat: Duration,
    /// The server's version.
    pub server: String,
    /// How much fits into a call.
    pub limits: RemoteLimits,
}

/// How much fits into a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RemoteLimits {
    /// Jobs of a claim.
    pub claim: u32,
    /// Results of a call.
    pub results: u32,
    /// Checkpoints of a call.
    pub checkpoints: u32,
    /// Jobs that the checkpoints of a call make.
    pub jobs: u32,
    /// How long a claim waits at the most.
    #[serde(with = "duration")]
    #[schema(value_type = Span, example = "50s")]
    pub wait: Duration,
    /// Bytes of a result.
    pub result: u32,
    /// Bytes of a cursor.
    pub cursor: u32,
    /// Bytes of a call.
    pub body: u32,
}

impl Default for RemoteLimits {
    fn default() -> Self {
        Self {
            claim: 1_000,
            results: 1_000,
            checkpoints: 100,
            jobs: u32::try_from(MOST_JOBS).unwrap_or(u32::MAX),
            wait: Duration::from_secs(50),
            result: 64 * 1024,
            cursor: u32::try_from(LONGEST_CURSOR).unwrap_or(u32::MAX),
            body: 8 * 1024 * 1024,
        }
    }
}

/// What a worker asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimJobs {
    /// From which queues, the most wanted first.
    pub wants: Vec<Want>,
    /// How many jobs at the most, of all queues together.
    pub limit: u32,
    /// How long to wait until there is one; 50s at the most.
    #[serde(default, with = "duration")]
    #[schema(value_type = Span, default = "0s")]
    pub wait: Duration,
    /// How many bytes of payload at the most; one job always fits.
    #[serde(default)]
    pub max_bytes: Option<u32>,
    /// How often this was asked before without an answer being heard.
    #[serde(default)]
    pub repeat: u32,
}

/// What a worker asks for of one queue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Want {
    /// The queue.
    pub queue: String,
    /// How many jobs at the most.
    pub limit: u32,
    /// The lease under which it wants them: `lse_` and a random UUID that it has drawn, used for this want alone.
    #[schema(value_type = String, example = "lse_5b0cd10a-6f9e-4a63-9f0d-9b0a3c7b7d10")]
    pub lease: LeaseId,
}

/// What a worker gets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ClaimedJobs {
    /// How long each lease lasts, from so long after the claim was sent as `waited` says.
    #[serde(with = "duration")]
    #[schema(value_type = Span, example = "30s")]
    pub lease: Duration,
    /// How long the claim had waited when its jobs were taken, or when it was answered without any. A server that says so hears
    /// from each claim that waits that its worker lives. One that does not is of an older version: its leases count from before
    /// the claim was sent.
    #[serde(
        default,
        with = "duration::option",
        skip_serializing_if = "Option::is_none"
    )]
    #[schema(value_type = Option<Span>, example = "41s")]
    pub waited: Option<Duration>,
    /// Whether the worker is to take nothing new; then it hears by its beats when it may again.
    #[serde(default)]
    pub drain: bool,
    /// The jobs, by lease; empty if there was none in time.
    pub batches: Vec<ClaimedBatch>,
}

/// The jobs under one lease.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ClaimedBatch {
    /// The lease.
    #[schema(value_type = String)]
    pub lease: LeaseId,
    /// The queue.
    pub queue: String,
    /// The jobs, the most urgent first.
    pub jobs: Vec<ClaimedJob>,
}

/// A worker lives.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct BeatWorker {
    /// How long to wait for news; a third of a lease at the most.
    #[serde(with = "duration")]
    #[schema(value_type = Span, default = "0s")]
    pub wait: Duration,
    /// How many jobs it runs.
    pub running: u32,
    /// How many more it could run.
    pub free: u32,
    /// How long ago it asked for jobs last; null if it never did.
    #[serde(with = "duration::option")]
    #[schema(value_type = Option<Span>)]
    pub asked_ago: Option<Duration>,
    /// Whether it takes nothing new.
    pub draining: bool,
    /// The leases it works under, and those of claims that it has heard no answer to.
    #[schema(value_type = Vec<String>)]
    pub heard: Vec<LeaseId>,
    /// How far its jobs have come.
    pub progress: Vec<TellProgress>,
}

/// How far a job has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TellProgress {
    /// The right to the attempt.
    pub token: String,
    /// How far it is.
    #[serde(flatten)]
    pub progress: Progress,
}

/// News for a worker.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct News {
    /// How long its leases last, from before the call was sent.
    #[serde(with = "duration")]
    #[schema(value_type = Span, example = "30s")]
    pub lease: Duration,
    /// The leases it has, of those it named.
    #[schema(value_type = Vec<String>)]
    pub held: Vec<LeaseId>,
    /// Those it has not any more: work under them ends now.
    #[schema(value_type = Vec<String>)]
    pub lost: Vec<LeaseId>,
    /// Its jobs that are to stop.
    pub stop: Vec<StopJob>,
    /// Whether it is to take nothing new.
    pub drain: bool,
}

/// A job that is to stop.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct StopJob {
    /// The job.
    #[schema(value_type = String)]
    pub job: JobId,
    /// Why: `canceled`.
    pub why: String,
}

/// How attempts ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TellResults {
    /// 1 to 1,000 of them.
    pub results: Vec<TellResult>,
}

/// How an attempt ended.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TellResult {
    /// The right to the attempt.
    pub token: String,
    /// What the handler says.
    pub verdict: VerdictWord,
    /// What it answers, when it is accepted.
    #[schema(value_type = Json, required = false)]
    pub result: Option<Json>,
    /// What sort of failure it was, when it has failed.
    pub class: Option<Class>,
    /// A stable word for the failure.
    #[schema(example = "S3_503")]
    pub code: Option<String>,
    /// What happened.
    pub message: Option<String>,
    /// In how long to try again, when it has failed and may work later.
    #[serde(default, with = "duration::option")]
    #[schema(value_type = Option<Span>)]
    pub retry_after: Option<Duration>,
    /// In how long to run it again, when it is snoozed.
    #[serde(default, with = "duration::option")]
    #[schema(value_type = Option<Span>)]
    pub after: Option<Duration>,
    /// Why there was nothing to do, when it is skipped.
    pub why: Option<String>,
    /// How long ago the handler started; null if it never did.
    #[serde(default, with = "duration::option")]
    #[schema(value_type = Option<Span>)]
    pub started_ago: Option<Duration>,
    /// How long it ran.
    #[serde(default, with = "duration::option")]
    #[schema(value_type = Option<Span>)]
    pub ran: Option<Duration>,
}

/// What a handler can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VerdictWord {
    /// It is done.
    Accepted,
    /// It did not work.
    Failed,
    /// It is to run again later; that was no try.
    Snoozed,
    /// There was nothing to do.
    Skipped,
    /// It was stopped because somebody asked for it.
    Canceled,
    /// It never started, and stands in line again.
    GivenBack,
}

/// What became of results, in their order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SettledResults {
    /// Each of them.
    pub items: Vec<SettledResult>,
}

/// What became of a result.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SettledResult {
    /// The job, if the token could be read.
    #[schema(value_type = Option<String>)]
    pub job: Option<JobId>,
    /// What became of it.
    pub settled: Settled,
    /// Where the job went, if the result counts.
    pub state: Option<State>,
    /// When it runs again, if it does.
    pub run_at: Option<Timestamp>,
    /// What is wrong with it, if it is refused.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub errors: Vec<FieldError>,
}

/// What became of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Settled {
    /// It is recorded.
    Recorded,
    /// It came too late, and counts all the same.
    Adopted,
    /// It came too late: it is history only.
    Stale,
    /// It is no result of this worker's, or makes no sense.
    Refused,
}

/// Cursors to be moved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveCheckpoints {
    /// 1 to 100 of them, each in a transaction of its own.
    pub checkpoints: Vec<SaveCheckpoint>,
}

/// A cursor to be moved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SaveCheckpoint {
    /// The right to the attempt.
    pub token: String,
    /// The number of the move: one more than the one before, which the claim told.
    pub seq: u64,
    /// The job's own word for where it is, 16 KiB at the most.
    pub cursor: Json,
    /// How far it is, for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
    /// The jobs that it makes, written with the cursor or not at all. One that names no trace has that of the job.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub jobs: Vec<EnqueueJob>,
}

/// What became of the moves, in their order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SavedCheckpoints {
    /// Each of them.
    pub items: Vec<SavedCheckpoint>,
}

/// What became of a move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct SavedCheckpoint {
    /// The job, if the token could be read.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schema(value_type = Option<String>)]
    pub job: Option<JobId>,
    /// What became of it.
    pub saved: Saved,
    /// The number of the one that stands.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub seq: Option<u64>,
    /// The jobs it has made, in their order.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub jobs: Vec<BatchItem>,
    /// Whether the job is to stop, and why; null if it is not.
    pub stop: Option<String>,
    /// What is wrong with it, if it is refused.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub errors: Vec<FieldError>,
}

/// What became of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Saved {
    /// It is recorded.
    Recorded,
    /// It was recorded before, in these words.
    Repeated,
    /// The lease has not the job any more: its work ends now.
    Lost,
    /// It does not follow the one that stands.
    OutOfOrder,
    /// It makes no sense, or a key of its jobs is taken. Nothing of it is written.
    Refused,
}

/// Leases under which nothing was started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReleaseLeases {
    /// The leases.
    #[schema(value_type = Vec<String>)]
    pub leases: Vec<LeaseId>,
}

/// How many jobs were given back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct GivenBack {
    /// How many.
    pub given_back: u32,
}
