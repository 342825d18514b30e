//! What became claimable is hinted at, and hints that are lost are built anew.

use std::{iter, time::Duration};

use baton_domain::{Clock, JobId};
use baton_engine::Cancel;
use baton_ports::{
    Hint, Hints,
    hints::HintState,
    store::{Enqueued, Hinting},
};

use crate::fixture::{Fixture, LONG, QUEUE, delayed, of_priority, spec};

#[tokio::test]
async fn a_job_is_hinted_at_after_it_is_accepted() {
    let mut fixture = Fixture::new().await;
    let first = fixture.accept(spec()).await;
    fixture.was_woken().await;

    let id = fixture.accept(spec()).await;

    assert_eq!(fixture.taken().await, [first, id]);
    assert!(!fixture.was_woken().await);
}

#[tokio::test]
async fn the_first_job_of_a_queue_sends_a_wakeup_as_well_because_nobody_may_wait_for_its_hints() {
    let mut fixture = Fixture::new().await;

    let id = fixture.accept(spec()).await;

    assert!(fixture.was_woken().await);
    assert_eq!(fixture.taken().await, [id]);
}

#[tokio::test]
async fn a_batch_is_hinted_at_with_the_urgent_in_front() {
    let fixture = Fixture::new().await;

    let batch = vec![spec(), of_priority(-1), delayed(LONG)];
    let jobs = fixture.engine.enqueue_all(batch).await.unwrap();

    assert_eq!(fixture.taken().await, [jobs[1].id(), jobs[0].id()]);
}

#[tokio::test]
async fn a_great_many_at_once_send_a_wakeup_instead() {
    let mut fixture = Fixture::new().await;
    let first = fixture.accept(spec()).await;
    fixture.was_woken().await;

    let many = fixture.engine.enqueue_all(vec![spec(); 200]).await.unwrap();
    let was_woken_for_many = fixture.was_woken().await;
    fixture.engine.enqueue_all(vec![spec(); 201]).await.unwrap();

    let hinted = iter::once(first).chain(many.iter().map(Enqueued::id));
    assert_eq!(fixture.taken().await, hinted.collect::<Vec<_>>());
    assert!(!was_woken_for_many);
    assert!(fixture.was_woken().await);
}

#[tokio::test]
async fn a_job_that_can_wait_sends_a_wakeup_instead() {
    let mut fixture = Fixture::new().await;

    fixture.accept(of_priority(1)).await;

    assert_eq!(fixture.taken().await, []);
    assert!(fixture.was_woken().await);
}

#[tokio::test]
async fn a_released_job_is_hinted_at() {
    let mut fixture = Fixture::new().await;
    let id = fixture.accept(delayed(LONG)).await;
    fixture.clock.advance(LONG);

    fixture.turn("releaser").await;

    assert_eq!(fixture.taken().await, [id]);
}

#[tokio::test]
async fn a_job_that_is_run_again_or_at_once_is_hinted_at() {
    let fixture = Fixture::new().await;
    let again = fixture.accept(delayed(LONG)).await;
    let at_once = fixture.accept(delayed(LONG)).await;
    fixture
        .engine
        .cancel(again, Cancel::default())
        .await
        .unwrap();

    fixture.engine.retry(again, false).await.unwrap();
    fixture.engine.run_now(at_once).await.unwrap();

    assert_eq!(fixture.taken().await, [again, at_once]);
}

#[tokio::test]
async fn while_hints_are_away_a_wakeup_is_sent() {
    let mut fixture = Fixture::new().await;
    fixture.hints.go_away("Redis does not answer");

    fixture.accept(spec()).await;

    assert!(fixture.was_woken().await);
}

#[tokio::test]
async fn the_first_generation_holds_what_was_queued_before() {
    let mut fixture = Fixture::unbuilt().await;
    let jobs = [fixture.accept(spec()).await, fixture.accept(spec()).await];
    fixture.accept(of_priority(7)).await;

    fixture.turn("hinter").await;

    assert_eq!(fixture.hints.state(), HintState::Open);
    assert_eq!(fixture.taken().await, jobs);
}

#[tokio::test]
async fn hints_that_are_gone_are_built_anew_and_that_is_told() {
    let mut fixture = Fixture::new().await;
    let id = fixture.accept(spec()).await;
    assert_eq!(fixture.taken().await, [id]);

    fixture.hints.restart_empty();
    fixture.turn("hinter").await;

    assert_eq!(fixture.taken().await, [id]);
    let facts = fixture.facts().await;
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
    let mut fixture = Fixture::new().await;
    fixture.hints.restart_empty();
    fixture.turn("hinter").await;
    let id = fixture.accept(spec()).await;
    fixture.taken().await;

    fixture.hints.open(1).await.unwrap();
    fixture.turn("hinter").await;

    assert_eq!(fixture.hints.look().await.unwrap().generation, Some(3));
    assert_eq!(fixture.taken().await, [id]);
}

#[tokio::test]
async fn a_server_that_restarted_with_its_hints_is_not_trusted_either() {
    let mut fixture = Fixture::new().await;
    fixture.hints.restart_empty();
    fixture.hints.open(1).await.unwrap();

    fixture.turn("hinter").await;

    assert_eq!(fixture.hints.look().await.unwrap().generation, Some(2));
}

#[tokio::test]
async fn a_build_whose_node_died_is_begun_anew() {
    let mut fixture = Fixture::new().await;
    let id = fixture.accept(spec()).await;
    fixture.taken().await;
    let now = fixture.clock.now();
    let begun = fixture
        .store
        .begin_generation(1, "0", "the hints are gone", now);
    assert_eq!(begun.await.unwrap(), Some(2));

    fixture.turn("hinter").await;

    assert_eq!(fixture.hints.look().await.unwrap().generation, Some(3));
    assert_eq!(fixture.taken().await, [id]);
}

