//! Rescuing: a node goes by what it has seen with its own watch, and by no clock.

use std::time::Duration;

use baton_domain::{
    Clock, JobId, LeaseId,
    job::{JobSpec, State},
};
use baton_ports::store::{Claim, Claimed, Jobs, Want, Work};

use crate::house::{House, QUEUE, spec};

const LEASE: Duration = Duration::from_secs(30);
const HOUR: Duration = Duration::from_secs(3_600);
const LOOK: Duration = Duration::from_secs(3);

async fn claimed(house: &House, spec: JobSpec) -> Claimed {
    house.accept(spec).await;
    let want = Want {
        queue: QUEUE.to_owned(),
        lease: LeaseId::random(),
        limit: 1,
        limited: false,
        hinted: None,
    };
    let claim = Claim {
        worker: house.worker,
        until: house.clock.now() + LEASE,
        wants: vec![want],
    };
    let claimed = house.store.claim(&claim, house.clock.now()).await.unwrap();
    claimed.into_iter().next().unwrap()
}

async fn renew(house: &House, lease: LeaseId) {
    let until = house.clock.now() + LEASE;
    house
        .store
        .renew(house.worker, &[lease], until)
        .await
        .unwrap();
}

async fn state(house: &House, job: JobId) -> State {
    house.store.job(job).await.unwrap().unwrap().state
}

/// Lets real time pass, and the rescuer look; the store's clock is turned by the tests.
async fn watch_for(house: &mut House, span: Duration) {
    let mut left = span;
    while !left.is_zero() {
        let step = left.min(LOOK);
        tokio::time::advance(step).await;
        house.turn("rescuer").await;
        left -= step;
    }
}

#[tokio::test(start_paused = true)]
async fn a_living_workers_lease_is_never_lost_whatever_the_clock_does() {
    let mut house = House::new().await;
    let held = claimed(&house, spec()).await;

    for step in [HOUR, Duration::ZERO, HOUR * 24] {
        house.clock.advance(step);
        watch_for(&mut house, LEASE / 3).await;
        renew(&house, held.lease).await;
        house.clock.set(house.clock.now() - step - step / 2);
        watch_for(&mut house, LEASE / 3).await;
        renew(&house, held.lease).await;
        watch_for(&mut house, LEASE / 3).await;
        renew(&house, held.lease).await;
    }

    assert_eq!(state(&house, held.order.id).await, State::Running);
}

#[tokio::test(start_paused = true)]
async fn a_dead_workers_job_is_taken_back_a_lease_and_a_second_after_it_was_seen() {
    let mut house = House::new().await;
    let held = claimed(&house, spec()).await;
    house.clock.set(house.clock.now() - HOUR);

    house.beat_with(LEASE).await;
    house.turn("rescuer").await;
    watch_for(&mut house, LEASE).await;
    let before = state(&house, held.order.id).await;
    watch_for(&mut house, Duration::from_secs(1)).await;

    assert_eq!(before, State::Running);
    assert_eq!(state(&house, held.order.id).await, State::RetryWait);
}

#[tokio::test(start_paused = true)]
async fn a_node_that_slept_between_two_looks_takes_nothing_from_who_renewed_meanwhile() {
    let mut house = House::new().await;
    let held = claimed(&house, spec()).await;
    house.turn("rescuer").await;

    tokio::time::advance(HOUR).await;
    renew(&house, held.lease).await;
    house.turn("rescuer").await;

    assert_eq!(state(&house, held.order.id).await, State::Running);
}
