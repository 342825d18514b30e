//! How requests are read, and how every answer is marked.

use axum::{
    body::Body,
    http::{Method, Request, header::CONTENT_TYPE},
};
use baton_api::{Metrics, Options};
use serde_json::json;

use crate::fixture::Fixture;

#[tokio::test]
async fn an_unknown_path_is_a_problem() {
    let fixture = Fixture::new();

    for path in ["/", "/v2/jobs", "/v1/jobs/", "/v1"] {
        let reply = fixture.get(path).await;

        assert_eq!(reply.status, 404);
        reply.problem("not-found");
    }
}

#[tokio::test]
async fn a_wrong_method_is_a_problem_that_names_the_right_ones() {
    let fixture = Fixture::new();

    let reply = fixture.call(Method::DELETE, "/v1/jobs", None).await;

    assert_eq!(reply.status, 405);
    reply.problem("method-not-allowed");
    let allow = reply.header("allow");
    assert!(allow.contains("GET") && allow.contains("POST"), "{allow}");
}

#[tokio::test]
async fn every_answer_carries_an_id_and_a_decent_one_is_kept() {
    let fixture = Fixture::new();
    let with_id = |id: &str| {
        let request = Request::get("/healthz").header("request-id", id);
        fixture.send(request.body(Body::empty()).unwrap())
    };

    let given = with_id("abc-1.2_3").await;
    let odd = with_id("<script>").await;

    assert_eq!(given.header("request-id"), "abc-1.2_3");
    assert!(odd.header("request-id").starts_with("req_"));
}

#[tokio::test]
async fn a_body_that_is_no_json_is_malformed() {
    let fixture = Fixture::new();

    for body in [
        "{",
        "",
        "nonsense",
        r#"{"kind": "note",}"#,
        "{\"kind\": \"a\0b\"}",
        r#"{"kind":"note"} {}"#,
    ] {
        let reply = fixture.post_text("/v1/jobs", body).await;

        assert_eq!(reply.status, 400, "{body}");
        reply.problem("malformed");
    }
    let not_text = fixture
        .post_text("/v1/jobs", &b"{\"kind\": \"\xff\"}"[..])
        .await;
    not_text.problem("malformed");
}

#[tokio::test]
async fn json_of_the_wrong_shape_names_the_field() {
    let fixture = Fixture::new();

    for (body, field) in [
        (json!([]), "body"),
        (json!("text"), "body"),
        (json!({}), "kind"),
        (json!({"kind": 5}), "kind"),
        (json!({"kind": "note", "priorty": 1}), "priorty"),
        (json!({"kind": "note", "priority": "high"}), "priority"),
        (json!({"kind": "note", "delay": "soon"}), "delay"),
        (json!({"kind": "note", "run_at": "tomorrow"}), "run_at"),
        (json!({"kind": "note", "tags": [1]}), "tags[0]"),
        (
            json!({"kind": "note", "backoff": {"factor": 2}}),
            "backoff.factor",
        ),
        (
            json!({"kind": "note", "delivery": "exactly_once"}),
            "delivery",
        ),
        (json!({"kind": "note", "delivery": 1}), "delivery"),
        (
            json!({"kind": "note", "backoff": {"jitter": false}}),
            "backoff.jitter",
        ),
        (json!({"kind": "note", "backoff": [1]}), "backoff"),
    ] {
        let reply = fixture.post("/v1/jobs", body.clone()).await;

        assert_eq!(reply.status, 422, "{body}");
        assert_eq!(reply.wrong_fields(), [field], "{body}");
    }
}