#[tokio::test]
async fn hints_that_are_away_are_left_alone_until_they_are_back() {
    let mut fixture = Fixture::new().await;
    fixture.hints.restart_empty();
    fixture.hints.go_away("Redis does not answer");

    fixture.turn("hinter").await;
    fixture.hints.come_back();
    let before = fixture.hints.state();
    fixture.turn("hinter").await;

    assert_eq!(
        (before, fixture.hints.state()),
        (HintState::Building, HintState::Open)
    );
}

#[tokio::test]
async fn while_a_far_end_heals_no_generation_is_begun_in_vain() {
    let mut fixture = Fixture::new().await;
    fixture.hints.restart_empty();
    fixture.hints.go_away("Redis does not answer");
    let before = fixture.store.generation().await.unwrap().number;

    fixture.hints.begin_to_heal();
    for _ in 0..3 {
        fixture.turn("hinter").await;
    }
    let healing = fixture.store.generation().await.unwrap().number;
    fixture.hints.come_back();
    fixture.turn("hinter").await;

    let after = fixture.store.generation().await.unwrap().number;
    assert_eq!((healing, after), (before, before + 1));
}

#[tokio::test]
async fn a_job_that_was_forgotten_is_hinted_at_again() {
    let mut fixture = Fixture::new().await;
    let id = fixture.accept(spec()).await;
    fixture.taken().await;
    fixture
        .hints
        .drop_taken(fixture.worker, &[hint(id)])
        .await
        .unwrap();

    fixture.turn("hinter").await;
    let soon = fixture.taken().await;
    fixture.sweep_later().await;
    let later = fixture.taken().await;

    assert_eq!((soon, later), (vec![], vec![id]));
}

#[tokio::test]
async fn a_job_that_was_forgotten_after_the_poller_found_nothing_is_hinted_at_as_soon() {
    let mut fixture = Fixture::new().await;
    let sweep = Duration::from_secs(11);
    fixture.turn("poller").await;
    fixture.turn("hinter").await;
    let id = fixture.accept(spec()).await;
    fixture.taken().await;
    let taken = [hint(id)];
    let dropped = fixture.hints.drop_taken(fixture.worker, &taken);
    dropped.await.unwrap();

    fixture.clock.advance(sweep);
    fixture.turn("poller").await;
    fixture.turn("hinter").await;

    assert_eq!(fixture.taken().await, [id]);
}

#[tokio::test]
async fn a_generation_that_another_node_began_is_noticed_where_nobody_stands_in_line() {
    let mut fixture = Fixture::new().await;
    fixture.turn("poller").await;
    fixture.turn("hinter").await;
    let now = fixture.clock.now();
    let begun = fixture.store.begin_generation(1, "0", "a restore", now);
    assert_eq!(begun.await.unwrap(), Some(2));

    fixture.clock.advance(Duration::from_secs(6));
    fixture.turn("poller").await;
    fixture.turn("hinter").await;

    assert_eq!(fixture.hints.look().await.unwrap().generation, Some(3));
}

#[tokio::test]
async fn what_a_worker_that_is_gone_had_taken_is_given_back() {
    let mut fixture = Fixture::new().await;
    fixture.heartbeat().await;
    let id = fixture.accept(spec()).await;
    fixture.taken().await;
    fixture.engine.cancel(id, Cancel::default()).await.unwrap();

    fixture.sweep_later().await;
    assert_eq!(fixture.hints.consumers().await.unwrap(), [fixture.worker]);
    fixture.sweep_later().await;

    assert_eq!(fixture.hints.consumers().await.unwrap(), []);
    assert_eq!(fixture.taken().await, [id]);
}

#[tokio::test]
async fn what_a_living_worker_has_taken_stays_with_it() {
    let mut fixture = Fixture::new().await;
    fixture.accept(spec()).await;
    fixture.taken().await;

    for _ in 0..3 {
        fixture.clock.advance(Duration::from_secs(6));
        fixture.heartbeat().await;
        fixture.turn("hinter").await;
    }

    assert_eq!(fixture.hints.consumers().await.unwrap(), [fixture.worker]);
}

#[tokio::test]
async fn a_heap_of_hints_is_replaced_by_a_generation_of_its_own() {
    let mut fixture = Fixture::new().await;
    let id = fixture.accept(spec()).await;
    fixture.taken().await;
    fixture.hints.poison(QUEUE, [id; 10_003]);

    fixture.sweep_later().await;

    assert_eq!(fixture.taken().await, [id]);
    let facts = fixture.facts().await;
    let reason = facts[2].data["reason"].as_str().unwrap();
    assert!(reason.contains("default has 10003 hints"), "{reason}");
}

#[tokio::test]
async fn a_fixture_that_does_not_lead_leaves_the_hints_alone() {
    let mut fixture = Fixture::unbuilt().await;
    fixture.lose_the_lead().await;

    fixture.turn("hinter").await;

    assert_eq!(fixture.hints.state(), HintState::Building);
}

#[tokio::test]
async fn that_hints_are_away_and_back_is_told_with_the_reason() {
    let mut fixture = Fixture::new().await;
    fixture.hints.go_away("Redis is full");
    fixture.turn("health-monitor").await;
    fixture.turn("health-monitor").await;
    let health = fixture.engine.health().await;

    fixture.hints.come_back();
    fixture.turn("health-monitor").await;

    let facts = fixture.facts().await;
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
