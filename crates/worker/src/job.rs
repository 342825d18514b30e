//! A claimed job on its way through the worker.

use std::sync::Arc;

use baton_domain::{Timestamp, job::Ticket};
use baton_ports::store::{Claimed, Order};
use tokio::time::Instant;

use crate::{core::Core, lease::Lease};

/// A claimed job on its way through the worker.
#[derive(Debug)]
pub struct Job {
    /// What was asked.
    pub order: Order,
    /// The counters of this attempt.
    pub ticket: Ticket,
    /// The right to it.
    pub lease: Arc<Lease>,
    /// Since when it could have been claimed.
    pub queued_at: Timestamp,
    /// Since when the worker has it.
    pub since: Instant,
    /// Whether the claim source has named it, and hears of its end.
    pub is_named: bool,
    /// How many like it its handler prepares at once.
    pub together: usize,
}

impl Job {
    /// A job under its lease.
    pub fn new(core: &Core, claimed: Claimed, lease: Arc<Lease>, since: Instant) -> Self {
        let handler = core.handlers.get(claimed.order.kind.as_str());
        Self {
            together: handler.map_or(1, |handler| handler.most_together()),
            order: claimed.order,
            ticket: claimed.ticket,
            lease,
            queued_at: claimed.queued_at,
            since,
            is_named: false,
        }
    }

    /// Whether both can be prepared at once.
    pub fn is_like(&self, other: &Self) -> bool {
        self.order.kind == other.order.kind && Arc::ptr_eq(&self.lease, &other.lease)
    }
}
