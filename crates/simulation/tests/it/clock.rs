//! Virtual time, and clocks that go wrong: the store's, and those of each node's machine.

use std::{sync::Arc, time::Duration};

use baton_domain::{
    Clock, Timestamp,
    time::{Machine, StoreClock},
};
use parking_lot::Mutex;
use tokio::time::Instant;

/// When every simulation begins.
pub const DAWN: Timestamp = Timestamp::from_micros(1_000_000_000_000_000);
const MILLION: i64 = 1_000_000;

/// A clock that goes as the runtime's time goes: the true time of a simulation.
pub struct VirtualClock(Instant);

impl VirtualClock {
    /// A clock that shows [`DAWN`] now.
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for VirtualClock {
    fn now(&self) -> Timestamp {
        DAWN + self.0.elapsed()
    }
}

/// A clock that anybody may set, and that goes too fast or too slow.
pub struct Dial {
    truth: Arc<VirtualClock>,
    readings: Mutex<Vec<Reading>>,
}

/// What a clock showed from a true moment on, until it was set again.
#[derive(Debug, Clone, Copy)]
pub struct Reading {
    from: Timestamp,
    shows: Timestamp,
    /// How many microseconds a second it is too fast.
    drift: i64,
}

impl Reading {
    fn at(&self, truth: Timestamp) -> Timestamp {
        let passed = truth.as_micros() - self.from.as_micros();
        Timestamp::from_micros(self.shows.as_micros() + drifted(passed, self.drift))
    }
}

const fn drifted(micros: i64, drift: i64) -> i64 {
    micros + micros * drift / MILLION
}

impl Dial {
    /// A clock that is right, by `ahead` microseconds, and goes by `drift` microseconds a second too fast.
    pub fn new(truth: Arc<VirtualClock>, ahead: i64, drift: i64) -> Self {
        let from = truth.now();
        let first = Reading {
            from,
            shows: Timestamp::from_micros(from.as_micros() + ahead),
            drift,
        };
        Self {
            truth,
            readings: Mutex::new(vec![first]),
        }
    }

    fn last(&self) -> Reading {
        let readings = self.readings.lock();
        readings[readings.len() - 1]
    }

    fn set(&self, shows: Timestamp, drift: i64) {
        let from = self.truth.now();
        self.readings.lock().push(Reading { from, shows, drift });
    }

    /// Puts it forward, or back, by so many microseconds.
    pub fn step(&self, by: i64) {
        let shows = Timestamp::from_micros(self.now().as_micros() + by);
        self.set(shows, self.last().drift);
    }

    /// From now on it goes by so many microseconds a second too fast.
    pub fn go(&self, drift: i64) {
        self.set(self.now(), drift);
    }

    /// The latest that it has shown.
    pub fn furthest(&self) -> Timestamp {
        self.shown().furthest(self.truth.now())
    }

    /// All that it has shown.
    pub fn shown(&self) -> Shown {
        Shown(self.readings.lock().clone())
    }
}

impl Clock for Dial {
    fn now(&self) -> Timestamp {
        self.last().at(self.truth.now())
    }
}

/// All that a clock has shown.
#[derive(Debug)]
pub struct Shown(Vec<Reading>);

impl Shown {
    /// The latest that it ever showed, until now.
    fn furthest(&self, now: Timestamp) -> Timestamp {
        let ends = self.0.iter().skip(1).map(|next| next.from);
        let pieces = self.0.iter().zip(ends.chain([now]));
        let latest = pieces.map(|(piece, end)| piece.at(end)).max();
        latest.unwrap_or(now)
    }

    /// The latest that anybody may take it for at a true moment who has looked at it since another.
    pub fn latest_known(&self, looked: Timestamp, at: Timestamp) -> Timestamp {
        let ends = self.0.iter().skip(1).map(|next| Some(next.from));
        let pieces = self.0.iter().zip(ends.chain([None]));
        let met =
            pieces.filter(|(piece, end)| piece.from <= at && end.is_none_or(|end| end >= looked));
        met.map(|(piece, _)| piece.at(at)).max().unwrap_or(at)
    }

    /// Whether it was ever set, or goes wrong.
    pub fn is_wild(&self) -> bool {
        self.0.len() > 1
    }
}

/// The clocks of one node's machine.
pub struct NodeMachine {
    began: Instant,
    /// How many microseconds a second its watch is too fast.
    drift: i64,
    pub wall: Dial,
}

/// The store's clock, as a node follows it.
pub type NodeClock = StoreClock<NodeMachine>;

impl NodeMachine {
    /// A machine whose watch goes by `drift` microseconds a second too fast.
    pub fn new(drift: i64, wall: Dial) -> Self {
        Self {
            began: Instant::now(),
            drift,
            wall,
        }
    }
}

impl Machine for NodeMachine {
    fn instant(&self) -> std::time::Instant {
        let passed = i64::try_from(self.began.elapsed().as_micros()).unwrap_or(i64::MAX);
        let passed = drifted(passed, self.drift).unsigned_abs();
        (self.began + Duration::from_micros(passed)).into_std()
    }

    fn wall(&self) -> Timestamp {
        self.wall.now()
    }
}
