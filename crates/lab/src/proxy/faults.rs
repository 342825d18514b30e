//! What a proxy is told to do, and what it has done.

use std::time::Duration;

use parking_lot::Mutex;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde::Serialize;
use tokio::sync::watch;

use super::{Options, Protocol, Upstream};
use crate::clock::now_us;

/// The faults of the moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Faults {
    /// From the client to the server.
    pub to_server: DirectionFaults,
    /// From the server to the client.
    pub to_client: DirectionFaults,
    /// How new connections are met.
    pub listener: ListenerMode,
}

impl Faults {
    fn way(&self, direction: Direction) -> DirectionFaults {
        match direction {
            Direction::ToServer => self.to_server,
            Direction::ToClient => self.to_client,
        }
    }
}

/// The faults of one direction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DirectionFaults {
    /// How long each piece of the stream is held.
    pub delay: Duration,
    /// How much longer at most, by chance.
    pub jitter: Duration,
    /// After how many bytes, counted from its start, a connection is reset.
    pub cut_after: Option<u64>,
    /// Whether nothing passes; it passes later, when this is taken back.
    pub is_silent: bool,
}

/// How new connections are met.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ListenerMode {
    /// They pass.
    #[default]
    Open,
    /// They are refused: nobody listens.
    Refuse,
    /// They are accepted and never answered.
    Mute,
}

/// Which commits are to be cut around.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CutCommits {
    /// Before or after.
    pub moment: Moment,
    /// How many.
    pub count: u32,
    /// By chance, one in so many; 1 is each.
    pub one_in: u32,
}

/// On which side of a commit a line is cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// The server never hears of it.
    Before,
    /// The server has committed, the client never hears of it.
    After,
    /// By chance one or the other.
    Either,
}

/// How a connection was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum How {
    /// Because all were.
    CutAll,
    /// It had carried as many bytes as it was allowed.
    CutAfterBytes,
    /// A commit was kept from the server.
    BeforeCommit,
    /// The answer to a commit was kept from the client.
    AfterCommit,
    /// An element was moved in Redis, and that was kept from the client.
    AfterMove,
    /// So many messages had passed, and the connection was shut behind them.
    BehindMessage,
}

/// One connection that was broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Deed {
    /// When, in microseconds since 1970.
    pub at_us: i64,
    /// How.
    pub how: How,
    /// Which connection, counted from 1.
    pub connection: u64,
}

/// What a proxy did, in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Connections accepted, the muted ones included.
    pub accepted: u64,
    /// Connections accepted and never answered.
    pub muted: u64,
    /// Connections whose other side could not be reached.
    pub unreachable: u64,
    /// Connections broken by `cut_all`.
    pub cut_all: u64,
    /// Connections broken after a number of bytes.
    pub cut_after_bytes: u64,
    /// Commits seen on their way to the server.
    pub commits: u64,
    /// Commits kept from the server.
    pub cut_before_commit: u64,
    /// Commits whose answer was kept from the client.
    pub cut_after_commit: u64,
    /// Answers of Redis that tell of elements taken from a list.
    pub moves: u64,
    /// Those of them that were kept from the client.
    pub cut_after_move: u64,
    /// Connections broken behind a message.
    pub cut_behind_message: u64,
    /// Bytes passed to the server.
    pub to_server: u64,
    /// Bytes passed to the client.
    pub to_client: u64,
}

impl Counts {
    /// Commits whose end the client cannot know.
    #[must_use]
    pub const fn around_commits(&self) -> u64 {
        self.cut_before_commit + self.cut_after_commit
    }
}

/// Which way bytes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    ToServer,
    ToClient,
}

/// What the door and all lines share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) upstream: Upstream,
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
            upstream: options.upstream,
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
