//! What clients hear when the database is away, slow, or silent around a commit.

use std::time::Duration;

use baton_api::Options;
use baton_ports::faulty::Odds;
use serde_json::json;

use crate::house::House;

#[tokio::test(start_paused = true)]
async fn a_database_that_is_away_is_a_passing_problem_for_every_call() {
    let house = House::new();
    let id = house.job(json!({})).await;
    house.cut();

    for path in [
        "/v1/jobs".to_owned(),
        format!("/v1/jobs/{id}"),
        "/v1/queues".to_owned(),
        "/v1/workers".to_owned(),
        "/v1/events".to_owned(),
        "/v1/events/stream".to_owned(),
        "/v1/dead-letters".to_owned(),
    ] {
        let reply = house.get(&path).await;

        assert_eq!(reply.status, 503, "{path}");
        reply.any_problem();
    }
    let post = house.post("/v1/jobs", json!({"kind": "note"})).await;
    assert_eq!(post.status, 503);
    let detail = post.any_problem()["detail"].as_str().unwrap().to_owned();
    assert!(!detail.contains("injected"), "{detail}");
}

#[tokio::test(start_paused = true)]
async fn a_commit_without_an_answer_is_found_again() {
    let house = House::new();
    house.faults.set(Odds {
        before: 0.0,
        after: 0.5,
    });

    for n in 0..20 {
        let body = json!({"kind": "note", "key": format!("k{n}")});
        let reply = house.post("/v1/jobs", body).await;

        assert_eq!(reply.status, 201);
    }

    house.mend();
    let jobs = house.get("/v1/jobs").await.ok();
    assert_eq!(jobs["items"].as_array().unwrap().len(), 20);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_takes_too_long_is_a_passing_problem() {
    let house = House::with(Options {
        timeout: Duration::from_millis(500),
        ..Options::default()
    });
    // The enqueue batcher asks again for two seconds before it gives up, which is longer than the request may take.
    house.cut();

    let reply = house.post("/v1/jobs", json!({"kind": "note"})).await;

    reply.problem("timeout");
}

#[tokio::test(start_paused = true)]
async fn what_a_client_that_hung_up_had_asked_for_is_done_all_the_same() {
    let house = House::with(Options {
        timeout: Duration::from_millis(500),
        ..Options::default()
    });
    house.cut();
    let asked = house
        .post("/v1/jobs", json!({"kind": "note", "key": "k"}))
        .await;

    house.mend();
    let found = async {
        loop {
            let jobs = house.get("/v1/jobs?key=k").await.ok();
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
