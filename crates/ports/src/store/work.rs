//! The hot path: claim, renew, settle; release and rescue.

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::{
    JobId, LeaseId, Timestamp, WorkerId,
    checkpoint::Progress,
    fingerprint::fingerprint,
    job::{self, AttemptCounters, Decision, DeliveryGuarantee, JobArgs, NewJob},
};

use super::{Enqueued, Result};
use crate::hints::Hint;

/// How much earlier than what stands a renewal may say and be one that was long on its way, or the word
/// of a clock that was put right.
pub const BEHIND: Duration = Duration::from_mins(1);

/// How late a claim may come with an old reading of the clock. One that says a moment further back comes
/// from a clock that was put back.
pub const LATE: Duration = Duration::from_secs(2);

/// The hot path: everything in batches, no round trip per job.
#[async_trait]
pub trait Work: Send + Sync {
    /// Leases the most urgent claimable jobs of each wanted queue; nobody else gets them until the
    /// lease ends. Paused queues give nothing; limits of a queue are kept over the whole fleet.
    ///
    /// This is the one thing that permits work.
    async fn claim(&self, claim: &Claim, now: Timestamp) -> Result<Vec<Claimed>>;

    /// What a worker holds under these leases: the answer to a claim that is asked again.
    async fn claimed(
        &self,
        worker: WorkerId,
        leases: &[LeaseId],
        now: Timestamp,
    ) -> Result<Vec<Claimed>>;

    /// Moves the cursor of a job as far as its lease still holds this attempt and `seq` follows the one that stands, and
    /// adds jobs in the same transaction: all of them, or nothing is written. It is durable when it is answered.
    ///
    /// Safe to repeat: what is recorded under this lease with this `seq` is answered with the same jobs again.
    async fn checkpoint(
        &self,
        worker: WorkerId,
        step: &CheckpointStep,
        now: Timestamp,
    ) -> Result<CheckpointOutcome>;

    /// Writes down how far jobs have come, each only if its lease still holds it. Cursors stay as they are.
    async fn progress(
        &self,
        worker: WorkerId,
        reports: &[ProgressReport],
        now: Timestamp,
    ) -> Result<()>;

    /// Adds jobs as `enqueue` does when each stands for itself, and in the same breath leases to a
    /// worker what it adds: jobs of one queue that are due, while that queue is known and neither
    /// paused nor limited. It tells the same facts as `enqueue` and `claim` one after the other, all
    /// dated as `enqueue` dates them. Any other job goes where `enqueue` puts it.
    ///
    /// Safe to repeat: the same jobs under the same lease are answered with what became of them.
    async fn enqueue_and_claim(
        &self,
        jobs: Vec<NewJob>,
        start: &InlineStart,
    ) -> Result<InlineStarted>;

    /// Extends these leases, as far as the worker has them, also one that has run out and was not taken
    /// back yet. Whoever watches a lease sees that it was renewed, whatever the clocks do: each renewal
    /// changes `until`. One that comes up to [`BEHIND`] too late does not shorten the lease; one that says
    /// a moment further back comes from a clock that was put back, and counts as it is.
    async fn renew(
        &self,
        worker: WorkerId,
        leases: &[LeaseId],
        until: Timestamp,
    ) -> Result<Renewed>;

    /// Records how attempts ended: attempt, next place and fact in one transaction, each only if its
    /// lease still holds the job. A job that was asked to stop is canceled instead of waiting for
    /// another attempt. The answers are in the order of the results.
    ///
    /// Safe to repeat: what is already recorded in these words is answered with `Recorded` again.
    async fn settle(
        &self,
        by: By,
        results: &[AttemptResult],
        now: Timestamp,
    ) -> Result<Vec<SettleOutcome>>;

    /// Every lease there is, as whoever watches it sees it: `limit` at most, those first that end first.
    async fn leases(&self, limit: u32) -> Result<Vec<LeaseView>>;

    /// What is still unsettled under these leases, `limit` at most.
    async fn held(&self, leases: &[LeaseId], limit: u32) -> Result<Vec<HeldJob>>;

