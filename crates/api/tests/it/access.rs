//! Access: who gets in, where, and what they see there.

use std::time::Duration;

use axum::{
    body::Body,
    http::{Method, Request, header},
};
use baton_api::{Access, Options, REQUIREMENTS};
use baton_domain::{
    access::{Permission, Permissions, Requirement},
    audit::{AuditAction, AuditFilter},
    page::PageRequest,
};
use baton_engine::KeySpec;
use baton_ports::store::{AuditLog, JobFilter};
use futures::StreamExt;
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::fixture::{Fixture, Reply};

/// A server that asks who one is.
fn guarded() -> Fixture {
    Fixture::with(Options {
        access: Access::Required,
        ..Options::default()
    })
}

/// A key with these permissions.
async fn key(fixture: &Fixture, permissions: &[Permission]) -> String {
    key_within(fixture, permissions, &[], &[]).await
}

async fn key_within(
    fixture: &Fixture,
    permissions: &[Permission],
    kinds: &[&str],
    queues: &[&str],
) -> String {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let spec = KeySpec {
        name: "a test".to_owned(),
        permissions: Permissions::of(permissions),
        kinds: owned(kinds),
        queues: owned(queues),
        expires_at: None,
    };
    fixture.engine.create_key(spec).await.unwrap().1.reveal()
}

async fn call(
    fixture: &Fixture,
    key: &str,
    method: &str,
    path: &str,
    body: Option<Value>,
) -> Reply {
    let request = Request::builder()
        .method(Method::from_bytes(method.as_bytes()).unwrap())
        .uri(path)
        .header(header::AUTHORIZATION, format!("Bearer {key}"));
    let request = match body {
        Some(body) => request
            .header(header::CONTENT_TYPE, "application/json")
            .body(Body::from(body.to_string())),
        None => request.body(Body::empty()),
    };
    fixture.send(request.unwrap()).await
}

async fn get(fixture: &Fixture, key: &str, path: &str) -> Reply {
    call(fixture, key, "GET", path, None).await
}

/// A path of a route, with something that is not there in the place of each name.
fn somewhere(path: &str) -> String {
    path.replace("{kind}", "internal")
        .replace("{id}", "nobody")
        .replace("{item}", "nothing")
        .replace("{name}", "none")
}

async fn audited(fixture: &Fixture, action: AuditAction) -> usize {
    let filter = AuditFilter {
        action: Some(action),
        ..AuditFilter::default()
    };
    let page = PageRequest::default();
    let found = fixture.store.audit_entries(&filter, &page).await.unwrap();
    found.items.len()
}

#[test]
fn each_call_of_the_api_says_what_it_requires_and_nothing_else_does() {
    let described = serde_json::to_value(baton_api::description()).unwrap();
    let paths = described["paths"].as_object().unwrap();
    let calls: Vec<_> = paths
        .iter()
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().unwrap().keys();
            methods.map(move |method| (method.to_uppercase(), path.clone()))
        })
        .collect();

    for (method, path) in &calls {
        let has_line = REQUIREMENTS
            .iter()
            .any(|(m, p, _)| m == method && p == path);
        assert!(has_line, "{method} {path} says nowhere what it requires");
    }
    for (method, path, _) in REQUIREMENTS {
        let is_page = path.starts_with("/docs") || *path == "/openapi.json";
        let is_call = calls.iter().any(|(m, p)| m == method && p == path);
        assert!(is_page || is_call, "{method} {path} is no call");
    }
}

#[tokio::test]
async fn whoever_has_no_key_gets_in_nowhere_but_where_anybody_may() {
    let fixture = guarded();

    for (method, path, requirement) in REQUIREMENTS {
        let request = Request::builder().method(*method).uri(somewhere(path));
        let reply = fixture.send(request.body(Body::empty()).unwrap()).await;

        if *requirement == Requirement::Public {
            assert!(reply.status.is_success(), "{method} {path}: {reply:?}");
        } else {
            reply.problem("unauthenticated");
            assert_eq!(reply.header("www-authenticate"), "Bearer realm=\"baton\"");
        }
    }
}

#[tokio::test]
async fn each_permission_opens_the_calls_that_name_it_and_no_others() {
    let fixture = guarded();

    for permission in Permission::ALL {
        let key = key(&fixture, &[permission]).await;
        for (method, path, requirement) in REQUIREMENTS {
            if path.ends_with("/stream") {
                continue;
            }
            let reply = call(&fixture, &key, method, &somewhere(path), None).await;

            let opens = match requirement {
                Requirement::OneOf(permissions) => permissions.contains(&permission),
                Requirement::Public | Requirement::SignedIn => true,
            };
            let is_denied = reply.status == 403;
            assert_eq!(
                is_denied, !opens,
                "{permission}: {method} {path}: {reply:?}"
            );
            assert_ne!(reply.status, 401, "{permission}: {method} {path}");
        }
    }
}

