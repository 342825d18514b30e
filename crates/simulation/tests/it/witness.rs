//! The witness stands at the store's door and writes down what was committed, in that order.

use std::sync::Arc;

use async_trait::async_trait;
use baton_domain::{
    CampaignId, Clock, JobId, LeaseId, Timestamp, WorkerId, campaign,
    job::{NewJob, Outcome},
    queue::{Queue, QueueChange},
};
use baton_ports::{
    Store,
    layer::Hook,
    store::{
        Atomicity, AttemptResult, By, CampaignMove, Chunk, Claim, Claimed, Enqueued, InlineStart,
        InlineStarted, Renewed, Result, SettleOutcome,
    },
};

use crate::{clock::VirtualClock, journal::Journal};

/// What was committed.
#[derive(Debug, Clone)]
pub enum Deed {
    Added {
        job: JobId,
    },
    /// A worker wanted jobs of a queue; what it got of it follows.
    Wanted {
        queue: String,
        lease: LeaseId,
        /// What its clock showed when it asked.
        asked: Timestamp,
    },
    Claimed {
        job: JobId,
        attempt: u32,
        run: u32,
        lease: LeaseId,
        worker: WorkerId,
        queue: String,
        /// It was added as this worker's own.
        is_start: bool,
        /// A hint led to it.
        is_hinted: bool,
    },
    Renewed {
        lease: LeaseId,
    },
    Settled {
        job: JobId,
        attempt: u32,
        lease: LeaseId,
        by: By,
        outcome: Outcome,
        answer: SettleOutcome,
    },
    AskedToStop {
        job: JobId,
    },
    ForceCanceled {
        job: JobId,
    },
    QueueChanged {
        queue: String,
        change: QueueChange,
        /// What the clock showed of who asked for it.
        asked: Timestamp,
    },
    Commanded {
        campaign: CampaignId,
        to: campaign::State,
    },
    Expanded {
        campaign: CampaignId,
        node: WorkerId,
    },
    Left {
        worker: WorkerId,
    },
}

impl Deed {
    /// The job it is about, if it is about one.
    pub fn job(&self) -> Option<JobId> {
        match self {
            Self::Added { job }
            | Self::Claimed { job, .. }
            | Self::Settled { job, .. }
            | Self::AskedToStop { job }
            | Self::ForceCanceled { job } => Some(*job),
            Self::Wanted { .. }
            | Self::Renewed { .. }
            | Self::QueueChanged { .. }
            | Self::Commanded { .. }
            | Self::Expanded { .. }
            | Self::Left { .. } => None,
        }
    }
}

fn added(answers: &[Enqueued]) -> impl Iterator<Item = Deed> {
    answers.iter().filter_map(|answer| match answer {
        Enqueued::Created(job) => Some(Deed::Added { job: *job }),
        _ => None,
    })
}

fn is_hinted(claim: &Claim, lease: LeaseId) -> bool {
    let mut wants = claim.queues.iter();
    wants.any(|want| want.lease == lease && want.jobs.is_some())
}

/// Stands at the store's door.
pub struct Witness {
    pub clock: Arc<VirtualClock>,
    pub journal: Arc<Journal>,
}

impl Witness {
    fn saw(&self, deeds: impl IntoIterator<Item = Deed>) {
        let at = self.clock.now();
        let deeds = deeds.into_iter().map(|deed| (at, deed));
        self.journal.deeds.lock().extend(deeds);
    }
}

#[async_trait]
impl Hook for Witness {
    async fn enqueue(
        &self,
        below: &dyn Store,
        jobs: Vec<NewJob>,
        atomicity: Atomicity,
    ) -> Result<Vec<Enqueued>> {
        let answers = below.enqueue(jobs, atomicity).await?;
        self.saw(added(&answers));
        Ok(answers)
    }

    async fn request_cancel(
        &self,
        below: &dyn Store,
        job: JobId,
        reason: Option<&str>,
        now: Timestamp,
    ) -> Result<bool> {
        let asked = below.request_cancel(job, reason, now).await?;
        self.saw(asked.then_some(Deed::AskedToStop { job }));
        Ok(asked)
    }

    async fn force_cancel(
        &self,
        below: &dyn Store,
        job: JobId,
        reason: Option<&str>,
        now: Timestamp,
    ) -> Result<bool> {
        let force_canceled = below.force_cancel(job, reason, now).await?;
        self.saw(force_canceled.then_some(Deed::ForceCanceled { job }));
        Ok(force_canceled)
    }

    async fn claim(
        &self,
        below: &dyn Store,
        claim: &Claim,
        now: Timestamp,
    ) -> Result<Vec<Claimed>> {
        let claimed = below.claim(claim, now).await?;
        self.saw(claim.queues.iter().map(|want| Deed::Wanted {
            queue: want.queue.clone(),
            lease: want.lease,
            asked: now,
        }));
        self.saw(claimed.iter().map(|claimed| Deed::Claimed {
            job: claimed.args.id,
            attempt: claimed.counters.attempt,
            run: claimed.counters.run,
            lease: claimed.lease,
            worker: claim.worker,
            queue: claimed.args.queue.clone(),
            is_start: false,
            is_hinted: is_hinted(claim, claimed.lease),
        }));
        Ok(claimed)
    }

    async fn enqueue_and_claim(
        &self,
        below: &dyn Store,
        jobs: Vec<NewJob>,
        start: &InlineStart,
    ) -> Result<InlineStarted> {
        let started = below.enqueue_and_claim(jobs, start).await?;
        self.saw(added(&started.answers));
        self.saw(started.claimed.iter().map(|claimed| Deed::Claimed {
            job: claimed.args.id,
            attempt: claimed.counters.attempt,
            run: claimed.counters.run,
            lease: claimed.lease,
            worker: start.worker,
            queue: claimed.args.queue.clone(),
            is_start: true,
            is_hinted: false,
        }));
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
        let leases = renewed.leases.iter();
        self.saw(leases.map(|lease| Deed::Renewed { lease: *lease }));
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
        let settled = results.iter().zip(&answers);
        self.saw(settled.map(|(result, answer)| Deed::Settled {
            job: result.job,
            attempt: result.counters.attempt,
            lease: result.lease,
            by,
            outcome: result.decision.outcome,
            answer: *answer,
        }));
        Ok(answers)
    }

    async fn change_queue(
        &self,
        below: &dyn Store,
        name: &str,
        change: &QueueChange,
        now: Timestamp,
    ) -> Result<Queue> {
        let queue = below.change_queue(name, change, now).await?;
        self.saw([Deed::QueueChanged {
            queue: name.to_owned(),
            change: change.clone(),
            asked: now,
        }]);
        Ok(queue)
    }

    async fn leave(&self, below: &dyn Store, worker: WorkerId, now: Timestamp) -> Result<()> {
        below.leave(worker, now).await?;
        self.saw([Deed::Left { worker }]);
        Ok(())
    }

    async fn command(
        &self,
        below: &dyn Store,
        command: &CampaignMove,
        now: Timestamp,
    ) -> Result<bool> {
        let is_done = below.command(command, now).await?;
        self.saw(is_done.then(|| Deed::Commanded {
            campaign: command.campaign,
            to: command.transition.to(),
        }));
        Ok(is_done)
    }

    async fn expand(&self, below: &dyn Store, chunk: &Chunk, now: Timestamp) -> Result<bool> {
        let is_written = below.expand(chunk, now).await?;
        self.saw(is_written.then_some(Deed::Expanded {
            campaign: chunk.campaign,
            node: chunk.node,
        }));
        Ok(is_written)
    }
}
