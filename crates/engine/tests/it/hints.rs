//! What became claimable is hinted at, and hints that are lost are built anew.

use std::{iter, time::Duration};

use baton_domain::{Clock, JobId, WorkerId};
use baton_engine::Cancel;
use baton_ports::{
    Hint, Hints,
    hints::HintState,
    store::{Enqueued, Fleet, Hinting},
};

use crate::house::{House, LONG, QUEUE, delayed, of_priority, spec};

#[tokio::test]
async fn a_job_is_hinted_at_after_it_is_accepted() {
    let mut house = House::new().await;
    let first = house.accept(spec()).await;
    house.was_woken().await;

    let id = house.accept(spec()).await;

    assert_eq!(house.taken().await, [first, id]);
    assert!(!house.was_woken().await);
}

#[tokio::test]
async fn the_first_job_of_a_queue_rings_the_bell_as_well_because_nobody_may_wait_for_its_hints() {
    let mut house = House::new().await;

    let id = house.accept(spec()).await;

    assert!(house.was_woken().await);
    assert_eq!(house.taken().await, [id]);
}

#[tokio::test]
async fn a_batch_is_hinted_at_with_the_urgent_in_front() {
    let house = House::new().await;

    let batch = vec![spec(), of_priority(-1), delayed(LONG)];
    let jobs = house.engine.enqueue_all(batch).await.unwrap();

    assert_eq!(house.taken().await, [jobs[1].id(), jobs[0].id()]);
}

#[tokio::test]
async fn a_great_many_at_once_ring_the_bell_instead() {
    let mut house = House::new().await;
    let first = house.accept(spec()).await;
    house.was_woken().await;

    let many = house.engine.enqueue_all(vec![spec(); 200]).await.unwrap();
    let was_woken_for_many = house.was_woken().await;
    house.engine.enqueue_all(vec![spec(); 201]).await.unwrap();

    let hinted = iter::once(first).chain(many.iter().map(Enqueued::id));
    assert_eq!(house.taken().await, hinted.collect::<Vec<_>>());
    assert!(!was_woken_for_many);
    assert!(house.was_woken().await);
}

#[tokio::test]
async fn a_job_that_can_wait_rings_the_bell_instead() {
    let mut house = House::new().await;

    house.accept(of_priority(1)).await;

    assert_eq!(house.taken().await, []);
    assert!(house.was_woken().await);
}

#[tokio::test]
async fn a_released_job_is_hinted_at() {
    let mut house = House::new().await;
    let id = house.accept(delayed(LONG)).await;
    house.clock.advance(LONG);

    house.turn("releaser").await;

    assert_eq!(house.taken().await, [id]);
}

#[tokio::test]
async fn a_job_that_is_run_again_or_at_once_is_hinted_at() {
    let house = House::new().await;
    let again = house.accept(delayed(LONG)).await;
    let at_once = house.accept(delayed(LONG)).await;
    house.engine.cancel(again, Cancel::default()).await.unwrap();

    house.engine.retry(again).await.unwrap();
    house.engine.run_now(at_once).await.unwrap();

    assert_eq!(house.taken().await, [again, at_once]);
}

#[tokio::test]
async fn while_hints_are_away_a_wakeup_is_sent() {
    let mut house = House::new().await;
    house.hints.go_away("Redis does not answer");

    house.accept(spec()).await;

    assert!(house.was_woken().await);
}

#[tokio::test]
async fn the_first_generation_holds_what_was_queued_before() {
    let mut house = House::unbuilt().await;
    let jobs = [house.accept(spec()).await, house.accept(spec()).await];
    house.accept(of_priority(7)).await;

    house.turn("hinter").await;

    assert_eq!(house.hints.state(), HintState::Open);
    assert_eq!(house.taken().await, jobs);
}

#[tokio::test]
async fn hints_that_are_gone_are_built_anew_and_that_is_told() {
    let mut house = House::new().await;
    let id = house.accept(spec()).await;
    assert_eq!(house.taken().await, [id]);

    house.hints.restart_empty();
    house.turn("hinter").await;

    assert_eq!(house.taken().await, [id]);
    let facts = house.facts().await;
    let kinds: Vec<_> = facts.iter().map(|fact| fact.kind.as_str()).collect();
    assert_eq!(
        kinds,
        ["hints.lost", "hints.rebuilt", "hints.lost", "hints.rebuilt"]
    );
    assert_eq!(facts[2].data["reason"], "the hints are gone");
    assert_eq!(
        (&facts[3].data["generation"], &facts[3].data["jobs"]),
        (&2.into(), &1.into())
    );
}

#[tokio::test]
async fn an_old_generation_that_comes_back_is_replaced() {
    let mut house = House::new().await;
    house.hints.restart_empty();
    house.turn("hinter").await;
    let id = house.accept(spec()).await;
    house.taken().await;

    house.hints.open(1).await.unwrap();
    house.turn("hinter").await;

    assert_eq!(house.hints.look().await.unwrap().generation, Some(3));
    assert_eq!(house.taken().await, [id]);
}

