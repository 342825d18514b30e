//! Time, to the microsecond, and where it comes from.
//!
//! No statement and no decision reads a clock by itself: `now` is an argument, and it comes from a
//! [`Clock`]. In production that clock follows the database's ([`StoreClock`]), so that all nodes
//! share one time; in tests it is a [`ManualClock`].

pub mod zone;

use std::{
    fmt,
    ops::{Add, Sub},
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize, de};

/// A moment in UTC, to the microsecond: what all three databases keep exactly.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(i64);

impl Timestamp {
    /// The moment `micros` microseconds after 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn from_micros(micros: i64) -> Self {
        Self(micros)
    }

    /// Microseconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn as_micros(self) -> i64 {
        self.0
    }

    /// How long ago `earlier` was; nothing if it lies ahead.
    #[must_use]
    pub fn since(self, earlier: Self) -> Duration {
        Duration::from_micros(self.0.saturating_sub(earlier.0).max(0).unsigned_abs())
    }
}

impl Add<Duration> for Timestamp {
    type Output = Self;

    fn add(self, span: Duration) -> Self {
        Self(
            self.0
                .saturating_add(i64::try_from(span.as_micros()).unwrap_or(i64::MAX)),
        )
    }
}

impl Sub<Duration> for Timestamp {
    type Output = Self;

    fn sub(self, span: Duration) -> Self {
        Self(
            self.0
                .saturating_sub(i64::try_from(span.as_micros()).unwrap_or(i64::MAX)),
        )
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(at) => write!(f, "{at:.6}"),
            Err(_) => write!(f, "{}us", self.0),
        }
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Timestamp {
    type Err = jiff::Error;

    fn from_str(text: &str) -> Result<Self, jiff::Error> {
        text.parse::<jiff::Timestamp>()
            .map(|at| Self(at.as_microsecond()))
    }
}

impl Serialize for Timestamp {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|_| {
            de::Error::custom(
                "expected a time such as 2026-01-31T09:00:00Z (RFC 3339, with Z or an offset)",
            )
        })
    }
}

/// Where the present moment comes from.
pub trait Clock: Send + Sync + 'static {
    /// The present moment.
    fn now(&self) -> Timestamp;
}

/// A clock that a test turns by hand.
#[derive(Debug, Clone)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    /// A clock that stands at `at`.
    #[must_use]
    pub fn at(at: Timestamp) -> Self {
        Self(Arc::new(AtomicI64::new(at.as_micros())))
    }

    /// Sets the hand, forward or back.
    pub fn set(&self, at: Timestamp) {
        self.0.store(at.as_micros(), Ordering::SeqCst);
    }

    /// Moves the hand forward.
    pub fn advance(&self, span: Duration) {
        let micros = i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
        self.0.fetch_add(micros, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp(self.0.load(Ordering::SeqCst))
    }
}

/// The machine's own wall clock; the start of a [`StoreClock`], and for tools without a store.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        #[expect(
            clippy::disallowed_methods,
            reason = "this is the one place where time enters"
        )]
        let at = jiff::Timestamp::now();
        Timestamp(at.as_microsecond())
    }
}

/// Two clocks part by one microsecond in so many at most: what a time daemon may slew, twice over.
const DRIFT: i64 = 1_000;

/// A clock that follows the store's: an offset measured now and then, monotonic in between.
///
/// Each measurement brackets the store's answer between two local readings; half the round trip is
/// the bound of what can be wrong with it. A measurement that took long is set aside while a better one
/// is good enough and does not contradict it: on a busy machine a single answer can take 250 ms, and
/// the clock would be an eighth of a second off until the next. A correction slows or jumps time, it
/// never turns it back.
#[derive(Debug)]
pub struct StoreClock {
    started: Instant,
    /// Store time at `started`, in microseconds.
    base: AtomicI64,
    /// Half the round trip of the last accepted measurement, in microseconds.
    bound: AtomicI64,
    /// When that was, in microseconds since `started`.
    measured: AtomicI64,
    /// The last moment handed out, so that a correction never turns time back.
    latest: AtomicI64,
}

impl StoreClock {
    /// A clock that starts from the machine's own time and waits for its first measurement.
    #[must_use]
    pub fn starting_at(at: Timestamp) -> Self {
        Self {
            started: Instant::now(),
            base: AtomicI64::new(at.as_micros()),
            bound: AtomicI64::new(i64::MAX),
            measured: AtomicI64::new(0),
            latest: AtomicI64::new(at.as_micros()),
        }
    }

