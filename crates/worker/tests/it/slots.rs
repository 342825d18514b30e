//! The slots of the whole process: invented queues bring no more of them.

use std::sync::{Arc, atomic::Ordering};

use baton_domain::job::{JobSpec, State};
use baton_ports::Wakeup;

use crate::{
    listener::Listener,
    world::{World, spec, within_reason},
};

/// Jobs of so many queues, so many in each.
fn of_queues(queues: usize, each: usize, payload: &str) -> Vec<JobSpec> {
    let all = (0..queues).flat_map(|queue| (0..each).map(move |_| queue));
    all.map(|queue| JobSpec {
        queue: Some(format!("invented-{queue:03}")),
        ..spec(payload)
    })
    .collect()
}

#[tokio::test(start_paused = true)]
async fn however_many_queues_there_are_no_more_jobs_run_at_once_than_the_process_may() {
    let mut world = World::with_slots(5);
    world.config.max_running = 20;
    let ids = world.enqueue_specs(of_queues(100, 5, r#""sleep 1""#)).await;

    let running = world.start();
    world.until_all_are(&ids, State::Succeeded).await;

    let most = world.handler.most_running.load(Ordering::SeqCst);
    assert_eq!(most, 20);
    assert_eq!(world.handler.calls(), 500, "each ran once");
    running.stop_softly().await;
}

#[tokio::test(start_paused = true)]
async fn a_queue_with_a_deep_backlog_leaves_slots_to_those_that_come_after_it() {
    let mut world = World::with_slots(10);
    world.config.max_running = 10;
    let deep = world
        .enqueue_specs(of_queues(1, 2_000, r#""sleep 1""#))
        .await;
    let running = world.start();
    within_reason(async || world.handler.running() == 10).await;

    let late = JobSpec {
        queue: Some("late".to_owned()),
        ..spec(r#""quick""#)
    };
    let late = world.enqueue_specs(vec![late]).await;
    world.until_all_are(&late, State::Succeeded).await;

    let waits = world.count(&deep, State::Queued).await;
    assert!(
        waits > 1_500,
        "it came to its turn before the backlog had ended, {waits} of 2,000 waited"
    );
    running.stop_softly().await;
}

#[tokio::test(start_paused = true)]
async fn slots_of_the_process_are_as_many_as_before_once_all_has_ended() {
    let mut world = World::with_slots(4);
    world.config.max_running = 6;
    let first = world.enqueue_specs(of_queues(9, 7, r#""panic""#)).await;
    let running = world.start();
    within_reason(async || world.handler.calls() >= first.len()).await;

    let gated = world.enqueue_specs(of_queues(3, 4, r#""gate""#)).await;
    within_reason(async || world.handler.running() == 6).await;
    world.handler.gate.add_permits(gated.len());
    world.until_all_are(&gated, State::Succeeded).await;

    running.stop_softly().await;
}

#[tokio::test(start_paused = true)]
async fn a_queue_whose_jobs_are_hinted_at_leaves_slots_to_those_that_come_after_it() {
    let mut world = World::with_slots(10);
    world.config.max_running = 10;
    let hints = Listener::open(&world.store).await;
    world.hints = Some(Arc::clone(&hints));
    let deep = world.add(of_queues(1, 2_000, r#""sleep 1""#)).await;
    hints.tell("invented-000", &deep).await;
    let running = world.start();
    within_reason(async || world.handler.running() == 10).await;

    let late = JobSpec {
        queue: Some("late".to_owned()),
        ..spec(r#""quick""#)
    };
    let late = world.add(vec![late]).await;
    hints.tell("late", &late).await;
    world.wakeups.send(Wakeup::Ready);
    world.until_all_are(&late, State::Succeeded).await;

    let waits = world.count(&deep, State::Queued).await;
    assert!(waits > 1_500, "{waits} of 2,000 waited");
    running.stop_softly().await;
}
