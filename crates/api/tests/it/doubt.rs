//! `unavailable` means that nothing was done, on every way to an answer.
//!
//! Each call that changes anything meets a database that goes away for good, at each step of its way in turn.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
};

use async_trait::async_trait;
use axum::{
    body::Body,
    http::{Method, Request, header::CONTENT_TYPE},
};
use baton_api::description;
use baton_domain::{
    CampaignId, UserId, WorkerId,
    access::{Principal, Role, User},
    campaign::{Approval, NewCampaign, Signature},
    job::{Class, Verdict},
};
use baton_ports::{
    layer::{Effect, Hook, Layer, StoreCall},
    store::{Access, Campaigns, Error, Result},
};
use serde_json::{Value, json};

use crate::fixture::{Fixture, Reply};

/// Away from a call of this number on.
struct Away {
    from: usize,
    /// Whether that call is still done, and only its answer lost.
    is_done: bool,
    calls: AtomicUsize,
    has_written: AtomicBool,
}

#[async_trait]
impl Hook for Away {
    async fn before(&self, call: StoreCall) -> Result<()> {
        let number = self.calls.fetch_add(1, SeqCst);
        let is_last = self.is_done && call.effect == Effect::Writes && number == self.from;
        match number < self.from || is_last {
            true => Ok(()),
            false => Err(Error::Unavailable("it is away".to_owned())),
        }
    }

    async fn after(&self, call: StoreCall) -> Result<()> {
        if call.effect == Effect::Writes {
            self.has_written.store(true, SeqCst);
        }
        match self.calls.load(SeqCst) > self.from {
            true => Err(Error::Unconfirmed("its answer is lost".to_owned())),
            false => Ok(()),
        }
    }
}

