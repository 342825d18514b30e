//! What the lists are filled with: rows as large as they may be, and more than one page of them.

use std::{collections::BTreeMap, time::Duration};

use axum::http::{Method, StatusCode};
use baton_domain::{
    UserId, WorkerId,
    access::{Role, User},
    fleet::Heartbeat,
    job::{Class, Verdict},
    node::Node,
};
use baton_engine::Next;
use baton_ports::store::{Access, Fleet, Nodes, Retention};
use serde_json::{Map, Value, json};

use crate::fixture::Fixture;

const JOBS: usize = 40;
const SCHEDULES: usize = 40;
const RECIPIENTS: usize = 120;
const ITEMS: usize = 150;
const CAMPAIGNS: usize = 150;
const CAUSES: usize = 30;
const OPERATIONS: usize = 20;
const FIRES: usize = 20;
const WORKERS: usize = 12;
const NODES: usize = 20;
const QUEUES: usize = 20;
const KEYS: usize = 20;

/// A list that was filled.
pub struct Stocked {
    /// Its address, to which more can be added.
    pub address: String,
    /// How many items there are at the least.
    pub items: usize,
    /// Whether they are more than one page may have.
    pub is_large: bool,
}

/// What stands in the paths.
pub struct Stock {
    job: String,
    jobs: String,
    schedule: String,
    campaign: String,
}

impl Stock {
    pub async fn of(fixture: &Fixture) -> Self {
        let failed = causes(fixture).await;
        jobs(fixture).await;
        people(fixture).await;
        inbox(fixture).await;
        operations(fixture).await;
        workers(fixture).await;
        nodes(fixture).await;
        queues(fixture).await;
        access(fixture).await;
        let stock = Self {
            job: failed[0].clone(),
            jobs: failed.join(","),
            schedule: schedules(fixture).await,
            campaign: campaigns(fixture).await,
        };
        routines(fixture).await;
        stock
    }

    /// How a list was filled. Whoever adds one says so here.
    pub fn list(&self, path: &str) -> Stocked {
        let (items, is_large) = match path {
            "/v1/attempts" => (CAUSES, false),
            "/v1/audit" => (QUEUES, false),
            "/v1/campaigns" => (CAMPAIGNS, true),
            "/v1/campaigns/{id}/deliveries" => (RECIPIENTS, false),
            "/v1/campaigns/{id}/failures" => (0, false),
            "/v1/dead-letters" => (CAUSES, false),
            "/v1/events" => (500, false),
            "/v1/jobs" => (JOBS, true),
            "/v1/jobs/{id}/attempts" => (1, false),
            "/v1/jobs/{id}/events" => (3, false),
            "/v1/keys" => (KEYS, false),
            "/v1/nodes" => (NODES, false),
            "/v1/operations" => (OPERATIONS, false),
            "/v1/queues" => (QUEUES, false),
            "/v1/recipients" => (RECIPIENTS, true),
            "/v1/recipients/{id}/inbox" => (ITEMS, true),
            "/v1/schedules" => (SCHEDULES, true),
            "/v1/schedules/{id}/fires" => (FIRES, false),
            "/v1/users" => (KEYS, false),
            "/v1/workers" => (WORKERS, true),
            new => panic!("fill {new} with rows as large as they may be, and say here how many"),
        };
        Stocked {
            address: self.address(path),
            items,
            is_large,
        }
    }

    fn address(&self, path: &str) -> String {
        let id = match path.split('/').nth(2) {
            Some("campaigns") => &self.campaign,
            Some("recipients") => "user-0",
            Some("schedules") => &self.schedule,
            _ => &self.job,
        };
        let query = match path {
            "/v1/attempts" => format!("jobs={}&", self.jobs),
            _ => String::new(),
        };
        format!("{}?{query}", path.replace("{id}", id))
    }
}

async fn made(fixture: &Fixture, path: &str, body: Value) -> Value {
    let reply = fixture.post(path, body).await;
    assert!(reply.status.is_success(), "{path}: {reply:?}");
    reply.json()
}

/// Jobs that have failed, each for a reason of its own.
async fn causes(fixture: &Fixture) -> Vec<String> {
    let mut failed = Vec::new();
    for n in 0..CAUSES {
        failed.push(fixture.job(json!({})).await.to_string());
        let code = format!("cause_{}", letters(n));
        // Six bytes of JSON for each of its signs.
        let message = "\u{1}".repeat(1_000);
        fixture
            .run(Verdict::failed(Class::Permanent, &code, message))
            .await;
    }
    failed
}

/// A number in letters, which no fingerprint passes over.
fn letters(n: usize) -> String {
    let digit = |d: usize| char::from(b'a' + u8::try_from(d).unwrap());
    [n / 26, n % 26].map(digit).iter().collect()
}

async fn jobs(fixture: &Fixture) {
    let payload = json!({"text": "x".repeat(200_000)});
    for _ in 0..JOBS {
        fixture
            .job(json!({"payload": payload, "delay": "1h"}))
            .await;
    }
}

