//! Claims at a source that waits: all queues at once, and no more of them together than there is room for.

use std::sync::{Arc, atomic::Ordering};

use baton_ports::store::Claimed;
use tokio::time::Instant;

use super::{Claimer, claims::PendingClaim};
use crate::{
    core::Core,
    queue_slots::{Capacity, QueueSlots},
};

/// How many jobs are worth a claim beside another one.
const WORTH: u32 = 8;

/// What an open claim may bring: room is kept for it until this is dropped.
pub(super) struct OpenClaim {
    core: Arc<Core>,
    all: u32,
    of: Vec<(Arc<QueueSlots>, u32)>,
}

impl Drop for OpenClaim {
    fn drop(&mut self) {
        self.core.slots.asked.fetch_sub(self.all, Ordering::Relaxed);
        for (slots, count) in &self.of {
            slots.answered(*count);
        }
        // The other claimer may be waiting for it.
        self.core.slots.freed.notify_one();
    }
}

impl Claimer {
    /// All that there is room for, of each queue: whichever has jobs first fills it, and the claim as a whole takes no more.
    pub(super) fn waiting_claims(&self) -> Vec<PendingClaim> {
        let process = &self.core.slots.process;
        process.share_among(self.queues.len());
        process.suffices();
        let most = self.most();
        let claims = self.in_turn().filter_map(|queue| {
            let slots = self.core.slots.of(&queue.name);
            let room = self.search(queue, &slots, 0);
            let limit = self.part_of(slots.count + self.ahead(&slots), room.min(most));
            (limit > 0).then(|| PendingClaim::new(slots, limit, false))
        });
        let claims: Vec<_> = claims.collect();
        if self.leaves_any_out(claims.len()) && process.left() == 0 && !self.core.backlog.is_there()
        {
            // A slot that comes free has all queues asked for.
            return Vec::new();
        }
        claims
    }

    /// How many jobs a claim that waits takes of all its queues together: as many as slots are free, and ahead of them what
    /// the quickest of its queues allows.
    fn most(&self) -> u32 {
        let slots = &self.core.slots;
        let queues = self.queues.iter().map(|queue| slots.of(&queue.name));
        let ahead = queues.map(|queue| self.ahead(&queue)).max().unwrap_or(0);
        let buffered: u32 = slots.all().iter().map(|queue| queue.counts().1).sum();
        let taken = buffered + slots.asked.load(Ordering::Relaxed);
        let most = (slots.process.left() + ahead).saturating_sub(taken);
        let most = most.min(self.core.source.most_of_a_claim());
        self.part_of(slots.process.most() + ahead, most)
    }

    fn ahead(&self, slots: &QueueSlots) -> u32 {
        slots.ahead(self.core.slots.trip(), self.core.config.prefetch)
    }

    /// Where another claim is made beside this one, half of all the room is for that.
    fn part_of(&self, room: u32, wanted: u32) -> u32 {
        if self.core.backlog.is_there() {
            wanted.min(room.div_ceil(2))
        } else {
            wanted
        }
    }

    /// Keeps room for what a claim that waits may bring, `all` of its queues together.
    pub(super) fn ask(&self, claims: &[PendingClaim], all: u32) -> Option<OpenClaim> {
        if !self.core.source.waits() {
            return None;
        }
        let of = claims
            .iter()
            .map(|pending| (Arc::clone(&pending.slots), pending.want.limit));
        let asked = OpenClaim {
            core: Arc::clone(&self.core),
            all,
            of: of.collect(),
        };
        self.core.slots.asked.fetch_add(all, Ordering::Relaxed);
        for (slots, count) in &asked.of {
            slots.ask(*count);
        }
        Some(asked)
    }

    /// Whether a claim of so many queues may wait. One that leaves a queue out, which has no room this moment, would keep that one
    /// waiting when it has some again.
    pub(super) fn may_wait_for(&self, queues: usize) -> bool {
        !self.is_beside && !self.leaves_any_out(queues)
    }

    fn leaves_any_out(&self, queues: usize) -> bool {
        queues < self.queues.len()
    }

    /// Whether there is room for another claim beside the one that is open.
    pub(super) fn is_worth_another(&self) -> bool {
        self.queues.is_empty() || self.room() == Capacity::Plenty && self.most() >= WORTH
    }

    /// Whether two claims are better than one that brings so many jobs, because they take less time than it.
    pub(super) fn is_worth_two(&self, wanted: u32) -> bool {
        if !self.core.source.may_claim_beside() || wanted < WORTH {
            return false;
        }
        let mut queues = self.queues.iter();
        queues.any(|queue| self.ahead(&self.core.slots.of(&queue.name)) > 0)
    }

    /// Whether a claim that was sent at `sent` has waited for these jobs for more of its time than its answer took.
    pub(super) fn has_waited(&self, claimed: &[Claimed], sent: Instant) -> bool {
        let first = claimed.first();
        let granted = first.and_then(|one| self.core.source.granted_at(one.lease));
        granted.is_some_and(|from| from.saturating_duration_since(sent) > sent.elapsed() / 2)
    }
}
