//! API keys and users: what a key opens, for how long, and who may make one.

use std::time::Duration;

use axum::{
    body::Body,
    http::{Request, header},
};
use baton_domain::{
    Timestamp, UserId,
    access::{Identity, Permission, Permissions, Role, User},
    audit::AuditAction,
    page::PageRequest,
};
use baton_engine::KeySpec;
use baton_ports::store::{Access, JobFilter};
use serde_json::{Value, json};

use super::{audited, call, get, guarded, key, key_within};

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
async fn who_could_read_the_metrics_still_can_while_the_database_is_away_and_nothing_else() {
    tokio::time::pause();
    let fixture = guarded();
    let scraper = key(&fixture, &[Permission::Metrics, Permission::JobsRead]).await;
    let stranger = key(&fixture, &[Permission::Metrics]).await;
    let before = get(&fixture, &scraper, "/metrics").await;

    fixture.cut();
    tokio::time::advance(Duration::from_mins(5)).await;
    let metrics = get(&fixture, &scraper, "/metrics").await;
    let jobs = get(&fixture, &scraper, "/v1/jobs").await;
    let unseen = get(&fixture, &stranger, "/metrics").await;
    tokio::time::advance(Duration::from_mins(15)).await;
    let long_after = get(&fixture, &scraper, "/metrics").await;

    for read in [before, metrics] {
        assert_eq!(read.status, 200, "{read:?}");
    }
    for refused in [jobs, unseen, long_after] {
        assert_eq!(refused.status, 503, "{refused:?}");
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
async fn users_are_listed_with_the_provider_that_they_sign_in_at() {
    let fixture = guarded();
    let root = key(&fixture, &Permission::ALL).await;
    let user = json!({"name": "kim", "role": "admin", "password": "correct horse battery"});
    let made = call(&fixture, &root, "POST", "/v1/users", Some(user)).await;
    let lee = signs_in_at("https://sso.example", "lee", fixture.engine.now());
    Access::add_user(&*fixture.store, &lee).await.unwrap();

    let listed = get(&fixture, &root, "/v1/users").await.ok();

    assert_eq!(made.json()["issuer"], Value::Null);
    assert_eq!(listed["items"][0]["issuer"], Value::Null);
    assert_eq!(listed["items"][1]["issuer"], "https://sso.example");
    assert!(!listed.to_string().contains("subject"), "{listed}");
}

fn signs_in_at(issuer: &str, name: &str, now: Timestamp) -> User {
    User {
        id: UserId::new(now),
        name: name.to_owned(),
        role: Role::Viewer,
        password: None,
        is_disabled: false,
        created_at: now,
        signed_in_at: None,
        failures: 0,
        retry_at: None,
        identity: Some(Identity {
            issuer: issuer.to_owned(),
            subject: "7".to_owned(),
        }),
    }
}

#[tokio::test]
async fn a_bounded_key_has_no_other_kind_made_by_its_jobs() {
    let fixture = guarded();
    let bounded = key_within(
        &fixture,
        &[Permission::JobsCreate],
        &["note", "resize"],
        &[],
    )
    .await;
    let makes = |kind: &str| json!({"kind": "note", "payload": {"makes": kind}});
    let asks = async |path: &str, body: Value| {
        let answer = call(&fixture, &bounded, "POST", path, Some(body));
        answer.await
    };

    let inside = asks("/v1/jobs", makes("resize")).await;
    let other = asks("/v1/jobs", makes("delivery")).await;
    let batch = asks("/v1/jobs/batch", json!({"jobs": [makes("delivery")]})).await;
    let no_kind = asks("/v1/jobs", makes("NOTE")).await;

    assert_eq!(inside.status, 201, "{inside:?}");
    for refused in [other, batch] {
        refused.problem("permission-denied");
    }
    assert_eq!(no_kind.wrong_fields(), ["payload.job.kind"]);
}

#[tokio::test]
async fn a_workers_key_that_is_bounded_by_queues_speaks_for_no_worker_beyond_them() {
    let fixture = guarded();
    let all = key(&fixture, &[Permission::Worker]).await;
    let bounded = key_within(&fixture, &[Permission::Worker], &[], &["a"]).await;
    let worker = |id: u8| format!("/v1/workers/wrk_00000000-0000-7000-8000-00000000000{id}");
    let said = |queue: &str| json!({"protocol": 1, "name": "h:1", "sdk": "t/1", "kinds": [queue], "slots": 1});
    call(&fixture, &all, "PUT", &worker(1), Some(said("b"))).await;
    let asks = async |method: &str, path: String, body: Value| {
        call(&fixture, &bounded, method, &path, Some(body)).await
    };

    let beyond = asks("PUT", worker(2), said("b")).await;
    let own = asks("PUT", worker(3), said("a")).await;
    let beat = asks("POST", format!("{}/beat", worker(1)), json!({})).await;
    let leave = call(&fixture, &bounded, "DELETE", &worker(1), None).await;
    let release = asks(
        "POST",
        format!("{}/release", worker(1)),
        json!({"leases": []}),
    )
    .await;

    assert_eq!(beyond.wrong_fields(), ["queues[0]"]);
    assert_eq!(own.status, 201);
    for refused in [beat, leave, release] {
        refused.problem("permission-denied");
    }
}
