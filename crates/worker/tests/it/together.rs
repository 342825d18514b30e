//! Attempts that start together: a handler that prepares several at once is asked once for all of them.

use std::{sync::atomic::Ordering, time::Duration};

use baton_domain::job::State;
use tokio::time::Instant;

use crate::world::{Trouble, World, within_reason};

#[tokio::test(start_paused = true)]
async fn attempts_that_start_together_are_prepared_at_once_and_each_is_made() {
    let world = World::with_company(16, 4, None);
    let ids = world.enqueue(&["1"; 22]).await;

    let _running = world.start();
    world.until_all_are(&ids, State::Succeeded).await;

    let prepared = world.handler.prepared.lock().clone();
    assert!(
        prepared.iter().all(|count| (2..=4).contains(count)),
        "{prepared:?}"
    );
    let in_company = world.handler.in_company.load(Ordering::SeqCst);
    assert_eq!(in_company as usize, prepared.iter().sum::<usize>());
    assert!(in_company >= 16, "{in_company}");
    assert_eq!(world.handler.calls(), 22);
}

#[tokio::test(start_paused = true)]
async fn who_has_to_wait_holds_up_nobody_it_started_with() {
    let world = World::with_company(8, 64, None);
    let waiting = world.enqueue(&["gate", "gate", "gate"]).await;
    let quick = world.enqueue(&["1"; 20]).await;

    let _running = world.start();
    world.until_all_are(&quick, State::Succeeded).await;

    assert_eq!(world.count(&waiting, State::Running).await, 3);
    world.handler.gate.add_permits(3);
    world.until_all_are(&waiting, State::Succeeded).await;
}

#[tokio::test(start_paused = true)]
async fn slots_that_come_free_are_used_while_those_who_came_first_wait() {
    let world = World::with_company(8, 8, None);
    let _running = world.start();
    // Now it claims ahead of its slots.
    let ids = world.enqueue(&["1"; 200]).await;
    world.until_all_are(&ids, State::Succeeded).await;

    let mut payloads = ["1"; 200];
    // Those whose runners take the others along.
    (payloads[0], payloads[4], payloads[7]) = ("gate", "gate", "gate");
    let ids = world.enqueue(&payloads).await;
    let begun = Instant::now();
    within_reason(async || world.job(ids[8]).await.state == State::Succeeded).await;

    // Not only when the claimer looks around again.
    let took = begun.elapsed();
    assert!(took < Duration::from_millis(20), "{took:?}");
}

#[tokio::test(start_paused = true)]
async fn slots_that_come_free_one_by_one_are_gathered() {
    let world = World::with_company(16, 8, None);
    let ids = world.enqueue(&["sleep 0"; 800]).await;

    let _running = world.start();
    world.until_all_are(&ids, State::Succeeded).await;

    // Those that took what came free alone were nearly all.
    let in_company = world.handler.in_company.load(Ordering::SeqCst);
    assert!(in_company >= 600, "{in_company}");
}

#[tokio::test(start_paused = true)]
async fn those_that_start_together_have_a_slot_each() {
    let world = World::with_company(6, 64, None);
    let ids = world.enqueue(&["gate"; 40]).await;

    let _running = world.start();
    within_reason(async || world.handler.running() == 6).await;
    world.handler.gate.add_permits(40);
    world.until_all_are(&ids, State::Succeeded).await;

    assert_eq!(world.handler.most_running.load(Ordering::SeqCst), 6);
    assert_eq!(world.handler.calls(), 40);
}

#[tokio::test(start_paused = true)]
async fn too_few_slots_for_company_are_all_used() {
    let world = World::with_company(3, 64, None);
    let ids = world.enqueue(&["gate"; 9]).await;

    let _running = world.start();
    within_reason(async || world.handler.running() == 3).await;
    world.handler.gate.add_permits(9);
    world.until_all_are(&ids, State::Succeeded).await;

    assert_eq!(world.handler.most_running.load(Ordering::SeqCst), 3);
}

#[tokio::test(start_paused = true)]
async fn one_that_panics_takes_none_along() {
    let world = World::with_company(16, 8, None);
    let payloads = ["1", "panic", "1", "fail", "1"];
    let ids = world.enqueue(&payloads).await;

    let _running = world.start();
    within_reason(async || world.count(&ids, State::Succeeded).await == 3).await;

    within_reason(async || world.job(ids[1]).await.state == State::RetryWait).await;
    within_reason(async || world.job(ids[3]).await.state == State::Failed).await;
}

#[tokio::test(start_paused = true)]
async fn a_preparation_that_fails_costs_no_attempt() {
    for trouble in [Trouble::Panics, Trouble::NeverEnds] {
        let world = World::with_company(16, 8, Some(trouble));
        let ids = world.enqueue(&["1"; 20]).await;

        let _running = world.start();
        world.until_all_are(&ids, State::Succeeded).await;

        assert_eq!(world.handler.in_company.load(Ordering::SeqCst), 0);
        for id in ids {
            assert_eq!(world.job(id).await.tries, 1);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_stop_does_not_wait_for_preparations() {
    let world = World::with_company(16, 8, Some(Trouble::NeverEnds));
    let ids = world.enqueue(&["1"; 20]).await;
    let running = world.start();
    within_reason(async || world.count(&ids, State::Running).await >= 8).await;

    let report = running.stop_softly().await;

    // Who came without company has been called.
    let done = world.count(&ids, State::Succeeded).await;
    assert_eq!((report.left, world.handler.calls()), (0, done));
    assert_eq!(world.count(&ids, State::Queued).await, 20 - done);
    assert!(done <= 12, "{done}");
}
