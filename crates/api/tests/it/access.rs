//! Access: who gets in, where, and what they see there.

mod audit;
mod bounds;
mod canaries;
mod inbox_tokens;
mod keys;
mod open;
mod reading;
mod reasons;
mod rotation;
mod second_person;

use std::{sync::Arc, time::Duration};

use axum::{
    body::Body,
    http::{Method, Request, header},
};
use baton_api::{Access, DOORS, Doors, OpenConnections, Options, REQUIREMENTS};
use baton_domain::{
    Timestamp,
    access::{Permission, Permissions, Requirement},
    audit::{AuditAction, AuditFilter},
    page::PageRequest,
    time::StoreClock,
};
use baton_engine::{KeySpec, Streams};
use baton_ports::store::AuditLog;
use futures::StreamExt;
use serde_json::{Value, json};
use tokio::time::timeout;
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

/// What a stream says until it waits for news.
async fn stream_of(fixture: &Fixture, key: &str, path: &str) -> Reply {
    let request = Request::get(format!("{path}?after=start"))
        .header(header::AUTHORIZATION, format!("Bearer {key}"))
        .body(Body::empty())
        .unwrap();
    let response = fixture.api.clone().oneshot(request).await.unwrap();
    let (head, body) = response.into_parts();
    let (mut said, mut stream) = (Vec::new(), body.into_data_stream());
    while let Ok(Some(Ok(bytes))) = timeout(Duration::from_secs(10), stream.next()).await {
        said.extend_from_slice(&bytes);
    }
    Reply {
        status: head.status,
        headers: head.headers,
        body: said.into(),
    }
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
async fn a_key_that_has_its_part_of_the_streams_leaves_the_rest_to_others() {
    let fixture = Fixture::with(Options {
        access: Access::Required,
        streams: Streams::new(2),
        ..Options::default()
    });
    let greedy = key(&fixture, &[Permission::JobsRead]).await;
    let other = key(&fixture, &[Permission::JobsRead]).await;
    let open = async |key: &str| {
        let request = Request::get("/v1/events/stream")
            .header(header::AUTHORIZATION, format!("Bearer {key}"))
            .body(Body::empty());
        fixture.api.clone().oneshot(request.unwrap()).await.unwrap()
    };

    let first = open(&greedy).await;
    let second = get(&fixture, &greedy, "/v1/events/stream").await;
    let of_other = open(&other).await;

    assert_eq!(first.status(), 200);
    let refused = second.problem("overloaded");
    let told = refused["detail"].as_str().unwrap();
    assert!(told.contains("of this key"), "{told}");
    assert_eq!(of_other.status(), 200);
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

/// A server that asks who one is, and has doors for tests.
fn guarded_with_doors() -> Fixture {
    let start = Timestamp::from_micros(0);
    Fixture::with(Options {
        access: Access::Required,
        doors: Some(Doors {
            clock: Arc::new(StoreClock::starting_at(start)),
            connections: OpenConnections::default(),
        }),
        ..Options::default()
    })
}

#[tokio::test]
async fn the_doors_for_tests_lie_behind_the_gate_where_there_are_any() {
    let (fixture, without) = (guarded_with_doors(), guarded());

    for (method, path, requirement) in DOORS {
        let request = || Request::builder().method(*method).uri(*path);
        let nobody = request().body(Body::empty()).unwrap();
        fixture.send(nobody).await.problem("unauthenticated");
        let nowhere = request().body(Body::empty()).unwrap();
        without.send(nowhere).await.problem("not-found");
        for permission in Permission::ALL {
            let key = key(&fixture, &[permission]).await;
            let reply = call(&fixture, &key, method, path, None).await;

            let opens = matches!(requirement, Requirement::OneOf(all) if all.contains(&permission));
            assert_eq!(
                reply.status == 403,
                !opens,
                "{permission}: {method} {path}: {reply:?}"
            );
            assert_ne!(reply.status, 404, "{method} {path}");
        }
    }
}

#[test]
fn the_doors_for_tests_are_no_part_of_the_description() {
    let described = serde_json::to_value(baton_api::description()).unwrap();
    let paths = described["paths"].as_object().unwrap();

    assert!(!DOORS.is_empty());
    for (_, path, _) in DOORS {
        assert!(!paths.contains_key(*path), "{path}");
    }
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

#[tokio::test(start_paused = true)]
async fn an_open_stream_ends_with_the_time_of_the_key_or_the_token_that_opened_it() {
    let fixture = guarded();
    let spec = KeySpec {
        name: "short".to_owned(),
        permissions: Permissions::of(&[Permission::JobsRead, Permission::Inbox]),
        expires_at: Some(fixture.engine.now() + Duration::from_mins(2)),
        ..KeySpec::default()
    };
    let short = fixture.engine.create_key(spec).await.unwrap().1.reveal();
    let backend = key(&fixture, &[Permission::Inbox, Permission::RecipientsWrite]).await;
    let person = Some(json!({"platform": "ios"}));
    call(&fixture, &backend, "PUT", "/v1/recipients/ann", person).await;
    let token = "/v1/recipients/ann/inbox/token";
    let lasts = Some(json!({"expires_in": "2m"}));
    let token = call(&fixture, &backend, "POST", token, lasts).await.json();
    let token = token["token"].as_str().unwrap();
    let inbox = "/v1/recipients/ann/inbox/stream";

    let mut open = Vec::new();
    for (path, credential) in [
        ("/v1/events/stream", &*short),
        (inbox, &*short),
        (inbox, token),
    ] {
        let request =
            Request::get(path).header(header::AUTHORIZATION, format!("Bearer {credential}"));
        let request = request.body(Body::empty()).unwrap();
        let response = fixture.api.clone().oneshot(request).await.unwrap();
        assert_eq!(response.status(), 200, "{path}");
        open.push(response.into_body().into_data_stream());
    }
    fixture.clock.advance(Duration::from_mins(2));

    for mut stream in open {
        let to_its_end = async { while stream.next().await.is_some() {} };
        let ended = timeout(Duration::from_secs(5), to_its_end).await;
        assert!(ended.is_ok(), "the stream goes on");
    }
}
