//! Why somebody acts, said with any request.

use axum::{
    body::Body,
    http::{Request, header},
};
use serde_json::json;

use crate::fixture::{Fixture, Reply};

/// Pauses a queue with this in the header that says why.
async fn pause(fixture: &Fixture, queue: &str, reason: &[u8]) -> Reply {
    let request = Request::patch(format!("/v1/queues/{queue}"))
        .header(header::CONTENT_TYPE, "application/json")
        .header("Baton-Reason", reason);
    let body = Body::from(json!({"paused": true}).to_string());
    fixture.send(request.body(body).unwrap()).await
}

#[tokio::test]
async fn the_reason_that_a_request_gives_stands_beside_what_it_did() {
    let fixture = Fixture::new();

    for (queue, header) in [
        ("a", "the gateway is down"),
        ("b", "%EB%84%88%EB%AC%B4%20%EB%A7%8E%EC%9D%8C"),
        ("c", "너무 많음"),
        ("d", ""),
    ] {
        pause(&fixture, queue, header.as_bytes()).await.ok();
    }

    let log = fixture.get("/v1/audit").await.ok();
    let entries = log["items"].as_array().unwrap().iter();
    let mut told: Vec<_> = entries
        .map(|one| (&one["object"], &one["reason"]))
        .collect();
    told.sort_by_key(|(object, _)| object.to_string());
    let reasons: Vec<_> = told.into_iter().map(|(_, reason)| reason.clone()).collect();
    let all = json!(["the gateway is down", "너무 많음", "너무 많음", null]);
    assert_eq!(json!(reasons), all);
}

#[tokio::test]
async fn a_reason_that_the_body_gives_goes_before_that_of_the_header() {
    let fixture = Fixture::new();
    let job = fixture
        .post("/v1/jobs", json!({"kind": "note"}))
        .await
        .json();
    let path = format!("/v1/jobs/{}/cancel", job["id"].as_str().unwrap());
    let request = Request::post(path)
        .header(header::CONTENT_TYPE, "application/json")
        .header("Baton-Reason", "tidying up");
    let body = Body::from(json!({"reason": "wrong recipient"}).to_string());

    fixture.send(request.body(body).unwrap()).await.ok();

    let log = fixture.get("/v1/audit").await.ok();
    assert_eq!(log["items"][0]["reason"], "wrong recipient");
}

#[tokio::test]
async fn a_reason_that_is_no_text_or_too_long_is_told_and_nothing_is_done() {
    let fixture = Fixture::new();
    let long = "a".repeat(501);

    for reason in ["%00", "%FF", &long] {
        let refused = pause(&fixture, "mail", reason.as_bytes()).await;

        assert_eq!(refused.wrong_fields(), ["Baton-Reason"], "{reason}");
    }

    let log = fixture.get("/v1/audit").await.ok();
    assert_eq!(log["items"], json!([]));
}
