//! A fixture for one test: an engine, a clock turned by hand, and a browser.
//!
//! The engine runs over the store in memory; the browser asks the console.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use axum::{
    Extension, Router,
    body::Body,
    http::{HeaderMap, Request, StatusCode, header},
};
use baton_console::About;
use baton_domain::{
    Clock, JobId, LeaseId, ManualClock, Timestamp, WorkerId,
    access::{Actor, Browser, Permissions},
    fingerprint,
    fleet::Heartbeat,
    job::{Class, DeliveryGuarantee, FieldError, Job, JobSpec, State, Verdict, decide},
    operation::DeadLetterGroup,
    page::PageRequest,
};
use baton_engine::{Caller, Cancel, Engine, Settings, Streams};
use baton_ports::{
    Handler, Store, Wakeups,
    faulty::{Faulty, Odds},
    handler::Call,
    memory::MemoryStore,
    store::{AttemptResult, By, Claim, Claimed, Events, Fleet, NewEvent, QueueClaim, Work},
};
use http_body_util::BodyExt;
use rand::{SeedableRng, rngs::StdRng};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

pub const NOW: Timestamp = Timestamp::from_micros(1_769_850_000_000_000);

pub struct Fixture {
    pub engine: Caller,
    pub clock: ManualClock,
    pub worker: WorkerId,
    pub shutdown: CancellationToken,
    pub browser: Router,
    pub store: Arc<Faulty>,
}

/// What the browser got.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: String,
}

impl Answer {
    #[track_caller]
    pub fn has(&self, text: &str) -> &Self {
        assert!(self.body.contains(text), "no {text:?} in:\n{}", self.body);
        self
    }

    #[track_caller]
    pub fn lacks(&self, text: &str) -> &Self {
        assert!(
            !self.body.contains(text),
            "{text:?} stands in:\n{}",
            self.body
        );
        self
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .and_then(|value| value.to_str().ok())
            .unwrap_or("")
    }

    /// The buttons, by their word.
    pub fn buttons(&self) -> Vec<&str> {
        let parts = self.body.split("data-action=\"").skip(1);
        parts.filter_map(|part| part.split('"').next()).collect()
    }
}

impl Fixture {
    /// The same rooms over a store that is not as it should be.
    pub fn over(self, store: Arc<dyn Store>) -> Self {
        let engine = Engine::new(
            store,
            Arc::new(Wakeups::default()),
            Arc::new(self.clock.clone()),
            vec![Arc::new(AnyPayload)],
            settings(),
        );
        let console = baton_console::router(
            engine.clone(),
            Streams::new(64),
            self.shutdown.clone(),
            About::default(),
        );
        Self {
            engine: engine.caller(anybody()),
            browser: mounted(console),
            ..self
        }
    }

    pub fn new() -> Self {
        let clock = ManualClock::at(NOW);
        let memory = MemoryStore::with_clock(Arc::new(clock.clone()));
        let none = Odds {
            before: 0.0,
            after: 0.0,
        };
        let store = Faulty::new(Arc::new(memory), 1, none);
        let engine = Engine::new(
            store.clone(),
            Arc::new(Wakeups::default()),
            Arc::new(clock.clone()),
            vec![Arc::new(AnyPayload)],
            settings(),
        );
        let shutdown = CancellationToken::new();
        let console = baton_console::router(
            engine.clone(),
            Streams::new(64),
            shutdown.clone(),
            About::default(),
        );
        Self {
            engine: engine.caller(anybody()),
            worker: WorkerId::new(clock.now()),
            clock,
            shutdown,
            browser: mounted(console),
            store,
        }
    }

    /// The pages, for whoever is let past the gate.
    pub fn console(&self) -> Router {
        self.console_of(About::default())
    }

    /// The same of a process that says this of itself.
    pub fn console_of(&self, about: About) -> Router {
        let engine = (*self.engine).clone();
        let streams = Streams::new(64);
        baton_console::router(engine, streams, self.shutdown.clone(), about)
    }

    /// The same rooms in a process that says this of itself.
    pub fn about(self, about: About) -> Self {
        let browser = mounted(self.console_of(about));
        Self { browser, ..self }
    }

    /// Cuts the store off, or connects it again.
    pub fn cut(&self, is_cut: bool) {
        self.store.set(Odds {
            before: if is_cut { 1.0 } else { 0.0 },
            after: 0.0,
        });
    }

    pub async fn get(&self, path: &str) -> Answer {
        let request = Request::get(path).body(Body::empty()).unwrap();
        self.ask(request).await
    }

    /// Presses a button on the console's own page, without a script.
    pub async fn press(&self, path: &str, form: &str) -> Answer {
        let request = own_post(path).body(Body::from(form.to_owned())).unwrap();
        self.ask(request).await
    }

    /// The same with a script.
    pub async fn press_by_script(&self, path: &str, form: &str) -> Answer {
        let request = own_post(path).header(header::ACCEPT, "application/json");
        self.ask(request.body(Body::from(form.to_owned())).unwrap())
            .await
    }

    pub async fn ask(&self, request: Request<Body>) -> Answer {
        let response = self.browser.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        Answer {
            status: parts.status,
            headers: parts.headers,
            body: String::from_utf8(bytes.to_vec()).unwrap(),
        }
    }

    pub async fn enqueue(&self, spec: JobSpec) -> JobId {
        let enqueued = self.engine.enqueue(spec).await.unwrap();
        self.number_facts().await;
        enqueued.id()
    }

