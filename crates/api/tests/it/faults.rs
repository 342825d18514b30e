//! What clients hear when the database is away, slow, or silent around a commit.

use std::time::Duration;

use baton_api::Options;
use baton_ports::faulty::Odds;
use serde_json::json;

use crate::fixture::Fixture;

#[tokio::test(start_paused = true)]
async fn a_database_that_is_away_is_a_passing_problem_for_every_call() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({})).await;
    fixture.cut();

    for path in [
        "/v1/jobs".to_owned(),
        format!("/v1/jobs/{id}"),
        "/v1/queues".to_owned(),
        "/v1/workers".to_owned(),
        "/v1/events".to_owned(),
        "/v1/events/stream".to_owned(),
        "/v1/dead-letters".to_owned(),
    ] {
        let reply = fixture.get(&path).await;

        assert_eq!(reply.status, 503, "{path}");
        reply.any_problem();
    }
    let post = fixture.post("/v1/jobs", json!({"kind": "note"})).await;
    assert_eq!(post.status, 503);
    let detail = post.any_problem()["detail"].as_str().unwrap().to_owned();
    assert!(!detail.contains("injected"), "{detail}");
}

#[tokio::test(start_paused = true)]
async fn a_commit_without_an_answer_is_found_again() {
    let fixture = Fixture::new();
    fixture.faults.set(Odds {
        before: 0.0,
        after: 0.5,
    });

    for n in 0..20 {
        let body = json!({"kind": "note", "key": format!("k{n}")});
        let reply = fixture.post("/v1/jobs", body).await;

        assert_eq!(reply.status, 201);
    }

    fixture.mend();
    let jobs = fixture.get("/v1/jobs").await.ok();
    assert_eq!(jobs["items"].as_array().unwrap().len(), 20);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_takes_too_long_is_a_passing_problem() {
    let fixture = Fixture::with(Options {
        timeout: Duration::from_millis(500),
        ..Options::default()
    });
    // The enqueue batcher asks again for two seconds before it gives up, which is longer than the request may take.
    fixture.cut();

    let reply = fixture.post("/v1/jobs", json!({"kind": "note"})).await;

    reply.problem("timeout");
}

#[tokio::test(start_paused = true)]
async fn what_a_client_that_hung_up_had_asked_for_is_done_all_the_same() {
    let fixture = Fixture::with(Options {
        timeout: Duration::from_millis(500),
        ..Options::default()
    });
    fixture.cut();
    let asked = fixture
        .post("/v1/jobs", json!({"kind": "note", "key": "k"}))
        .await;

    fixture.mend();
    let found = async {
        loop {
            let jobs = fixture.get("/v1/jobs?key=k").await.ok();
            if !jobs["items"].as_array().unwrap().is_empty() {
                return;
            }
            tokio::task::yield_now().await;
        }
    };

    asked.problem("timeout");
    tokio::time::timeout(Duration::from_secs(30), found)
        .await
        .unwrap();
}
