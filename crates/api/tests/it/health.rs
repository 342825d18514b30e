//! Whether the process lives, and whether it can do its work; metrics.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_api::{Metrics, Options};
use baton_domain::{Clock, time::StoreClock};
use baton_engine::{Next, Routine, Supervisor};
use baton_ports::store::Error;
use serde_json::json;

use crate::fixture::Fixture;

#[tokio::test]
async fn the_process_is_alive_whatever_the_database_does() {
    let fixture = Fixture::new();
    fixture.cut();

    let alive = fixture.get("/healthz").await.ok();

    assert_eq!(alive["status"], "alive");
}

#[tokio::test]
async fn a_server_with_a_database_is_ready() {
    let fixture = Fixture::new();

    let readiness = fixture.get("/readyz").await.ok();

    assert_eq!(readiness["ready"], true);
    assert_eq!(readiness["components"][0]["name"], "store");
}

#[tokio::test]
async fn a_server_without_a_database_is_not_ready_and_says_why() {
    let fixture = Fixture::new();
    fixture.cut();

    let reply = fixture.get("/readyz").await;

    assert_eq!(reply.status, 503);
    let problem = reply.problem("not-ready");
    assert_eq!(problem["ready"], false);
    assert_eq!(problem["components"][0]["ready"], false);
    assert_eq!(problem["detail"], "Not as it should be: store.");
}

#[tokio::test]
async fn readiness_tells_no_words_of_the_database() {
    let fixture = Fixture::new();
    let supervisor = Supervisor::new(&fixture.engine);
    supervisor.start(Box::new(Broken));
    fixture.cut();
    let has_failed = || {
        let mut routines = fixture.engine.health_board().routines().into_iter();
        routines.any(|routine| routine.last_error.is_some())
    };
    while !has_failed() {
        tokio::task::yield_now().await;
    }

    let reply = fixture.get("/readyz").await;

    supervisor.stop().await;
    let problem = reply.problem("not-ready");
    assert_eq!(problem["components"][0]["detail"], "memory does not answer");
    let told = problem.to_string();
    assert!(told.contains("the log says why"), "{told}");
    for words in ["postgres://", "a fault was injected"] {
        assert!(!told.contains(words), "{told}");
    }
}

/// A routine to which the database says more than strangers may hear.
struct Broken;

#[async_trait]
impl Routine for Broken {
    fn name(&self) -> &'static str {
        "broken"
    }

    fn duty(&self) -> &'static str {
        "fails"
    }

    async fn turn(&mut self) -> baton_ports::store::Result<Next> {
        Err(Error::Refused("postgres://me:secret@host".to_owned()))
    }
}

#[tokio::test]
async fn a_clock_that_was_put_back_is_told_and_the_server_is_ready() {
    let fixture = Fixture::new();
    let clock = Arc::new(StoreClock::starting_at(fixture.clock.now()));
    let mut timekeeper = fixture.engine.timekeeper(clock);
    timekeeper.turn().await.unwrap();
    fixture
        .clock
        .set(fixture.clock.now() - Duration::from_hours(2));
    timekeeper.turn().await.unwrap();

    let readiness = fixture.get("/readyz").await.ok();

    let clock = &readiness["components"][2];
    assert_eq!(readiness["ready"], true);
    assert_eq!(
        (&clock["name"], &clock["ready"]),
        (&json!("clock"), &json!(true))
    );
    let detail = clock["detail"].as_str().unwrap();
    assert!(
        detail.starts_with("the database's clock was put back by 2h"),
        "{detail}"
    );
}

#[tokio::test]
async fn a_server_that_stops_is_not_ready_and_takes_nothing_new() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({})).await;

    fixture.engine.health_board().drain();

    fixture.get("/readyz").await.problem("not-ready");
    fixture
        .post("/v1/jobs", json!({"kind": "note"}))
        .await
        .problem("draining");
    fixture.get(&format!("/v1/jobs/{id}")).await.ok();
}

#[tokio::test]
async fn metrics_are_the_text_the_server_writes() {
    let fixture = Fixture::with(Options {
        metrics: Metrics::new(|| "baton_up 1\n".to_owned()),
        ..Options::default()
    });

    let reply = fixture.get("/metrics").await;

    assert_eq!(&reply.body[..], b"baton_up 1\n");
    assert!(
        reply
            .header("content-type")
            .starts_with("text/plain; version=0.0.4")
    );
}
