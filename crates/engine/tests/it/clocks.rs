//! A store whose clock is put forward or back.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, Instant},
};

use baton_domain::{
    Clock, Timestamp,
    time::{Machine, StoreClock, SystemClock},
};
use baton_engine::{Next, Routine};
use baton_ports::Wakeup;
use futures::FutureExt;

use crate::fixture::Fixture;

const HOUR: Duration = Duration::from_hours(1);

/// A clock of this node, and who keeps it with the store's.
async fn keeper(fixture: &Fixture) -> (Arc<StoreClock>, Box<dyn Routine>) {
    let clock = Arc::new(StoreClock::starting_at(Timestamp::from_micros(0)));
    let mut keeper = fixture.engine.timekeeper(clock.clone());
    keeper.turn().await.unwrap();
    (clock, keeper)
}

#[tokio::test]
async fn a_clock_that_was_put_back_is_followed_and_told_and_who_waits_looks_again() {
    let fixture = Fixture::new().await;
    let (clock, mut keeper) = keeper(&fixture).await;
    let mut due = fixture.engine.wakeups().subscribe(Wakeup::Due);
    let before = clock.now();

    fixture.clock.set(fixture.clock.now() - HOUR);
    keeper.turn().await.unwrap();

    let step = fixture.engine.health_board().clock_step().unwrap();
    assert!(before.since(clock.now()) > HOUR - Duration::from_mins(1));
    assert_eq!(step.by.abs().as_hours(), 1);
    assert!(step.by.is_negative());
    assert!(due.recv().now_or_never().is_some());
}

#[tokio::test]
async fn a_clock_that_is_put_right_by_less_than_a_second_does_not_go_back_and_is_not_told() {
    let fixture = Fixture::new().await;
    let (clock, mut keeper) = keeper(&fixture).await;
    let before = clock.now();

    fixture
        .clock
        .set(fixture.clock.now() - Duration::from_millis(900));
    keeper.turn().await.unwrap();

    assert!(clock.now() >= before);
    assert_eq!(fixture.engine.health_board().clock_step(), None);
}

#[tokio::test]
async fn how_far_the_clock_of_the_machine_is_from_the_store_s_is_told_with_how_well_that_is_known()
{
    let fixture = Fixture::new().await;
    let before = fixture.engine.health().await.clock_drift;

    fixture.clock.set(SystemClock.now() - HOUR);
    let (_, _keeper) = keeper(&fixture).await;

    let drift = fixture.engine.health().await.clock_drift.unwrap();
    assert_eq!(before, None);
    assert!(drift.bound < Duration::from_secs(10), "{drift:?}");
    let off = drift.ahead.unsigned_abs().abs_diff(HOUR);
    assert!(
        drift.ahead.is_negative() && off < Duration::from_mins(1),
        "{drift:?}"
    );
}

/// A machine on which so many milliseconds pass between one look at its watch and the next.
struct Busy {
    began: Instant,
    passed: AtomicU32,
    millis: Arc<AtomicU32>,
}

impl Machine for Busy {
    fn instant(&self) -> Instant {
        let millis = self.millis.load(Ordering::SeqCst);
        let passed = self.passed.fetch_add(millis, Ordering::SeqCst);
        self.began + Duration::from_millis(passed.into())
    }

    fn wall(&self) -> Timestamp {
        SystemClock.now()
    }
}

/// Who keeps the clock of a busy machine with the store's, and how busy it is.
fn busy_keeper(fixture: &Fixture, millis: u32) -> (Box<dyn Routine>, Arc<AtomicU32>) {
    let millis = Arc::new(AtomicU32::new(millis));
    let machine = Busy {
        began: Instant::now(),
        passed: AtomicU32::new(0),
        millis: millis.clone(),
    };
    let clock = Arc::new(StoreClock::on(machine, Timestamp::from_micros(0)));
    (fixture.engine.timekeeper(clock), millis)
}

/// After how many milliseconds the store is asked for the time again.
async fn pause(keeper: &mut Box<dyn Routine>) -> u128 {
    match keeper.turn().await.unwrap() {
        Next::After(span) => span.as_millis(),
        Next::Now => 0,
    }
}

#[tokio::test]
async fn a_step_that_was_followed_by_a_slow_answer_is_looked_at_again_until_it_is_known_well() {
    let fixture = Fixture::new().await;
    let (mut keeper, millis) = busy_keeper(&fixture, 1);
    let calm = pause(&mut keeper).await;

    fixture.clock.set(fixture.clock.now() - HOUR);
    millis.store(200, Ordering::SeqCst);
    let slow = [pause(&mut keeper).await, pause(&mut keeper).await];
    millis.store(1, Ordering::SeqCst);
    let well = pause(&mut keeper).await;
    millis.store(200, Ordering::SeqCst);
    let no_step = pause(&mut keeper).await;

    assert_eq!((calm, slow), (3_000, [250, 250]));
    assert_eq!((well, no_step), (3_000, 3_000));
}

#[tokio::test]
async fn a_clock_that_began_with_a_slow_answer_is_looked_at_again_soon() {
    let fixture = Fixture::new().await;
    let (mut keeper, millis) = busy_keeper(&fixture, 200);

    let slow = pause(&mut keeper).await;
    millis.store(1, Ordering::SeqCst);
    let well = pause(&mut keeper).await;

    assert_eq!((slow, well), (250, 3_000));
}

#[tokio::test]
async fn a_line_that_is_always_slow_is_not_asked_for_ever() {
    let fixture = Fixture::new().await;
    let (mut keeper, _) = busy_keeper(&fixture, 200);
    pause(&mut keeper).await;

    fixture.clock.set(fixture.clock.now() - HOUR);
    let mut pauses = Vec::new();
    for _ in 0..12 {
        pauses.push(pause(&mut keeper).await);
    }

    let soon = pauses.iter().filter(|pause| **pause == 250).count();
    assert_eq!(soon, 8, "{pauses:?}");
    assert_eq!(pauses[8..], [3_000; 4]);
}