#[tokio::test]
async fn a_field_that_stands_twice_is_refused() {
    let fixture = Fixture::new();

    let reply = fixture
        .post_text("/v1/jobs", r#"{"kind":"note","kind":"note"}"#)
        .await;

    assert_eq!(reply.wrong_fields(), ["kind"]);
}

#[tokio::test]
async fn a_body_that_is_not_announced_as_json_is_not_read() {
    let fixture = Fixture::new();
    let post = |media: Option<&str>| {
        let mut request = Request::post("/v1/jobs");
        if let Some(media) = media {
            request = request.header(CONTENT_TYPE, media);
        }
        fixture.send(request.body(Body::from(r#"{"kind":"note"}"#)).unwrap())
    };

    for media in [
        None,
        Some("text/plain"),
        Some("application/x-www-form-urlencoded"),
        Some(""),
    ] {
        let reply = post(media).await;

        assert_eq!(reply.status, 415, "{media:?}");
        reply.problem("unsupported-media-type");
    }
    let packed = Request::post("/v1/jobs")
        .header(CONTENT_TYPE, "application/json")
        .header("content-encoding", "gzip");
    let packed = packed.body(Body::from(r#"{"kind":"note"}"#)).unwrap();
    fixture.send(packed).await.problem("unsupported-media-type");
    assert_eq!(
        post(Some("Application/JSON; charset=utf-8")).await.status,
        201
    );
}

#[tokio::test]
async fn a_body_that_may_be_missing_may_be_announced_and_empty() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({})).await;

    let canceled = fixture
        .post_text(&format!("/v1/jobs/{id}/cancel"), "")
        .await;
    let made = fixture.post_text("/v1/jobs", "").await;

    assert_eq!(canceled.ok()["state"], "canceled");
    made.problem("malformed");
}

#[tokio::test]
async fn a_body_that_is_too_long_is_refused_announced_or_not() {
    let fixture = Fixture::new();
    let body = format!(
        r#"{{"kind":"note","payload":"{}"}}"#,
        "x".repeat(1024 * 1024)
    );
    let chunks: Vec<Result<String, std::io::Error>> = body
        .as_bytes()
        .chunks(4_096)
        .map(|c| Ok(String::from_utf8(c.to_vec()).unwrap()))
        .collect();

    let announced = fixture.post_text("/v1/jobs", body).await;
    let streamed = fixture
        .post_text("/v1/jobs", Body::from_stream(futures::stream::iter(chunks)))
        .await;

    for reply in [announced, streamed] {
        assert_eq!(reply.status, 413);
        reply.problem("too-large");
    }
}

#[tokio::test]
async fn a_payload_has_its_own_bound() {
    let fixture = Fixture::new();

    let reply = fixture
        .post(
            "/v1/jobs",
            json!({"kind": "note", "payload": "x".repeat(256 * 1024)}),
        )
        .await;

    assert_eq!(reply.wrong_fields(), ["payload"]);
}

#[tokio::test]
async fn a_body_that_is_nested_too_deeply_is_refused() {
    let fixture = Fixture::new();
    let nested = format!(
        r#"{{"kind":"note","payload":{}{}}}"#,
        "[".repeat(100_000),
        "]".repeat(100_000)
    );

    let reply = fixture.post_text("/v1/jobs", nested).await;

    reply.problem("malformed");
}

#[tokio::test]
async fn a_body_that_breaks_off_is_a_problem() {
    let fixture = Fixture::new();
    let broken = futures::stream::iter([
        Ok(r#"{"kind":"#),
        Err(std::io::Error::other("the line was cut")),
    ]);

    let reply = fixture
        .post_text("/v1/jobs", Body::from_stream(broken))
        .await;

    reply.problem("malformed");
}

#[tokio::test]
async fn a_panic_is_a_problem_that_keeps_its_words_to_itself() {
    let fixture = Fixture::with(Options {
        metrics: Metrics::new(|| panic!("a secret of ours")),
        ..Options::default()
    });

    let reply = fixture.get("/metrics").await;

    assert_eq!(reply.status, 500);
    let problem = reply.problem("internal");
    assert!(!problem.to_string().contains("secret"));
    fixture.get("/healthz").await.ok();
}

#[tokio::test]
async fn no_answer_is_guessed_at_and_none_of_what_is_asked_for_is_kept_on_the_way() {
    let fixture = Fixture::new();

    for (path, is_kept_by_nobody) in [
        ("/v1/jobs", true),
        ("/v1/nowhere", true),
        ("/openapi.json", false),
    ] {
        let reply = fixture.get(path).await;

        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
        if is_kept_by_nobody {
            assert_eq!(reply.header("cache-control"), "no-store", "{path}");
        }
    }
}