    pub async fn heartbeat(&self, name: &str, version: &str) {
        let heartbeat = Heartbeat {
            remote: None,
            worker: self.worker,
            name: name.to_owned(),
            version: version.to_owned(),
            lease: None,
            slots: BTreeMap::from([("default".to_owned(), 10)]),
            running: 3,
            draining: false,
            started_at: NOW,
        };
        self.store
            .heartbeat(&heartbeat, self.clock.now())
            .await
            .unwrap();
        self.number_facts().await;
    }

    pub async fn claim(&self) -> Claimed {
        self.claim_of("default").await
    }

    pub async fn claim_of(&self, queue: &str) -> Claimed {
        let claim = Claim {
            worker: self.worker,
            until: self.clock.now() + Duration::from_secs(30),
            queues: vec![QueueClaim {
                queue: queue.to_owned(),
                lease: LeaseId::random(),
                limit: 1,
                limited: false,
                jobs: None,
            }],
        };
        let claimed = self.store.claim(&claim, self.clock.now()).await.unwrap();
        self.number_facts().await;
        claimed.into_iter().next().expect("a job to claim")
    }

    pub async fn settle(&self, claimed: Claimed, verdict: Verdict) {
        let (args, now) = (&claimed.args, self.clock.now());
        let policy = args.options.policy();
        let mut chance = StdRng::seed_from_u64(1);
        let decision = decide(verdict, claimed.counters, policy, now, &mut chance).unwrap();
        let is_dead = decision.transition.to() == State::Failed;
        let failure = decision.failure.as_ref().filter(|_| is_dead);
        let result = AttemptResult {
            lease: claimed.lease,
            job: args.id,
            counters: claimed.counters,
            queued_at: claimed.queued_at,
            started_at: Some(now),
            fingerprint: failure.map(|failure| fingerprint::fingerprint(&args.kind, failure)),
            seen: None,
            decision,
        };
        let by = By::Worker(self.worker);
        self.store.settle(by, &[result], now).await.unwrap();
        self.number_facts().await;
    }

    /// A job that has come to this state in an honest way.
    pub async fn job_in(&self, state: State) -> JobId {
        let id = self.enqueue(spec_for(state)).await;
        match state {
            State::Pending | State::Queued => {}
            State::Canceled => {
                let cancel = Cancel::default();
                self.engine.cancel(id, cancel).await.unwrap();
            }
            State::Running => {
                self.claim().await;
            }
            _ => {
                let claimed = self.claim().await;
                self.settle(claimed, verdict_for(state)).await;
            }
        }
        self.number_facts().await;
        assert_eq!(self.job(id).await.state, state);
        id
    }

    pub async fn job(&self, id: JobId) -> Job {
        self.engine.job(id).await.unwrap()
    }

    /// The only group of dead letters.
    pub async fn group(&self) -> DeadLetterGroup {
        let groups = self.engine.dead_letters(&PageRequest::default()).await;
        groups.unwrap().items.remove(0)
    }

    /// Something has happened, and is numbered.
    pub async fn note(&self, kind: &str, subject: &str, data: Value) {
        let note = NewEvent {
            kind: kind.to_owned(),
            subject: subject.to_owned(),
            data,
        };
        self.store.note(&note, self.engine.now()).await.unwrap();
        self.number_facts().await;
    }

    pub async fn number_facts(&self) {
        self.store.sequence(20_000, self.clock.now()).await.unwrap();
    }
}

/// Whoever it is, they may do everything.
pub fn anybody() -> Actor {
    Actor {
        permissions: Permissions::ALL,
        ..Actor::anonymous()
    }
}

/// The pages as a server has them that asks nobody who they are.
fn mounted(console: Router) -> Router {
    let anybody = Extension(anybody());
    let browser = Extension(Browser::default());
    Router::new()
        .nest("/admin", console)
        .layer(anybody)
        .layer(browser)
}

/// A POST as a browser sends it from the console's own page.
pub fn own_post(path: &str) -> axum::http::request::Builder {
    Request::post(path)
        .header("sec-fetch-site", "same-origin")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
}

fn settings() -> Settings {
    Settings {
        second_person_over: Some(1_000),
        providers: vec!["gateway".to_owned()],
        ..Settings::default()
    }
}

pub fn spec() -> JobSpec {
    JobSpec {
        kind: "simulate".to_owned(),
        payload: "{}".to_owned(),
        ..JobSpec::default()
    }
}

fn spec_for(state: State) -> JobSpec {
    JobSpec {
        delay: (state == State::Pending).then(|| Duration::from_mins(1)),
        delivery: (state == State::Uncertain).then_some(DeliveryGuarantee::AtMostOnce),
        ..spec()
    }
}

pub fn verdict_for(state: State) -> Verdict {
    match state {
        State::RetryWait => Verdict::failed(Class::Retry, "http_503", "try later"),
        State::Failed => Verdict::failed(Class::Permanent, "http_400", "no such template"),
        State::Skipped => Verdict::Skipped {
            why: "opted out".to_owned(),
        },
        State::Uncertain => Verdict::failed(Class::Unknown, "timeout", "no answer"),
        _ => Verdict::Accepted {
            result: Some("{\"ok\":true}".to_owned()),
        },
    }
}

struct AnyPayload;

#[async_trait]
impl Handler for AnyPayload {
    fn kind(&self) -> &'static str {
        "simulate"
    }

    fn check(&self, _payload: &str) -> Result<(), Vec<FieldError>> {
        Ok(())
    }

    async fn run(&self, _call: Call) -> Verdict {
        Verdict::Accepted { result: None }
    }
}
