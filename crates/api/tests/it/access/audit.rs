//! The audit log: what is written down of changes and of refusals, and taken away.

use std::time::Duration;

use axum::http::Method;
use baton_domain::{access::Permission, audit::AuditAction};
use serde_json::{Value, json};

use super::{audited, call, get, guarded, key};
use crate::{fixture::Fixture, workers::heartbeat};

#[tokio::test]
async fn what_is_refused_stands_in_the_audit_log_with_who_asked() {
    let fixture = guarded();
    let viewer = key(&fixture, &[Permission::JobsRead]).await;

    let path = "/v1/queues/mail";
    let refused = call(
        &fixture,
        &viewer,
        "PATCH",
        path,
        Some(json!({"paused": true})),
    )
    .await;

    refused.problem("permission-denied");
    let auditor = key(&fixture, &[Permission::AuditRead]).await;
    let log = get(&fixture, &auditor, "/v1/audit?action=access.denied")
        .await
        .ok();
    let entry = &log["items"][0];
    assert_eq!(entry["object"], "PATCH /v1/queues/{name}");
    assert_eq!(entry["name"], "a test");
    assert_eq!(entry["request_id"], refused.header("request-id"));
}

#[tokio::test]
async fn a_change_stands_in_the_audit_log_with_what_it_changed() {
    let fixture = guarded();
    let operator = key(
        &fixture,
        &[
            Permission::Operate,
            Permission::JobsRead,
            Permission::AuditRead,
        ],
    )
    .await;
    let id = fixture.engine.enqueue(baton_domain::job::JobSpec {
        kind: "note".to_owned(),
        payload: "{}".to_owned(),
        ..Default::default()
    });
    let id = id.await.unwrap().id();

    let why = json!({"reason": "wrong recipient"});
    let path = format!("/v1/jobs/{id}/cancel");
    call(&fixture, &operator, "POST", &path, Some(why))
        .await
        .ok();
    let again = call(&fixture, &operator, "POST", &path, None).await;

    again.problem("illegal-transition");
    let path = format!("/v1/audit?object={id}");
    let log = get(&fixture, &operator, &path).await.ok();
    let entries = log["items"].as_array().unwrap();
    assert_eq!(entries.len(), 1, "{log:#}");
    assert_eq!(entries[0]["action"], "job.cancel");
    assert_eq!(entries[0]["before"], json!({"state": "queued"}));
    assert_eq!(entries[0]["after"], json!({"state": "canceled"}));
    assert_eq!(entries[0]["reason"], "wrong recipient");
}

#[tokio::test]
async fn a_server_that_asks_nobody_writes_down_what_anybody_does() {
    let fixture = Fixture::new();

    fixture
        .call(
            Method::PATCH,
            "/v1/queues/mail",
            Some(json!({"paused": true})),
        )
        .await
        .ok();

    assert_eq!(audited(&fixture, AuditAction::QueueChange).await, 1);
    let log = fixture.get("/v1/audit").await.ok();
    assert_eq!(log["items"][0]["principal"], "anonymous");
}

#[tokio::test]
async fn what_was_changed_says_how_it_was_before() {
    let fixture = Fixture::new();
    heartbeat(&fixture).await;
    let worker = format!("/v1/workers/{}", fixture.worker);
    let campaign = json!({
        "name": "Quiz", "category": "quiz", "action": "push", "message": {"title": "Quiz", "body": "At eight."}, "audience": {"topic": "quiz"}, "rate": 5,
    });
    let campaign = fixture
        .call(Method::POST, "/v1/campaigns", Some(campaign))
        .await
        .json();
    let campaign = format!("/v1/campaigns/{}", campaign["id"].as_str().unwrap());
    let changes = [
        ("/v1/queues/mail", json!({"paused": true, "rate": 2.5})),
        ("/v1/queues/mail", json!({"rate": null})),
        (&*campaign, json!({"rate": 9.0})),
        (&*worker, json!({"drain": true})),
    ];

    for (path, change) in changes {
        fixture.clock.advance(Duration::from_secs(1));
        fixture.call(Method::PATCH, path, Some(change)).await.ok();
    }

    let log = fixture.get("/v1/audit?limit=4").await.ok();
    let told = log["items"].as_array().unwrap().iter().rev();
    let told: Vec<_> = told
        .map(|entry| (&entry["before"], &entry["after"]))
        .collect();
    let expected = [
        (json!(null), json!({"paused": true, "rate": 2.5})),
        (json!({"rate": 2.5}), json!({"rate": null})),
        (json!({"rate": 5.0}), json!({"rate": 9.0})),
        (json!({"drain": false}), json!({"drain": true})),
    ];
    let expected: Vec<_> = expected
        .iter()
        .map(|(before, after)| (before, after))
        .collect();
    assert_eq!(told, expected);
}

#[tokio::test]
async fn the_audit_log_is_exported_whole_and_the_export_stands_in_it() {
    let fixture = guarded();
    let root = key(&fixture, &Permission::ALL).await;
    for i in 0..600 {
        let path = format!("/v1/queues/q{i}");
        call(
            &fixture,
            &root,
            "PATCH",
            &path,
            Some(json!({"paused": true})),
        )
        .await
        .ok();
    }

    let exported = get(&fixture, &root, "/v1/audit/export?action=queue.change").await;

    let text = String::from_utf8(exported.body.to_vec()).unwrap();
    let lines: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 600);
    assert!(
        lines
            .windows(2)
            .all(|pair| pair[0]["id"].as_str() > pair[1]["id"].as_str())
    );
    assert_eq!(audited(&fixture, AuditAction::AuditExport).await, 1);
}
