//! Polls: which queues have jobs.

use std::{sync::Arc, time::Duration};

use baton_domain::queue::WorkedBy;
use baton_ports::store::{ReadyQueue, Result};
use tokio::time::Instant;

use super::Claimer;
use crate::{queue_slots::QueueSlots, queue_view::QueueView, store_backoff::jittered, telemetry};

/// A poller that has found nothing out for longer is no company.
const LATELY: Duration = Duration::from_secs(5);

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
        self.queues = self.core.source.ready_queues().await?;
        self.core.heard();
        // Who is not among them has nothing to claim.
        let dry = |slots: &Arc<QueueSlots>| slots.view(|view| view.set_dry(true));
        all.iter().for_each(dry);
        for queue in &self.queues {
            let slots = self.core.slots.of(&queue.name);
            slots.view(|view| {
                view.set_dry(false);
                view.set_limited(queue.limited);
            });
        }
        let is_idle = self.queues.is_empty() && self.core.slots.running() == 0;
        Arc::clone(&source).polled(&self.core, &self.queues).await?;
        let is_accompanied = self.core.config.findings.within(LATELY).is_some();
        let within = source.poll_within(is_idle, is_accompanied);
        self.next_poll = self.polled + jittered(within);
        telemetry::slots(&self.core.slots);
        Ok(())
    }

    /// Has a line searched that was not there at the last poll.
    pub(super) fn meet(&mut self, slots: &QueueSlots) {
        let is_known = self.queues.iter().any(|queue| *queue.name == *slots.queue);
        if !is_known {
            self.queues.push(ReadyQueue {
                name: slots.queue.to_string(),
                limited: false,
                worked_by: WorkedBy::Server,
            });
        }
    }
}
