//! A clock that follows the store's, by the machine's watch and what the store says now and then.

use std::{
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use super::{Clock, SignedDuration, SystemClock, Timestamp};

/// The clocks of the machine that a process runs on: a watch that may go wrong by a little and is never
/// set, and a clock on the wall that anybody may set.
pub trait Machine: Send + Sync + 'static {
    /// The present instant by the monotonic clock.
    fn instant(&self) -> Instant;

    /// The present moment by the wall clock.
    fn wall(&self) -> Timestamp;
}

/// The machine that this process runs on.
#[derive(Debug, Clone, Copy, Default)]
pub struct ThisMachine;

impl Machine for ThisMachine {
    fn instant(&self) -> Instant {
        Instant::now()
    }

    fn wall(&self) -> Timestamp {
        SystemClock.now()
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
pub struct StoreClock<M = ThisMachine> {
    machine: M,
    started: Instant,
    state: Mutex<ClockState>,
}

/// What is known of the store's clock; all moments in microseconds.
#[derive(Debug, Clone, Copy)]
struct ClockState {
    /// Store time when the clock was started.
    base: i64,
    /// Half the round trip of the last accepted measurement; nothing before the first.
    bound: Option<i64>,
    /// When that was, since the clock was started.
    measured: i64,
    /// The last moment handed out, so that a small correction never turns time back.
    latest: i64,
    /// How far it was put ahead of the store's on purpose, which no measurement takes back.
    ahead: i64,
}

impl StoreClock {
    /// A clock on this machine that starts at `at` and waits for its first measurement.
    #[must_use]
    pub fn starting_at(at: Timestamp) -> Self {
        Self::on(ThisMachine, at)
    }
}

impl<M: Machine> StoreClock<M> {
    /// A clock that goes by another machine's watch in between, starting at `at`.
    pub fn on(machine: M, at: Timestamp) -> Self {
        Self {
            started: machine.instant(),
            machine,
            state: Mutex::new(ClockState {
                base: at.as_micros(),
                bound: None,
                measured: 0,
                latest: at.as_micros(),
                ahead: 0,
            }),
        }
    }

    /// The clocks of the machine it goes by.
    pub const fn machine(&self) -> &M {
        &self.machine
    }

    /// Takes over a measurement: the store said `answered` between the instants `asked` and `heard` of
    /// this machine.
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
        let mut state = self.state();
        let Some(present) = state.bound_at(heard) else {
            state.take_over(base, bound, heard);
            return None;
        };
        let differs_by = base - state.base;
        let doubt = present.saturating_add(bound);
        if bound > present && differs_by.saturating_abs() <= doubt {
            return None;
        }
        state.take_over(base, bound, heard);
        let is_step = differs_by.saturating_abs() > doubt.saturating_add(STEP);
        if is_step {
            state.latest = i64::MIN;
        }
        is_step.then(|| SignedDuration::from_micros(differs_by))
    }

    /// Puts this clock ahead of the store's by `span` more, for tests that cannot wait. Says what it shows then.
    ///
    /// Measurements go on being compared with the store's own time: this is no step of the store's clock.
    pub fn advance(&self, span: Duration) -> Timestamp {
        {
            let mut state = self.state();
            state.ahead = state.ahead.saturating_add(micros(span));
        }
        self.now()
    }

    /// How far it was put ahead of the store's.
    #[must_use]
    pub fn ahead(&self) -> Duration {
        Duration::from_micros(self.state().ahead.unsigned_abs())
    }

    /// How far this clock can be from the store's, beside what it was put ahead; `None` before the first measurement.
    #[must_use]
    pub fn bound(&self) -> Option<Duration> {
        let bound = self
            .state()
            .bound_at(self.since_start(self.machine.instant()))?;
        Some(Duration::from_micros(bound.unsigned_abs()))
    }

    fn since_start(&self, instant: Instant) -> i64 {
        micros(instant.saturating_duration_since(self.started))
    }

    fn state(&self) -> MutexGuard<'_, ClockState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ClockState {
    /// The bound of the last measurement, wider the longer ago it was.
    fn bound_at(&self, moment: i64) -> Option<i64> {
        let age = moment - self.measured;
        Some(self.bound?.saturating_add(age.max(0) / DRIFT))
    }

    fn take_over(&mut self, base: i64, bound: i64, measured: i64) {
        (self.base, self.bound, self.measured) = (base, Some(bound), measured);
    }
}

impl<M: Machine> Clock for StoreClock<M> {
    fn now(&self) -> Timestamp {
        let mut state = self.state();
        let now = state.base + self.since_start(self.machine.instant());
        state.latest = state.latest.max(now);
        Timestamp(state.latest.saturating_add(state.ahead))
    }
}

fn micros(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let later = heard + Duration::from_mins(5);

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

    #[test]
    fn a_clock_put_ahead_stays_ahead_by_as_much_through_later_measurements() {
        let (clock, heard) = clock_within(Duration::ZERO);
        let day = Duration::from_hours(24);

        let first = clock.advance(day);
        let step = clock.follow(Timestamp::from_micros(0), heard, heard);
        let second = clock.advance(day);

        assert_eq!(step, None);
        assert!(first >= Timestamp::from_micros(micros(day)));
        assert!(second >= Timestamp::from_micros(2 * micros(day)));
        assert!(second < Timestamp::from_micros(3 * micros(day)));
    }

    #[test]
    fn a_step_back_of_the_store_leaves_a_clock_ahead_by_as_much_as_it_was_put() {
        let (clock, heard) = clock_within(Duration::ZERO);
        let (hour, day) = (Duration::from_hours(1), Duration::from_hours(24));
        clock.advance(day);

        let step = clock.follow(Timestamp::from_micros(-micros(hour)), heard, heard);

        assert_eq!(step, Some(SignedDuration::from_hours(-1)));
        assert!(clock.now() >= Timestamp::from_micros(micros(day - hour)));
        assert!(clock.now() < Timestamp::from_micros(micros(day)));
    }
}