#[tokio::test]
async fn what_is_no_key_is_told_from_a_key_that_is_worth_nothing() {
    let fixture = guarded();
    let key = key(&fixture, &[Permission::JobsRead]).await;
    let other_digit = if key.ends_with('0') { "1" } else { "0" };
    let mistyped = format!("{}{other_digit}", &key[..key.len() - 1]);

    for (given, said) in [
        (format!("Bearer {mistyped}"), "mistyped"),
        ("Bearer secret".to_owned(), "no API key"),
        (format!("Basic {key}"), "Bearer bat_"),
        (key.clone(), "Bearer bat_"),
    ] {
        let request = Request::get("/v1/jobs").header(header::AUTHORIZATION, &given);
        let reply = fixture.send(request.body(Body::empty()).unwrap()).await;

        let problem = reply.problem("unauthenticated");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(said), "{said}: {detail}");
        assert!(
            !reply
                .body
                .windows(64)
                .any(|part| key.as_bytes().ends_with(part))
        );
    }
    get(&fixture, &key, "/v1/jobs").await.ok();
}

#[tokio::test]
async fn a_session_opens_no_call_of_the_api() {
    let fixture = guarded();
    let request = Request::get("/v1/jobs")
        .header(header::COOKIE, format!("baton_session={}", "a".repeat(64)));

    let reply = fixture.send(request.body(Body::empty()).unwrap()).await;

    reply.problem("unauthenticated");
}

#[tokio::test]
async fn a_bounded_key_enqueues_its_kinds_to_its_queues_alone() {
    let fixture = guarded();
    let bounded = key_within(&fixture, &[Permission::JobsCreate], &["no*"], &["low"]).await;
    let enqueue =
        async |body: Value| call(&fixture, &bounded, "POST", "/v1/jobs", Some(body)).await;

    let inside = enqueue(json!({"kind": "note", "queue": "low"})).await;
    let other_queue = enqueue(json!({"kind": "note"})).await;
    let other_kind = enqueue(json!({"kind": "delivery", "queue": "low"})).await;
    let batch =
        json!({"jobs": [{"kind": "note", "queue": "low"}, {"kind": "note", "queue": "high"}]});
    let mixed = call(&fixture, &bounded, "POST", "/v1/jobs/batch", Some(batch)).await;

    assert_eq!(inside.status, 201, "{inside:?}");
    for refused in [other_queue, other_kind, mixed] {
        refused.problem("permission-denied");
    }
    // Nobody waits for what is written down of it.
    while audited(&fixture, AuditAction::Denied).await < 3 {
        tokio::task::yield_now().await;
    }
    let jobs = fixture
        .engine
        .jobs(&JobFilter::default(), &PageRequest::default())
        .await;
    assert_eq!(jobs.unwrap().items.len(), 1);
}

#[tokio::test]
async fn nobody_grants_what_they_lack() {
    let fixture = guarded();
    let admin = key(&fixture, &[Permission::KeysAdmin, Permission::JobsRead]).await;
    let wanted = |permission: &str| json!({"name": "more", "permissions": [permission]});

    let own = call(
        &fixture,
        &admin,
        "POST",
        "/v1/keys",
        Some(wanted("jobs:read")),
    )
    .await;
    let more = call(
        &fixture,
        &admin,
        "POST",
        "/v1/keys",
        Some(wanted("operate")),
    )
    .await;
    let user = json!({"name": "kim", "role": "admin", "password": "correct horse battery"});
    let role = call(&fixture, &admin, "POST", "/v1/users", Some(user)).await;

    assert_eq!(own.status, 201, "{own:?}");
    let token = own.json()["token"].as_str().unwrap().to_owned();
    get(&fixture, &token, "/v1/jobs").await.ok();
    more.problem("permission-denied");
    role.problem("permission-denied");
}

#[tokio::test]
async fn a_key_is_told_once_and_never_again() {
    let fixture = guarded();
    let admin = key(&fixture, &Permission::ALL).await;
    let wanted = json!({"name": "once", "permissions": ["jobs:read"], "expires_in": "90d"});

    let made = call(&fixture, &admin, "POST", "/v1/keys", Some(wanted))
        .await
        .json();
    let listed = get(&fixture, &admin, "/v1/keys").await;
    let log = get(&fixture, &admin, "/v1/audit/export").await;

    let token = made["token"].as_str().unwrap();
    let secret = token.split('_').nth(2).unwrap();
    for shown in [&listed, &log] {
        let text = String::from_utf8_lossy(&shown.body);
        assert!(text.contains(made["id"].as_str().unwrap()), "{text}");
        assert!(!text.contains(secret), "{text}");
    }
}

