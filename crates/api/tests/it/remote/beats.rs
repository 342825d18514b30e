//! Beats: a worker says that it lives, and hears what is wanted of it.

use std::time::Duration;

use axum::http::Method;
use baton_domain::{Clock, LeaseId, Timestamp};
use baton_ports::store::Fleet;
use serde_json::json;

use super::{Far, resize};
use crate::fixture::Fixture;

#[tokio::test(start_paused = true)]
async fn a_beat_that_waits_hears_of_a_cancel_at_once() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    resize(&fixture).await;
    let lease = LeaseId::random();
    let claimed = far.claim(lease, "0s").await.remove(0);
    let begun = tokio::time::Instant::now();
    let beat = json!({"wait": "10s", "heard": [lease]});

    let (news, ()) = tokio::join!(far.say("beat", beat), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let path = format!("/v1/jobs/{}/cancel", claimed["id"].as_str().unwrap());
        fixture.post_nothing(&path).await.ok();
    });

    assert_eq!(
        news["stop"],
        json!([{"job": claimed["id"], "why": "canceled"}])
    );
    assert_eq!(news["held"], json!([lease]));
    assert!(
        begun.elapsed() < Duration::from_millis(1_200),
        "{:?}",
        begun.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn news_is_told_again_after_a_second_as_the_first_answer_may_be_lost() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let lease = LeaseId::random();
    canceled(&fixture, &far, lease).await;
    let begun = tokio::time::Instant::now();
    let mut told = Vec::new();

    for _ in 0..3 {
        let news = far
            .say("beat", json!({"wait": "5s", "heard": [lease]}))
            .await;
        told.push((
            begun.elapsed().as_secs(),
            news["stop"].as_array().unwrap().len(),
        ));
    }

    assert_eq!(told, [(0, 1), (1, 1), (6, 1)]);
}

#[tokio::test(start_paused = true)]
async fn other_news_does_not_wait_for_what_is_told_again() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let leases = [LeaseId::random(), LeaseId::random()];
    canceled(&fixture, &far, leases[0]).await;
    far.say("beat", json!({"wait": "5s", "heard": leases}))
        .await;
    let begun = tokio::time::Instant::now();

    let (news, ()) = tokio::join!(
        far.say("beat", json!({"wait": "5s", "heard": [leases[0]]})),
        canceled(&fixture, &far, leases[1])
    );

    assert_eq!(news["stop"].as_array().unwrap().len(), 2);
    assert!(
        begun.elapsed() < Duration::from_millis(100),
        "{:?}",
        begun.elapsed()
    );
}

/// A job that is claimed under this lease, and canceled.
async fn canceled(fixture: &Fixture, far: &Far<'_>, lease: LeaseId) {
    resize(fixture).await;
    let claimed = far.claim(lease, "0s").await.remove(0);
    let path = format!("/v1/jobs/{}/cancel", claimed["id"].as_str().unwrap());
    fixture.post_nothing(&path).await.ok();
}

#[tokio::test]
async fn a_lease_that_is_lost_is_news() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let (unknown, lease) = (LeaseId::random(), LeaseId::random());
    resize(&fixture).await;
    far.claim(lease, "0s").await;

    let news = far
        .say("beat", json!({"wait": "10s", "heard": [lease, unknown]}))
        .await;

    assert_eq!(
        (&news["held"], &news["lost"]),
        (&json!([lease]), &json!([unknown]))
    );
}

#[tokio::test(start_paused = true)]
async fn a_drained_worker_hears_of_it_and_is_given_nothing_new() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    let drain = |drain: bool| {
        let path = format!("/v1/workers/{}", far.id);
        let fixture = &fixture;
        async move {
            fixture
                .call(Method::PATCH, &path, Some(json!({"drain": drain})))
                .await
                .ok()
        }
    };
    let beat = far.say("beat", json!({"wait": "10s"}));
    let claim_of = far.claim(LeaseId::random(), "20s");

    let (news, waited, _) = tokio::join!(beat, claim_of, async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        drain(true).await
    });
    resize(&fixture).await;
    let drained = far.claim(LeaseId::random(), "1s").await;
    drain(false).await;
    let again = far.claim(LeaseId::random(), "0s").await;

    assert_eq!(news["drain"], true);
    assert!(waited.is_empty() && drained.is_empty());
    assert_eq!(again.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_idle_worker_that_waits_for_news_is_seen_alive_and_hears_what_nobody_was_woken_for() {
    let fixture = Fixture::new();
    let far = Far::registered(&fixture).await;
    far.say("beat", json!({"wait": "1s", "free": 4})).await;
    fixture.clock.advance(Duration::from_secs(9));
    let begun = tokio::time::Instant::now();

    let (news, drained) = tokio::join!(far.say("beat", json!({"wait": "10s", "free": 4})), async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        fixture
            .store
            .drain_worker(far.id, true, fixture.clock.now())
            .await
    });
    let workers = fixture.get("/v1/workers").await.ok();

    assert!(drained.unwrap());
    assert_eq!(news["drain"], true);
    assert!(
        begun.elapsed() < Duration::from_secs(7),
        "{:?}",
        begun.elapsed()
    );
    let seen = workers["items"][0]["seen_at"].clone();
    assert_eq!(seen, json!(fixture.clock.now()));
}

#[tokio::test(start_paused = true)]
async fn an_idle_worker_is_seen_alive_however_short_its_leases_are() {
    let fixture = Fixture::new().with_lease(Duration::from_secs(3));
    let far = Far::registered(&fixture).await;
    let mut silences = Vec::new();

    for _ in 0..9 {
        fixture.clock.advance(Duration::from_secs(1));
        far.say("beat", json!({"wait": "1s", "free": 4})).await;
        let workers = fixture.store.workers(Timestamp::from_micros(0)).await;
        silences.push(fixture.clock.now().since(workers.unwrap()[0].seen_at));
    }

    assert!(silences.iter().all(Duration::is_zero), "{silences:?}");
}
