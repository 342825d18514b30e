//! A claimed job on its way through the worker.

use std::{borrow::Cow, sync::Arc};

use baton_domain::{Timestamp, job::AttemptCounters};
use baton_ports::{
    Handler,
    store::{Claimed, JobArgs},
};
use tokio::time::Instant;

use crate::{core::Core, lease::Lease};

/// A claimed job on its way through the worker.
pub struct Job {
    /// What was asked; its handler has it too.
    pub args: Arc<JobArgs>,
    /// The counters of this attempt.
    pub counters: AttemptCounters,
    /// The right to it.
    pub lease: Arc<Lease>,
    /// Since when it could have been claimed.
    pub queued_at: Timestamp,
    /// Since when the worker has it.
    pub since: Instant,
    /// Whether the claim source has named it, and hears of its end.
    pub is_named: bool,
    /// What does it, if there is anything for its kind here.
    pub handler: Option<Arc<dyn Handler>>,
}

impl Job {
    /// A job under its lease.
    pub fn new(core: &Core, claimed: Claimed, lease: Arc<Lease>, since: Instant) -> Self {
        Self {
            handler: core.handlers.get(claimed.args.kind.as_str()).cloned(),
            args: Arc::new(claimed.args),
            counters: claimed.counters,
            lease,
            queued_at: claimed.queued_at,
            since,
            is_named: false,
        }
    }

    /// Its kind, without a text of its own where a handler knows it.
    pub fn kind(&self) -> Cow<'static, str> {
        match &self.handler {
            Some(handler) => Cow::Borrowed(handler.kind()),
            None => Cow::Owned(self.args.kind.clone()),
        }
    }

    /// How many like it its handler prepares at once.
    pub fn most_together(&self) -> usize {
        let handler = self.handler.as_ref();
        handler.map_or(1, |handler| handler.most_together())
    }

    /// Whether both can be prepared at once.
    pub fn is_like(&self, other: &Self) -> bool {
        self.args.kind == other.args.kind && Arc::ptr_eq(&self.lease, &other.lease)
    }
}
