//! Why a job of a remote kind does not run: each sentence, and what to do about it.

use std::time::Duration;

use axum::http::Method;
use baton_domain::{Clock, LeaseId, WorkerId};
use serde_json::{Value, json};

use super::{Far, resize};
use crate::fixture::Fixture;

/// What keeps a job from running, as far as is said.
async fn blockers(fixture: &Fixture, id: &Value) -> Vec<String> {
    let path = format!("/v1/jobs/{}/explain", id.as_str().unwrap());
    let explanation = fixture.get(&path).await.ok();
    let blockers = explanation["blockers"].as_array().unwrap();
    blockers
        .iter()
        .map(|one| one.as_str().unwrap().to_owned())
        .collect()
}

/// That it is one thing, said with these words.
async fn says(fixture: &Fixture, id: &Value, words: &[&str]) {
    let blockers = blockers(fixture, id).await;
    assert_eq!(blockers.len(), 1, "{blockers:?}");
    for word in words {
        assert!(blockers[0].contains(word), "{word}: {blockers:?}");
    }
}

#[tokio::test]
async fn a_worker_that_beats_with_free_slots_and_asks_for_nothing_is_deaf_until_it_asks_again() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    far.claim(LeaseId::random(), "0s").await;
    let asked = resize(&fixture).await;
    let state = async || {
        let workers = fixture.get("/v1/workers").await.ok();
        workers["items"][0]["state"].clone()
    };

    let mut states = vec![state().await];
    for seconds in [10, 20, 30, 40] {
        fixture.clock.advance(Duration::from_secs(10));
        let beat = json!({"free": 4, "asked_ago": format!("{seconds}s")});
        far.say("beat", beat).await;
    }
    states.push(state().await);
    says(
        &fixture,
        &asked["id"],
        &["host:1", "it is deaf; restart it"],
    )
    .await;
    far.claim(LeaseId::random(), "0s").await;
    far.say("beat", json!({"free": 3, "asked_ago": "0s"})).await;
    states.push(state().await);

    assert_eq!(states, [json!("live"), json!("deaf"), json!("live")]);
}

#[tokio::test]
async fn the_last_worker_of_a_kind_is_named_when_it_has_gone_silent() {
    let fixture = Fixture::new();
    Far::registered(&fixture).await;
    fixture.clock.advance(Duration::from_mins(2));
    let asked = resize(&fixture).await;

    says(
        &fixture,
        &asked["id"],
        &[
            "host:1",
            "was heard of at",
            "`baton worker --kind resize -- COMMAND`",
        ],
    )
    .await;
}

#[tokio::test]
async fn workers_that_all_drain_are_told_of() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let path = format!("/v1/workers/{}", far.id);
    fixture
        .call(Method::PATCH, &path, Some(json!({"drain": true})))
        .await
        .ok();
    far.say("beat", json!({"free": 4, "draining": true})).await;
    let asked = resize(&fixture).await;

    says(&fixture, &asked["id"], &["All 1 workers", "drain"]).await;
}

#[tokio::test]
async fn slots_that_are_all_taken_are_told_of() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    far.say("beat", json!({"free": 0})).await;
    let asked = resize(&fixture).await;

    says(&fixture, &asked["id"], &["All 4 slots", "are taken"]).await;
}

#[tokio::test]
async fn a_worker_of_the_kind_that_claims_from_other_queues_is_told_where_to_look() {
    let fixture = Fixture::new();
    fixture.clock.advance(Duration::from_millis(1));
    let path = format!("/v1/workers/{}", WorkerId::new(fixture.clock.now()));
    let elsewhere = json!({
        "protocol": 1, "name": "host:1", "sdk": "test/1", "kinds": ["resize"], "queues": ["images"], "slots": 4,
    });
    let registered = fixture.call(Method::PUT, &path, Some(elsewhere)).await;
    assert_eq!(registered.status, 201);
    let asked = resize(&fixture).await;

    says(
        &fixture,
        &asked["id"],
        &["claims from other queues: images", "resize"],
    )
    .await;
}
