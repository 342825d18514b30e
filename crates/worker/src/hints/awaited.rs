//! Polls: which queues have jobs, and of which queues hints may tell.

use std::{cmp::Reverse, sync::Arc, time::Duration};

use baton_domain::queue::Queue;
use baton_ports::store::{Line, Result};
use tokio::time::Instant;

use super::{BLIND, Claimer, IDLE, SAFETY};
use crate::{
    core::Core, hints::consumer, patience::jittered, queue_slots::QueueSlots,
    queue_view::QueueView, telemetry,
};

/// How many queues' hints are waited for at once.
const MOST: usize = 32;
/// How often it is asked which queues there are, at the least.
const REFRESH: Duration = Duration::from_secs(10);
/// How much of the time may go into that: a hundredth.
const SHARE: u32 = 100;

impl Claimer {
    /// Asks which queues have jobs.
    pub(super) async fn poll(&mut self) -> Result<()> {
        // A line that is seen to be empty while hints are trimmed may not be.
        self.trims.are_over().await;
        self.is_stale = false;
        self.polled = Instant::now();
        let all = self.core.slots.all();
        let begin = |slots: &Arc<QueueSlots>| slots.view(QueueView::begin);
        all.iter().for_each(begin);
        self.lines = self.core.store.lines().await?;
        self.core.heard();
        self.refresh_queues().await?;
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
        self.next_poll = self.polled + jittered(self.pause());
        self.misled.clear();
        telemetry::slots(&self.core.slots);
        Ok(())
    }

    fn pause(&self) -> Duration {
        let core = &self.core;
        let is_idle = self.lines.is_empty() && core.slots.running() == 0;
        if self.is_blind() {
            BLIND
        } else if is_idle && core.hinted.get().is_none() {
            IDLE
        } else {
            SAFETY
        }
    }

    /// Whether jobs may come that nobody tells of: who offers hints sends no wake-up.
    fn is_blind(&self) -> bool {
        let hinted = self.core.hinted.get();
        hinted.is_some_and(|hinted| !hinted.is_open() || self.has_blind_spots)
    }

    /// Asks which queues there are, and has the hints waited for of those that may have some. A line
    /// that nobody waits for is news.
    async fn refresh_queues(&mut self) -> Result<()> {
        let is_due = Instant::now() >= self.next_refresh || self.has_new_queues();
        if self.core.hinted.get().is_none() || !is_due {
            return Ok(());
        }
        let asked = Instant::now();
        let queues = self.core.store.queues(self.core.clock.now()).await?;
        let pause = REFRESH.max(asked.elapsed() * SHARE);
        self.next_refresh = asked + jittered(pause);
        self.choose(&queues);
        Ok(())
    }

    /// Whether there is a line that was not there, or not so, when the queues were refreshed.
    fn has_new_queues(&self) -> bool {
        let all = &self.core.slots;
        let is_new = |line: &Line| match line.limited {
            true => !self.has_blind_spots,
            false => !self.is_crowded && !all.of(&line.queue).view(|one| one.is_awaited()),
        };
        let served = |line: &&Line| all.count_of(&line.queue) > 0;
        self.lines.iter().filter(served).any(is_new)
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

    /// Has the queues refreshed at the next poll, which comes at once.
    pub(super) fn refresh_soon(&mut self) {
        self.is_stale = true;
        self.next_refresh = Instant::now();
    }

    fn choose(&mut self, queues: &[Queue]) {
        let all = &self.core.slots;
        let running = queues
            .iter()
            .filter(|queue| !queue.paused && all.count_of(&queue.name) > 0);
        let (limited, mut open): (Vec<_>, Vec<_>) = running.partition(|queue| is_limited(queue));
        self.is_crowded = open.len() > MOST;
        self.has_blind_spots = !limited.is_empty() || self.is_crowded;
        if self.is_crowded {
            let used = |queue: &&Queue| all.find(&queue.name).map(|slots| slots.used());
            open.sort_by_cached_key(|queue| Reverse(used(queue)));
            open.truncate(MOST);
        }
        let is_open = |slots: &QueueSlots| open.iter().any(|queue| *queue.name == *slots.queue);
        for slots in all.all().iter().filter(|slots| !is_open(slots)) {
            slots.view(|view| view.choose(false));
        }
        for queue in open {
            await_hints_of(&self.core, all.of(&queue.name));
        }
    }
}

const fn is_limited(queue: &Queue) -> bool {
    queue.max_running.is_some() || queue.rate.is_some()
}

fn await_hints_of(core: &Arc<Core>, slots: Arc<QueueSlots>) {
    let lacks_consumer = slots.view(|view| {
        view.set_limited(false);
        view.choose(true)
    });
    if let Some(hinted) = core.hinted.get().filter(|_| lacks_consumer) {
        hinted
            .consumers
            .spawn(consumer::run(Arc::clone(core), slots));
    }
}
