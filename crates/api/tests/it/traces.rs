//! Traces: a job belongs to the trace of whoever asked for it.

use std::time::Duration;

use axum::{
    body::Body,
    http::{Method, Request, StatusCode, header::CONTENT_TYPE},
};
use baton_domain::{Clock, LeaseId, WorkerId};
use serde_json::{Value, json};

use crate::fixture::{Fixture, Reply};

const HERE: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const THERE: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

async fn post_with(fixture: &Fixture, path: &str, headers: &[(&str, &str)], body: &Value) -> Reply {
    let mut request = Request::post(path).header(CONTENT_TYPE, "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    fixture
        .send(request.body(Body::from(body.to_string())).unwrap())
        .await
}

async fn shown(fixture: &Fixture, id: &Value) -> Value {
    let path = format!("/v1/jobs/{}", id.as_str().unwrap());
    fixture.get(&path).await.ok()
}

#[tokio::test]
async fn a_job_shows_the_trace_it_was_asked_with() {
    let fixture = Fixture::new();
    let trace = json!({"traceparent": HERE, "tracestate": "vendor=x,other=1"});

    let answered = fixture
        .post("/v1/jobs", json!({"kind": "note", "trace": trace}))
        .await
        .json();

    assert_eq!(answered["trace"], trace);
    assert_eq!(shown(&fixture, &answered["id"]).await, answered);
}

#[tokio::test]
async fn a_job_that_names_no_trace_has_that_of_the_request() {
    let fixture = Fixture::new();
    let headers = [
        ("traceparent", HERE),
        ("tracestate", "a=1"),
        ("tracestate", "b=2"),
    ];
    let own = json!({"kind": "note", "trace": {"traceparent": THERE}});

    let lent = post_with(&fixture, "/v1/jobs", &headers, &json!({"kind": "note"})).await;
    let named = post_with(&fixture, "/v1/jobs", &headers, &own).await;
    let none = fixture.post("/v1/jobs", json!({"kind": "note"})).await;

    assert_eq!(
        lent.json()["trace"],
        json!({"traceparent": HERE, "tracestate": "a=1,b=2"})
    );
    assert_eq!(
        named.json()["trace"],
        json!({"traceparent": THERE, "tracestate": null})
    );
    assert_eq!(none.json()["trace"], Value::Null);
}

#[tokio::test]
async fn the_jobs_of_a_batch_have_the_trace_of_the_request_or_their_own() {
    let fixture = Fixture::new();
    let body =
        json!({"jobs": [{"kind": "note"}, {"kind": "note", "trace": {"traceparent": THERE}}]});

    let reply = post_with(&fixture, "/v1/jobs/batch", &[("traceparent", HERE)], &body).await;

    let items = reply.json()["items"].clone();
    let (first, second) = (
        shown(&fixture, &items[0]["id"]).await,
        shown(&fixture, &items[1]["id"]).await,
    );
    assert_eq!(first["trace"]["traceparent"], HERE);
    assert_eq!(second["trace"]["traceparent"], THERE);
}

#[tokio::test]
async fn a_header_that_is_wrong_is_passed_over() {
    let fixture = Fixture::new();

    for headers in [
        &[("traceparent", "nonsense")][..],
        &[("traceparent", HERE), ("traceparent", THERE)],
        &[("tracestate", "a=1")],
    ] {
        let reply = post_with(&fixture, "/v1/jobs", headers, &json!({"kind": "note"})).await;

        assert_eq!(reply.status, StatusCode::CREATED, "{headers:?}");
        assert_eq!(reply.json()["trace"], Value::Null, "{headers:?}");
    }
}

#[tokio::test]
async fn a_trace_in_the_body_that_is_wrong_is_refused_by_its_field() {
    let fixture = Fixture::new();
    let wrong = json!({"kind": "note", "trace": {"traceparent": "nonsense", "tracestate": "A"}});

    let one = fixture.post("/v1/jobs", wrong.clone()).await;
    let many = fixture
        .post("/v1/jobs/batch", json!({"jobs": [wrong]}))
        .await;

    assert_eq!(
        one.wrong_fields(),
        ["trace.traceparent", "trace.tracestate"]
    );
    assert_eq!(
        many.wrong_fields(),
        ["jobs[0].trace.traceparent", "jobs[0].trace.tracestate"]
    );
}

#[tokio::test]
async fn a_repeat_under_another_span_is_answered_with_the_first_job_and_its_trace() {
    let fixture = Fixture::new();
    let body = json!({"kind": "note", "key": "order-7"});
    let first = post_with(&fixture, "/v1/jobs", &[("traceparent", HERE)], &body).await;

    let again = post_with(&fixture, "/v1/jobs", &[("traceparent", THERE)], &body).await;

    assert_eq!(again.status, StatusCode::OK);
    assert_eq!(again.json(), first.json());
    assert_eq!(again.json()["trace"]["traceparent"], HERE);
}

#[tokio::test]
async fn a_remote_worker_is_told_the_trace_key_and_tags_and_its_jobs_children_inherit_the_trace() {
    let fixture = Fixture::new();
    fixture.clock.advance(Duration::from_millis(1));
    let worker = format!("/v1/workers/{}", WorkerId::new(fixture.clock.now()));
    let said =
        json!({"protocol": 1, "name": "host:1", "sdk": "test/1", "kinds": ["walk"], "slots": 1});
    let registered = fixture.call(Method::PUT, &worker, Some(said)).await;
    assert_eq!(registered.status, StatusCode::CREATED);
    let asked = json!({
        "kind": "walk", "key": "order-7", "tags": ["a"], "trace": {"traceparent": HERE, "tracestate": "a=1"},
    });
    fixture.post("/v1/jobs", asked.clone()).await;
    let wants =
        json!({"wants": [{"queue": "walk", "limit": 1, "lease": LeaseId::random()}], "limit": 1});

    let claimed = fixture.post(&format!("{worker}/claim"), wants).await.ok();
    let job = &claimed["batches"][0]["jobs"][0];
    let step = json!({
        "token": job["token"], "seq": 1, "cursor": 1,
        "jobs": [{"kind": "note"}, {"kind": "note", "trace": {"traceparent": THERE}}],
    });
    let saved = fixture
        .post(
            &format!("{worker}/checkpoints"),
            json!({"checkpoints": [step]}),
        )
        .await
        .ok();

    for field in ["key", "tags", "trace"] {
        assert_eq!(job[field], asked[field], "{field}");
    }
    let made = &saved["items"][0]["jobs"];
    assert_eq!(
        shown(&fixture, &made[0]["id"]).await["trace"],
        asked["trace"]
    );
    assert_eq!(
        shown(&fixture, &made[1]["id"]).await["trace"]["traceparent"],
        THERE
    );
}
