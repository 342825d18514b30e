//! Starting: through the ready places straight into a lease.

use std::collections::BTreeSet;

use baton_domain::{JobId, Timestamp, job::NewJob};

use super::{super::Tables, claim::fact};
use crate::store::{Atomicity, InlineStart, InlineStarted};

impl Tables {
    pub(in crate::memory) fn enqueue_and_claim(
        &mut self,
        jobs: Vec<NewJob>,
        start: &InlineStart,
    ) -> InlineStarted {
        let now = jobs.iter().map(|job| job.created_at).max();
        let is_open = self.is_unlimited(&start.queue) && !self.leases.contains_key(&start.lease);
        let ids = jobs.iter().map(|job| job.id);
        let new: BTreeSet<_> = ids.filter(|id| !self.jobs.contains_key(id)).collect();
        let answers = self.enqueue(jobs, Atomicity::Each);
        if is_open {
            self.start_new(&new, start, now.unwrap_or_default());
        }
        InlineStarted {
            answers,
            claimed: self.held_under(start.lease, start.worker),
        }
    }

    fn start_new(&mut self, new: &BTreeSet<JobId>, start: &InlineStart, now: Timestamp) {
        let ready = self.most_urgent(&start.queue, u32::MAX, now);
        let fit: Vec<_> = ready.into_iter().filter(|id| new.contains(id)).collect();
        if !fit.is_empty() {
            let claimed = self.lease(fit, start, now);
            let facts = claimed.iter().map(|one| fact(one, start.worker, now));
            self.ledger.tell(facts.collect());
        }
    }
}