    /// Makes due jobs claimable, the earliest first, `limit` at most. One that cannot be moved holds up none behind it: it is
    /// told, and left alone for a while.
    async fn release(&self, limit: u32, now: Timestamp) -> Result<Released>;

    /// Fails jobs whose `expires_at` has passed and that do not run, `limit` at most; says how many. One that cannot
    /// be moved holds up none behind it.
    async fn expire(&self, limit: u32, now: Timestamp) -> Result<u32>;
}

/// A claim: what a worker takes of some queues.
#[derive(Debug, Clone)]
pub struct Claim {
    /// The worker.
    pub worker: WorkerId,
    /// Until when it wants it.
    pub until: Timestamp,
    /// From where, and how much.
    pub queues: Vec<QueueClaim>,
}

/// What is claimed of one queue.
#[derive(Debug, Clone)]
pub struct QueueClaim {
    /// The queue.
    pub queue: String,
    /// The lease under which it wants it, made by the worker; one lease is used once.
    pub lease: LeaseId,
    /// How many jobs at most.
    pub limit: u32,
    /// Whether the queue was seen to have limits of its own, which need a lock to be kept.
    pub limited: bool,
    /// Only these jobs, as far as they can be claimed from this queue; a limited one gives none of
    /// them. `None` for any.
    pub jobs: Option<Vec<JobId>>,
}

/// Under what new jobs are leased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InlineStart {
    /// The worker.
    pub worker: WorkerId,
    /// The queue whose jobs it takes.
    pub queue: String,
    /// The lease, made by the worker; one lease is used once.
    pub lease: LeaseId,
    /// Until when it lasts.
    pub until: Timestamp,
}

/// What became of jobs that were to be started.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct InlineStarted {
    /// What became of each as a job that was to be added, in the order of the jobs.
    pub answers: Vec<Enqueued>,
    /// Those that the worker now has, the most urgent first.
    pub claimed: Vec<Claimed>,
}

/// A job, leased.
#[derive(Debug, Clone, PartialEq)]
pub struct Claimed {
    /// The right to this attempt.
    pub lease: LeaseId,
    /// The counters of this attempt.
    pub counters: AttemptCounters,
    /// Since when it could have been claimed.
    pub queued_at: Timestamp,
    /// What was asked.
    pub args: JobArgs,
}

impl Claimed {
    /// A new job in its first attempt, leased the moment it was added.
    #[must_use]
    pub fn first(job: &NewJob, lease: LeaseId, now: Timestamp) -> Self {
        let counters = AttemptCounters {
            attempt: 1,
            tries: 1,
            losses: 0,
            run: 1,
        };
        let args = JobArgs {
            created_at: now,
            ..JobArgs::of(job, counters)
        };
        Self {
            lease,
            counters,
            queued_at: now,
            args,
        }
    }
}

/// One move of a job's cursor.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckpointStep {
    /// The lease that the attempt runs under.
    pub lease: LeaseId,
    /// The job.
    pub job: JobId,
    /// The attempt.
    pub attempt: u32,
    /// The number of the move; one more than the one that stands.
    pub seq: u64,
    /// Where the job is: JSON text.
    pub cursor: String,
    /// How far it is, for people; what was told before stays if nothing is.
    pub progress: Option<Progress>,
    /// What it makes. The store draws their ids: a repetition has to find the same.
    pub jobs: Vec<NewJob>,
}

/// What became of a move of a cursor.
#[derive(Debug, Clone, PartialEq)]
pub enum CheckpointOutcome {
    /// It is recorded, now or before; and what became of the jobs, in their order.
    Recorded {
        /// Whether it was recorded before.
        is_repeated: bool,
        /// What became of each job.
        jobs: Vec<Enqueued>,
    },
    /// The lease does not hold the attempt any more.
    Lost,
    /// It does not follow the one that stands.
    OutOfOrder {
        /// The number of the one that stands; 0 if none does.
        seq: u64,
    },
    /// Keys of jobs are taken by others with other content. Nothing is written.
    Conflict {
        /// What would have become of each job.
        jobs: Vec<Enqueued>,
    },
}

