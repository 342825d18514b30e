//! A work source: where a worker gets its jobs from and says what became of them; a store, or a server far away.
//!
//! The worker is the same over each: it claims, renews, settles and checkpoints by leases of its own, and knows nothing of
//! how that is written down.

use std::{future, sync::Arc};

use async_trait::async_trait;
use baton_domain::{
    JobId, LeaseId, Timestamp, WorkerId,
    checkpoint::{Checkpoint, Progress},
    fleet::Heartbeat,
    job::{Decision, FieldError, JobSpec},
    queue::WorkedBy,
};
use tokio::time::Instant;

use crate::{
    JobRules,
    bisect::bisect,
    store::{
        AttemptResult, By, CheckpointOutcome, CheckpointStep, Claim, Claimed, Enqueued, Error,
        HeldJob, ProgressReport, ReadyQueue, Renewed, Result, SettleOutcome, Store, Wish,
    },
};

/// How many jobs are given back at once.
const LOOK: u32 = 100_000;

/// Where a worker gets its jobs from and says what became of them.
///
/// Each call may be made again in the same words. A moment is always an argument; what is far away uses it to tell spans.
#[async_trait]
pub trait WorkSource: Send + Sync + 'static {
    /// Whether a claim that finds nothing waits until there is something: then all its queues are asked for at once, each
    /// for all that there is room for, and nobody looks which of them have jobs.
    fn waits(&self) -> bool {
        false
    }

    /// How many jobs one claim brings at the most.
    fn most_of_a_claim(&self) -> u32 {
        u32::MAX
    }

    /// Whether a claim may be made while another one is open.
    fn may_claim_beside(&self) -> bool {
        false
    }

    /// The queues that can be claimed from.
    async fn ready_queues(&self) -> Result<Vec<ReadyQueue>>;

    /// Leases jobs to the worker, `most` of all queues together. See [`crate::store::Work::claim`].
    async fn claim(&self, claim: &Claim, most: u32, now: Timestamp) -> Result<Vec<Claimed>>;

    /// The same, but it never waits.
    async fn claim_at_once(
        &self,
        claim: &Claim,
        most: u32,
        now: Timestamp,
    ) -> Result<Vec<Claimed>> {
        self.claim(claim, most, now).await
    }

    /// From when a lease counts that was granted just now, where its claim had waited; otherwise it counts from before the claim
    /// was sent.
    fn granted_at(&self, _lease: LeaseId) -> Option<Instant> {
        None
    }

    /// Extends leases, and hears of those that are lost and of jobs that are to stop. See [`crate::store::Work::renew`].
    async fn renew(
        &self,
        worker: WorkerId,
        leases: &[LeaseId],
        until: Timestamp,
    ) -> Result<Renewed>;

    /// Records how attempts ended. See [`crate::store::Work::settle`].
    async fn settle(
        &self,
        worker: WorkerId,
        results: &[AttemptResult],
        now: Timestamp,
    ) -> Result<Vec<Settled>>;

    /// Gives back whatever is held under these leases: none of it was started.
    async fn give_back(
        &self,
        worker: WorkerId,
        leases: &[LeaseId],
        now: Timestamp,
    ) -> Result<GivenBack>;

    /// Says that the worker lives, and how it is; hears what is wanted of it.
    async fn heartbeat(&self, heartbeat: &Heartbeat, now: Timestamp) -> Result<Wish>;

    /// Says goodbye.
    async fn leave(&self, worker: WorkerId, now: Timestamp) -> Result<()>;

    /// The checkpoint at which a job's attempt began, or that it has moved to since.
    async fn checkpoint_of(&self, job: JobId) -> Result<Option<Checkpoint>>;

    /// Moves a job's cursor; says also whether somebody has asked the job to stop. See
    /// [`crate::store::Work::checkpoint`].
    async fn checkpoint(
        &self,
        worker: WorkerId,
        step: &CursorMove,
        now: Timestamp,
    ) -> Result<CheckpointAnswer>;

    /// Writes down how far jobs have come.
    async fn progress(
        &self,
        worker: WorkerId,
        reports: &[ProgressReport],
        now: Timestamp,
    ) -> Result<()>;

    /// What it does beside the worker's calls, for as long as the worker lives.
    async fn run(&self) {
        future::pending::<()>().await;
    }
}

