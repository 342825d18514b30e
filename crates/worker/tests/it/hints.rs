use std::{collections::BTreeMap, sync::Arc, time::Duration};

use baton_domain::{
    Clock, JobId,
    job::{JobSpec, State},
    queue::QueueChange,
};
use baton_ports::{Hints, store::Queues};
use baton_worker::Slots;
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

fn paused(paused: bool) -> QueueChange {
    QueueChange {
        paused: Some(paused),
        ..QueueChange::default()
    }
}

fn limited() -> QueueChange {
    QueueChange {
        max_running: Some(Some(3)),
        ..QueueChange::default()
    }
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
    sleep(Duration::from_secs(60)).await;
    world.store.seen.lock().searches.clear();

    let since = Instant::now();
    let ids = hinted(&world, &hints, "{}", 1).await;
    within_reason(async || world.handler.calls() == 1).await;

    assert!(since.elapsed() <= Duration::from_millis(5));
    assert_eq!(world.store.seen.lock().hinted, [ids]);
    assert_eq!(world.store.seen.lock().searches, []);
}

#[tokio::test(start_paused = true)]
async fn many_hints_are_followed_in_big_batches_and_the_store_is_hardly_searched() {
    let (world, _running, hints) = waiting(10).await;

    let ids = hinted(&world, &hints, "{}", 5_000).await;
    world.until_all_are(&ids, State::Succeeded).await;

    let seen = world.store.seen.lock();
    assert!(seen.hinted.len() < 30, "{} claims", seen.hinted.len());
    assert!(seen.searches.len() <= 2, "{:?}", seen.searches);
    assert_eq!(world.handler.calls(), 5_000);
}

#[tokio::test(start_paused = true)]
async fn a_steady_stream_of_hints_leads_to_no_more_looks_than_none() {
    let (world, _running, hints) = waiting(4).await;
    world.store.seen.lock().asked.clear();

    for _ in 0..500 {
        hinted(&world, &hints, "{}", 8).await;
        sleep(Duration::from_millis(20)).await;
    }

    let seen = world.store.seen.lock();
    let asked = |what| seen.asked.iter().filter(|asked| **asked == what).count();
    assert!(asked("lines") <= 11 && asked("queues") <= 11);
    assert!(seen.searches.len() <= asked("lines"));
    assert!(world.handler.calls() >= 4_000 - 8);
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
        delay: Some(Duration::from_secs(3_600)),
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
    world.store.mood.lock().keeps_results_waiting = true;
    let ids = hinted(&world, &hints, "{}", 3).await;
    within_reason(async || world.handler.calls() == 3).await;

    sleep(Duration::from_secs(10)).await;
    let early = hints.dropped();
    world.store.mood.lock().keeps_results_waiting = false;
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

    let slow = hinted(&world, &hints, "\"gate\"", 50).await;
    within_reason(async || running.status.slots()[0].buffered > 0).await;
    within_reason(async || world.count(&slow, State::Running).await == 2).await;
    within_reason(async || hints.length("default").await == 48).await;

    let offered = hints.heard.lock().offered.clone();
    assert!(!offered.is_empty() && offered.iter().all(|job| slow.contains(job)));
    assert_eq!(running.status.slots()[0].buffered, 0);
}

