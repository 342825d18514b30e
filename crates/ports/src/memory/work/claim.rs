//! Claiming: out of the ready places, into a lease.

use std::collections::{BTreeMap, BTreeSet};

use baton_domain::{JobId, LeaseId, Timestamp, WorkerId, job::State};

use super::super::{Lease, Leased, Tables, counting::Counting, facts::Fact, ordered::OrderedRows};
use crate::store::{Claim, Claimed, InlineStart, JobArgs, QueueClaim};

impl Tables {
    pub(super) fn claim(&mut self, claim: &Claim, now: Timestamp) -> Vec<Claimed> {
        let mut answer = Vec::new();
        let mut facts = Vec::new();
        for want in &claim.queues {
            // The same lease again comes from a call whose answer was lost.
            if self.leases.contains_key(&want.lease) {
                answer.extend(self.held_under(want.lease, claim.worker));
                continue;
            }
            let claimed = self.claim_from(want, claim, now);
            let at = self
                .leases
                .get(&want.lease)
                .map_or(now, |lease| lease.since);
            facts.extend(claimed.iter().map(|one| fact(one, claim.worker, at)));
            answer.extend(claimed);
        }
        self.ledger.tell(facts);
        answer
    }

    fn claim_from(&mut self, want: &QueueClaim, claim: &Claim, now: Timestamp) -> Vec<Claimed> {
        let allowance = self.allowance(&want.queue, now).min(want.limit);
        let jobs = match &want.jobs {
            Some(named) => self.named(want, named, now),
            None => self.most_urgent(&want.queue, allowance, now),
        };
        self.spend(&want.queue, jobs.len(), now);
        if jobs.is_empty() {
            return Vec::new();
        }
        let right = InlineStart {
            worker: claim.worker,
            queue: want.queue.clone(),
            lease: want.lease,
            until: claim.until,
        };
        self.lease(jobs, &right, now)
    }

    /// Moves jobs that are ready into a lease of their own.
    pub(super) fn lease(
        &mut self,
        jobs: Vec<JobId>,
        right: &InlineStart,
        now: Timestamp,
    ) -> Vec<Claimed> {
        let mut lease = Lease {
            worker: right.worker,
            queue: right.queue.clone(),
            since: now,
            until: right.until,
            jobs: BTreeMap::new(),
        };
        for job in jobs {
            let place = self.ready.get_mut(&right.queue);
            if let Some(row) = place.and_then(|place| place.remove(job)) {
                let leased = Leased {
                    run_at: row.run_at,
                    queued_at: row.since,
                    counters: row.counters.of_next_attempt(),
                };
                // It is not dated before its jobs were there to be claimed.
                lease.since = lease.since.max(leased.queued_at);
                lease.jobs.insert(job, leased);
                self.leased.insert(job, right.lease);
            }
        }
        self.leases.insert(right.lease, lease);
        self.held_under(right.lease, right.worker)
    }

    /// What a worker holds under a lease, the most urgent first.
    pub(super) fn held_under(&self, id: LeaseId, worker: WorkerId) -> Vec<Claimed> {
        let lease = self.leases.get(&id).into_iter();
        let own = lease.filter(|lease| lease.worker == worker);
        let mut jobs: Vec<_> = own.flat_map(|lease| &lease.jobs).collect();
        jobs.sort_by_key(|(job, leased)| (self.jobs[job].priority, leased.run_at, **job));
        let claimed = jobs.into_iter().map(|(job, leased)| Claimed {
            lease: id,
            counters: leased.counters,
            queued_at: leased.queued_at,
            args: JobArgs::of(&self.jobs[job], leased.counters),
        });
        claimed.collect()
    }

    /// Those among these jobs that can be claimed from a queue without limits.
    fn named(&self, want: &QueueClaim, jobs: &[JobId], now: Timestamp) -> Vec<JobId> {
        let free = Some(&want.queue).filter(|queue| self.is_free(queue));
        let place = free.and_then(|queue| self.ready.get(queue));
        let can_be_claimed = |job: &JobId| {
            let row = place.and_then(|place| place.get(*job));
            row.is_some_and(|row| !self.has_expired(*job, row.counters, now))
        };
        let wanted = jobs.iter().take(want.limit as usize);
        let once: BTreeSet<_> = wanted.copied().filter(can_be_claimed).collect();
        once.into_iter().collect()
    }

    pub(super) fn most_urgent(&self, queue: &str, limit: u32, now: Timestamp) -> Vec<JobId> {
        let place = self.ready.get(queue).into_iter();
        let jobs = place.flat_map(OrderedRows::in_order);
        jobs.filter(|(job, row)| !self.has_expired(*job, row.counters, now))
            .map(|(job, _)| job)
            .take(limit as usize)
            .collect()
    }
}

pub(super) fn fact(claimed: &Claimed, worker: WorkerId, now: Timestamp) -> Fact {
    let args = &claimed.args;
    let (from, to) = (Some(State::Queued), State::Running);
    Fact::moved(args.id, &args.queue, from, to, now)
        .with("attempt", claimed.counters.attempt)
        .with("worker", worker.to_string())
}
