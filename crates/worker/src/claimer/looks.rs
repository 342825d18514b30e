//! Looks: which queues have jobs, and of which queues hints may tell.

use std::{cmp::Reverse, sync::Arc};

use baton_domain::queue::Queue;
use baton_ports::store::Result;
use tokio::time::Instant;

use super::{BLIND, Claimer, SAFETY};
use crate::{core::Core, lane::Lane, outlook::Outlook, patience::jittered, taker, telemetry};

/// How many queues' hints are waited for at once.
const MOST: usize = 32;
/// How much of the time may go into asking which queues there are: a hundredth.
const SHARE: u32 = 100;

impl Claimer {
    /// Looks which queues have jobs.
    pub(super) async fn look(&mut self) -> Result<()> {
        self.is_stale = false;
        self.looked = Instant::now();
        self.call_the_roll().await?;
        let lanes = self.core.lanes.all();
        let begin = |lane: &Arc<Lane>| lane.outlook(Outlook::begin);
        lanes.iter().for_each(begin);
        self.lines = self.core.store.lines().await?;
        self.core.heard();
        // Who is not among the lines has nothing to claim.
        let dry = |lane: &Arc<Lane>| lane.outlook(|outlook| outlook.set_dry(true));
        lanes.iter().for_each(dry);
        for line in &self.lines {
            let lane = self.core.lanes.lane(&line.queue);
            lane.outlook(|outlook| {
                outlook.set_dry(false);
                outlook.set_limited(line.limited);
            });
        }
        let pause = if self.is_blind() { BLIND } else { SAFETY };
        self.next_look = self.looked + jittered(pause);
        self.misled.clear();
        telemetry::slots(&self.core.lanes);
        Ok(())
    }

    /// Whether jobs may come that nobody tells of: who offers hints does not ring.
    fn is_blind(&self) -> bool {
        let hinted = self.core.hinted.get();
        hinted.is_some_and(|hinted| !hinted.is_open() || self.has_blind_spots)
    }

    /// Asks which queues there are, and has the hints waited for of those that may have some.
    async fn call_the_roll(&mut self) -> Result<()> {
        if self.core.hinted.get().is_none() || Instant::now() < self.next_roll {
            return Ok(());
        }
        let asked = Instant::now();
        let queues = self.core.store.queues(self.core.clock.now()).await?;
        let pause = SAFETY.max(asked.elapsed() * SHARE);
        self.next_roll = asked + jittered(pause);
        self.choose(&queues);
        Ok(())
    }

    /// Has the roll called at the next look, which comes at once.
    pub(super) fn look_closer(&mut self) {
        self.is_stale = true;
        self.next_roll = Instant::now();
    }

    fn choose(&mut self, queues: &[Queue]) {
        let lanes = &self.core.lanes;
        let running = queues
            .iter()
            .filter(|queue| !queue.paused && lanes.slots_of(&queue.name) > 0);
        let (limited, mut open): (Vec<_>, Vec<_>) = running.partition(|queue| is_limited(queue));
        self.has_blind_spots = !limited.is_empty() || open.len() > MOST;
        if open.len() > MOST {
            let used = |queue: &&Queue| lanes.find(&queue.name).map(|lane| lane.used());
            open.sort_by_cached_key(|queue| Reverse(used(queue)));
            open.truncate(MOST);
        }
        let is_open = |lane: &Lane| open.iter().any(|queue| *queue.name == *lane.queue);
        for lane in lanes.all().iter().filter(|lane| !is_open(lane)) {
            lane.outlook(|outlook| outlook.choose(false));
        }
        for queue in open {
            await_hints_of(&self.core, lanes.lane(&queue.name));
        }
    }
}

const fn is_limited(queue: &Queue) -> bool {
    queue.max_running.is_some() || queue.rate.is_some()
}

fn await_hints_of(core: &Arc<Core>, lane: Arc<Lane>) {
    let lacks_taker = lane.outlook(|outlook| {
        outlook.set_limited(false);
        outlook.choose(true)
    });
    if let Some(hinted) = core.hinted.get().filter(|_| lacks_taker) {
        hinted.takers.spawn(taker::run(Arc::clone(core), lane));
    }
}
