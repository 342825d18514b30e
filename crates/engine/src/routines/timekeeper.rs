//! The timekeeper measures how far this node's clock is from the store's, and tells when that one was
//! put forward or back. Now and then it asks for the time by writing that the node is there, and what it has measured.

mod beats;

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    Clock, Timestamp,
    node::Node,
    time::{ClockDrift, Machine, SignedDuration, StoreClock, ThisMachine},
};
use baton_ports::{Wakeup, store};

use self::beats::Beats;
use super::Tools;
use crate::{HealthBoard, Next, Routine, routine::about};

/// How long a measurement is good for: a step is followed so late at the most.
const PAUSE: Duration = Duration::from_secs(3);
/// How exact a measurement has to be to stand for so long once a step was followed, which is followed however
/// slowly it was answered; a worse one is repeated soon, so often at the most.
const EXACT: Duration = Duration::from_millis(20);
const SOON: Duration = Duration::from_millis(250);
const AGAIN: u32 = 8;
/// Whoever waits for a moment, and has to look again when the clock was stepped.
pub const WAITING: [Wakeup; 4] = [
    Wakeup::Due,
    Wakeup::Expired,
    Wakeup::Campaigns,
    Wakeup::Schedules,
];

/// Measures how far this node's clock is from the store's.
pub struct Timekeeper<M = ThisMachine> {
    tools: Tools,
    health_board: HealthBoard,
    clock: Arc<StoreClock<M>>,
    /// Nothing where nobody is told of the node.
    beats: Option<Beats>,
    /// How often a measurement may still be repeated soon.
    again: u32,
}

impl<M: Machine> Timekeeper<M> {
    /// A timekeeper of `clock`, which writes on a board what it notices.
    #[must_use]
    pub const fn new(tools: Tools, health_board: HealthBoard, clock: Arc<StoreClock<M>>) -> Self {
        Self {
            tools,
            health_board,
            clock,
            beats: None,
            // The first answer may be a slow one as well.
            again: AGAIN,
        }
    }

    /// The same, which writes beside that this node is there.
    #[must_use]
    pub fn beating(self, node: Node) -> Self {
        Self {
            beats: Some(Beats::of(node)),
            ..self
        }
    }

    /// Asks for the store's time, and writes that the node is there when that is due.
    async fn ask(&mut self) -> store::Result<Timestamp> {
        let drift = self.drift();
        let store = &self.tools.store;
        match self.beats.as_mut().and_then(Beats::due) {
            Some(node) => store.beat_node(node, drift, self.tools.clock.now()).await,
            None => store.time().await,
        }
    }

    /// How far this machine's clock is from the store's, once that was measured.
    fn drift(&self) -> Option<ClockDrift> {
        let bound = self.clock.bound()?;
        let (theirs, ours) = (self.clock.now(), self.clock.machine().wall());
        let ahead = SignedDuration::from_micros(theirs.as_micros() - ours.as_micros());
        Some(ClockDrift { ahead, bound })
    }

    /// When to ask again, with a clock that is known so well.
    fn next(&mut self, bound: Option<Duration>) -> Duration {
        let is_exact = bound.is_some_and(|bound| bound <= EXACT);
        self.again = if is_exact { 0 } else { self.again };
        match self.again.checked_sub(1) {
            Some(left) => {
                self.again = left;
                SOON
            }
            None => PAUSE,
        }
    }

    fn tell(&self, step: SignedDuration) {
        let direction = if step.is_negative() {
            "back"
        } else {
            "forward"
        };
        tracing::warn!(
            step = %format_args!("{step:#}"),
            "the clock of the database was put {direction}, or this process stood still; it is followed"
        );
        metrics::counter!("baton_clock_steps_total", "direction" => direction).increment(1);
        self.health_board.clock_stepped(step);
        for wakeup in WAITING {
            self.tools.wakeups.send_here(wakeup);
        }
    }
}

#[async_trait]
impl<M: Machine> Routine for Timekeeper<M> {
    about!("timekeeper": "keeps this node's clock with the database's");

    async fn turn(&mut self) -> store::Result<Next> {
        let asked = self.clock.machine().instant();
        let answered = self.ask().await?;
        let heard = self.clock.machine().instant();
        if let Some(step) = self.clock.follow(answered, asked, heard) {
            self.tell(step);
            self.again = AGAIN;
        }
        let drift = self.drift();
        if let Some(drift) = drift {
            metrics::gauge!("baton_clock_offset_seconds").set(drift.ahead.as_secs_f64());
            metrics::gauge!("baton_clock_bound_seconds").set(drift.bound.as_secs_f64());
            self.health_board.clock_measured(drift);
        }
        Ok(Next::After(self.next(drift.map(|drift| drift.bound))))
    }
}
