//! The scribe stands at the store's door and writes down what was committed about remote work, in that order.

use std::sync::Arc;

use async_trait::async_trait;
use baton_domain::{
    Clock, JobId, LeaseId, Timestamp, WorkerId,
    job::{AttemptCounters, NewJob, Outcome},
};
use baton_ports::{
    Store,
    layer::Hook,
    store::{
        AttemptResult, By, CheckpointOutcome, CheckpointStep, Claim, Claimed, InlineStart,
        InlineStarted, Renewed, Result, SettleOutcome,
    },
};
use parking_lot::Mutex;

use crate::clock::VirtualClock;

/// What was committed, or done.
#[derive(Debug, Clone)]
pub enum Deed {
    Claimed {
        job: JobId,
        lease: LeaseId,
        worker: WorkerId,
        counters: AttemptCounters,
    },
    Renewed {
        leases: Vec<LeaseId>,
    },
    Settled {
        job: JobId,
        lease: LeaseId,
        attempt: u32,
        by: By,
        outcome: Outcome,
        answer: SettleOutcome,
    },
    Moved {
        job: JobId,
        lease: LeaseId,
        attempt: u32,
        seq: u64,
        cursor: String,
        is_repeated: bool,
    },
    ForceCanceled {
        job: JobId,
    },
    /// Somebody wants a worker to take nothing new.
    Drained {
        worker: WorkerId,
    },
    /// A handler began an attempt.
    Began {
        job: JobId,
        attempt: u32,
        worker: WorkerId,
    },
}

/// What everybody writes down, in its order.
#[derive(Default)]
pub struct Book(Mutex<Vec<(Timestamp, Deed)>>);

impl Book {
    pub fn write(&self, at: Timestamp, deed: Deed) {
        self.0.lock().push((at, deed));
    }

    pub fn all(&self) -> Vec<(Timestamp, Deed)> {
        self.0.lock().clone()
    }
}

/// Stands at the store's door.
pub struct Scribe {
    pub clock: Arc<VirtualClock>,
    pub book: Arc<Book>,
}

impl Scribe {
    fn saw(&self, deed: Deed) {
        self.book.write(self.clock.now(), deed);
    }
}

#[async_trait]
impl Hook for Scribe {
    async fn claim(
        &self,
        below: &dyn Store,
        claim: &Claim,
        now: Timestamp,
    ) -> Result<Vec<Claimed>> {
        let claimed = below.claim(claim, now).await?;
        for one in &claimed {
            self.saw(Deed::Claimed {
                job: one.args.id,
                lease: one.lease,
                worker: claim.worker,
                counters: one.counters,
            });
        }
        Ok(claimed)
    }

    async fn enqueue_and_claim(
        &self,
        below: &dyn Store,
        jobs: Vec<NewJob>,
        start: &InlineStart,
    ) -> Result<InlineStarted> {
        let started = below.enqueue_and_claim(jobs, start).await?;
        for one in &started.claimed {
            self.saw(Deed::Claimed {
                job: one.args.id,
                lease: one.lease,
                worker: start.worker,
                counters: one.counters,
            });
        }
        Ok(started)
    }

    async fn renew(
        &self,
        below: &dyn Store,
        worker: WorkerId,
        leases: &[LeaseId],
        until: Timestamp,
    ) -> Result<Renewed> {
        let renewed = below.renew(worker, leases, until).await?;
        self.saw(Deed::Renewed {
            leases: renewed.leases.clone(),
        });
        Ok(renewed)
    }

    async fn settle(
        &self,
        below: &dyn Store,
        by: By,
        results: &[AttemptResult],
        now: Timestamp,
    ) -> Result<Vec<SettleOutcome>> {
        let answers = below.settle(by, results, now).await?;
        for (result, answer) in results.iter().zip(&answers) {
            self.saw(Deed::Settled {
                job: result.job,
                lease: result.lease,
                attempt: result.counters.attempt,
                by,
                outcome: result.decision.outcome,
                answer: *answer,
            });
        }
        Ok(answers)
    }

    async fn checkpoint(
        &self,
        below: &dyn Store,
        worker: WorkerId,
        step: &CheckpointStep,
        now: Timestamp,
    ) -> Result<CheckpointOutcome> {
        let outcome = below.checkpoint(worker, step, now).await?;
        if let CheckpointOutcome::Recorded { is_repeated, .. } = &outcome {
            self.saw(Deed::Moved {
                job: step.job,
                lease: step.lease,
                attempt: step.attempt,
                seq: step.seq,
                cursor: step.cursor.clone(),
                is_repeated: *is_repeated,
            });
        }
        Ok(outcome)
    }

    async fn force_cancel(
        &self,
        below: &dyn Store,
        job: JobId,
        reason: Option<&str>,
        now: Timestamp,
    ) -> Result<bool> {
        let is_done = below.force_cancel(job, reason, now).await?;
        if is_done {
            self.saw(Deed::ForceCanceled { job });
        }
        Ok(is_done)
    }
}
