//! The hot path: claim, renew, settle; release and rescue.

mod claim;
mod settle;
mod start;

use async_trait::async_trait;
use baton_domain::{
    JobId, Lifecycle, Timestamp, WorkerId,
    job::{Event, NewJob, State, Ticket},
};

use super::{MemoryStore, Tables, facts::Fact, place::Place};
use crate::{
    Hint,
    store::{
        By, Claim, Claimed, Held, Released, Renewed, Result, Settled, Settlement, Start, Started,
        Work,
    },
};

#[async_trait]
impl Work for MemoryStore {
    async fn claim(&self, claim: &Claim, now: Timestamp) -> Result<Vec<Claimed>> {
        Ok(self.tables().claim(claim, now))
    }

    async fn start(&self, jobs: Vec<NewJob>, start: &Start) -> Result<Started> {
        Ok(self.tables().start(jobs, start))
    }

    async fn renew(&self, worker: WorkerId, until: Timestamp) -> Result<Renewed> {
        Ok(self.tables().renew(worker, until))
    }

    async fn settle(
        &self,
        by: By,
        settlements: &[Settlement],
        now: Timestamp,
    ) -> Result<Vec<Settled>> {
        Ok(self.tables().settle(by, settlements, now))
    }

    async fn overdue(&self, before: Timestamp, limit: u32) -> Result<Vec<Held>> {
        Ok(self.tables().overdue(before, limit))
    }

    async fn release(&self, limit: u32, now: Timestamp) -> Result<Released> {
        Ok(self.tables().release(limit, now))
    }

    async fn expire(&self, limit: u32, now: Timestamp) -> Result<u32> {
        Ok(self.tables().expire(limit, now))
    }
}

impl Tables {
    fn renew(&mut self, worker: WorkerId, until: Timestamp) -> Renewed {
        let mut renewed = Renewed::default();
        for (id, lease) in &mut self.leases {
            if lease.worker == worker {
                // Renewals can arrive out of order; an old one must not shorten the lease.
                lease.until = lease.until.max(until);
                renewed.leases.push(*id);
                let jobs = lease.jobs.keys();
                let asked = jobs.filter(|job| self.cancellations.contains_key(job));
                renewed.cancels.extend(asked);
            }
        }
        renewed
    }

    fn overdue(&self, before: Timestamp, limit: u32) -> Vec<Held> {
        let leases = self.leases.iter();
        let overdue = leases.filter(|(_, lease)| lease.until < before);
        let held = overdue.flat_map(|(id, lease)| {
            lease.jobs.iter().map(|(job, leased)| {
                let asked = &self.jobs[job];
                Held {
                    lease: *id,
                    worker: lease.worker,
                    queue: lease.queue.clone(),
                    job: *job,
                    kind: asked.kind.clone(),
                    ticket: leased.ticket,
                    queued_at: leased.queued_at,
                    delivery: asked.delivery,
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
            Hint::of(&job.queue, *id, job.priority)
        });
        let hints = hints.collect();
        let facts = self.shift_all(due, Event::Release, now);
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
        let waiting = waiting.map(|(job, row)| (job, row.state, row.ticket));
        let ready = self.ready.values().flat_map(Place::in_order);
        let ready = ready.map(|(job, row)| (job, State::Queued, row.ticket));
        let expired = waiting
            .chain(ready)
            .filter(|(job, _, ticket)| self.has_expired(*job, *ticket, now))
            .map(|(job, state, _)| (job, state));
        let expired: Vec<_> = expired.take(limit as usize).collect();
        let facts = self.shift_all(expired, Event::Expire, now);
        let count = facts.len() as u32;
        self.ledger.tell(facts);
        count
    }

    fn shift_all(&mut self, jobs: Vec<(JobId, State)>, event: Event, now: Timestamp) -> Vec<Fact> {
        let moves = jobs.into_iter().filter_map(|(job, state)| {
            let transition = state.on(event).ok()?;
            self.shift(job, transition, None, now)
        });
        moves.collect()
    }

    /// Whether the moment after which a job must not run has come. Who runs a job again wants it run.
    fn has_expired(&self, job: JobId, ticket: Ticket, now: Timestamp) -> bool {
        let expires_at = self.jobs[&job].expires_at;
        ticket.run == 1 && expires_at.is_some_and(|at| at <= now)
    }
}
