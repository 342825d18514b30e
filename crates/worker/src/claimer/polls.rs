//! Polls: which queues have jobs.

use std::sync::Arc;

use baton_ports::store::{Line, Result};
use tokio::time::Instant;

use super::Claimer;
use crate::{patience::jittered, queue_slots::QueueSlots, queue_view::QueueView, telemetry};

impl Claimer {
    /// Asks which queues have jobs.
    pub(super) async fn poll(&mut self) -> Result<()> {
        let source = Arc::clone(self.core.claim_source());
        source.before_poll().await;
        self.is_stale = false;
        self.polled = Instant::now();
        let all = self.core.slots.all();
        let begin = |slots: &Arc<QueueSlots>| slots.view(QueueView::begin);
        all.iter().for_each(begin);
        self.lines = self.core.store.lines().await?;
        self.core.heard();
        // Who is not among the lines has nothing to claim.
        let dry = |slots: &Arc<QueueSlots>| slots.view(|view| view.set_dry(true));
        all.iter().for_each(dry);
        for line in &self.lines {
            let slots = self.core.slots.of(&line.queue);
            slots.view(|view| {
                view.set_dry(false);
                view.set_limited(line.limited);
            });
        }
        let is_idle = self.lines.is_empty() && self.core.slots.running() == 0;
        Arc::clone(&source).polled(&self.core, &self.lines).await?;
        self.next_poll = self.polled + jittered(source.poll_within(is_idle));
        telemetry::slots(&self.core.slots);
        Ok(())
    }

    /// Has a line searched that was not there at the last poll.
    pub(super) fn meet(&mut self, slots: &QueueSlots) {
        let is_known = self.lines.iter().any(|line| *line.queue == *slots.queue);
        if !is_known {
            self.lines.push(Line {
                queue: slots.queue.to_string(),
                limited: false,
            });
        }
    }
}
