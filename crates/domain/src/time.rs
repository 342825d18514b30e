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
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

pub use jiff::SignedDuration;
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
/// What a clock is put forward or back by, more than can be wrong with a measurement, to count as a step.
const STEP: i64 = 1_000_000;

/// A clock that follows the store's: an offset measured now and then, monotonic in between.
///
/// Each measurement brackets the store's answer between two local readings; half the round trip is
/// the bound of what can be wrong with it. A measurement that took long is set aside while a better one
/// is good enough and does not contradict it: on a busy machine a single answer can take 250 ms, and
/// the clock would be an eighth of a second off until the next.
///
/// A small correction slows or jumps time and never turns it back. A step of the store's clock, beyond
/// a second, is followed in both directions.
#[derive(Debug)]
pub struct StoreClock {
    started: Instant,
    face: Mutex<Face>,
}

/// What is known of the store's clock; all moments in microseconds.
#[derive(Debug, Clone, Copy)]
struct Face {
    /// Store time when the clock was started.
    base: i64,
    /// Half the round trip of the last accepted measurement; nothing before the first.
    bound: Option<i64>,
    /// When that was, since the clock was started.
    measured: i64,
    /// The last moment handed out, so that a small correction never turns time back.
    latest: i64,
}

impl StoreClock {
    /// A clock that starts from the machine's own time and waits for its first measurement.
    #[must_use]
    pub fn starting_at(at: Timestamp) -> Self {
        Self {
            started: Instant::now(),
            face: Mutex::new(Face {
                base: at.as_micros(),
                bound: None,
                measured: 0,
                latest: at.as_micros(),
            }),
        }
    }

    /// Takes over a measurement: the store said `answered` between the instants `asked` and `heard`.
    /// Says by how much the store's clock was put forward, or back (below zero), if it was.
    pub fn follow(
        &self,
        answered: Timestamp,
        asked: Instant,
        heard: Instant,
    ) -> Option<SignedDuration> {
        let bound = micros(heard.saturating_duration_since(asked)) / 2;
        let heard = self.since_start(heard);
        let base = answered.as_micros() - (heard - bound);
        let mut face = self.face();
        let Some(present) = face.bound_at(heard) else {
            face.take_over(base, bound, heard);
            return None;
        };
        let differs_by = base - face.base;
        let doubt = present.saturating_add(bound);
        if bound > present && differs_by.saturating_abs() <= doubt {
            return None;
        }
        face.take_over(base, bound, heard);
        let is_step = differs_by.saturating_abs() > doubt.saturating_add(STEP);
        if is_step {
            face.latest = i64::MIN;
        }
        is_step.then(|| SignedDuration::from_micros(differs_by))
    }

    /// How far this clock can be from the store's; `None` before the first measurement.
    #[must_use]
    pub fn bound(&self) -> Option<Duration> {
        let bound = self.face().bound_at(self.since_start(Instant::now()))?;
        Some(Duration::from_micros(bound.unsigned_abs()))
    }

    fn since_start(&self, instant: Instant) -> i64 {
        micros(instant.saturating_duration_since(self.started))
    }

    fn face(&self) -> MutexGuard<'_, Face> {
        self.face.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Face {
    /// The bound of the last measurement, wider the longer ago it was.
    fn bound_at(&self, moment: i64) -> Option<i64> {
        let age = moment - self.measured;
        Some(self.bound?.saturating_add(age.max(0) / DRIFT))
    }

    fn take_over(&mut self, base: i64, bound: i64, measured: i64) {
        (self.base, self.bound, self.measured) = (base, Some(bound), measured);
    }
}

impl Clock for StoreClock {
    fn now(&self) -> Timestamp {
        let mut face = self.face();
        let now = face.base + micros(self.started.elapsed());
        face.latest = face.latest.max(now);
        Timestamp(face.latest)
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
    fn a_small_correction_never_turns_time_back() {
        let (clock, heard) = clock_within(Duration::ZERO);
        let before = clock.now();
        let back = Timestamp::from_micros(-500_000);

        let step = clock.follow(back, heard, heard);

        assert_eq!(step, None);
        assert!(clock.now() >= before);
    }

    #[test]
    fn a_step_back_beyond_a_second_is_followed_and_told() {
        let (clock, heard) = clock_within(Duration::ZERO);
        clock.now();
        let later = heard + Duration::from_secs(20);
        let back = Timestamp::from_micros(-3_580_000_000);

        let step = clock.follow(back, later, later);

        assert_eq!(step, Some(SignedDuration::from_hours(-1)));
        assert!(clock.now() < Timestamp::from_micros(-3_590_000_000));
    }

    #[test]
    fn a_step_forward_is_told_and_the_first_measurement_is_none() {
        let clock = StoreClock::starting_at(Timestamp::from_micros(0));
        let asked = Instant::now();

        let first = clock.follow(Timestamp::from_micros(9_000_000), asked, asked);
        let second = clock.follow(Timestamp::from_micros(69_000_000), asked, asked);

        assert_eq!(first, None);
        assert_eq!(second, Some(SignedDuration::from_mins(1)));
    }

    #[test]
    fn what_a_slow_answer_leaves_open_is_no_step() {
        let (clock, heard) = clock_within(Duration::ZERO);
        let slow = heard + Duration::from_secs(4);

        let step = clock.follow(Timestamp::from_micros(0), heard, slow);

        assert_eq!(step, None);
    }
}
