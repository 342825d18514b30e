//! Giving back: what was claimed and never started, and what a worker leaves behind.

use baton_domain::{
    LeaseId, Timestamp, WorkerId,
    job::{Decision, DeliveryGuarantee},
};
use baton_ports::{
    Wakeup,
    bisect::bisect,
    store::{self, AttemptResult, By, Claimed, HeldJob, SettleOutcome},
};

use crate::{Caller, Engine, Error, Result};

/// How many jobs are given back at once.
const LOOK: u32 = 100_000;

impl Caller {
    /// Gives back everything unsettled under these leases of a worker: none of it was started. Says how many.
    pub async fn release_leases(&self, worker: WorkerId, leases: &[LeaseId]) -> Result<u32> {
        self.own_worker(worker).await?;
        self.give_back(worker, leases).await
    }

    /// Takes a worker's goodbye. What it still holds is given back; of at-most-once jobs nobody has said that they had not
    /// started, and they are left to a person.
    pub async fn leave_worker(&self, worker: WorkerId) -> Result<()> {
        match self.own_worker(worker).await {
            // It may have said so before.
            Err(Error::WorkerLeft(_) | Error::NotFound { .. }) => return Ok(()),
            own => own?,
        }
        self.remote().waiting.end(worker);
        self.remote().known.forget(worker);
        let views = self.store().leases(u32::MAX).await?;
        let own = views.iter().filter(|view| view.worker == worker);
        let leases: Vec<_> = own.map(|view| view.lease).collect();
        let given_back = self.settle_held(By::Worker(worker), worker, &leases, |held| {
            if held.delivery == DeliveryGuarantee::AtMostOnce {
                held.lost(self.now(), self.now())
                    .map(|lost| AttemptResult { seen: None, ..lost })
            } else {
                given_back(held, self)
            }
        });
        if given_back.await? > 0 {
            self.has_written();
        }
        self.store().leave(worker, self.now()).await?;
        self.inner.wakeups.send(Wakeup::Facts);
        Ok(())
    }
}

impl Engine {
    /// Gives back everything unsettled under these leases of a worker. Says how many.
    pub(super) async fn give_back(&self, worker: WorkerId, leases: &[LeaseId]) -> Result<u32> {
        self.settle_held(By::Worker(worker), worker, leases, |held| {
            given_back(held, self)
        })
        .await
    }

    /// Gives back everything unsettled under those of these leases that still last until this moment: a renewal wins, as it does
    /// over a rescue.
    pub(super) async fn give_back_unrenewed(
        &self,
        worker: WorkerId,
        leases: &[LeaseId],
        until: Timestamp,
    ) -> Result<u32> {
        self.settle_held(By::Rescuer, worker, leases, |held| {
            given_back(held, self).map(|one| AttemptResult {
                seen: Some(until),
                ..one
            })
        })
        .await
    }

    /// Gives back some of what was claimed for a worker, unstarted.
    pub(super) async fn give_back_claimed(&self, worker: WorkerId, jobs: &[Claimed]) -> Result<()> {
        let now = self.now();
        let results = jobs.iter().filter_map(|one| {
            Some(AttemptResult {
                lease: one.lease,
                job: one.args.id,
                counters: one.counters,
                queued_at: one.queued_at,
                started_at: None,
                decision: Decision::give_back(one.counters, now).ok()?,
                fingerprint: None,
                seen: None,
            })
        });
        let results: Vec<_> = results.collect();
        self.inner
            .store
            .settle(By::Worker(worker), &results, now)
            .await?;
        metrics::counter!("baton_remote_given_back_total", "why" => "bytes")
            .increment(jobs.len() as u64);
        self.inner.wakeups.send(Wakeup::Ready);
        Ok(())
    }

    async fn settle_held(
        &self,
        by: By,
        worker: WorkerId,
        leases: &[LeaseId],
        end: impl Fn(&HeldJob) -> Option<AttemptResult>,
    ) -> Result<u32> {
        if leases.is_empty() {
            return Ok(0);
        }
        let store = &self.inner.store;
        let held = store.held(leases, LOOK).await?;
        let own = held.iter().filter(|held| held.worker == worker);
        let results: Vec<_> = own.filter_map(end).collect();
        if results.is_empty() {
            return Ok(0);
        }
        let now = self.now();
        let settle = |piece: Vec<AttemptResult>| async move { store.settle(by, &piece, now).await };
        let bisected = bisect(&results, false, settle).await?;
        for (result, error) in &bisected.alone {
            let job = result.job;
            tracing::error!(%job, %error, "the store does not take {job} back: {error}; it waits for its lease to end");
            metrics::counter!("baton_rows_refused_total", "what" => "give_back").increment(1);
        }
        self.inner.wakeups.send(Wakeup::Facts);
        self.inner.wakeups.send(Wakeup::Ready);
        let recorded = bisected.answers.iter().flatten();
        let recorded = recorded.filter(|one| **one == SettleOutcome::Recorded);
        let count = recorded.count();
        match bisected.unanswered {
            Some((_, error)) if count == 0 => return Err(error.into()),
            Some((_, error)) => return Err(store::Error::Unconfirmed(error.to_string()).into()),
            None => {}
        }
        Ok(u32::try_from(count).unwrap_or(u32::MAX))
    }
}

fn given_back(held: &HeldJob, engine: &Engine) -> Option<AttemptResult> {
    Some(AttemptResult {
        lease: held.lease,
        job: held.job,
        counters: held.counters,
        queued_at: held.queued_at,
        started_at: None,
        decision: Decision::give_back(held.counters, engine.now()).ok()?,
        fingerprint: None,
        seen: None,
    })
}
