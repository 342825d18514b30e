//! Jobs that come in are handed to claims that wait, with the commit that accepts them.

use std::sync::Arc;

use baton_domain::Timestamp;
use baton_ports::{
    LocalDispatch, SlotReservation,
    store::{Claimed, InlineStart},
};

use super::{Delivery, Orphaned, Term, Waiter, WaitingClaims};

/// Hands jobs that come in to claims that wait.
pub struct Dispatch<F> {
    pub claims: Arc<WaitingClaims>,
    /// Until when a lease lasts that begins now.
    pub until: F,
    /// What is to become of jobs whose claim has gone meanwhile.
    pub orphaned: Orphaned,
}

impl<F: Fn() -> Timestamp + Send + Sync + 'static> LocalDispatch for Dispatch<F> {
    fn reserve(&self, queue: &str, jobs: u32) -> Option<Box<dyn SlotReservation>> {
        let line = self.claims.in_line(queue);
        let waiter = line.into_iter().find(|waiter| {
            let mut wants = waiter.wants.iter();
            wants.any(|(name, _, limit)| name == queue && *limit >= jobs) && waiter.reserve()
        })?;
        let (_, lease, _) = waiter.wants.iter().find(|(name, _, _)| name == queue)?;
        let term = Term::begin(&self.until);
        let start = InlineStart {
            worker: waiter.worker,
            queue: queue.to_owned(),
            lease: *lease,
            until: term.until,
        };
        Some(Box::new(Reservation {
            orphaned: Arc::clone(&self.orphaned),
            waiter,
            start,
            term,
            is_over: false,
        }))
    }

    fn joined(&self, queue: &str) {
        self.claims.wake_one(queue);
    }
}

struct Reservation {
    waiter: Arc<Waiter>,
    start: InlineStart,
    term: Term,
    orphaned: Orphaned,
    is_over: bool,
}

impl Reservation {
    fn deliver(&mut self, delivery: Delivery) {
        self.is_over = true;
        let is_nothing = matches!(&delivery, Delivery::Claimed(jobs, _) if jobs.is_empty());
        if self.waiter.deliver(delivery).is_err() && !is_nothing {
            let InlineStart {
                worker,
                lease,
                until,
                ..
            } = self.start;
            (self.orphaned)(worker, lease, until);
        }
    }
}

impl SlotReservation for Reservation {
    fn inline_start(&self) -> &InlineStart {
        &self.start
    }

    fn accept(mut self: Box<Self>, claimed: Vec<Claimed>) {
        let term = self.term;
        self.deliver(Delivery::Claimed(claimed, term));
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        if !self.is_over {
            self.deliver(Delivery::Unknown(self.start.lease, self.term));
        }
    }
}
