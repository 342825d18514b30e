//! Who is let in where nobody is asked, where others can read along, and while the database is away.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::{
    body::Body,
    http::{Method, Request, header},
};
use baton_api::{Access, Options, OverTls, PeerAddress};
use baton_domain::access::{Actor, Permission};
use baton_engine::KeySpec;
use http_body_util::BodyExt;
use serde_json::json;
use tower::ServiceExt;

use super::{call, get, guarded, key};
use crate::fixture::{Fixture, Reply};

/// A server that asks nobody, as `serve` makes one.
fn open(access: fn(Arc<Actor>) -> Access) -> Fixture {
    Fixture::with(Options {
        access: access(Arc::new(Actor::anonymous())),
        ..Options::default()
    })
}

/// A look at jobs from this address, over a connection that others can read or not.
async fn look(fixture: &Fixture, key: &str, peer: &str, is_over_tls: bool, proto: &str) -> Reply {
    let request = Request::get("/v1/jobs")
        .header(header::AUTHORIZATION, format!("Bearer {key}"))
        .header("x-forwarded-proto", proto)
        .extension(PeerAddress(peer.parse::<IpAddr>().unwrap()));
    let mut request = request.body(Body::empty()).unwrap();
    if is_over_tls {
        request.extensions_mut().insert(OverTls);
    }
    fixture.send(request).await
}

#[tokio::test]
async fn an_open_server_grants_nothing_that_lasts() {
    let fixture = open(Access::Open);
    let wanted = json!({"name": "mine", "permissions": ["jobs:read"]});
    let user = json!({"name": "eve", "role": "admin", "password": "correct horse battery"});

    for (path, body) in [("/v1/keys", wanted), ("/v1/users", user)] {
        fixture.post(path, body).await.problem("permission-denied");
    }
    fixture.get("/v1/keys").await.problem("permission-denied");
    fixture.get("/v1/jobs").await.ok();
}

#[tokio::test]
async fn a_server_to_try_closes_within_seconds_once_there_is_somebody() {
    tokio::time::pause();
    let fixture = open(Access::OpenUntilSetUp);
    fixture.get("/v1/jobs").await.ok();

    let key = key(&fixture, &[Permission::JobsRead]).await;
    tokio::time::advance(Duration::from_secs(5)).await;

    fixture.get("/v1/jobs").await.problem("unauthenticated");
    get(&fixture, &key, "/v1/jobs").await.ok();
}

#[tokio::test]
async fn a_stream_of_a_server_to_try_ends_once_there_is_somebody() {
    tokio::time::pause();
    let fixture = open(Access::OpenUntilSetUp);
    let request = Request::get("/v1/events/stream").body(Body::empty());
    let stream = fixture.api.clone().oneshot(request.unwrap()).await.unwrap();

    key(&fixture, &[Permission::JobsRead]).await;
    let ended = tokio::time::timeout(Duration::from_mins(1), stream.into_body().collect()).await;

    assert!(ended.is_ok(), "the stream goes on");
}

#[tokio::test]
async fn a_server_to_try_stays_open_while_the_database_is_away() {
    tokio::time::pause();
    let fixture = open(Access::OpenUntilSetUp);
    fixture.get("/v1/jobs").await.ok();

    fixture.cut();
    tokio::time::advance(Duration::from_secs(5)).await;

    fixture.get("/healthz").await.ok();
    fixture.get("/v1/jobs").await.problem("unavailable");
    fixture.mend();
    fixture.get("/v1/jobs").await.ok();
}

#[tokio::test]
async fn a_key_that_others_can_have_read_is_refused() {
    let fixture = Fixture::with(Options {
        access: Access::Required,
        trusted_proxies: vec!["10.0.0.0/8".parse().unwrap()],
        ..Options::default()
    });
    let key = key(&fixture, &[Permission::JobsRead]).await;

    for (peer, is_over_tls, proto, is_let_in) in [
        ("127.0.0.1", false, "", true),
        ("192.0.2.1", true, "", true),
        ("10.0.0.2", false, "https", true),
        ("192.0.2.1", false, "", false),
        // What anybody but a proxy of ours says of itself counts for nothing.
        ("192.0.2.1", false, "https", false),
        ("10.0.0.2", false, "http", false),
    ] {
        let reply = look(&fixture, &key, peer, is_over_tls, proto).await;

        assert_eq!(reply.status == 200, is_let_in, "{peer} {proto}: {reply:?}");
        if !is_let_in {
            let problem = reply.problem("unauthenticated");
            let told = problem["detail"].as_str().unwrap();
            assert!(told.contains("Revoke it"), "{told}");
        }
    }
}