#[tokio::test]
async fn a_server_that_restarted_with_its_hints_is_not_trusted_either() {
    let mut house = House::new().await;
    house.hints.restart_empty();
    house.hints.open(1).await.unwrap();

    house.turn("hinter").await;

    assert_eq!(house.hints.look().await.unwrap().generation, Some(2));
}

#[tokio::test]
async fn a_build_whose_node_died_is_begun_anew() {
    let mut house = House::new().await;
    let id = house.accept(spec()).await;
    house.taken().await;
    let now = house.clock.now();
    let begun = house
        .store
        .begin_generation(1, "0", "the hints are gone", now);
    assert_eq!(begun.await.unwrap(), Some(2));

    house.turn("hinter").await;

    assert_eq!(house.hints.look().await.unwrap().generation, Some(3));
    assert_eq!(house.taken().await, [id]);
}

#[tokio::test]
async fn hints_that_are_away_are_left_alone_until_they_are_back() {
    let mut house = House::new().await;
    house.hints.restart_empty();
    house.hints.go_away("Redis does not answer");

    house.turn("hinter").await;
    house.hints.come_back();
    let before = house.hints.state();
    house.turn("hinter").await;

    assert_eq!(
        (before, house.hints.state()),
        (HintState::Building, HintState::Open)
    );
}

#[tokio::test]
async fn while_a_far_end_heals_no_generation_is_begun_in_vain() {
    let mut house = House::new().await;
    house.hints.restart_empty();
    house.hints.go_away("Redis does not answer");
    let before = house.store.generation().await.unwrap().number;

    house.hints.begin_to_heal();
    for _ in 0..3 {
        house.turn("hinter").await;
    }
    let healing = house.store.generation().await.unwrap().number;
    house.hints.come_back();
    house.turn("hinter").await;

    let after = house.store.generation().await.unwrap().number;
    assert_eq!((healing, after), (before, before + 1));
}

#[tokio::test]
async fn a_job_that_was_forgotten_is_hinted_at_again() {
    let mut house = House::new().await;
    let id = house.accept(spec()).await;
    house.taken().await;
    house
        .hints
        .drop_taken(house.worker, &[hint(id)])
        .await
        .unwrap();

    house.turn("hinter").await;
    let soon = house.taken().await;
    house.sweep_later().await;
    let later = house.taken().await;

    assert_eq!((soon, later), (vec![], vec![id]));
}

#[tokio::test]
async fn what_a_worker_that_is_gone_had_taken_is_given_back() {
    let mut house = House::new().await;
    house.beat().await;
    let id = house.accept(spec()).await;
    house.taken().await;
    house.engine.cancel(id, Cancel::default()).await.unwrap();

    house.sweep_later().await;
    assert_eq!(house.hints.consumers().await.unwrap(), [house.worker]);
    house.sweep_later().await;

    assert_eq!(house.hints.consumers().await.unwrap(), []);
    assert_eq!(house.taken().await, [id]);
}

#[tokio::test]
async fn what_a_living_worker_has_taken_stays_with_it() {
    let mut house = House::new().await;
    house.accept(spec()).await;
    house.taken().await;

    for _ in 0..3 {
        house.clock.advance(Duration::from_secs(6));
        house.beat().await;
        house.turn("hinter").await;
    }

    assert_eq!(house.hints.consumers().await.unwrap(), [house.worker]);
}

#[tokio::test]
async fn a_heap_of_hints_is_replaced_by_a_generation_of_its_own() {
    let mut house = House::new().await;
    let id = house.accept(spec()).await;
    house.taken().await;
    house.hints.poison(QUEUE, [id; 10_003]);

    house.sweep_later().await;

    assert_eq!(house.taken().await, [id]);
    let facts = house.facts().await;
    let reason = facts[2].data["reason"].as_str().unwrap();
    assert!(reason.contains("default has 10003 hints"), "{reason}");
}

#[tokio::test]
async fn a_house_that_does_not_lead_leaves_the_hints_alone() {
    let mut house = House::unbuilt().await;
    house.clock.advance(LONG);
    let now = house.clock.now();
    let other = WorkerId::new(now);
    assert!(
        house
            .store
            .lead(other, Duration::from_secs(15), now)
            .await
            .unwrap()
    );
    house.turn("leader").await;

    house.turn("hinter").await;

    assert_eq!(house.hints.state(), HintState::Building);
}

#[tokio::test]
async fn that_hints_are_away_and_back_is_told_with_the_reason() {
    let mut house = House::new().await;
    house.hints.go_away("Redis is full");
    house.turn("lookout").await;
    house.turn("lookout").await;
    let health = house.engine.health().await;

    house.hints.come_back();
    house.turn("lookout").await;

    let facts = house.facts().await;
    let told: Vec<_> = facts[2..].iter().map(|fact| fact.kind.as_str()).collect();
    assert_eq!(told, ["hints.away", "hints.back"]);
    assert_eq!(facts[2].data["reason"], "Redis is full");
    assert!(health.is_ready());
    assert_eq!(
        health.hints.unwrap().state,
        HintState::Away("Redis is full".to_owned())
    );
}

fn hint(job: JobId) -> Hint {
    Hint {
        queue: QUEUE.to_owned(),
        job,
        is_urgent: false,
    }
}