#[tokio::test]
async fn a_revoked_key_is_worth_nothing_within_five_seconds_where_it_was_not_revoked() {
    tokio::time::pause();
    let fixture = guarded();
    let key = key(&fixture, &[Permission::JobsRead]).await;
    get(&fixture, &key, "/v1/jobs").await.ok();

    // As another node does it: this one hears nothing.
    let id = baton_domain::access::KeyToken::read(&key).unwrap().id;
    let now = fixture.engine.now();
    baton_ports::store::Access::revoke_key(&*fixture.store, id, now)
        .await
        .unwrap();
    tokio::time::advance(Duration::from_secs(5)).await;

    get(&fixture, &key, "/v1/jobs")
        .await
        .problem("unauthenticated");
}

#[tokio::test]
async fn an_open_stream_ends_within_five_seconds_of_the_right_to_it() {
    tokio::time::pause();
    let fixture = guarded();
    let key = key(&fixture, &[Permission::JobsRead]).await;
    let request =
        Request::get("/v1/events/stream").header(header::AUTHORIZATION, format!("Bearer {key}"));
    let response = fixture
        .api
        .clone()
        .oneshot(request.body(Body::empty()).unwrap())
        .await
        .unwrap();
    let mut stream = response.into_body().into_data_stream();

    let id = baton_domain::access::KeyToken::read(&key).unwrap().id;
    let now = fixture.engine.now();
    baton_ports::store::Access::revoke_key(&*fixture.store, id, now)
        .await
        .unwrap();
    let to_its_end = async { while stream.next().await.is_some() {} };

    let ended = tokio::time::timeout(Duration::from_secs(5), to_its_end).await;
    assert!(ended.is_ok(), "the stream goes on");
}

#[tokio::test]
async fn a_key_that_has_expired_opens_nothing_from_that_moment_on() {
    let fixture = guarded();
    let spec = KeySpec {
        name: "short".to_owned(),
        permissions: Permissions::of(&[Permission::JobsRead]),
        expires_at: Some(fixture.engine.now() + Duration::from_secs(10)),
        ..KeySpec::default()
    };
    let key = fixture.engine.create_key(spec).await.unwrap().1.reveal();
    get(&fixture, &key, "/v1/jobs").await.ok();

    fixture.clock.advance(Duration::from_secs(10));

    get(&fixture, &key, "/v1/jobs")
        .await
        .problem("unauthenticated");
}

