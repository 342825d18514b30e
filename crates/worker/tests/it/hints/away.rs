//! Hints that are not to be had, workers that have no use for them, and workers that leave.

use std::time::Duration;

use baton_domain::job::State;
use baton_ports::Hints;
use tokio::time::{Instant, sleep};

use super::{hinted, waiting};
use crate::world::{World, spec, within_reason};

#[tokio::test(start_paused = true)]
async fn while_hints_are_away_jobs_are_claimed_from_the_store_and_afterwards_by_hints_again() {
    let (world, _running, hints) = waiting(4).await;

    hints.memory.go_away("the test says so");
    let since = Instant::now();
    let silent = world.add(vec![spec("{}"); 3]).await;
    world.until_all_are(&silent, State::Succeeded).await;
    let found_after = since.elapsed();
    let before = world.store.hook.seen.lock().hinted.len();
    hints.memory.come_back();
    sleep(Duration::from_secs(3)).await;
    let ids = hinted(&world, &hints, "{}", 3).await;
    world.until_all_are(&ids, State::Succeeded).await;

    assert!(found_after < Duration::from_secs(2), "{found_after:?}");
    assert_eq!(before, 0);
    assert_eq!(world.store.hook.seen.lock().hinted, [ids]);
}

#[tokio::test(start_paused = true)]
async fn hints_that_are_away_are_not_asked_in_a_busy_loop() {
    let (_world, _running, hints) = waiting(4).await;

    hints.memory.go_away("the test says so");
    let before = hints.heard.lock().takes.len();
    sleep(Duration::from_secs(100)).await;

    let asked = hints.heard.lock().takes.len() - before;
    assert!(asked <= 1, "asked {asked} times");
}

#[tokio::test(start_paused = true)]
async fn what_was_taken_before_hints_were_lost_is_put_back_when_they_are_back() {
    let (world, _running, hints) = waiting(4).await;
    let ids = world.add(vec![spec("{}")]).await;
    // A take whose answer was lost on the way.
    hints.tell("elsewhere", &ids).await;
    let worker = world.config.worker;
    hints
        .memory
        .take(worker, "elsewhere", 1, Duration::ZERO)
        .await
        .unwrap();

    hints.memory.go_away("the test says so");
    sleep(Duration::from_secs(1)).await;
    hints.memory.come_back();

    within_reason(async || hints.length("elsewhere").await == 1).await;
}

#[tokio::test(start_paused = true)]
async fn a_worker_whose_store_is_away_leaves_hints_to_others() {
    let (world, _running, hints) = waiting(4).await;
    world.store.hook.mood.lock().gives_nothing = true;

    let ids = hinted(&world, &hints, "{}", 3).await;
    sleep(Duration::from_secs(10)).await;
    let length = hints.length("default").await;
    world.store.hook.mood.lock().gives_nothing = false;
    world.until_all_are(&ids, State::Succeeded).await;

    assert_eq!(length, 3);
}

#[tokio::test(start_paused = true)]
async fn a_stop_gives_back_what_was_taken() {
    let (world, running, hints) = waiting(2).await;
    let ids = hinted(&world, &hints, "\"sleep 5\"", 2).await;
    within_reason(async || world.handler.running() == 2).await;

    let since = Instant::now();
    running.stop.soft.cancel();
    let later = hinted(&world, &hints, "{}", 3).await;
    within_reason(async || !hints.heard.lock().given_back.is_empty()).await;
    let early = since.elapsed();
    running.task.await.unwrap();

    assert!(early <= Duration::from_millis(1_100), "{early:?}");
    assert_eq!(world.count(&ids, State::Succeeded).await, 2);
    assert!(hints.length("default").await >= later.len() as u64);
    assert!(hints.memory.consumers().await.unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_idle_worker_stops_within_one_take() {
    let (_world, running, _hints) = waiting(2).await;

    let since = Instant::now();
    running.stop_softly().await;

    assert!(since.elapsed() <= Duration::from_millis(1_100));
}

#[tokio::test(start_paused = true)]
async fn an_idle_worker_without_hints_looks_each_few_seconds() {
    let world = World::with_slots(4);
    let ids = world.enqueue(&["{}"; 3]).await;

    let _running = world.start();
    world.until_all_are(&ids, State::Succeeded).await;
    sleep(Duration::from_secs(20)).await;

    let seen = world.store.hook.seen.lock();
    assert_eq!((seen.claims.len(), seen.settles.len()), (1, 1));
    assert_eq!((seen.times("queues"), seen.times("heartbeat")), (0, 3));
    assert!(
        (4..=12).contains(&seen.times("ready_queues")),
        "{}",
        seen.times("ready_queues")
    );
}
