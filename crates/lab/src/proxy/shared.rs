//! What the listener and all lines of a proxy share: the faults of the moment, what is planned, and what was done.

use std::time::Duration;

use parking_lot::Mutex;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::sync::watch;

use super::{
    Options, Protocol, Upstream,
    faults::{Counts, CutCommits, Deed, DirectionFaults, Faults, How, ListenerMode, Moment},
};
use crate::clock::now_us;

/// Which way bytes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    ToServer,
    ToClient,
}

/// What the door and all lines share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) upstream: Mutex<Upstream>,
    pub(super) protocol: Protocol,
    pub(super) faults: watch::Sender<Faults>,
    pub(super) cut_all: watch::Sender<u64>,
    pub(super) counts: Mutex<Counts>,
    pub(super) deeds: Mutex<Vec<Deed>>,
    plan: Mutex<Option<CutCommits>>,
    moves: Mutex<u32>,
    messages: Mutex<Option<u32>>,
    chance: Mutex<StdRng>,
}

impl Shared {
    pub(super) fn new(options: Options) -> Self {
        Self {
            upstream: Mutex::new(options.upstream),
            protocol: options.protocol,
            faults: watch::Sender::default(),
            cut_all: watch::Sender::default(),
            counts: Mutex::default(),
            deeds: Mutex::default(),
            plan: Mutex::default(),
            moves: Mutex::default(),
            messages: Mutex::default(),
            chance: Mutex::new(StdRng::seed_from_u64(options.seed)),
        }
    }

    /// Takes all faults away; the plans first, for what is still planned may bring a fault.
    pub(super) fn heal(&self) {
        self.plan(None);
        self.plan_moves(0);
        self.plan_messages(None);
        self.faults
            .send_modify(|faults| *faults = Faults::default());
    }

    pub(super) fn plan(&self, plan: Option<CutCommits>) {
        *self.plan.lock() = plan;
    }

    pub(super) fn plan_moves(&self, count: u32) {
        *self.moves.lock() = count;
    }

    /// Asked once for each answer that tells of what was taken: whether it is to be kept from the client.
    pub(super) fn take_move_cut(&self) -> bool {
        self.counts.lock().moves += 1;
        let mut moves = self.moves.lock();
        let cut = *moves > 0;
        *moves = moves.saturating_sub(1);
        cut
    }

    pub(super) fn plan_messages(&self, count: Option<u32>) {
        *self.messages.lock() = count;
    }

    /// Asked once for each message of either side: whether it is the last that passes. Then nobody is let in
    /// any more, either.
    pub(super) fn take_message_cut(&self) -> bool {
        let mut messages = self.messages.lock();
        let Some(left) = messages.as_mut() else {
            return false;
        };
        *left = left.saturating_sub(1);
        if *left > 0 {
            return false;
        }
        *messages = None;
        self.faults
            .send_modify(|faults| faults.listener = ListenerMode::Refuse);
        true
    }

    /// Resets every connection there is.
    pub(super) fn cut_all(&self) {
        self.cut_all.send_modify(|times| *times += 1);
    }

    /// Waits until something may pass this way again.
    pub(super) async fn while_silent(&self, direction: Direction) {
        if self.way(direction).is_silent {
            let mut faults = self.faults.subscribe();
            // The sender is ours: it lives as long as this does.
            let _ = faults
                .wait_for(|faults| !faults.way(direction).is_silent)
                .await;
        }
    }

    pub(super) fn way(&self, direction: Direction) -> DirectionFaults {
        self.faults.borrow().way(direction)
    }

    pub(super) fn delay(&self, way: DirectionFaults) -> Duration {
        if way.jitter.is_zero() {
            return way.delay;
        }
        way.delay + way.jitter.mul_f64(self.chance.lock().random::<f64>())
    }

    pub(super) fn passed(&self, direction: Direction, bytes: usize) {
        let mut counts = self.counts.lock();
        match direction {
            Direction::ToServer => counts.to_server += bytes as u64,
            Direction::ToClient => counts.to_client += bytes as u64,
        }
    }

    pub(super) fn broke(&self, connection: u64, how: How) {
        let mut counts = self.counts.lock();
        match how {
            How::CutAll => counts.cut_all += 1,
            How::CutAfterBytes => counts.cut_after_bytes += 1,
            How::BeforeCommit => counts.cut_before_commit += 1,
            How::AfterCommit => counts.cut_after_commit += 1,
            How::AfterMove => counts.cut_after_move += 1,
            How::BehindMessage => counts.cut_behind_message += 1,
        }
        self.deeds.lock().push(Deed {
            at_us: now_us(),
            how,
            connection,
        });
    }

    /// Asked once for each commit: whether, and on which side, it is to be cut around.
    pub(super) fn take_cut(&self) -> Option<Moment> {
        self.counts.lock().commits += 1;
        let mut plan = self.plan.lock();
        let cut = plan.as_mut().filter(|plan| plan.count > 0)?;
        let mut chance = self.chance.lock();
        if !chance.random_ratio(1, cut.one_in.max(1)) {
            return None;
        }
        cut.count -= 1;
        Some(match cut.moment {
            Moment::Either if chance.random::<bool>() => Moment::Before,
            Moment::Either | Moment::After => Moment::After,
            Moment::Before => Moment::Before,
        })
    }

    /// A number below this one, by chance.
    pub(super) fn draw(&self, below: usize) -> usize {
        self.chance.lock().random_range(0..below)
    }

    /// A commit that was to be cut after turned out to be none: the next one takes its place.
    pub(super) fn give_cut_back(&self) {
        if let Some(plan) = self.plan.lock().as_mut() {
            plan.count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        path::PathBuf,
        sync::atomic::{AtomicBool, Ordering},
        thread,
    };

    use super::*;

    #[test]
    fn a_line_that_is_healed_while_it_is_being_cut_is_open() {
        let shared = Shared::new(Options {
            upstream: Upstream::Unix(PathBuf::new()),
            protocol: Protocol::Mysql,
            seed: 7,
        });
        let is_done = AtomicBool::new(false);

        let open = thread::scope(|scope| {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    shared.take_message_cut();
                }
            });
            let mut healed = (0..20_000).map(|_| {
                shared.plan_messages(Some(3));
                shared.heal();
                shared.faults.borrow().listener
            });
            let open = healed.all(|listener| listener == ListenerMode::Open);
            is_done.store(true, Ordering::Relaxed);
            open
        });

        assert!(open);
    }
}
