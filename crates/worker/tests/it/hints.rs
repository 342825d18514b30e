//! A worker that is led by hints.

mod away;
mod lines;
mod queues;

use std::{sync::Arc, time::Duration};

use baton_domain::{
    Clock, JobId,
    job::{JobSpec, State},
    queue::QueueChange,
};
use baton_ports::{Hints, store::Queues};
use tokio::time::{Instant, sleep};

use crate::{
    listener::Listener,
    world::{Running, World, spec, within_reason},
};

/// A worker that waits for the hints of the queue `default`, and has looked at the store.
async fn waiting(slots: u32) -> (World, Running, Arc<Listener>) {
    let mut world = World::with_slots(slots);
    let hints = Listener::open(&world.store).await;
    world.hints = Some(Arc::clone(&hints));
    change(&world, "default", QueueChange::default()).await;
    let running = world.start();
    within_reason(async || !hints.heard.lock().takes.is_empty()).await;
    (world, running, hints)
}

async fn change(world: &World, queue: &str, change: QueueChange) {
    let now = world.clock.now();
    world.store.change_queue(queue, &change, now).await.unwrap();
}

/// Adds jobs with this payload and hints at them.
async fn hinted(world: &World, hints: &Listener, payload: &str, count: usize) -> Vec<JobId> {
    let ids = world.add(vec![spec(payload); count]).await;
    hints.tell("default", &ids).await;
    ids
}

#[tokio::test(start_paused = true)]
async fn a_lone_hint_leads_to_its_job_at_once_and_by_its_id() {
    let (world, _running, hints) = waiting(4).await;
    sleep(Duration::from_mins(1)).await;
    world.store.hook.seen.lock().searches.clear();

    let since = Instant::now();
    let ids = hinted(&world, &hints, "{}", 1).await;
    within_reason(async || world.handler.calls() == 1).await;

    assert!(since.elapsed() <= Duration::from_millis(5));
    assert_eq!(world.store.hook.seen.lock().hinted, [ids]);
    assert_eq!(world.store.hook.seen.lock().searches, []);
}

#[tokio::test(start_paused = true)]
async fn hints_are_taken_only_for_free_slots() {
    let (world, _running, hints) = waiting(4).await;

    let ids = hinted(&world, &hints, "\"gate\"", 10).await;
    within_reason(async || world.handler.running() == 4).await;
    sleep(Duration::from_secs(10)).await;

    assert_eq!(world.count(&ids, State::Running).await, 4);
    assert_eq!(hints.length("default").await, 6);
}

#[tokio::test(start_paused = true)]
async fn poisoned_hints_cause_no_call_and_are_removed() {
    let (world, _running, hints) = waiting(8).await;
    let in_mail = JobSpec {
        queue: Some("mail".to_owned()),
        delay: Some(Duration::from_hours(1)),
        ..spec("\"foreign\"")
    };
    let later = world.add(vec![in_mail]).await;
    let done = hinted(&world, &hints, "\"first\"", 1).await;
    world.until_all_are(&done, State::Succeeded).await;
    let garbage = (0..100).map(|_| JobId::new(world.clock.now()));

    hints.memory.poison("default", garbage);
    hints.memory.poison("default", [later[0], done[0]]);
    hints.memory.poison("no-such-queue", done.iter().copied());
    let good = world.add(vec![spec("\"good\"")]).await;
    hints.memory.poison("default", good.repeat(10));
    world.until_all_are(&good, State::Succeeded).await;
    within_reason(async || hints.dropped().len() == 113).await;

    assert_eq!(*world.handler.calls.lock(), ["\"first\"", "\"good\""]);
    assert_eq!(hints.length("default").await, 0);
    let left = hints.memory.give_back(world.config.worker).await.unwrap();
    assert_eq!(left, 0);
}

#[tokio::test(start_paused = true)]
async fn a_hint_is_dropped_only_after_its_result_is_recorded() {
    let (world, _running, hints) = waiting(4).await;
    world.store.hook.mood.lock().keeps_results_waiting = true;
    let ids = hinted(&world, &hints, "{}", 3).await;
    within_reason(async || world.handler.calls() == 3).await;

    sleep(Duration::from_secs(10)).await;
    let early = hints.dropped();
    world.store.hook.mood.lock().keeps_results_waiting = false;
    within_reason(async || hints.dropped().len() == 3).await;

    assert_eq!(early, []);
    let mut dropped = hints.heard.lock().dropped.clone();
    dropped.sort_by_key(|(job, _)| *job);
    let mut recorded = ids;
    recorded.sort();
    let recorded = recorded.into_iter().map(|id| (id, Some(State::Succeeded)));
    assert_eq!(dropped, recorded.collect::<Vec<_>>());
}

#[tokio::test(start_paused = true)]
async fn a_job_given_back_is_offered_again() {
    let (world, running, hints) = waiting(2).await;
    let quick = hinted(&world, &hints, "{}", 100).await;
    world.until_all_are(&quick, State::Succeeded).await;
    within_reason(async || hints.length("default").await == 0).await;
    sleep(Duration::from_secs(1)).await;

    let slow = hinted(&world, &hints, "\"gate\"", 50).await;
    within_reason(async || running.status.slots()[0].buffered > 0).await;
    within_reason(async || world.count(&slow, State::Running).await == 2).await;
    within_reason(async || hints.length("default").await == 48).await;

    let offered = hints.heard.lock().offered.clone();
    assert!(!offered.is_empty() && offered.iter().all(|job| slow.contains(job)));
    assert_eq!(running.status.slots()[0].buffered, 0);
}

#[tokio::test(start_paused = true)]
async fn a_worker_shows_where_hints_are_kept_that_it_lives() {
    let (world, _running, hints) = waiting(2).await;

    sleep(world.config.lease).await;

    assert!(hints.heard.lock().beats >= 3);
}