async fn people(fixture: &Fixture) {
    let mut addresses: Map<_, _> = (0..15)
        .map(|n| (format!("other-{n}"), json!("x".repeat(4_000))))
        .collect();
    addresses.insert("push".to_owned(), json!("token"));
    for n in 0..RECIPIENTS {
        fixture
            .recipient(&format!("user-{n}"), json!({"addresses": addresses}))
            .await;
    }
}

fn message() -> Value {
    json!({"title": "News", "body": "x".repeat(9_000), "data": {"text": "x".repeat(32_000)}})
}

async fn inbox(fixture: &Fixture) {
    for _ in 0..ITEMS {
        let body = json!({"recipients": ["user-0"], "message": message(), "action": "inbox"});
        made(fixture, "/v1/notifications", body).await;
    }
}

async fn operations(fixture: &Fixture) {
    for n in 0..OPERATIONS {
        let body = json!({"filter": {"kind": format!("nothing-{n}")}});
        made(fixture, "/v1/dead-letters/retry", body).await;
    }
}

async fn workers(fixture: &Fixture) {
    let slots: BTreeMap<_, _> = (0..10_000).map(|n| (format!("{n:0>64}"), 1)).collect();
    for _ in 0..WORKERS {
        let heartbeat = Heartbeat {
            remote: None,
            worker: WorkerId::new(fixture.engine.now()),
            name: "host:4711".to_owned(),
            version: "0.1.0".to_owned(),
            lease: None,
            slots: slots.clone(),
            running: 0,
            draining: false,
            started_at: fixture.engine.now(),
        };
        fixture
            .store
            .heartbeat(&heartbeat, fixture.engine.now())
            .await
            .unwrap();
    }
}

async fn nodes(fixture: &Fixture) {
    let now = fixture.engine.now();
    for _ in 0..NODES {
        let node = Node {
            id: WorkerId::new(now),
            name: "host:4711".to_owned(),
            address: Some("http://10.0.0.7:7700".to_owned()),
            version: "0.1.0".to_owned(),
            roles: vec!["api".to_owned()],
            started_at: now,
        };
        fixture.store.beat_node(&node, None, now).await.unwrap();
    }
}

async fn queues(fixture: &Fixture) {
    for n in 0..QUEUES {
        let path = format!("/v1/queues/{n:x>64}");
        let changed = fixture
            .call(Method::PATCH, &path, Some(json!({"paused": true})))
            .await;
        assert_eq!(changed.status, StatusCode::OK, "{changed:?}");
    }
}

async fn access(fixture: &Fixture) {
    let names: Vec<_> = (0..100).map(|n| format!("{n:x>64}")).collect();
    for n in 0..KEYS {
        let key = json!({
            "name": format!("key {n}"), "permissions": ["jobs:create"], "kinds": names, "queues": names,
        });
        made(fixture, "/v1/keys", key).await;
        let now = fixture.engine.now();
        let user = User {
            id: UserId::new(now),
            name: format!("user-{n}"),
            role: Role::Viewer,
            password: None,
            is_disabled: false,
            created_at: now,
            signed_in_at: None,
            failures: 0,
            retry_at: None,
            identity: None,
        };
        fixture.store.add_user(&user).await.unwrap();
    }
}

/// Makes schedules; the last one has fired.
async fn schedules(fixture: &Fixture) -> String {
    let mut last = String::new();
    for n in 0..SCHEDULES {
        let job = json!({"kind": "note", "payload": {"text": "x".repeat(200_000)}});
        let body = json!({"name": format!("daily {n}"), "cron": "0 9 * * *", "time_zone": "UTC", "job": job});
        let schedule = made(fixture, "/v1/schedules", body).await;
        schedule["id"].as_str().unwrap().clone_into(&mut last);
    }
    for _ in 0..FIRES {
        // Of one moment there is one fire.
        fixture.clock.advance(Duration::from_secs(1));
        let path = format!("/v1/schedules/{last}/fire");
        assert!(fixture.post_nothing(&path).await.status.is_success());
    }
    last
}

/// Makes campaigns; the last one is sent now.
async fn campaigns(fixture: &Fixture) -> String {
    let mut last = String::new();
    for n in 0..CAMPAIGNS {
        let send_at = if n + 1 == CAMPAIGNS {
            "2027-01-15T08:00:00Z"
        } else {
            "2027-03-01T00:00:00Z"
        };
        let body = json!({
            "name": format!("Campaign {n}"), "category": "notice", "action": "push", "audience": {"all": true},
            "message": message(), "send_at": send_at,
        });
        let campaign = made(fixture, "/v1/campaigns", body).await;
        campaign["id"].as_str().unwrap().clone_into(&mut last);
    }
    last
}

/// Lets the node do what there is to do.
async fn routines(fixture: &Fixture) {
    let mut routines = fixture
        .engine
        .routines(fixture.worker, Retention::default());
    for name in ["leader", "expander", "sequencer"] {
        let mut routines = routines.iter_mut();
        let routine = routines.find(|one| one.name() == name).unwrap();
        while routine.turn().await.unwrap() == Next::Now {}
    }
}