#[tokio::test(start_paused = true)]
async fn while_hints_are_away_jobs_are_claimed_from_the_store_and_afterwards_by_hints_again() {
    let (world, _running, hints) = waiting(4).await;

    hints.memory.go_away("the test says so");
    let since = Instant::now();
    let silent = world.add(vec![spec("{}"); 3]).await;
    world.until_all_are(&silent, State::Succeeded).await;
    let found_after = since.elapsed();
    let before = world.store.seen.lock().hinted.len();
    hints.memory.come_back();
    sleep(Duration::from_secs(3)).await;
    let ids = hinted(&world, &hints, "{}", 3).await;
    world.until_all_are(&ids, State::Succeeded).await;

    assert!(found_after < Duration::from_secs(2), "{found_after:?}");
    assert_eq!(before, 0);
    assert_eq!(world.store.seen.lock().hinted, [ids]);
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
async fn jobs_that_nobody_hinted_at_are_found_although_hints_keep_the_worker_busy() {
    let (world, _running, hints) = waiting(8).await;
    let low = JobSpec {
        priority: Some(5),
        ..spec("\"low\"")
    };

    let since = Instant::now();
    let lost = world.add(vec![spec("\"lost\"")]).await;
    sleep(Duration::from_millis(1)).await;
    let busy = hinted(&world, &hints, "\"sleep 1\"", 400).await;
    let low = world.add(vec![low; 20]).await;
    world.until_all_are(&lost, State::Succeeded).await;
    let lost_after = since.elapsed();
    let left = world.count(&busy, State::Queued).await;
    world.until_all_are(&busy, State::Succeeded).await;
    let since = Instant::now();
    world.until_all_are(&low, State::Succeeded).await;

    assert!(lost_after < Duration::from_secs(4), "{lost_after:?}");
    assert!(left > 300, "{left} were left");
    assert!(since.elapsed() < Duration::from_secs(4));
}

#[tokio::test(start_paused = true)]
async fn jobs_that_can_wait_are_found_at_full_speed_while_hints_trickle() {
    let (world, _running, hints) = waiting(8).await;
    let low = JobSpec {
        priority: Some(5),
        ..spec("\"sleep 1\"")
    };
    let low = world.add(vec![low; 80]).await;

    let since = Instant::now();
    for _ in 0..10 {
        hinted(&world, &hints, "{}", 1).await;
        sleep(Duration::from_secs(1)).await;
    }
    world.until_all_are(&low, State::Succeeded).await;

    assert!(
        since.elapsed() < Duration::from_secs(15),
        "{:?}",
        since.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn jobs_that_can_wait_have_their_turn_as_soon_as_hints_run_dry() {
    let (world, _running, hints) = waiting(1).await;
    let low = JobSpec {
        priority: Some(5),
        ..spec("\"sleep 1\"")
    };

    let mut slowest = Duration::ZERO;
    for _ in 0..20 {
        let busy = hinted(&world, &hints, "\"sleep 1\"", 4).await;
        let low = world.add(vec![low.clone(); 2]).await;
        world.until_all_are(&busy, State::Succeeded).await;
        let since = Instant::now();
        world.until_all_are(&low, State::Succeeded).await;
        slowest = slowest.max(since.elapsed());
    }

    assert!(slowest < Duration::from_millis(3_200), "{slowest:?}");
}

#[tokio::test(start_paused = true)]
async fn with_a_single_slot_jobs_that_nobody_hinted_at_have_their_turn() {
    let (world, _running, hints) = waiting(1).await;
    hinted(&world, &hints, "\"sleep 1\"", 5).await;
    within_reason(async || world.handler.running() == 1).await;

    let lost = world.add(vec![spec("\"lost\"")]).await;
    sleep(Duration::from_millis(10)).await;
    let later = hinted(&world, &hints, "\"sleep 1\"", 100).await;
    world.until_all_are(&lost, State::Succeeded).await;

    let left = world.count(&later, State::Queued).await;
    assert!(left > 80, "{left} were left");
    assert_eq!(hints.heard.lock().offered, [], "hints were taken in vain");
}

#[tokio::test(start_paused = true)]
async fn while_hints_keep_the_worker_busy_each_look_leads_to_one_small_search() {
    let (world, _running, hints) = waiting(16).await;

    hinted(&world, &hints, "\"sleep 1\"", 600).await;
    within_reason(async || world.handler.running() == 16).await;
    world.store.seen.lock().searches.clear();
    world.store.seen.lock().asked.clear();
    sleep(Duration::from_secs(20)).await;

    let seen = world.store.seen.lock();
    let looks = seen.asked.iter().filter(|asked| **asked == "lines").count();
    assert!(seen.searches.len() <= looks + 1, "{:?}", seen.searches);
    assert!(seen.searches.iter().all(|(_, limit)| *limit <= 2));
}

#[tokio::test(start_paused = true)]
async fn queues_that_are_limited_or_paused_are_not_waited_on() {
    let mut world = World::with_slots(4);
    let hints = Listener::open(&world.store).await;
    world.hints = Some(Arc::clone(&hints));
    change(&world, "limited", limited()).await;
    change(&world, "paused", paused(true)).await;
    change(&world, "open", QueueChange::default()).await;
    let in_queue = |queue: &str| JobSpec {
        queue: Some(queue.to_owned()),
        ..spec("{}")
    };

    let _running = world.start();
    let ids = world
        .add(vec![in_queue("limited"), in_queue("paused")])
        .await;
    world.until_all_are(&ids[..1], State::Succeeded).await;
    sleep(Duration::from_secs(10)).await;

    let takes = hints.heard.lock().takes.clone();
    assert!(takes.iter().all(|(queue, _)| queue == "open"), "{takes:?}");
    assert_eq!(world.job(ids[1]).await.state, State::Queued);
}

#[tokio::test(start_paused = true)]
async fn a_queue_that_is_paused_keeps_most_of_its_hints() {
    let (world, _running, hints) = waiting(4).await;

    change(&world, "default", paused(true)).await;
    let ids = hinted(&world, &hints, "{}", 100).await;
    sleep(Duration::from_secs(10)).await;
    let kept = hints.length("default").await;
    change(&world, "default", paused(false)).await;
    world.until_all_are(&ids, State::Succeeded).await;

    assert!(kept >= 90, "{kept} were kept");
}

#[tokio::test(start_paused = true)]
async fn a_worker_whose_store_is_away_leaves_hints_to_others() {
    let (world, _running, hints) = waiting(4).await;
    world.store.mood.lock().gives_nothing = true;

    let ids = hinted(&world, &hints, "{}", 3).await;
    sleep(Duration::from_secs(10)).await;
    let length = hints.length("default").await;
    world.store.mood.lock().gives_nothing = false;
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
    assert!(hints.memory.takers().await.unwrap().is_empty());
}

#[tokio::test(start_paused = true)]
async fn an_idle_worker_stops_within_one_take() {
    let (_world, running, _hints) = waiting(2).await;

    let since = Instant::now();
    running.stop_softly().await;

    assert!(since.elapsed() <= Duration::from_millis(1_100));
}

#[tokio::test(start_paused = true)]
async fn a_worker_shows_where_hints_are_kept_that_it_lives() {
    let (world, _running, hints) = waiting(2).await;

    sleep(world.config.lease).await;

    assert!(hints.heard.lock().beats >= 3);
}

#[tokio::test(start_paused = true)]
async fn more_queues_than_can_be_waited_on_are_all_served() {
    let mut world = World::with_slots(4);
    world.config.slots = Slots {
        default: 4,
        by_queue: BTreeMap::from([("off".to_owned(), 0)]),
    };
    let hints = Listener::open(&world.store).await;
    world.hints = Some(Arc::clone(&hints));
    let names: Vec<_> = (0..50).map(|i| format!("queue-{i}")).collect();
    let in_queue = |queue: &String| JobSpec {
        queue: Some(queue.clone()),
        ..spec("{}")
    };
    world.add(names.iter().map(in_queue).collect()).await;
    change(&world, "off", QueueChange::default()).await;
    let _running = world.start();
    within_reason(async || world.handler.calls() == 50).await;

    sleep(Duration::from_secs(5)).await;
    let ids = world.add(names.iter().map(in_queue).collect()).await;
    for (queue, id) in names.iter().zip(&ids) {
        hints.tell(queue, &[*id]).await;
    }
    let since = Instant::now();
    world.until_all_are(&ids, State::Succeeded).await;

    assert!(
        since.elapsed() < Duration::from_secs(1),
        "{:?}",
        since.elapsed()
    );
    let takes = hints.heard.lock().takes.clone();
    let waited: std::collections::BTreeSet<_> = takes.iter().map(|(queue, _)| queue).collect();
    assert!(waited.len() <= 32 && !waited.contains(&"off".to_owned()));
}

#[tokio::test(start_paused = true)]
async fn a_worker_without_hints_asks_the_store_what_it_always_has() {
    let world = World::with_slots(4);
    let ids = world.enqueue(&["{}"; 3]).await;

    let _running = world.start();
    world.until_all_are(&ids, State::Succeeded).await;
    sleep(Duration::from_secs(20)).await;

    let seen = world.store.seen.lock();
    let asked = |what| seen.asked.iter().filter(|asked| **asked == what).count();
    assert_eq!((seen.claims.len(), seen.settles.len()), (1, 1));
    assert_eq!((asked("queues"), asked("beat")), (0, 3));
    assert!((10..=22).contains(&asked("lines")), "{}", asked("lines"));
}