#[tokio::test]
async fn whoever_may_only_look_sees_neither_payloads_nor_people() {
    const CANARY: &str = "canary-8d1f";
    let fixture = guarded();
    let admin = key(&fixture, &Permission::ALL).await;
    let viewer = key(&fixture, &[Permission::JobsRead, Permission::Metrics]).await;
    let mail = json!({"platform": "ios", "addresses": {"push": CANARY}, "topics": ["all"]});
    let path = format!("/v1/recipients/{CANARY}");
    call(&fixture, &admin, "PUT", &path, Some(mail)).await;
    let job = json!({"kind": "note", "payload": {"to": CANARY}, "key": CANARY});
    let job = call(&fixture, &admin, "POST", "/v1/jobs", Some(job))
        .await
        .json();
    fixture.fail(CANARY).await;
    let quiz = json!({
        "name": "Quiz", "category": "question", "action": "push", "audience": {"ids": [CANARY]},
        "message": {"title": "Quiz", "body": "Good morning!"},
    });
    call(&fixture, &admin, "POST", "/v1/campaigns", Some(quiz)).await;
    let schedule = json!({"name": "Nightly", "cron": "0 3 * * *", "time_zone": "UTC", "job": {"kind": "note", "payload": {"to": CANARY}}});
    let made = call(&fixture, &admin, "POST", "/v1/schedules", Some(schedule)).await;
    assert_eq!(made.status, 201, "{made:?}");
    let told = json!({
        "recipients": [CANARY], "action": "inbox", "category": "notice",
        "message": {"title": "Hello", "body": "there"},
    });
    let told = call(&fixture, &admin, "POST", "/v1/notifications", Some(told)).await;
    assert!(told.status.is_success(), "{told:?}");
    fixture.sequence().await;

    let id = job["id"].as_str().unwrap();
    for (method, path, _) in REQUIREMENTS {
        if *method != "GET" || path.ends_with("/stream") {
            continue;
        }
        let path = path.replace("{id}", id).replace("{kind}", "internal");
        let shown = get(&fixture, &viewer, &path).await;

        let text = String::from_utf8_lossy(&shown.body);
        assert!(!text.contains(CANARY), "{path}: {text}");
    }
    let seen = get(&fixture, &admin, &format!("/v1/jobs/{id}")).await.ok();
    assert_eq!(seen["payload"]["to"], CANARY);
}

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
async fn the_last_admin_stays_one() {
    let fixture = guarded();
    let root = key(&fixture, &Permission::ALL).await;
    let user =
        |name: &str| json!({"name": name, "role": "admin", "password": "correct horse battery"});
    for name in ["kim", "lee"] {
        let made = call(&fixture, &root, "POST", "/v1/users", Some(user(name))).await;
        assert_eq!(made.status, 201, "{made:?}");
    }
    let viewer = json!({"role": "viewer"});

    let first = call(
        &fixture,
        &root,
        "PATCH",
        "/v1/users/kim",
        Some(viewer.clone()),
    )
    .await;
    let last = call(&fixture, &root, "PATCH", "/v1/users/lee", Some(viewer)).await;
    let out = call(
        &fixture,
        &root,
        "PATCH",
        "/v1/users/lee",
        Some(json!({"disabled": true})),
    )
    .await;

    assert_eq!(first.ok()["role"], "viewer");
    last.problem("last-admin");
    out.problem("last-admin");
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

#[tokio::test]
async fn an_inbox_token_opens_the_inbox_of_its_recipient_for_its_time_and_nothing_else() {
    let fixture = guarded();
    let permissions = [
        Permission::Inbox,
        Permission::RecipientsWrite,
        Permission::JobsRead,
    ];
    let backend = key(&fixture, &permissions).await;
    for id in ["ann", "bob"] {
        let path = format!("/v1/recipients/{id}");
        call(
            &fixture,
            &backend,
            "PUT",
            &path,
            Some(json!({"platform": "ios"})),
        )
        .await;
    }

    let path = "/v1/recipients/ann/inbox/token";
    let made = call(
        &fixture,
        &backend,
        "POST",
        path,
        Some(json!({"expires_in": "5m"})),
    )
    .await;

    assert_eq!(made.status, 201, "{made:?}");
    let token = made.json()["token"].as_str().unwrap().to_owned();
    get(&fixture, &token, "/v1/recipients/ann/inbox").await.ok();
    let anothers = get(&fixture, &token, "/v1/recipients/bob/inbox").await;
    anothers.problem("permission-denied");
    get(&fixture, &token, "/v1/jobs")
        .await
        .problem("permission-denied");
    let next = call(&fixture, &token, "POST", path, None).await;
    next.problem("permission-denied");
    fixture.clock.advance(Duration::from_mins(5));
    get(&fixture, &token, "/v1/recipients/ann/inbox")
        .await
        .problem("unauthenticated");
}

#[tokio::test]
async fn an_inbox_token_is_worth_nothing_without_its_key_and_nobody_forges_one() {
    let fixture = guarded();
    let backend = key(&fixture, &[Permission::Inbox, Permission::RecipientsWrite]).await;
    call(
        &fixture,
        &backend,
        "PUT",
        "/v1/recipients/ann",
        Some(json!({"platform": "ios"})),
    )
    .await;
    let path = "/v1/recipients/ann/inbox/token";
    let made = call(&fixture, &backend, "POST", path, None).await.json();
    let token = made["token"].as_str().unwrap();
    let id = baton_domain::access::KeyToken::read(&backend).unwrap().id;
    let end = fixture.engine.now() + Duration::from_hours(1);
    let forged = baton_domain::access::InboxToken::sign(id, &[0; 32], "ann", end).reveal();

    get(&fixture, &forged, "/v1/recipients/ann/inbox")
        .await
        .problem("unauthenticated");
    get(&fixture, token, "/v1/recipients/ann/inbox").await.ok();
    fixture.engine.revoke_key(id).await.unwrap();

    get(&fixture, token, "/v1/recipients/ann/inbox")
        .await
        .problem("unauthenticated");
}

#[tokio::test]
async fn an_inbox_token_lasts_a_day_at_most() {
    let fixture = guarded();
    let backend = key(&fixture, &[Permission::Inbox]).await;

    for lasts in ["0s", "25h"] {
        let asked = Some(json!({"expires_in": lasts}));
        let made = call(
            &fixture,
            &backend,
            "POST",
            "/v1/recipients/ann/inbox/token",
            asked,
        )
        .await;

        assert_eq!(made.wrong_fields(), ["expires_in"], "{lasts}");
    }
}
