//! Looks at people, at inboxes and at what jobs carry: what of them stands in the audit log.

use std::time::Duration;

use axum::{
    body::Body,
    http::{Request, header},
};
use baton_domain::{
    access::{Permission, Permissions, Principal},
    audit::{AuditAction, AuditEntry, AuditFilter, recipient_object},
    page::PageRequest,
};
use baton_engine::Caller;
use baton_ports::store::{AuditLog, JobFilter};
use serde_json::json;
use tower::ServiceExt;

use super::{Fixture, call, get, guarded, key};

const INBOX: &str = "/v1/recipients/ann/inbox";

/// A server with a recipient, and a key of a backend that may see all of it.
async fn with_ann() -> (Fixture, String) {
    let fixture = guarded();
    let permissions = [
        Permission::Inbox,
        Permission::RecipientsRead,
        Permission::RecipientsWrite,
        Permission::JobsCreate,
        Permission::JobsRead,
        Permission::PayloadsRead,
    ];
    let backend = key(&fixture, &permissions).await;
    let person = Some(json!({"platform": "ios"}));
    let put = call(&fixture, &backend, "PUT", "/v1/recipients/ann", person).await;
    assert_eq!(put.status, 201, "{put:?}");
    (fixture, backend)
}

async fn job(fixture: &Fixture, backend: &str) -> String {
    let job = Some(json!({"kind": "note", "payload": {"to": "ann"}}));
    let made = call(fixture, backend, "POST", "/v1/jobs", job).await;
    made.json()["id"].as_str().unwrap().to_owned()
}

/// What the audit log has of an action, the first first.
async fn entries(fixture: &Fixture, action: AuditAction) -> Vec<AuditEntry> {
    let filter = AuditFilter {
        action: Some(action),
        ..AuditFilter::default()
    };
    let page = PageRequest::default();
    let found = fixture.store.audit_entries(&filter, &page).await.unwrap();
    found.items.into_iter().rev().collect()
}

/// Somebody who has signed in, as the console asks in their name.
fn person(fixture: &Fixture, permissions: &[Permission]) -> Caller {
    let user = Principal::User(baton_domain::UserId::new(fixture.engine.now()));
    let permissions = Permissions::of(permissions);
    let actor = baton_domain::access::Actor::unbounded(user, "kim", permissions);
    fixture.engine.caller(actor)
}

#[tokio::test(start_paused = true)]
async fn a_backend_that_looks_into_inboxes_is_written_down_once_a_minute_with_how_often() {
    let (fixture, backend) = with_ann().await;

    for _ in 0..3 {
        get(&fixture, &backend, INBOX).await.ok();
    }
    tokio::time::advance(Duration::from_mins(1)).await;
    fixture.clock.advance(Duration::from_mins(1));
    get(&fixture, &backend, INBOX).await.ok();

    let entries = entries(&fixture, AuditAction::InboxRead).await;
    let told: Vec<_> = entries.iter().map(|one| one.after.clone()).collect();
    assert_eq!(told, [None, Some(json!({"looks": 3}))]);
    assert_eq!(entries[0].object, recipient_object("ann"));
}

#[tokio::test(start_paused = true)]
async fn an_inbox_that_is_followed_is_written_down_as_the_stream_begins() {
    let (fixture, backend) = with_ann().await;
    let request = Request::get(format!("{INBOX}/stream"))
        .header(header::AUTHORIZATION, format!("Bearer {backend}"));
    let request = request.body(Body::empty()).unwrap();

    let stream = fixture.api.clone().oneshot(request).await.unwrap();

    assert_eq!(stream.status(), 200);
    assert_eq!(entries(&fixture, AuditAction::InboxRead).await.len(), 1);
}