/// What became of a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled {
    /// Whether it counts.
    pub outcome: SettleOutcome,
    /// When the next attempt is due, if there is one.
    pub run_at: Option<Timestamp>,
}

/// A move of a cursor, as a handler asks for it under its lease.
#[derive(Debug, Clone, PartialEq)]
pub struct CursorMove {
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
    /// How far it is, for people.
    pub progress: Option<Progress>,
    /// The jobs that it makes, written with the cursor or not at all.
    pub jobs: Vec<JobSpec>,
}

/// What became of a move of a cursor, and whether the job is to stop.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckpointAnswer {
    /// What became of the move.
    pub outcome: MoveOutcome,
    /// Whether somebody has asked the job to stop.
    pub is_canceled: bool,
}

/// What became of a move of a cursor.
#[derive(Debug, Clone, PartialEq)]
pub enum MoveOutcome {
    /// It is recorded, now or before, with these jobs in their order; and whether each was made by it.
    Recorded(Vec<(JobId, bool)>),
    /// The lease does not hold the attempt any more: its work ends.
    Lost,
    /// It does not follow the one that stands, which has this number.
    OutOfOrder(u64),
    /// It makes no sense, or a key of its jobs is taken; nothing of it is written.
    Refused(Vec<FieldError>),
}

/// What became of jobs that were to be given back.
#[derive(Debug, Default)]
pub struct GivenBack {
    /// How many were.
    pub count: usize,
    /// Those that were refused, and why; they wait for their lease to end.
    pub refused: Vec<(JobId, Error)>,
    /// How many nothing was heard of, and why.
    pub unanswered: Option<(usize, Error)>,
}

/// A store as a work source.
pub struct StoreSource {
    store: Arc<dyn Store>,
    rules: JobRules,
}

impl StoreSource {
    /// This store; the jobs that others make at their checkpoints are held to these rules.
    #[must_use]
    pub fn new(store: Arc<dyn Store>, rules: JobRules) -> Self {
        Self { store, rules }
    }
}

#[async_trait]
impl WorkSource for StoreSource {
    async fn ready_queues(&self) -> Result<Vec<ReadyQueue>> {
        let ready = self.store.ready_queues().await?.into_iter();
        Ok(ready
            .filter(|queue| queue.worked_by == WorkedBy::Server)
            .collect())
    }

    async fn claim(&self, claim: &Claim, _most: u32, now: Timestamp) -> Result<Vec<Claimed>> {
        self.store.claim(claim, now).await
    }

    async fn renew(
        &self,
        worker: WorkerId,
        leases: &[LeaseId],
        until: Timestamp,
    ) -> Result<Renewed> {
        self.store.renew(worker, leases, until).await
    }

    async fn settle(
        &self,
        worker: WorkerId,
        results: &[AttemptResult],
        now: Timestamp,
    ) -> Result<Vec<Settled>> {
        let outcomes = self.store.settle(By::Worker(worker), results, now).await?;
        let settled = results
            .iter()
            .zip(outcomes)
            .map(|(result, outcome)| Settled {
                outcome,
                run_at: result.decision.run_at,
            });
        Ok(settled.collect())
    }

    async fn give_back(
        &self,
        worker: WorkerId,
        leases: &[LeaseId],
        now: Timestamp,
    ) -> Result<GivenBack> {
        let held = self.store.held(leases, LOOK).await?;
        let results = held.iter().filter_map(|held| unstarted(held, now));
        let results: Vec<AttemptResult> = results.collect();
        let by = By::Worker(worker);
        let settle = async |piece: Vec<AttemptResult>| self.store.settle(by, &piece, now).await;
        let bisected = bisect(&results, false, settle).await?;
        let refused = bisected.alone.into_iter();
        Ok(GivenBack {
            count: bisected.answers.iter().map(Vec::len).sum(),
            refused: refused.map(|(result, error)| (result.job, error)).collect(),
            unanswered: bisected.unanswered.map(|(left, error)| (left.len(), error)),
        })
    }

