//! Claiming: out of the ready places, into a lease.

use baton_domain::{
    JobId, Timestamp,
    job::{NewJob, State},
};

use super::super::{Lease, Leased, Tables, counting::Counting, facts::Fact};
use crate::store::{Claim, Claimed, Order, Want};

impl Tables {
    pub(super) fn claim(&mut self, claim: &Claim, now: Timestamp) -> Vec<Claimed> {
        let wants = claim.wants.iter();
        let claimed: Vec<_> = wants
            .flat_map(|want| self.claim_from(want, claim, now))
            .collect();
        let facts = claimed.iter().map(|claimed| {
            let order = &claimed.order;
            let (from, to) = (Some(State::Queued), State::Running);
            Fact::moved(order.id, &order.queue, from, to, now)
                .with("attempt", claimed.ticket.attempt)
                .with("worker", claim.worker.to_string())
        });
        self.ledger.tell(facts.collect());
        claimed
    }

    fn claim_from(&mut self, want: &Want, claim: &Claim, now: Timestamp) -> Vec<Claimed> {
        let allowance = self.allowance(&want.queue, now).min(want.limit);
        let jobs = self.most_urgent(&want.queue, allowance, now);
        if jobs.is_empty() {
            return Vec::new();
        }
        self.spend(&want.queue, jobs.len(), now);
        let mut lease = Lease {
            worker: claim.worker,
            queue: want.queue.clone(),
            since: now,
            until: claim.until,
            jobs: Default::default(),
        };
        let mut claimed = Vec::new();
        for job in jobs {
            let Some((ticket, run_at)) = self.take(job, State::Queued) else {
                continue;
            };
            let ticket = ticket.of_next_attempt();
            lease.jobs.insert(job, Leased { run_at, ticket });
            self.leased.insert(job, want.lease);
            claimed.push(Claimed {
                lease: want.lease,
                ticket,
                queued_at: run_at,
                order: order(&self.jobs[&job]),
            });
        }
        self.leases.insert(want.lease, lease);
        claimed
    }

    fn most_urgent(&self, queue: &str, limit: u32, now: Timestamp) -> Vec<JobId> {
        let place = self.ready.get(queue).into_iter();
        let jobs = place.flat_map(|place| place.in_order().map(|(job, _)| job));
        jobs.filter(|job| !self.has_expired(*job, now))
            .take(limit as usize)
            .collect()
    }
}

fn order(job: &NewJob) -> Order {
    Order {
        id: job.id,
        kind: job.kind.clone(),
        queue: job.queue.clone(),
        payload: job.payload.clone(),
        max_attempts: job.max_attempts,
        backoff: job.backoff.clone(),
        timeout: job.timeout,
        expires_at: job.expires_at,
        delivery: job.delivery,
        created_at: job.created_at,
    }
}