#[tokio::test]
async fn the_app_of_a_recipient_looks_into_its_own_inbox_without_a_word() {
    let (fixture, backend) = with_ann().await;
    let token = call(&fixture, &backend, "POST", &format!("{INBOX}/token"), None).await;
    let token = token.json()["token"].as_str().unwrap().to_owned();

    get(&fixture, &token, INBOX).await.ok();
    get(&fixture, &token, &format!("{INBOX}/unread")).await.ok();

    assert_eq!(entries(&fixture, AuditAction::InboxRead).await, []);
}

#[tokio::test(start_paused = true)]
async fn a_program_that_sees_payloads_is_written_down_once_a_minute() {
    let (fixture, backend) = with_ann().await;
    let id = job(&fixture, &backend).await;

    for path in [&*format!("/v1/jobs/{id}"), "/v1/jobs", "/v1/jobs"] {
        get(&fixture, &backend, path).await.ok();
    }

    let entries = entries(&fixture, AuditAction::PayloadRead).await;
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].object, id);
}

#[tokio::test]
async fn whoever_is_shown_no_payload_has_seen_none() {
    let (fixture, backend) = with_ann().await;
    let id = job(&fixture, &backend).await;
    let viewer = key(&fixture, &[Permission::JobsRead]).await;

    for path in [&*format!("/v1/jobs/{id}"), "/v1/jobs"] {
        get(&fixture, &viewer, path).await.ok();
    }

    assert_eq!(entries(&fixture, AuditAction::PayloadRead).await, []);
}

#[tokio::test(start_paused = true)]
async fn a_person_who_sees_what_a_job_carries_is_written_down_once_however_long_the_page_stays_open()
 {
    let (fixture, backend) = with_ann().await;
    let ids = [job(&fixture, &backend).await, job(&fixture, &backend).await];
    let kim = person(&fixture, &[Permission::JobsRead, Permission::PayloadsRead]);

    for id in &ids {
        let id = id.parse().unwrap();
        for _ in 0..40 {
            kim.job(id).await.unwrap();
            kim.attempts(id).await.unwrap();
            tokio::time::advance(Duration::from_secs(5)).await;
            fixture.clock.advance(Duration::from_secs(5));
        }
    }
    let (filter, page) = (JobFilter::default(), PageRequest::default());
    kim.listed_jobs(&filter, &page).await.unwrap();

    let entries = entries(&fixture, AuditAction::PayloadRead).await;
    let objects: Vec<_> = entries.iter().map(|one| one.object.clone()).collect();
    assert_eq!(objects, ids);
}

#[tokio::test]
async fn a_list_of_jobs_carries_no_payload_to_whoever_is_shown_the_list_alone() {
    let (fixture, backend) = with_ann().await;
    job(&fixture, &backend).await;
    let kim = person(&fixture, &[Permission::JobsRead, Permission::PayloadsRead]);

    let (filter, page) = (JobFilter::default(), PageRequest::default());
    let listed = kim.listed_jobs(&filter, &page).await.unwrap().items;
    let whole = kim.jobs(&filter, &page).await.unwrap().items;

    assert_eq!(listed[0].payload, "\"(hidden)\"");
    assert!(whole[0].payload.contains("ann"), "{whole:?}");
}

#[tokio::test]
async fn a_job_that_a_person_asks_for_is_written_down_and_one_of_a_program_is_not() {
    let (fixture, backend) = with_ann().await;
    let kim = person(&fixture, &[Permission::JobsCreate]);
    let spec = || baton_domain::job::JobSpec {
        key: Some("once".to_owned()),
        ..baton_domain::job::JobSpec::new("note", "{\"to\": \"ann\"}")
    };

    job(&fixture, &backend).await;
    let made = kim.enqueue(spec()).await.unwrap();
    let again = kim.enqueue(spec()).await.unwrap();

    assert_eq!(again.id(), made.id());
    let entries = entries(&fixture, AuditAction::JobEnqueue).await;
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].object, made.id().to_string());
    assert_eq!(entries[0].name, "kim");
    let after = json!({"kind": "note", "queue": "default"});
    assert_eq!(entries[0].after, Some(after));
}
