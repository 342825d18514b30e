//! Short lines are hinted at, long ones are searched, and nothing waits for hints it has not.

use std::{sync::Arc, time::Duration};

use baton_domain::{
    job::{JobSpec, State},
    queue::QueueChange,
};
use baton_ports::{Hints, Wakeup, store::Outstanding};
use tokio::time::{Instant, sleep};

use super::{change, hinted, waiting};
use crate::{
    listener::Listener,
    world::{World, spec, within_reason},
};

#[tokio::test(start_paused = true)]
async fn a_long_line_is_searched_in_big_batches_and_its_hints_are_trimmed() {
    let (world, _running, hints) = waiting(10).await;

    let ids = hinted(&world, &hints, "{}", 5_000).await;
    world.until_all_are(&ids, State::Succeeded).await;
    within_reason(async || hints.length("default").await == 0).await;

    let seen = world.store.hook.seen.lock();
    let claims = seen.hinted.len() + seen.searches.len();
    assert!(claims < 30, "{claims} claims");
    assert_eq!(
        seen.hinted,
        [&ids[..10]],
        "what is known already is not asked for again"
    );
    assert_eq!(world.handler.calls(), 5_000);
}

#[tokio::test(start_paused = true)]
async fn nobody_waits_for_trims_in_the_midst_of_a_line_and_the_last_search_covers_them() {
    let (world, _running, hints) = waiting(10).await;
    *hints.trim_takes.lock() = Duration::from_millis(200);

    let since = Instant::now();
    let ids = hinted(&world, &hints, "{}", 5_000).await;
    world.until_all_are(&ids, State::Succeeded).await;
    let took = since.elapsed();
    within_reason(async || hints.length("default").await == 0).await;
    sleep(Duration::from_millis(300)).await;

    let last_search = world.store.hook.seen.lock().searches.last().unwrap().0;
    let last_trim = hints.heard.lock().trimmed.last().unwrap().0;
    assert!(took < Duration::from_millis(500), "{took:?}");
    assert!(last_search >= last_trim, "{:?}", last_trim - last_search);
}

#[tokio::test(start_paused = true)]
async fn a_burst_into_an_empty_queue_is_worked_off_without_waiting_for_a_look() {
    let (world, _running, hints) = waiting(10).await;

    let since = Instant::now();
    let ids = hinted(&world, &hints, "{}", 1_000).await;
    world.until_all_are(&ids, State::Succeeded).await;

    let took = since.elapsed();
    assert!(took < Duration::from_millis(200), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn whoever_has_trimmed_searches_once_more_so_nothing_waits_for_a_look() {
    let (world, _running, hints) = waiting(4).await;
    hinted(&world, &hints, "\"sleep 1\"", 9).await;
    within_reason(async || !hints.heard.lock().trimmed.is_empty()).await;

    // Somebody else has claimed what these hints led to; what is trimmed in their stead is this one.
    hints.memory.trim("default", 100).await.unwrap();
    let late = hinted(&world, &hints, "{}", 1).await;
    hints.memory.trim("default", 100).await.unwrap();
    let since = Instant::now();
    world.until_all_are(&late, State::Succeeded).await;

    assert!(
        since.elapsed() <= Duration::from_millis(1_100),
        "{:?}",
        since.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn a_steady_stream_of_hints_leads_to_no_more_looks_than_none() {
    let (world, _running, hints) = waiting(4).await;
    world.store.hook.seen.lock().asked.clear();

    for _ in 0..500 {
        hinted(&world, &hints, "{}", 8).await;
        sleep(Duration::from_millis(20)).await;
    }

    let seen = world.store.hook.seen.lock();
    assert!(seen.times("ready_queues") <= 11 && seen.times("queues") <= 11);
    assert!(seen.searches.len() <= seen.times("ready_queues"));
    assert!(world.handler.calls() >= 4_000 - 8);
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
async fn a_line_that_is_longer_than_the_room_leads_to_no_more_claims_than_without_hints() {
    let (world, _running, hints) = waiting(16).await;

    hinted(&world, &hints, "\"sleep 1\"", 600).await;
    within_reason(async || world.handler.running() == 16).await;
    world.store.hook.seen.lock().searches.clear();
    world.store.hook.seen.lock().asked.clear();
    sleep(Duration::from_secs(20)).await;

    let seen = world.store.hook.seen.lock();
    assert!(seen.searches.len() <= 21, "{:?}", seen.searches);
    assert!(seen.times("ready_queues") <= 20 && seen.times("queues") <= 3);
    assert_eq!(seen.hinted.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn beside_a_poller_an_idle_worker_looks_seldom_and_finds_a_lost_hint_when_it_is_woken() {
    let mut world = World::with_slots(4);
    let findings = world.config.findings.clone();
    tokio::spawn(async move {
        loop {
            findings.tell(Instant::now(), Outstanding::default());
            sleep(Duration::from_secs(2)).await;
        }
    });
    let hints = Listener::open(&world.store).await;
    world.hints = Some(Arc::clone(&hints));
    change(&world, "default", QueueChange::default()).await;
    let _running = world.start();
    sleep(Duration::from_mins(2)).await;

    let asked = world.store.hook.seen.lock().asked.clone();
    world.add(vec![spec("{}")]).await;
    world.wakeups.send_here(Wakeup::Ready);
    let since = Instant::now();
    within_reason(async || world.handler.calls() == 1).await;

    let looks = asked.iter().filter(|asked| **asked == "ready_queues");
    assert!((8..=17).contains(&looks.count()), "{asked:?}");
    assert!(since.elapsed() <= Duration::from_millis(100));
}

#[tokio::test(start_paused = true)]
async fn beside_a_poller_that_finds_nothing_out_any_more_a_worker_looks_as_often_as_by_itself() {
    let mut world = World::with_slots(4);
    world
        .config
        .findings
        .tell(Instant::now(), Outstanding::default());
    let hints = Listener::open(&world.store).await;
    world.hints = Some(Arc::clone(&hints));
    change(&world, "default", QueueChange::default()).await;
    let _running = world.start();
    sleep(Duration::from_mins(1)).await;
    world.store.hook.seen.lock().asked.clear();

    sleep(Duration::from_secs(20)).await;

    let looks = world.store.hook.seen.lock().times("ready_queues");
    assert!((8..=20).contains(&looks), "{looks}");
}
