//! The hot path: claim, renew, settle; release and rescue.

mod claim;
mod settle;
mod start;

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::{
    JobId, LeaseId, Lifecycle, Timestamp, WorkerId,
    job::{AttemptCounters, NewJob, State, Trigger},
};

use super::{Lease, MemoryStore, Tables, facts::Fact, ordered::OrderedRows};
use crate::{
    Hint,
    store::{
        AttemptResult, BEHIND, By, CheckpointOutcome, CheckpointStep, Claim, Claimed, HeldJob,
        InlineStart, InlineStarted, LeaseView, ProgressReport, Released, Renewed, Result,
        SettleOutcome, Work,
    },
};

/// The least that two moments differ by.
const TICK: Duration = Duration::from_micros(1);

#[async_trait]
impl Work for MemoryStore {
    async fn claim(&self, claim: &Claim, now: Timestamp) -> Result<Vec<Claimed>> {
        let mut tables = self.tables();
        let claimed = tables.claim(claim, now);
        tables.ledger.rollups.claimed(&claimed, now);
        Ok(claimed)
    }

    async fn claimed(
        &self,
        worker: WorkerId,
        leases: &[LeaseId],
        _now: Timestamp,
    ) -> Result<Vec<Claimed>> {
        let tables = self.tables();
        let held = leases.iter().map(|lease| tables.held_under(*lease, worker));
        Ok(held.flatten().collect())
    }

    async fn checkpoint(
        &self,
        worker: WorkerId,
        step: &CheckpointStep,
        now: Timestamp,
    ) -> Result<CheckpointOutcome> {
        Ok(self.tables().checkpoint(worker, step, now))
    }

    async fn progress(
        &self,
        worker: WorkerId,
        reports: &[ProgressReport],
        now: Timestamp,
    ) -> Result<()> {
        let mut tables = self.tables();
        for report in reports {
            tables.progress(worker, report, now);
        }
        Ok(())
    }

    async fn enqueue_and_claim(
        &self,
        jobs: Vec<NewJob>,
        start: &InlineStart,
    ) -> Result<InlineStarted> {
        let now = jobs.iter().map(|job| job.created_at).max();
        let mut tables = self.tables();
        let started = tables.enqueue_and_claim(jobs, start);
        let now = now.unwrap_or_default();
        tables.ledger.rollups.claimed(&started.claimed, now);
        Ok(started)
    }

    async fn renew(
        &self,
        worker: WorkerId,
        leases: &[LeaseId],
        until: Timestamp,
    ) -> Result<Renewed> {
        Ok(self.tables().renew(worker, leases, until))
    }

    async fn settle(
        &self,
        by: By,
        results: &[AttemptResult],
        now: Timestamp,
    ) -> Result<Vec<SettleOutcome>> {
        Ok(self.tables().settle(by, results, now))
    }

    async fn leases(&self, limit: u32) -> Result<Vec<LeaseView>> {
        Ok(self.tables().lease_views(limit))
    }

    async fn held(&self, leases: &[LeaseId], limit: u32) -> Result<Vec<HeldJob>> {
        Ok(self.tables().held(leases, limit))
    }

    async fn release(&self, limit: u32, now: Timestamp) -> Result<Released> {
        Ok(self.tables().release(limit, now))
    }

    async fn expire(&self, limit: u32, now: Timestamp) -> Result<u32> {
        Ok(self.tables().expire(limit, now))
    }
}

impl Tables {
    fn renew(&mut self, worker: WorkerId, leases: &[LeaseId], until: Timestamp) -> Renewed {
        let mut renewed = Renewed::default();
        for id in leases {
            let lease = self.leases.get_mut(id);
            if let Some(lease) = lease.filter(|lease| lease.worker == worker) {
                lease.until = renewed_until(lease.until, until);
                renewed.leases.push(*id);
                let jobs = lease.jobs.keys();
                let asked = jobs.filter(|job| self.cancellations.contains_key(job));
                renewed.cancels.extend(asked);
            }
        }
        renewed
    }

