//! A fixture of its own for each test: a store in memory, an engine, the API, a clock turned by hand.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use axum::{
    Router,
    body::{Body, Bytes, to_bytes},
    http::{HeaderMap, Method, Request, StatusCode, header::CONTENT_TYPE},
};
use baton_api::{Access, Options, Pages, health_router, router};
use baton_domain::{
    Clock, JobId, LeaseId, ManualClock, Timestamp, WorkerId,
    access::{Actor, Permissions},
    fingerprint,
    job::{self, Class, FieldError, JobSpec, Verdict},
};
use baton_engine::{Caller, Engine, Settings};
use baton_ports::{
    Call, ChildJob, Handler, Store, Wakeup, Wakeups,
    faulty::{Faulty, Odds},
    memory::MemoryStore,
    store::{AttemptResult, By, Claim, Claimed, Events, QueueClaim, Retention, Upkeep, Work},
};
use rand::{SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use tower::ServiceExt;

use crate::answers::assert_described;

pub struct Fixture {
    pub store: Arc<MemoryStore>,
    pub faults: Arc<Faulty>,
    pub engine: Caller,
    pub clock: ManualClock,
    pub api: Router,
    pub worker: WorkerId,
}

/// A handler of this kind that accepts any payload but `{"bad": ...}`; with `{"makes": KIND}` a job is to make others. Nobody calls it
/// here.
struct Anything(&'static str);

#[async_trait]
impl Handler for Anything {
    fn kind(&self) -> &'static str {
        self.0
    }

    fn check(&self, payload: &str) -> Result<(), Vec<FieldError>> {
        if payload.contains("\"bad\"") {
            Err(vec![FieldError::new("payload.bad", "is not wanted")])
        } else {
            Ok(())
        }
    }

    fn makes(&self, payload: &str) -> Option<ChildJob> {
        let payload: Value = serde_json::from_str(payload).ok()?;
        let spec = JobSpec::new(payload["makes"].as_str()?, "null");
        let at = "payload.job";
        Some(ChildJob { at, spec })
    }

    async fn run(&self, _: Call) -> Verdict {
        Verdict::Accepted { result: None }
    }
}

fn engine(store: Arc<dyn Store>, clock: &ManualClock) -> Engine {
    engine_with_lease(store, clock, Settings::default().lease)
}

fn engine_with_lease(store: Arc<dyn Store>, clock: &ManualClock, lease: Duration) -> Engine {
    engine_with(
        store,
        clock,
        Settings {
            lease,
            ..Settings::default()
        },
    )
}

fn engine_with(store: Arc<dyn Store>, clock: &ManualClock, settings: Settings) -> Engine {
    Engine::new(
        store,
        Arc::new(Wakeups::default()),
        Arc::new(clock.clone()),
        vec![Arc::new(Anything("note")), Arc::new(Anything("delivery"))],
        Settings {
            providers: vec!["gateway".to_owned()],
            ..settings
        },
    )
}

impl Fixture {
    pub fn new() -> Self {
        Self::with(Options::default())
    }

    pub fn with(options: Options) -> Self {
        Self::beside(options, Pages::default())
    }

    /// One with these pages beside the API.
    pub fn beside(options: Options, pages: Pages) -> Self {
        let clock = ManualClock::at(Timestamp::from_micros(1_800_000_000_000_000));
        let store = Arc::new(MemoryStore::with_clock(Arc::new(clock.clone())));
        let faults = Faulty::new(store.clone(), 7, NEVER);
        let engine = engine(faults.clone(), &clock);
        Self {
            api: router(engine.clone(), options, pages),
            worker: WorkerId::new(clock.now()),
            store,
            faults,
            engine: engine.caller(anybody()),
            clock,
        }
    }

    /// The same process without the role of the API.
    pub fn without_api(self) -> Self {
        Self {
            api: health_router((*self.engine).clone(), Options::default()),
            ..self
        }
    }

    /// One that asks who one is, and a second person for campaigns of more recipients than this.
    pub fn with_second_person_over(bound: u64) -> Self {
        let fixture = Self::new();
        let settings = Settings {
            second_person_over: Some(bound),
            ..Settings::default()
        };
        let engine = engine_with(fixture.faults.clone(), &fixture.clock, settings);
        let options = Options {
            access: Access::Required,
            ..Options::default()
        };
        Self {
            api: router(engine.clone(), options, Pages::default()),
            engine: engine.caller(anybody()),
            ..fixture
        }
    }

    /// The same fixture with leases of this length.
    pub fn with_lease(self, lease: Duration) -> Self {
        let engine = engine_with_lease(self.faults.clone(), &self.clock, lease);
        Self {
            api: router(engine.clone(), Options::default(), Pages::default()),
            engine: engine.caller(anybody()),
            ..self
        }
    }

    /// The same fixture over another store.
    pub fn over(self, store: Arc<dyn Store>) -> Self {
        let engine = engine(store, &self.clock);
        Self {
            api: router(engine.clone(), Options::default(), Pages::default()),
            engine: engine.caller(anybody()),
            ..self
        }
    }

    /// Another node, over the same store.
    pub fn another_node(&self) -> Self {
        let engine = engine(self.faults.clone(), &self.clock);
        Self {
            store: self.store.clone(),
            faults: self.faults.clone(),
            api: router(engine.clone(), Options::default(), Pages::default()),
            engine: engine.caller(anybody()),
            clock: self.clock.clone(),
            worker: self.worker,
        }
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.call(Method::GET, path, None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Reply {
        self.call(Method::POST, path, Some(body)).await
    }

    pub async fn post_nothing(&self, path: &str) -> Reply {
        self.call(Method::POST, path, None).await
    }

    pub async fn call(&self, method: Method, path: &str, body: Option<Value>) -> Reply {
        let request = Request::builder().method(method).uri(path);
        let request = match body {
            Some(body) => request
                .header(CONTENT_TYPE, "application/json")
                .body(Body::from(body.to_string())),
            None => request.body(Body::empty()),
        };
        self.send(request.unwrap()).await
    }

    /// Posts a text as it is.
    pub async fn post_text(&self, path: &str, body: impl Into<Body>) -> Reply {
        let request = Request::post(path)
            .header(CONTENT_TYPE, "application/json")
            .body(body.into());
        self.send(request.unwrap()).await
    }

    pub async fn send(&self, request: Request<Body>) -> Reply {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = self.api.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let reply = Reply {
            status: parts.status,
            headers: parts.headers,
            body: to_bytes(body, usize::MAX).await.unwrap(),
        };
        assert_described(&method, &path, &reply);
        reply
    }

    /// A job, accepted.
    pub async fn job(&self, extra: Value) -> JobId {
        let mut body = json!({"kind": "note"});
        let fields = extra.as_object().unwrap().clone();
        body.as_object_mut().unwrap().extend(fields);
        let reply = self.post("/v1/jobs", body).await;
        assert_eq!(reply.status, StatusCode::CREATED, "{reply:?}");
        reply.json()["id"].as_str().unwrap().parse().unwrap()
    }

    /// A recipient, written down.
    pub async fn recipient(&self, id: &str, more: Value) {
        let mut body = json!({"platform": "ios"});
        let more = more.as_object().unwrap().clone();
        body.as_object_mut().unwrap().extend(more);
        let path = format!("/v1/recipients/{id}");
        let reply = self.call(Method::PUT, &path, Some(body)).await;
        assert_eq!(reply.status, StatusCode::CREATED, "{reply:?}");
    }

    /// Claims what there is in the default queue.
    pub async fn claim(&self) -> Vec<Claimed> {
        let claim = Claim {
            worker: self.worker,
            until: self.clock.now() + Duration::from_secs(30),
            queues: vec![QueueClaim {
                queue: "default".to_owned(),
                lease: LeaseId::random(),
                limit: 100,
                limited: false,
                jobs: None,
            }],
        };
        self.store.claim(&claim, self.clock.now()).await.unwrap()
    }

    /// Claims what there is, and records this verdict for all of it.
    pub async fn run(&self, verdict: Verdict) {
        for claimed in self.claim().await {
            self.settle(claimed, verdict.clone()).await;
        }
    }

    pub async fn fail(&self, message: &str) {
        self.run(Verdict::failed(Class::Permanent, "http_400", message))
            .await;
    }

    async fn settle(&self, claimed: Claimed, verdict: Verdict) {
        let now = self.clock.now();
        let policy = claimed.args.options.policy();
        let fingerprint = match &verdict {
            Verdict::Failed { failure, .. } => {
                Some(fingerprint::fingerprint(&claimed.args.kind, failure))
            }
            _ => None,
        };
        let mut chance = StdRng::seed_from_u64(7);
        let result = AttemptResult {
            lease: claimed.lease,
            job: claimed.args.id,
            counters: claimed.counters,
            queued_at: claimed.queued_at,
            started_at: Some(now),
            decision: job::decide(verdict, claimed.counters, policy, now, &mut chance).unwrap(),
            fingerprint,
            seen: None,
        };
        let store = self.store.clone();
        store
            .settle(By::Worker(self.worker), &[result], now)
            .await
            .unwrap();
    }

    /// Forgets the jobs that have ended, a week later, and keeps their keys.
    pub async fn forget_jobs(&self) {
        let retention = Retention {
            keys: Duration::from_hours(720),
            ..Retention::default()
        };
        self.clock.advance(retention.jobs + Duration::from_secs(1));
        self.store
            .prune(&retention, 100, self.clock.now())
            .await
            .unwrap();
    }

    /// Numbers the facts there are, and sends the wake-up.
    pub async fn sequence(&self) {
        let sequenced = self.store.sequence(1_000, self.clock.now()).await.unwrap();
        if sequenced.count > 0 {
            self.engine.wakeups().send(Wakeup::Events);
        }
    }

    /// The database goes away.
    pub fn cut(&self) {
        self.faults.set(Odds {
            before: 1.0,
            after: 0.0,
        });
    }

    /// The database comes back.
    pub fn mend(&self) {
        self.faults.set(NEVER);
    }
}

/// Whoever it is, they may do everything.
fn anybody() -> Actor {
    Actor {
        permissions: Permissions::ALL,
        ..Actor::anonymous()
    }
}

const NEVER: Odds = Odds {
    before: 0.0,
    after: 0.0,
};

/// An answer, read to its end.
#[derive(Debug)]
pub struct Reply {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Reply {
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }

    #[track_caller]
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, StatusCode::OK, "{self:?}");
        self.json()
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }

    /// The problem, which is whole and of this kind.
    #[track_caller]
    pub fn problem(&self, code: &str) -> Value {
        let problem = self.any_problem();
        assert_eq!(problem["code"], code, "{problem:#}");
        problem
    }

    /// The problem, which is whole.
    #[track_caller]
    pub fn any_problem(&self) -> Value {
        assert_eq!(
            self.header("content-type"),
            "application/problem+json",
            "{self:?}"
        );
        let problem = self.json();
        let code = problem["code"].as_str().unwrap();
        assert_eq!(problem["type"], format!("/docs/problems/{code}"));
        assert_eq!(problem["status"], self.status.as_u16());
        assert_eq!(problem["request_id"], self.header("request-id"));
        for field in ["title", "detail", "instance"] {
            assert_ne!(
                problem[field].as_str().unwrap_or(""),
                "",
                "{field}: {problem:#}"
            );
        }
        assert_eq!(self.status == 503, self.headers.contains_key("retry-after"));
        problem
    }

    /// The names of the fields that a problem says are wrong.
    #[track_caller]
    pub fn wrong_fields(&self) -> Vec<String> {
        let problem = self.problem("invalid");
        let errors = problem["errors"].as_array().unwrap();
        errors
            .iter()
            .map(|error| error["field"].as_str().unwrap().to_owned())
            .collect()
    }
}
