//! Local dispatch: jobs that were added on this node are handed over from memory.

use std::sync::Arc;

use baton_domain::LeaseId;
use baton_ports::{
    LocalDispatch, SlotReservation,
    store::{Claimed, InlineStart},
};
use tokio::time::Instant;
use tokio_util::task::task_tracker::TaskTrackerToken;

use crate::{core::Core, job::Job, queue_slots::QueueSlots, queue_view::QueueView, run, telemetry};

/// Hands jobs of this process to its worker.
pub struct Dispatcher(pub Arc<Core>);

impl LocalDispatch for Dispatcher {
    fn reserve(&self, queue: &str, jobs: u32) -> Option<Box<dyn SlotReservation>> {
        let core = &self.0;
        // Before the look at whether it drains: a drain waits for those who came before it.
        let underway = core.runners.token();
        if !core.is_at_work() || !core.may_claim() {
            return None;
        }
        let slots = core.slots.of(queue);
        let held = HeldSlots::take(slots, jobs)?;
        let sent = Instant::now();
        let start = InlineStart {
            worker: core.config.worker,
            queue: queue.to_owned(),
            lease: LeaseId::random(),
            until: core.clock.now() + core.config.lease,
        };
        let unheard = Unheard {
            core: Arc::clone(core),
            lease: start.lease,
            sent,
            is_answered: false,
        };
        Some(Box::new(Reserved {
            core: Arc::clone(core),
            held,
            start,
            unheard,
            _underway: underway,
        }))
    }

    fn joined(&self, queue: &str) {
        self.0.slots.of(queue).view(QueueView::joined);
    }
}

/// Slots set aside for a call that is under way.
struct Reserved {
    core: Arc<Core>,
    held: HeldSlots,
    start: InlineStart,
    unheard: Unheard,
    _underway: TaskTrackerToken,
}

impl SlotReservation for Reserved {
    fn inline_start(&self) -> &InlineStart {
        &self.start
    }

    fn accept(mut self: Box<Self>, claimed: Vec<Claimed>) {
        self.unheard.is_answered = true;
        let core = &self.core;
        core.heard();
        if claimed.is_empty() {
            return;
        }
        telemetry::claimed(core, claimed.len());
        let over = core.abort.child_token();
        let deadline = core.deadline(self.unheard.sent);
        let lease = core
            .leases
            .add(self.start.lease, deadline, claimed.len(), over);
        let now = Instant::now();
        let jobs = claimed.into_iter();
        let jobs = jobs.map(|claimed| Job::new(core, claimed, Arc::clone(&lease), now));
        let slots = Arc::clone(&self.held.slots);
        match self.held.fill(jobs.collect()) {
            Ok(runners) => run::start(core, &slots, runners),
            Err(jobs) => jobs.iter().for_each(|job| core.give_back(&slots, job)),
        }
    }
}

/// A lease that was asked for; without an answer it may stand all the same.
struct Unheard {
    core: Arc<Core>,
    lease: LeaseId,
    /// Before the call was sent: the worker's own deadline is never later than the store's.
    sent: Instant,
    is_answered: bool,
}

impl Drop for Unheard {
    fn drop(&mut self) {
        if !self.is_answered {
            self.core.doubt([self.lease], self.sent);
        }
    }
}

/// Slots of a queue that nobody else gets; they are free again when it is dropped.
struct HeldSlots {
    slots: Arc<QueueSlots>,
    count: u32,
}

impl HeldSlots {
    fn take(slots: Arc<QueueSlots>, count: u32) -> Option<Self> {
        // Made only when they are held: what is made gives them back.
        slots.hold(count).then(|| Self { slots, count })
    }

    /// Puts jobs into the slots; see [`QueueSlots::fill`].
    fn fill(mut self, jobs: Vec<Job>) -> Result<u32, Vec<Job>> {
        let count = std::mem::take(&mut self.count);
        self.slots.fill(count, jobs)
    }
}

impl Drop for HeldSlots {
    fn drop(&mut self) {
        self.slots.let_go(self.count);
    }
}
