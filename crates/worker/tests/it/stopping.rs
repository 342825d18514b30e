use std::time::Duration;

use baton_domain::{
    fleet::Presence,
    job::{JobSpec, State},
};
use baton_ports::store::Fleet;
use tokio::time::Instant;

use crate::world::{World, spec, within_reason};

#[tokio::test(start_paused = true)]
async fn told_softly_a_worker_finishes_what_runs_and_says_goodbye() {
    let world = World::with_slots(2);
    let ids = world.enqueue(&["\"sleep 10\""; 5]).await;
    let running = world.start();
    within_reason(async || world.handler.running() == 2).await;

    let report = running.stop_softly().await;
    tokio::time::advance(world.config.lease).await;

    assert_eq!(world.count(&ids, State::Succeeded).await, 2);
    assert_eq!(world.count(&ids, State::Queued).await, 3);
    assert_eq!((report.finished, report.given_back, report.left), (2, 0, 0));
    assert_eq!(presence(&world).await, Presence::Left);
}

#[tokio::test(start_paused = true)]
async fn told_softly_a_worker_gives_back_what_has_not_started_at_once_and_without_a_try() {
    let world = World::with_slots(2);
    let done = world.enqueue(&["{}"; 50]).await;
    let running = world.start();
    within_reason(async || world.count(&done, State::Succeeded).await == 50).await;
    let ids = world.enqueue(&["\"gate\""; 40]).await;
    within_reason(async || running.status.slots()[0].buffered == 38).await;

    let since = Instant::now();
    running.stop.soft.cancel();
    within_reason(async || world.count(&ids, State::Queued).await == 38).await;
    let given_back_after = since.elapsed();
    world.handler.gate.add_permits(2);
    let report = running.task.await.unwrap();

    assert!(given_back_after < Duration::from_millis(100));
    assert_eq!(
        (report.finished, report.given_back, report.left),
        (2, 38, 0)
    );
    for id in ids {
        let job = world.job(id).await;
        assert_eq!(job.tries, u32::from(job.state == State::Succeeded));
    }
}

#[tokio::test(start_paused = true)]
async fn a_draining_worker_is_seen_as_draining() {
    let world = World::new();
    world.enqueue(&["\"gate\""]).await;
    let running = world.start();
    within_reason(async || world.handler.running() == 1).await;

    running.stop.soft.cancel();

    within_reason(async || presence(&world).await == Presence::Draining).await;
    assert!(!running.status.is_claiming());
}

#[tokio::test(start_paused = true)]
async fn what_runs_longer_than_the_grace_period_is_stopped_and_tried_again() {
    let mut world = World::new();
    world.config.grace = Duration::from_secs(10);
    let long = JobSpec {
        timeout: Some(Duration::from_mins(10)),
        ..spec("\"gate\"")
    };
    let ids = world.enqueue_specs(vec![long]).await;
    let running = world.start();
    within_reason(async || world.handler.running() == 1).await;

    let since = Instant::now();
    let report = running.stop_softly().await;

    assert!(since.elapsed() <= world.config.grace);
    let job = world.job(ids[0]).await;
    assert_eq!(job.state, State::RetryWait);
    assert_eq!(job.last_error.unwrap().code, "shutdown");
    assert_eq!((report.finished, report.left), (1, 0));
}

#[tokio::test(start_paused = true)]
async fn told_to_leave_a_worker_leaves_everything_to_its_leases_at_once() {
    let world = World::with_slots(3);
    let ids = world.enqueue(&["\"gate\""; 3]).await;
    let running = world.start();
    within_reason(async || world.handler.running() == 3).await;
    running.stop.soft.cancel();
    within_reason(async || presence(&world).await == Presence::Draining).await;

    let since = Instant::now();
    running.stop.hard.cancel();
    let report = running.task.await.unwrap();

    assert_eq!(since.elapsed(), Duration::ZERO);
    assert_eq!(report.left, 3);
    assert_eq!(world.count(&ids, State::Running).await, 3);
    within_reason(async || world.handler.running() == 0).await;
}

#[tokio::test(start_paused = true)]
async fn a_store_that_is_away_does_not_keep_a_worker_from_stopping() {
    let world = World::new();
    world.store.hook.mood.lock().takes_no_results = true;
    world.enqueue(&["{}"]).await;
    let running = world.start();
    let status = running.status.clone();
    within_reason(async || status.unrecorded() == 1).await;

    let since = Instant::now();
    let report = running.stop_softly().await;

    assert!(since.elapsed() <= world.config.grace);
    assert_eq!(report.left, 1);
}

async fn presence(world: &World) -> Presence {
    let now = baton_domain::Clock::now(&*world.clock);
    let workers = world.store.workers(now - Duration::from_mins(10)).await;
    let workers = workers.unwrap();
    workers[0].presence(now, world.config.lease)
}