#[tokio::test]
async fn nobody_is_refused_at_the_gate_for_a_moments_absence_of_the_database() {
    tokio::time::pause();
    let fixture = guarded();
    let key = key(&fixture, &[Permission::JobsRead]).await;
    fixture.cut();

    let asked = get(&fixture, &key, "/v1/jobs");
    let mended = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        fixture.mend();
    };
    let (reply, ()) = tokio::join!(asked, mended);

    reply.ok();
}

#[tokio::test]
async fn a_database_that_stays_away_is_told_in_time() {
    tokio::time::pause();
    let fixture = guarded();
    let key = key(&fixture, &[Permission::JobsRead]).await;
    fixture.cut();

    let told = tokio::time::timeout(Duration::from_secs(4), get(&fixture, &key, "/v1/jobs")).await;

    told.unwrap().problem("unavailable");
}

#[tokio::test]
async fn a_method_that_a_path_does_not_take_is_told_before_anybody_is_asked() {
    let fixture = guarded();

    let reply = fixture.call(Method::DELETE, "/v1/jobs", None).await;

    reply.problem("method-not-allowed");
    assert_eq!(reply.header("allow"), "POST,GET,HEAD");
}

#[tokio::test]
async fn a_job_is_not_found_by_a_key_that_is_not_shown() {
    let fixture = guarded();
    let root = key(&fixture, &Permission::ALL).await;
    let viewer = key(&fixture, &[Permission::JobsRead]).await;
    let job = json!({"kind": "note", "key": "ann@example.org"});
    call(&fixture, &root, "POST", "/v1/jobs", Some(job)).await;

    let path = "/v1/jobs?key=ann@example.org";
    get(&fixture, &viewer, path)
        .await
        .problem("permission-denied");
    get(&fixture, &root, path).await.ok();
}

#[tokio::test]
async fn whoever_may_send_hears_what_they_have_made() {
    let fixture = guarded();
    let sender = key(&fixture, &[Permission::CampaignsSend]).await;
    let quiz = json!({
        "name": "Quiz", "category": "question", "action": "push", "audience": {"all": true},
        "message": {"title": "Quiz", "body": "Good morning!"},
    });

    let made = call(&fixture, &sender, "POST", "/v1/campaigns", Some(quiz)).await;

    assert_eq!(
        made.status, 201,
        "a refusal after the deed has it done twice: {made:?}"
    );
}

#[tokio::test]
async fn a_preview_shows_people_to_those_alone_who_may_see_them() {
    let fixture = guarded();
    let root = key(&fixture, &Permission::ALL).await;
    let sender = key(&fixture, &[Permission::CampaignsSend]).await;
    let ann = json!({"platform": "ios", "addresses": {"push": "canary-51c2"}});
    call(&fixture, &root, "PUT", "/v1/recipients/ann", Some(ann)).await;
    let quiz = json!({
        "name": "Quiz", "category": "question", "action": "push", "audience": {"all": true},
        "message": {"title": "Quiz", "body": "Good morning!"},
    });
    let path = "/v1/campaigns/preview";

    let shown = call(&fixture, &root, "POST", path, Some(quiz.clone())).await;
    let hidden = call(&fixture, &sender, "POST", path, Some(quiz)).await;

    assert!(
        String::from_utf8_lossy(&shown.body).contains("canary-51c2"),
        "{shown:?}"
    );
    assert!(
        !String::from_utf8_lossy(&hidden.body).contains("canary-51c2"),
        "{hidden:?}"
    );
    assert_eq!(hidden.ok()["members"], shown.ok()["members"]);
}

#[tokio::test]
async fn the_secret_of_a_key_is_no_cookie_and_fits_no_other_key() {
    let fixture = guarded();
    let first = key(&fixture, &[Permission::JobsRead]).await;
    let second = key(&fixture, &[Permission::JobsRead]).await;
    get(&fixture, &first, "/v1/jobs").await.ok();
    let read = |text: &str| baton_domain::access::KeyToken::read(text).unwrap();
    let mixed = baton_domain::access::KeyToken {
        id: read(&second).id,
        secret: read(&first).secret,
    };

    get(&fixture, &mixed.reveal(), "/v1/jobs")
        .await
        .problem("unauthenticated");

    get(&fixture, &first, "/v1/jobs").await.ok();
}

#[tokio::test]
async fn a_bounded_key_can_have_no_permission_that_passes_its_bounds_by() {
    let fixture = guarded();

    for passes_by in [
        Permission::Operate,
        Permission::SchedulesWrite,
        Permission::CampaignsSend,
        Permission::KeysAdmin,
    ] {
        let spec = KeySpec {
            name: "bounded".to_owned(),
            permissions: [Permission::JobsCreate, passes_by].into_iter().collect(),
            kinds: vec!["note".to_owned()],
            ..KeySpec::default()
        };

        let refused = fixture.engine.create_key(spec).await;

        assert!(refused.is_err(), "{passes_by}");
    }
}
