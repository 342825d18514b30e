use std::{sync::Arc, time::Duration};

use baton_domain::job::State;
use baton_ports::faulty::{Faulty, Odds};
use baton_worker::{Stop, Worker};
use tokio::time::sleep;

use crate::world::{World, within_reason};

#[tokio::test(start_paused = true)]
async fn results_that_come_together_are_recorded_together() {
    let world = World::with_slots(100);
    let ids = world.enqueue(&["\"gate\""; 100]).await;
    let _running = world.start();
    within_reason(async || world.handler.running() == 100).await;

    world.handler.gate.add_permits(100);
    world.until_all_are(&ids, State::Succeeded).await;

    let settles = world.store.hook.seen.lock().settles.clone();
    assert!(settles.len() <= 3, "{settles:?}");
}

#[tokio::test(start_paused = true)]
async fn results_are_kept_until_the_store_takes_them_and_nothing_is_claimed_meanwhile() {
    let world = World::with_slots(10);
    world.store.hook.mood.lock().takes_no_results = true;
    let ids = world.enqueue(&["\"sleep 1\""; 30]).await;
    let running = world.start();
    within_reason(async || running.status.unrecorded() >= 10).await;
    within_reason(async || world.handler.running() == 0).await;

    let later = world.enqueue(&["{}"; 5]).await;
    // Two leases long.
    within_reason(async || world.store.hook.seen.lock().renewals > 6).await;
    let left_alone = world.count(&later, State::Queued).await;
    world.store.hook.mood.lock().takes_no_results = false;
    world.until_all_are(&ids, State::Succeeded).await;
    world.until_all_are(&later, State::Succeeded).await;

    assert_eq!(left_alone, 5);
    assert_eq!(world.handler.calls(), 35);
    within_reason(async || running.status.unrecorded() == 0).await;
}

#[tokio::test(start_paused = true)]
async fn nothing_is_claimed_while_too_many_results_are_kept() {
    let mut world = World::with_slots(4);
    world.config.max_results = 4;
    world.store.hook.mood.lock().keeps_results_waiting = true;
    world.enqueue(&["\"sleep 1\""; 12]).await;

    let running = world.start();
    within_reason(async || running.status.unrecorded() == 4).await;
    within_reason(async || world.store.hook.seen.lock().renewals > 3).await;

    assert_eq!(world.store.hook.seen.lock().claims.len(), 1);
    assert!(!running.status.is_claiming());
}

#[tokio::test(start_paused = true)]
async fn no_result_is_lost_and_no_call_repeated_while_every_other_call_fails() {
    let world = World::with_slots(20);
    let odds = Odds {
        before: 0.3,
        after: 0.2,
    };
    let faulty = Faulty::new(world.store.clone(), 11, odds);
    let ids = world.enqueue(&["\"sleep 1\""; 500]).await;
    let worker = Worker::new(
        Arc::clone(&faulty) as _,
        Arc::clone(&world.wakeups),
        Arc::clone(&world.clock) as _,
        vec![Arc::clone(&world.handler) as _],
        world.config.clone(),
    );

    tokio::spawn(worker.run(Stop::default()));
    world.until_all_are(&ids, State::Succeeded).await;

    assert!(faulty.injected() > 10);
    assert_eq!(world.handler.calls(), 500);
}

#[tokio::test(start_paused = true)]
async fn a_result_that_the_store_refuses_is_recorded_without_its_words_and_holds_up_no_other() {
    let world = World::with_slots(10);
    world.store.hook.mood.lock().refuses = Some("\"bad\"");
    let ids = world.enqueue(&["\"a\"", "\"bad\"", "\"b\""]).await;

    let running = world.start();
    world.until_all_are(&ids, State::Succeeded).await;

    assert_eq!(world.job(ids[0]).await.result.as_deref(), Some("\"a\""));
    assert_eq!(world.job(ids[1]).await.result, None);
    within_reason(async || running.status.unrecorded() == 0).await;
}

#[tokio::test(start_paused = true)]
async fn a_refused_batch_is_halved_until_the_bad_result_stands_alone() {
    let world = World::with_slots(500);
    world.store.hook.mood.lock().refuses = Some("\"bad\"");
    let mut payloads = vec!["\"gate\""; 499];
    payloads.insert(200, "\"bad\"");
    let ids = world.enqueue(&payloads).await;
    let _running = world.start();
    within_reason(async || world.handler.running() == 499).await;

    world.handler.gate.add_permits(499);
    world.until_all_are(&ids, State::Succeeded).await;

    let settles = world.store.hook.seen.lock().settles.clone();
    assert!(settles.len() < 40, "{} calls", settles.len());
}

#[tokio::test(start_paused = true)]
async fn a_result_that_always_times_out_stands_alone_and_the_others_are_recorded() {
    let world = World::with_slots(20);
    world.store.hook.mood.lock().times_out = Some("\"slow\"");
    let mut payloads = vec!["{}"; 19];
    payloads.insert(7, "\"slow\"");
    let ids = world.enqueue(&payloads).await;
    let others = ids.iter().enumerate().filter(|(i, _)| *i != 7);
    let others: Vec<_> = others.map(|(_, id)| *id).collect();

    let running = world.start();
    world.until_all_are(&others, State::Succeeded).await;

    // It stands aside and does not keep the worker from its work.
    within_reason(async || running.status.unrecorded() == 1 && running.status.is_claiming()).await;
    assert_eq!(world.store.hook.seen.lock().timed_out.last(), Some(&1));
    world.store.hook.mood.lock().times_out = None;
    world.until_all_are(&ids, State::Succeeded).await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_for_a_few_lets_nothing_begin_while_many_more_wait() {
    let world = World::with_slots(60);
    world.store.hook.mood.lock().answers_results_after = Some(Duration::from_secs(5));
    world.enqueue(&["\"sleep 1\""; 300]).await;
    let _running = world.start();

    // The first to end went out alone, and the second flush has begun behind it.
    within_reason(async || world.store.hook.seen.lock().settles.len() == 2).await;
    sleep(Duration::from_secs(2)).await;

    assert_eq!(world.handler.calls(), 120);
}

#[tokio::test(start_paused = true)]
async fn while_the_store_owes_an_answer_for_many_nothing_begins_that_would_be_in_doubt_as_well() {
    let world = World::with_slots(60);
    world.store.hook.mood.lock().keeps_results_waiting = true;
    let ids = world.enqueue(&["\"sleep 1\""; 300]).await;
    let running = world.start();
    // Sixty have ended and are not recorded, which is few enough for sixty more.
    within_reason(async || world.handler.calls() == 120).await;

    sleep(Duration::from_secs(20)).await;

    assert_eq!(
        (world.handler.calls(), running.status.unrecorded()),
        (120, 120)
    );
    world.store.hook.mood.lock().keeps_results_waiting = false;
    world.until_all_are(&ids, State::Succeeded).await;
    assert_eq!(world.handler.calls(), 300);
}
