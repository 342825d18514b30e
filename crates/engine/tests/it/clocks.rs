//! A store whose clock is put forward or back.

use std::{sync::Arc, time::Duration};

use baton_domain::{Clock, Timestamp, time::StoreClock};
use baton_engine::Routine;
use baton_ports::Wake;
use futures::FutureExt;

use crate::house::House;

const HOUR: Duration = Duration::from_secs(3_600);

/// A clock of this node, and who keeps it with the store's.
async fn keeper(house: &House) -> (Arc<StoreClock>, Box<dyn Routine>) {
    let clock = Arc::new(StoreClock::starting_at(Timestamp::from_micros(0)));
    let mut keeper = house.engine.timekeeper(clock.clone());
    keeper.turn().await.unwrap();
    (clock, keeper)
}

#[tokio::test]
async fn a_clock_that_was_put_back_is_followed_and_told_and_who_waits_looks_again() {
    let house = House::new().await;
    let (clock, mut keeper) = keeper(&house).await;
    let mut due = house.engine.signal().listen(Wake::Due);
    let before = clock.now();

    house.clock.set(house.clock.now() - HOUR);
    keeper.turn().await.unwrap();

    let step = house.engine.pulse().clock_step().unwrap();
    assert!(before.since(clock.now()) > HOUR - Duration::from_secs(60));
    assert_eq!(step.by.abs().as_hours(), 1);
    assert!(step.by.is_negative());
    assert!(due.rung().now_or_never().is_some());
}

#[tokio::test]
async fn a_clock_that_is_put_right_by_less_than_a_second_does_not_go_back_and_is_not_told() {
    let house = House::new().await;
    let (clock, mut keeper) = keeper(&house).await;
    let before = clock.now();

    house
        .clock
        .set(house.clock.now() - Duration::from_millis(900));
    keeper.turn().await.unwrap();

    assert!(clock.now() >= before);
    assert_eq!(house.engine.pulse().clock_step(), None);
}