    fn lease_views(&self, limit: u32) -> Vec<LeaseView> {
        let view = |(id, lease): (&LeaseId, &Lease)| {
            let worker = self.workers.get(&lease.worker);
            LeaseView {
                lease: *id,
                worker: lease.worker,
                until: lease.until,
                length: worker.and_then(|worker| worker.heartbeat.lease),
                is_abandoned: worker.is_some_and(|worker| worker.left_at.is_some()),
            }
        };
        let mut lease_views: Vec<_> = self.leases.iter().map(view).collect();
        lease_views.sort_by_key(|view| (view.until, view.lease));
        lease_views.truncate(limit as usize);
        lease_views
    }

    fn held(&self, leases: &[LeaseId], limit: u32) -> Vec<HeldJob> {
        let wanted = leases.iter().filter_map(|id| self.leases.get_key_value(id));
        let held = wanted.flat_map(|(id, lease)| {
            lease.jobs.iter().map(|(job, leased)| {
                let asked = &self.jobs[job];
                HeldJob {
                    lease: *id,
                    worker: lease.worker,
                    queue: lease.queue.clone(),
                    job: *job,
                    kind: asked.kind.clone(),
                    counters: leased.counters,
                    queued_at: leased.queued_at,
                    delivery: asked.options.delivery,
                    moved: self.has_moved(*job, leased.counters.attempt),
                }
            })
        });
        held.take(limit as usize).collect()
    }

    fn release(&mut self, limit: u32, now: Timestamp) -> Released {
        let waiting = self.waiting.in_order();
        let due = waiting.take_while(|(_, row)| row.run_at <= now);
        let due: Vec<_> = due
            .take(limit as usize)
            .map(|(job, row)| (job, row.state))
            .collect();
        let hints = due.iter().filter_map(|(id, _)| {
            let job = self.jobs.get(id)?;
            self.is_hinted_at(&job.queue).then_some(())?;
            Hint::of(&job.queue, *id, job.priority)
        });
        let hints = hints.collect();
        let facts = self.shift_all(due, Trigger::Release, now);
        let count = facts.len() as u32;
        self.ledger.tell(facts);
        Released {
            count,
            hints,
            next_due: self.waiting.in_order().next().map(|(_, row)| row.run_at),
        }
    }

    fn expire(&mut self, limit: u32, now: Timestamp) -> u32 {
        let waiting = self.waiting.in_order();
        let waiting = waiting.map(|(job, row)| (job, row.state, row.counters));
        let ready = self.ready.values().flat_map(OrderedRows::in_order);
        let ready = ready.map(|(job, row)| (job, State::Queued, row.counters));
        let expired = waiting
            .chain(ready)
            .filter(|(job, _, counters)| self.has_expired(*job, *counters, now))
            .map(|(job, state, _)| (job, state));
        let expired: Vec<_> = expired.take(limit as usize).collect();
        let facts = self.shift_all(expired, Trigger::Expire, now);
        let count = facts.len() as u32;
        self.ledger.tell(facts);
        count
    }

    fn shift_all(
        &mut self,
        jobs: Vec<(JobId, State)>,
        trigger: Trigger,
        now: Timestamp,
    ) -> Vec<Fact> {
        let moves = jobs.into_iter().filter_map(|(job, state)| {
            let transition = state.on(trigger).ok()?;
            self.transition(job, transition, None, now)
        });
        moves.collect()
    }

    /// Whether the moment after which a job must not run has come. Who runs a job again wants it run.
    fn has_expired(&self, job: JobId, counters: AttemptCounters, now: Timestamp) -> bool {
        let expires_at = self.jobs[&job].expires_at;
        counters.run == 1 && expires_at.is_some_and(|at| at <= now)
    }
}

/// Until when a lease lasts that is renewed until a moment: never as long as before.
fn renewed_until(present: Timestamp, until: Timestamp) -> Timestamp {
    let is_behind = until <= present && until >= present - BEHIND;
    if is_behind { present + TICK } else { until }
}
