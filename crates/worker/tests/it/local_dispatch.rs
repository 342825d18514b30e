use std::{sync::Arc, sync::atomic::Ordering, time::Duration};

use baton_domain::{
    Clock, JobId,
    job::{Limits, NewJob, Outcome, State},
    queue::QueueChange,
};
use baton_ports::{
    LocalDispatch, SlotReservation,
    store::{Jobs, Queues, Work},
};
use tokio::time::sleep;

use crate::world::{Running, World, spec, within_reason};

/// A worker that has looked at its queues, one of which is known and empty.
async fn idle(world: &World) -> (Running, Arc<dyn LocalDispatch>) {
    let open = QueueChange {
        paused: Some(false),
        ..QueueChange::default()
    };
    let now = world.clock.now();
    world
        .store
        .change_queue("default", &open, now)
        .await
        .unwrap();
    let (running, dispatch) = world.start_with_dispatch();
    within_reason(async || dispatch.reserve("default", 1).is_some()).await;
    (running, dispatch)
}

/// Adds jobs with these payloads as the worker's own, and hands them over.
async fn hand_over(
    world: &World,
    reservation: Box<dyn SlotReservation>,
    payloads: &[&str],
) -> Vec<JobId> {
    let new = |payload: &&str| {
        let now = world.clock.now();
        NewJob::from_spec(spec(payload), &Limits::default(), now).unwrap()
    };
    let jobs: Vec<_> = payloads.iter().map(new).collect();
    let ids = jobs.iter().map(|job| job.id).collect();
    let started = world
        .store
        .enqueue_and_claim(jobs, reservation.inline_start())
        .await
        .unwrap();
    reservation.accept(started.claimed);
    ids
}

#[tokio::test(start_paused = true)]
async fn jobs_handed_over_run_at_once_and_are_settled() {
    let world = World::with_slots(4);
    let (_running, dispatch) = idle(&world).await;
    let claims = world.store.hook.seen.lock().claims.len();

    let reservation = dispatch.reserve("default", 2).unwrap();
    let ids = hand_over(&world, reservation, &["1", "2"]).await;

    world.until_all_are(&ids, State::Succeeded).await;
    assert_eq!(world.handler.calls(), 2);
    assert_eq!(world.store.hook.seen.lock().claims.len(), claims);
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_has_not_begun_takes_nothing() {
    let world = World::with_slots(4);

    let dispatch = world.worker().local_dispatch();

    assert!(dispatch.reserve("default", 1).is_none());
}

#[tokio::test(start_paused = true)]
async fn slots_are_set_aside_once_and_free_again_when_let_go() {
    let world = World::with_slots(4);
    let (_running, dispatch) = idle(&world).await;

    let first = dispatch.reserve("default", 3).unwrap();
    let second = dispatch.reserve("default", 2);
    let third = dispatch.reserve("default", 1);
    assert!(second.is_none() && third.is_some());
    drop((first, third));

    assert!(dispatch.reserve("default", 4).is_some());
    assert!(dispatch.reserve("default", 5).is_none());
}

#[tokio::test(start_paused = true)]
async fn claims_leave_slots_alone_that_are_set_aside() {
    let world = World::with_slots(4);
    let (_running, dispatch) = idle(&world).await;
    let reservation = dispatch.reserve("default", 1).unwrap();

    let others = world.enqueue(&["\"sleep 20\""; 8]).await;
    within_reason(async || world.handler.running() == 3).await;
    sleep(Duration::from_secs(10)).await;
    assert_eq!(world.count(&others, State::Running).await, 3);
    let own = hand_over(&world, reservation, &["\"sleep 20\""]).await;

    within_reason(async || world.handler.running() == 4).await;
    assert_eq!(world.count(&own, State::Running).await, 1);
    world.until_all_are(&others, State::Succeeded).await;
    assert_eq!(world.handler.most_running.load(Ordering::SeqCst), 4);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_set_aside_while_jobs_stand_in_line() {
    let world = World::with_slots(2);
    let (_running, dispatch) = idle(&world).await;

    dispatch.joined("default");
    assert!(dispatch.reserve("default", 1).is_none());
    assert!(dispatch.reserve("other", 1).is_some());
    let ids = world.enqueue(&["\"sleep 1\""; 5]).await;
    within_reason(async || world.handler.calls() == 4).await;
    assert!(dispatch.reserve("default", 1).is_none());

    world.until_all_are(&ids, State::Succeeded).await;
    within_reason(async || dispatch.reserve("default", 1).is_some()).await;
}

#[tokio::test(start_paused = true)]
async fn jobs_of_an_unanswered_start_are_given_back_and_run() {
    let world = World::with_slots(4);
    let (_running, dispatch) = idle(&world).await;
    let reservation = dispatch.reserve("default", 1).unwrap();
    let now = world.clock.now();
    let job = NewJob::from_spec(spec("1"), &Limits::default(), now).unwrap();
    let ids = [job.id];

    world
        .store
        .enqueue_and_claim(vec![job], reservation.inline_start())
        .await
        .unwrap();
    drop(reservation);

    world.until_all_are(&ids, State::Succeeded).await;
    let attempts = world.store.attempts(ids[0]).await.unwrap();
    let outcomes: Vec<_> = attempts.iter().map(|attempt| attempt.outcome).collect();
    assert_eq!(
        outcomes,
        [Some(Outcome::GivenBack), Some(Outcome::Succeeded)]
    );
    assert!(world.clock.now().since(now) < Duration::from_secs(5));
    assert!(dispatch.reserve("default", 4).is_some());
}

#[tokio::test(start_paused = true)]
async fn a_worker_that_stops_takes_nothing_and_gives_back_what_was_on_its_way() {
    let world = World::with_slots(4);
    let (running, dispatch) = idle(&world).await;
    let reservation = dispatch.reserve("default", 1).unwrap();

    let stopped = tokio::spawn(running.stop_softly());
    sleep(Duration::from_millis(100)).await;
    assert!(dispatch.reserve("default", 1).is_none());
    assert!(dispatch.reserve("new", 1).is_none());
    let ids = hand_over(&world, reservation, &["1"]).await;
    let report = stopped.await.unwrap();

    assert_eq!((report.given_back, report.left), (1, 0));
    assert_eq!(world.count(&ids, State::Queued).await, 1);
    assert_eq!(world.handler.calls(), 0);
}