/// A call that changes something: the route, where it leads to, and what it says.
type Asked = (Method, &'static str, String, Value);

/// A campaign that somebody has to approve.
async fn held(fixture: &Fixture) -> CampaignId {
    let spec = json!({
        "name": "h", "category": "c", "action": "push", "audience": {"topic": "t"},
        "message": {"title": "t", "body": "b"},
    });
    let now = fixture.engine.now();
    let mut held = NewCampaign::from_spec(serde_json::from_value(spec).unwrap(), now).unwrap();
    held.approval = Some(Approval {
        recipients: 1,
        asked: Signature {
            by: Principal::CommandLine,
            name: "somebody".to_owned(),
            at: now,
        },
        person: Principal::CommandLine,
        approved: None,
    });
    fixture.store.create_campaign(&held).await.unwrap();
    held.id
}

/// A fixture with something for every route to change, and the calls that do it.
#[expect(clippy::too_many_lines, reason = "a table of calls")]
async fn stocked() -> (Fixture, Vec<Asked>) {
    let fixture = Fixture::new();
    let once = fixture.job(json!({"delivery": "at_most_once"})).await;
    fixture
        .run(Verdict::failed(Class::Unknown, "reset", "cut"))
        .await;
    let failed = fixture.job(json!({})).await;
    fixture.fail("no").await;
    let running = fixture.job(json!({})).await;
    fixture.claim().await;
    let later = fixture.job(json!({"delay": "1h", "key": "known"})).await;
    fixture.recipient("a", json!({"topics": ["t"]})).await;
    let tell =
        json!({"recipients": ["a"], "action": "inbox", "message": {"title": "t", "body": "b"}});
    let told = fixture.post("/v1/notifications", tell.clone()).await.json();
    let item = told["items"][0]["item_id"].as_str().unwrap().to_owned();
    let quiz = json!({
        "name": "q", "category": "c", "action": "push", "audience": {"topic": "t"},
        "message": {"title": "t", "body": "b"},
    });
    let (sending, stopped, ended) = (
        created(&fixture, "/v1/campaigns", &quiz).await,
        created(&fixture, "/v1/campaigns", &quiz).await,
        created(&fixture, "/v1/campaigns", &quiz).await,
    );
    let held = held(&fixture).await;
    for (id, word) in [(&stopped, "stop"), (&ended, "cancel")] {
        fixture
            .post_nothing(&format!("/v1/campaigns/{id}/{word}"))
            .await
            .ok();
    }
    fixture
        .store
        .cancel_deliveries(100, fixture.engine.now())
        .await
        .unwrap();
    let daily = |name: &str| json!({"name": name, "cron": "0 9 * * *", "time_zone": "UTC", "job": {"kind": "note"}});
    let schedule = created(&fixture, "/v1/schedules", &daily("one")).await;
    let paused = created(&fixture, "/v1/schedules", &daily("two")).await;
    fixture
        .post_nothing(&format!("/v1/schedules/{paused}/pause"))
        .await
        .ok();

    for name in ["kim", "lee"] {
        fixture
            .store
            .add_user(&admin(&fixture, name))
            .await
            .unwrap();
    }
    let wanted = json!({"name": "old", "permissions": ["jobs:read"]});
    let key = created(&fixture, "/v1/keys", &wanted).await;
    let due = json!({"filter": {"state": "pending"}});
    let operation = created(&fixture, "/v1/jobs/cancel", &due).await;

    let worker = format!("/v1/workers/{}", WorkerId::new(fixture.engine.now()));
    let [lease, next] = [1, 2].map(|n| format!("lse_00000000-0000-4000-8000-00000000000{n}"));
    let resizer =
        json!({"protocol": 1, "name": "host:1", "sdk": "test/1", "kinds": ["resize"], "slots": 4});
    fixture
        .call(Method::PUT, &worker, Some(resizer.clone()))
        .await;
    for _ in 0..2 {
        fixture.post("/v1/jobs", json!({"kind": "resize"})).await;
    }
    let claim = |lease: &str| json!({"wants": [{"queue": "resize", "limit": 1, "lease": lease}], "limit": 1});
    let claimed = fixture
        .post(&format!("{worker}/claim"), claim(&lease))
        .await;
    let token = claimed.json()["batches"][0]["jobs"][0]["token"].clone();

    let none = || json!({});
    let filter = || json!({"filter": {"kind": "note"}});
    let (post, patch) = (|| Method::POST, || Method::PATCH);
    let asked = vec![
        (
            post(),
            "/v1/jobs",
            "/v1/jobs".into(),
            json!({"kind": "note"}),
        ),
        (
            post(),
            "/v1/jobs",
            "/v1/jobs".into(),
            json!({"kind": "note", "delay": "1h", "key": "known"}),
        ),
        (
            post(),
            "/v1/jobs/batch",
            "/v1/jobs/batch".into(),
            json!({"jobs": [{"kind": "note"}, {"kind": "note"}]}),
        ),
        (
            post(),
            "/v1/jobs/{id}/cancel",
            format!("/v1/jobs/{later}/cancel"),
            none(),
        ),
        (
            post(),
            "/v1/jobs/{id}/cancel",
            format!("/v1/jobs/{running}/cancel"),
            none(),
        ),
        (
            post(),
            "/v1/jobs/{id}/cancel",
            format!("/v1/jobs/{running}/cancel"),
            json!({"force": true}),
        ),
        (
            post(),
            "/v1/jobs/{id}/resolve",
            format!("/v1/jobs/{once}/resolve"),
            json!({"as": "failed"}),
        ),
        (
            post(),
            "/v1/jobs/{id}/retry",
            format!("/v1/jobs/{failed}/retry"),
            none(),
        ),
        (post(), "/v1/jobs/cancel", "/v1/jobs/cancel".into(), due),
        (
            post(),
            "/v1/jobs/retry",
            "/v1/jobs/retry".into(),
            json!({"filter": {"state": "canceled"}}),
        ),
        (
            post(),
            "/v1/operations/{id}/stop",
            format!("/v1/operations/{operation}/stop"),
            none(),
        ),
        (
            post(),
            "/v1/jobs/{id}/run-now",
            format!("/v1/jobs/{later}/run-now"),
            none(),
        ),
        (
            post(),
            "/v1/dead-letters/retry",
            "/v1/dead-letters/retry".into(),
            filter(),
        ),
        (
            post(),
            "/v1/dead-letters/discard",
            "/v1/dead-letters/discard".into(),
            filter(),
        ),
        (
            patch(),
            "/v1/queues/{name}",
            "/v1/queues/default".into(),
            json!({"paused": true}),
        ),
        (
            Method::PUT,
            "/v1/recipients/{id}",
            "/v1/recipients/b".into(),
            json!({"platform": "ios"}),
        ),
        (
            Method::DELETE,
            "/v1/recipients/{id}",
            "/v1/recipients/a".into(),
            Value::Null,
        ),
        (
            post(),
            "/v1/recipients/import",
            "/v1/recipients/import".into(),
            json!([
                {"id": "b", "platform": "ios"}, {"id": "b", "platform": "web"},
            ]),
        ),
        (
            post(),
            "/v1/recipients/{id}/inbox/read-all",
            "/v1/recipients/a/inbox/read-all".into(),
            none(),
        ),
        (
            post(),
            "/v1/recipients/{id}/inbox/{item}/read",
            format!("/v1/recipients/a/inbox/{item}/read"),
            none(),
        ),
        (
            post(),
            "/v1/notifications",
            "/v1/notifications".into(),
            tell,
        ),
        (post(), "/v1/campaigns", "/v1/campaigns".into(), quiz),
        (
            patch(),
            "/v1/campaigns/{id}",
            format!("/v1/campaigns/{sending}"),
            json!({"rate": 5.0}),
        ),
        (
            post(),
            "/v1/campaigns/{id}/stop",
            format!("/v1/campaigns/{sending}/stop"),
            none(),
        ),
        (
            post(),
            "/v1/campaigns/{id}/resume",
            format!("/v1/campaigns/{stopped}/resume"),
            none(),
        ),
        (
            post(),
            "/v1/campaigns/{id}/cancel",
            format!("/v1/campaigns/{sending}/cancel"),
            none(),
        ),
        (
            post(),
            "/v1/campaigns/{id}/approve",
            format!("/v1/campaigns/{held}/approve"),
            none(),
        ),
        (
            post(),
            "/v1/campaigns/{id}/retry-failed",
            format!("/v1/campaigns/{sending}/retry-failed"),
            none(),
        ),
        (
            post(),
            "/v1/campaigns/{id}/send-to-rest",
            format!("/v1/campaigns/{ended}/send-to-rest"),
            none(),
        ),
        (
            post(),
            "/v1/schedules",
            "/v1/schedules".into(),
            daily("three"),
        ),
        (
            patch(),
            "/v1/schedules/{id}",
            format!("/v1/schedules/{schedule}"),
            json!({"cron": "0 8 * * *"}),
        ),
        (
            Method::DELETE,
            "/v1/schedules/{id}",
            format!("/v1/schedules/{schedule}"),
            Value::Null,
        ),
        (
            post(),
            "/v1/schedules/{id}/fire",
            format!("/v1/schedules/{schedule}/fire"),
            none(),
        ),
        (
            post(),
            "/v1/schedules/{id}/pause",
            format!("/v1/schedules/{schedule}/pause"),
            none(),
        ),
        (
            post(),
            "/v1/schedules/{id}/resume",
            format!("/v1/schedules/{paused}/resume"),
            none(),
        ),
        (
            post(),
            "/v1/keys",
            "/v1/keys".into(),
            json!({"name": "more", "permissions": ["jobs:read"]}),
        ),
        (
            post(),
            "/v1/keys/{id}/revoke",
            format!("/v1/keys/{key}/revoke"),
            none(),
        ),
        (
            post(),
            "/v1/keys/{id}/rotate",
            format!("/v1/keys/{key}/rotate"),
            json!({"overlap": "1h"}),
        ),
        (
            post(),
            "/v1/users",
            "/v1/users".into(),
            json!({"name": "park", "role": "viewer", "password": "correct horse battery"}),
        ),
        (
            patch(),
            "/v1/users/{name}",
            "/v1/users/kim".into(),
            json!({"role": "viewer"}),
        ),
        (
            post(),
            "/v1/users/{name}/sign-out",
            "/v1/users/kim/sign-out".into(),
            none(),
        ),
        (Method::PUT, "/v1/workers/{id}", worker.clone(), resizer),
        (
            patch(),
            "/v1/workers/{id}",
            worker.clone(),
            json!({"drain": true}),
        ),
        (
            post(),
            "/v1/workers/{id}/claim",
            format!("{worker}/claim"),
            claim(&next),
        ),
        (
            post(),
            "/v1/workers/{id}/beat",
            format!("{worker}/beat"),
            json!({"heard": [lease], "progress": [{"token": token, "done": 1}]}),
        ),
        (
            post(),
            "/v1/workers/{id}/results",
            format!("{worker}/results"),
            json!({"results": [{"token": token, "verdict": "failed", "class": "retry"}]}),
        ),
        (
            post(),
            "/v1/workers/{id}/checkpoints",
            format!("{worker}/checkpoints"),
            json!({"checkpoints": [{"token": token, "seq": 1, "cursor": 1, "jobs": [{"kind": "resize"}]}]}),
        ),
        (
            post(),
            "/v1/workers/{id}/release",
            format!("{worker}/release"),
            json!({"leases": [lease]}),
        ),
        (Method::DELETE, "/v1/workers/{id}", worker, none()),
    ];
    (fixture, asked)
}

/// An admin without a password: nobody signs in here.
fn admin(fixture: &Fixture, name: &str) -> User {
    let now = fixture.engine.now();
    User {
        id: UserId::new(now),
        name: name.to_owned(),
        role: Role::Admin,
        password: None,
        is_disabled: false,
        created_at: now,
        signed_in_at: None,
        failures: 0,
        retry_at: None,
        identity: None,
    }
}

async fn created(fixture: &Fixture, path: &str, body: &Value) -> String {
    let made = fixture.post(path, body.clone()).await;
    let id = made.json()["id"].as_str().map(str::to_owned);
    id.unwrap_or_else(|| panic!("{made:?}"))
}

async fn ask(fixture: &Fixture, (method, _, path, body): &Asked) -> Reply {
    let (media, body) = match body {
        Value::Array(rows) => {
            let rows: Vec<_> = rows.iter().map(Value::to_string).collect();
            ("application/x-ndjson", rows.join("\n"))
        }
        body => ("application/json", body.to_string()),
    };
    let request = Request::builder().method(method).uri(path);
    let request = match method {
        &Method::DELETE => request.body(Body::empty()),
        _ => request.header(CONTENT_TYPE, media).body(Body::from(body)),
    };
    fixture.send(request.unwrap()).await
}

#[tokio::test]
async fn every_route_that_changes_anything_is_walked() {
    let only_looks = [
        "/v1/audiences/preview",
        "/v1/campaigns/preview",
        "/v1/recipients/{id}/inbox/token",
    ];

    let (_, asked) = stocked().await;

    let walked: BTreeSet<_> = asked
        .iter()
        .map(|(method, route, ..)| (method.to_string().to_lowercase(), (*route).to_owned()))
        .collect();
    let described = serde_json::to_value(description()).unwrap();
    let mut there_are = BTreeSet::new();
    for (path, calls) in described["paths"].as_object().unwrap() {
        let calls = calls.as_object().unwrap().keys();
        let calls =
            calls.filter(|call| ["post", "put", "patch", "delete"].contains(&call.as_str()));
        there_are.extend(calls.map(|call| (call.clone(), path.clone())));
    }
    there_are.retain(|(_, path)| !only_looks.contains(&path.as_str()));
    assert_eq!(walked, there_are);
}

#[tokio::test(start_paused = true)]
async fn unavailable_means_that_nothing_was_done_wherever_the_database_goes_away() {
    let count = stocked().await.1.len();

    let mut wrong = Vec::new();
    for route in 0..count {
        for is_done in [false, true] {
            wrong.extend(walk(route, is_done).await);
        }
    }

    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Has the database go away at each step of one call; answers with what was told wrongly.
async fn walk(route: usize, is_done: bool) -> Vec<String> {
    let mut wrong = Vec::new();
    for from in 0..20 {
        let (fixture, asked) = stocked().await;
        let away = Away {
            from,
            is_done,
            calls: AtomicUsize::new(0),
            has_written: AtomicBool::new(false),
        };
        let store = Layer::over(fixture.store.clone(), away);
        let fixture = fixture.over(store.clone());

        let asked = &asked[route];
        let reply = ask(&fixture, asked).await;

        if store.hook.calls.load(SeqCst) <= from {
            assert!(reply.status.is_success(), "{asked:?}: {reply:?}");
            return wrong;
        }
        let has_written = store.hook.has_written.load(SeqCst);
        let told = reply.json()["code"].clone();
        if has_written && told == "unavailable" || !has_written && told == "unconfirmed" {
            wrong.push(format!(
                "{} {}: away from call {from} on, done: {is_done}, written: {has_written}, told: {told}",
                asked.0, asked.2
            ));
        }
    }
    panic!("so many calls are made by none of them");
}