    async fn heartbeat(&self, heartbeat: &Heartbeat, now: Timestamp) -> Result<Wish> {
        self.store.heartbeat(heartbeat, now).await
    }

    async fn leave(&self, worker: WorkerId, now: Timestamp) -> Result<()> {
        self.store.leave(worker, now).await
    }

    async fn checkpoint_of(&self, job: JobId) -> Result<Option<Checkpoint>> {
        Ok(self.store.checkpoints(&[job]).await?.pop())
    }

    async fn checkpoint(
        &self,
        worker: WorkerId,
        step: &CursorMove,
        now: Timestamp,
    ) -> Result<CheckpointAnswer> {
        let outcome = match self.stored(step, now) {
            Ok(step) => moved(self.store.checkpoint(worker, &step, now).await?),
            Err(errors) => MoveOutcome::Refused(errors),
        };
        let wishes = self.store.wishes(&[worker]).await?;
        let is_canceled = wishes
            .iter()
            .any(|(_, wish)| wish.cancels.contains(&step.job));
        Ok(CheckpointAnswer {
            outcome,
            is_canceled,
        })
    }

    async fn progress(
        &self,
        worker: WorkerId,
        reports: &[ProgressReport],
        now: Timestamp,
    ) -> Result<()> {
        self.store.progress(worker, reports, now).await
    }
}

fn unstarted(held: &HeldJob, now: Timestamp) -> Option<AttemptResult> {
    Some(AttemptResult {
        lease: held.lease,
        job: held.job,
        counters: held.counters,
        queued_at: held.queued_at,
        started_at: None,
        decision: Decision::give_back(held.counters, now).ok()?,
        fingerprint: None,
        seen: None,
    })
}

impl StoreSource {
    /// A move as a store takes it, with its jobs as they are added.
    fn stored(&self, step: &CursorMove, now: Timestamp) -> Result<CheckpointStep, Vec<FieldError>> {
        let specs = step.jobs.iter().enumerate();
        let jobs = specs.map(|(place, spec)| {
            self.rules.check(spec.clone(), now).map_err(|errors| {
                let within = |error: FieldError| error.within(&format!("jobs[{place}]"));
                errors.into_iter().map(within).collect::<Vec<_>>()
            })
        });
        Ok(CheckpointStep {
            lease: step.lease,
            job: step.job,
            attempt: step.attempt,
            seq: step.seq,
            cursor: step.cursor.clone(),
            progress: step.progress.clone(),
            jobs: jobs.collect::<Result<_, _>>()?,
        })
    }
}

fn moved(outcome: CheckpointOutcome) -> MoveOutcome {
    match outcome {
        CheckpointOutcome::Recorded { jobs, .. } => {
            let is_new = |job: &Enqueued| matches!(job, Enqueued::Created(_));
            MoveOutcome::Recorded(jobs.iter().map(|job| (job.id(), is_new(job))).collect())
        }
        CheckpointOutcome::Lost => MoveOutcome::Lost,
        CheckpointOutcome::OutOfOrder { seq } => MoveOutcome::OutOfOrder(seq),
        CheckpointOutcome::Conflict { jobs } => {
            let jobs = jobs.iter().enumerate();
            MoveOutcome::Refused(
                jobs.filter_map(|(place, job)| conflict(place, job))
                    .collect(),
            )
        }
    }
}

fn conflict(place: usize, job: &Enqueued) -> Option<FieldError> {
    let Enqueued::Conflict(holder) = job else {
        return None;
    };
    let message = format!("belongs to {holder}, with other content");
    Some(FieldError::new(&format!("jobs[{place}].key"), message))
}