/// How far a job has come, as its worker says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgressReport {
    /// The lease that the attempt runs under.
    pub lease: LeaseId,
    /// The job.
    pub job: JobId,
    /// The attempt.
    pub attempt: u32,
    /// How far it is.
    pub progress: Progress,
}

/// What a worker holds after a renewal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Renewed {
    /// The leases it still has; what is missing is lost, and its work is to be dropped.
    pub leases: Vec<LeaseId>,
    /// Its jobs that were asked to stop.
    pub cancels: Vec<JobId>,
}

/// Who records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The worker that has the lease.
    Worker(WorkerId),
    /// The rescuer, for leases that still stand as it saw them, which each result says.
    Rescuer,
}

/// How one attempt ended.
#[derive(Debug, Clone)]
pub struct AttemptResult {
    /// The lease it ran under.
    pub lease: LeaseId,
    /// The job.
    pub job: JobId,
    /// The counters of the attempt.
    pub counters: AttemptCounters,
    /// Since when it could have been claimed, as the claim said.
    pub queued_at: Timestamp,
    /// When the handler started; `None` if it never did.
    pub started_at: Option<Timestamp>,
    /// What follows.
    pub decision: Decision,
    /// The group of the failure, when the job becomes a dead letter.
    pub fingerprint: Option<String>,
    /// Until when the lease lasted as the rescuer saw it; a renewal since then wins. Nothing when the
    /// worker itself settles.
    pub seen: Option<Timestamp>,
}

/// What became of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettleOutcome {
    /// It is recorded.
    Recorded,
    /// The lease was lost, but the job had succeeded and nobody had claimed it or had it run again
    /// since: it counts.
    Adopted,
    /// The lease was lost: it is history only.
    Stale,
}

/// A lease, as whoever watches it sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LeaseView {
    /// The lease.
    pub lease: LeaseId,
    /// The worker.
    pub worker: WorkerId,
    /// Until when it lasts, by the clock of whoever renewed it last. Each renewal changes it.
    pub until: Timestamp,
    /// How long the worker's leases last, if it has said so.
    pub length: Option<Duration>,
    /// Whether the worker is gone for certain: it said goodbye, or its process is known to have ended.
    pub is_abandoned: bool,
}

/// What somebody holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldJob {
    /// The lease.
    pub lease: LeaseId,
    /// The worker.
    pub worker: WorkerId,
    /// The queue.
    pub queue: String,
    /// The job.
    pub job: JobId,
    /// The job's kind.
    pub kind: String,
    /// The counters of the attempt.
    pub counters: AttemptCounters,
    /// Since when it could have been claimed.
    pub queued_at: Timestamp,
    /// What to do in doubt.
    pub delivery: DeliveryGuarantee,
    /// Whether this attempt has moved the job's cursor.
    pub moved: bool,
}

impl HeldJob {
    /// Its attempt as one that was lost with its worker; `seen` is until when the lease was found to run.
    #[must_use]
    pub fn lost(&self, seen: Timestamp, now: Timestamp) -> Option<AttemptResult> {
        let counters = if self.moved {
            self.counters.having_moved()
        } else {
            self.counters
        };
        let decision = job::lose(counters, self.delivery, now).ok()?;
        let is_dead = decision.transition.to() == job::State::Failed;
        let failure = decision.failure.as_ref().filter(|_| is_dead);
        let fingerprint = failure.map(|failure| fingerprint(&self.kind, failure));
        Some(AttemptResult {
            lease: self.lease,
            job: self.job,
            counters: self.counters,
            queued_at: self.queued_at,
            started_at: None,
            decision,
            fingerprint,
            seen: Some(seen),
        })
    }
}

/// What a release did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Released {
    /// How many jobs became claimable.
    pub count: u32,
    /// What there is to hint at among them; nothing of the queues of remote workers.
    pub hints: Vec<Hint>,
    /// When the next waiting job is due.
    pub next_due: Option<Timestamp>,
}
