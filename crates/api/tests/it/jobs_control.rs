//! Jobs: stop, run again, resolve.

use std::time::Duration;

use baton_domain::job::{Class, Verdict};
use serde_json::json;

use crate::fixture::Fixture;

#[tokio::test]
async fn a_waiting_job_is_canceled_with_its_reason() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({"delay": "1h"})).await;

    let job = fixture
        .post(
            &format!("/v1/jobs/{id}/cancel"),
            json!({"reason": "not needed"}),
        )
        .await
        .ok();

    assert_eq!(job["state"], "canceled");
    assert_eq!(job["reason"], "not needed");
    assert!(job["finished_at"].is_string());
}

#[tokio::test]
async fn a_running_job_is_asked_to_stop() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({})).await;
    fixture.claim().await;

    let job = fixture
        .post_nothing(&format!("/v1/jobs/{id}/cancel"))
        .await
        .ok();

    assert_eq!(job["state"], "running");
    assert!(job["cancel_asked_at"].is_string());
    assert_eq!(job["worker"], fixture.worker.to_string());
}

#[tokio::test]
async fn a_running_job_is_canceled_at_once_by_force() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({})).await;
    fixture.claim().await;

    let job = fixture
        .post(&format!("/v1/jobs/{id}/cancel"), json!({"force": true}))
        .await
        .ok();

    assert_eq!(job["state"], "canceled");
}

#[tokio::test]
async fn a_failed_job_is_run_again_as_its_next_run() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({})).await;
    fixture.fail("no such box").await;

    let job = fixture
        .post_nothing(&format!("/v1/jobs/{id}/retry"))
        .await
        .ok();

    assert_eq!((&job["state"], &job["run"]), (&json!("queued"), &json!(2)));
}

#[tokio::test]
async fn a_waiting_job_is_run_now() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({"delay": "1h"})).await;

    let job = fixture
        .post(&format!("/v1/jobs/{id}/run-now"), json!({}))
        .await
        .ok();

    assert_eq!(job["state"], "queued");
}

#[tokio::test]
async fn an_uncertain_job_is_resolved_by_a_person() {
    for (resolution, state) in [("succeeded", "succeeded"), ("failed", "failed")] {
        let fixture = Fixture::new();
        let id = fixture.job(json!({"delivery": "at_most_once"})).await;
        fixture
            .run(Verdict::failed(Class::Unknown, "reset", "the line was cut"))
            .await;

        let job = fixture
            .post(&format!("/v1/jobs/{id}/resolve"), json!({"as": resolution}))
            .await
            .ok();

        assert_eq!(job["state"], state);
    }
}

#[tokio::test]
async fn an_illegal_move_names_the_state() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({})).await;
    fixture
        .run(Verdict::Accepted {
            result: Some("{\"ok\":1}".to_owned()),
        })
        .await;

    for (verb, body) in [
        ("cancel", json!({})),
        ("retry", json!({})),
        ("run-now", json!({})),
        ("resolve", json!({"as": "failed"})),
    ] {
        let reply = fixture.post(&format!("/v1/jobs/{id}/{verb}"), body).await;

        assert_eq!(reply.status, 409);
        let problem = reply.problem("illegal-transition");
        assert_eq!(problem["current_state"], "succeeded", "{verb}");
        assert!(problem["detail"].as_str().unwrap().contains("succeeded"));
    }
}

#[tokio::test]
async fn a_result_and_an_error_are_shown() {
    let fixture = Fixture::new();
    let id = fixture
        .job(json!({"backoff": {"strategy": "fixed", "base": "1s", "jitter": "none"}}))
        .await;
    fixture
        .run(Verdict::failed(Class::Retry, "http_503", "busy"))
        .await;

    let waiting = fixture.get(&format!("/v1/jobs/{id}")).await.ok();
    fixture.clock.advance(Duration::from_secs(2));
    fixture
        .post_nothing(&format!("/v1/jobs/{id}/run-now"))
        .await
        .ok();
    fixture
        .run(Verdict::Accepted {
            result: Some("{\"big\":12345678901234567890123}".to_owned()),
        })
        .await;
    let done = fixture.get(&format!("/v1/jobs/{id}")).await;

    assert_eq!(waiting["state"], "retry_wait");
    assert_eq!(
        waiting["last_error"],
        json!({"class": "retry", "code": "http_503", "message": "busy"})
    );
    assert_eq!(done.ok()["state"], "succeeded");
    assert!(String::from_utf8_lossy(&done.body).contains("12345678901234567890123"));
}

#[tokio::test]
async fn a_reason_is_a_plain_text_of_bounded_length() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({})).await;

    for reason in ["a\u{0}b".to_owned(), "x".repeat(501)] {
        let reply = fixture
            .post(&format!("/v1/jobs/{id}/cancel"), json!({"reason": reason}))
            .await;

        assert_eq!(reply.wrong_fields(), ["reason"]);
    }
}

#[tokio::test]
async fn fields_that_a_verb_does_not_take_are_named() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({})).await;

    let cancel = fixture
        .post(&format!("/v1/jobs/{id}/cancel"), json!({"forse": true}))
        .await;
    let retry = fixture
        .post(&format!("/v1/jobs/{id}/retry"), json!({"force": true}))
        .await;
    let resolve = fixture
        .post(&format!("/v1/jobs/{id}/resolve"), json!({}))
        .await;
    let outcome = fixture
        .post(&format!("/v1/jobs/{id}/resolve"), json!({"as": "maybe"}))
        .await;

    assert_eq!(cancel.wrong_fields(), ["forse"]);
    assert_eq!(retry.wrong_fields(), ["force"]);
    assert_eq!(resolve.wrong_fields(), ["as"]);
    assert_eq!(outcome.wrong_fields(), ["as"]);
}