    /// Takes over a measurement: the store said `answered` between the instants `asked` and `heard`.
    pub fn follow(&self, answered: Timestamp, asked: Instant, heard: Instant) {
        let bound = micros(heard.saturating_duration_since(asked)) / 2;
        let heard = self.since_start(heard);
        let base = answered.as_micros() - (heard - bound);
        let present = self.bound_at(heard);
        let differs_by = (base - self.base.load(Ordering::SeqCst)).saturating_abs();
        if bound > present && differs_by <= present.saturating_add(bound) {
            return;
        }
        self.base.store(base, Ordering::SeqCst);
        self.bound.store(bound, Ordering::SeqCst);
        self.measured.store(heard, Ordering::SeqCst);
    }

    /// How far this clock can be from the store's; `None` before the first measurement.
    #[must_use]
    pub fn bound(&self) -> Option<Duration> {
        match self.bound_at(self.since_start(Instant::now())) {
            i64::MAX => None,
            bound => Some(Duration::from_micros(bound.unsigned_abs())),
        }
    }

    /// The bound of the last measurement, wider the longer ago it was.
    fn bound_at(&self, moment: i64) -> i64 {
        let age = moment - self.measured.load(Ordering::SeqCst);
        let bound = self.bound.load(Ordering::SeqCst);
        bound.saturating_add(age.max(0) / DRIFT)
    }

    fn since_start(&self, instant: Instant) -> i64 {
        micros(instant.saturating_duration_since(self.started))
    }
}

impl Clock for StoreClock {
    fn now(&self) -> Timestamp {
        let now = self.base.load(Ordering::SeqCst) + micros(self.started.elapsed());
        Timestamp(self.latest.fetch_max(now, Ordering::SeqCst).max(now))
    }
}

fn micros(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_written_in_utc_to_the_microsecond() {
        let at: Timestamp = "2026-01-31T18:00:00.5+09:00".parse().unwrap();

        assert_eq!(at.to_string(), "2026-01-31T09:00:00.500000Z");
        assert_eq!(at.to_string().parse::<Timestamp>().unwrap(), at);
    }

    /// A clock at 0 s that has just been told so within `bound`, and the instant of that.
    fn clock_within(bound: Duration) -> (StoreClock, Instant) {
        let clock = StoreClock::starting_at(Timestamp::from_micros(0));
        let asked = Instant::now();
        clock.follow(Timestamp::from_micros(0), asked, asked + 2 * bound);
        (clock, asked + 2 * bound)
    }

    #[test]
    fn a_store_clock_follows_the_store_and_states_its_bound() {
        let clock = StoreClock::starting_at(Timestamp::from_micros(0));
        let asked = Instant::now();

        clock.follow(
            Timestamp::from_micros(5_000_000),
            asked,
            asked + Duration::from_millis(10),
        );

        let bound = clock.bound().map(|bound| bound.as_millis());
        assert_eq!(bound, Some(5));
        assert!(clock.now() >= Timestamp::from_micros(4_995_000));
    }

    #[test]
    fn a_slow_measurement_does_not_replace_a_better_one() {
        let (clock, heard) = clock_within(Duration::from_millis(1));

        clock.follow(
            Timestamp::from_micros(100_000),
            heard,
            heard + Duration::from_millis(250),
        );

        assert!(clock.bound() < Some(Duration::from_millis(2)));
    }

    #[test]
    fn a_slow_measurement_replaces_one_that_is_worse_by_now() {
        let (clock, heard) = clock_within(Duration::from_millis(1));
        let later = heard + Duration::from_secs(300);

        clock.follow(
            Timestamp::from_micros(300_000_000),
            later,
            later + Duration::from_millis(250),
        );

        assert_eq!(clock.bound(), Some(Duration::from_millis(125)));
    }

    #[test]
    fn a_store_whose_time_has_jumped_is_followed_however_slow_it_answers() {
        let (clock, heard) = clock_within(Duration::from_millis(1));

        clock.follow(
            Timestamp::from_micros(60_000_000),
            heard,
            heard + Duration::from_millis(250),
        );

        assert_eq!(clock.bound(), Some(Duration::from_millis(125)));
        assert!(clock.now() >= Timestamp::from_micros(59_000_000));
    }

    #[test]
    fn a_correction_never_turns_time_back() {
        let clock = StoreClock::starting_at(Timestamp::from_micros(9_000_000));
        let before = clock.now();
        let asked = Instant::now();

        clock.follow(Timestamp::from_micros(1_000_000), asked, asked);

        assert!(clock.now() >= before);
    }
}
