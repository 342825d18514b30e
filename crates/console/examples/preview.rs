//! The console over a store in memory, with a fleet that only pretends: for whoever changes a page.
//!
//! `cargo run -p baton-console --example preview`, then open <http://127.0.0.1:7879/admin>. Add
//! `--quiet` for an installation in which nothing has happened yet.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use axum::{Extension, Router};
use baton_console::About;
use baton_domain::{
    Clock, LeaseId, Timestamp, WorkerId,
    access::{Actor, Browser},
    fingerprint,
    fleet::Heartbeat,
    job::{Class, DeliveryGuarantee, FieldError, JobSpec, State, Verdict, decide},
    time::SystemClock,
};
use baton_engine::{Caller, Engine, Settings, Streams, Supervisor};
use baton_ports::{
    Handler, Store, Wakeups,
    handler::Call,
    memory::MemoryStore,
    store::{AttemptResult, By, Claim, Claimed, QueueClaim, Retention},
};
use rand::{RngExt, seq::IndexedRandom};
use tokio_util::sync::CancellationToken;

const QUEUES: [&str; 3] = ["default", "mail", "reports"];
const SLOTS: u32 = 8;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let handlers = ["http", "simulate", "report.monthly"].map(|kind| Arc::new(Pretend(kind)) as _);
    let engine = Engine::new(
        store.clone(),
        Arc::new(Wakeups::default()),
        clock.clone(),
        handlers.to_vec(),
        Settings::default(),
    );
    let supervisor = Supervisor::new(&engine);
    for routine in engine.routines(WorkerId::new(clock.now()), Retention::default()) {
        supervisor.start(routine);
    }
    if !std::env::args().any(|arg| arg == "--quiet") {
        let anybody = engine.caller(Actor::anonymous());
        seed(&anybody).await;
        for name in ["web-1:4711", "web-2:812"] {
            tokio::spawn(work(engine.clone(), store.clone(), name));
        }
        tokio::spawn(ask(anybody));
    }
    let console = baton_console::router(
        engine,
        Streams::new(64),
        CancellationToken::new(),
        About::default(),
    );
    let listener = tokio::net::TcpListener::bind("127.0.0.1:7879").await?;
    println!("http://{}/admin", listener.local_addr()?);
    let pages = Router::new()
        .nest("/admin", console)
        .layer(Extension(Actor::anonymous()))
        .layer(Extension(Browser::default()));
    axum::serve(listener, pages).await
}

/// A kind that takes any payload; the pretended fleet does its work.
struct Pretend(&'static str);

#[async_trait]
impl Handler for Pretend {
    fn kind(&self) -> &'static str {
        self.0
    }

    fn check(&self, _payload: &str) -> Result<(), Vec<FieldError>> {
        Ok(())
    }

    async fn run(&self, _call: Call) -> Verdict {
        Verdict::Accepted { result: None }
    }
}

async fn seed(engine: &Caller) {
    for i in 0..60 {
        enqueue(engine, i).await;
    }
    for (minutes, delivery) in [
        (5, DeliveryGuarantee::AtLeastOnce),
        (90, DeliveryGuarantee::AtLeastOnce),
        (0, DeliveryGuarantee::AtMostOnce),
    ] {
        let spec = JobSpec {
            kind: "report.monthly".to_owned(),
            payload: r#"{"month":"2026-09","account":12345678901234567890,"to":["a@example.org"]}"#
                .to_owned(),
            key: Some(format!("report:2026-09:{minutes}")),
            queue: Some("reports".to_owned()),
            delay: Some(Duration::from_secs(60 * minutes)),
            delivery: Some(delivery),
            tags: vec!["monthly".to_owned(), "t42".to_owned()],
            ..JobSpec::default()
        };
        report(engine.enqueue(spec).await);
    }
}

async fn ask(engine: Caller) {
    for i in 60.. {
        let pause = rand::rng().random_range(300..1_500);
        tokio::time::sleep(Duration::from_millis(pause)).await;
        enqueue(&engine, i).await;
    }
}

async fn enqueue(engine: &Caller, i: u64) {
    let queue = QUEUES.choose(&mut rand::rng()).copied();
    let spec = JobSpec {
        kind: if i.is_multiple_of(3) {
            "simulate"
        } else {
            "http"
        }
        .to_owned(),
        payload: format!(r#"{{"url":"https://hooks.example.org/orders","body":{{"order":{i}}}}}"#),
        key: i.is_multiple_of(4).then(|| format!("order:{i}")),
        queue: queue.map(str::to_owned),
        ..JobSpec::default()
    };
    report(engine.enqueue(spec).await);
}

async fn work(engine: Engine, store: Arc<dyn Store>, name: &'static str) {
    let worker = WorkerId::new(engine.now());
    let started_at = engine.now();
    let mut busy: Vec<(Timestamp, Claimed)> = Vec::new();
    loop {
        let now = engine.now();
        let running = u32::try_from(busy.len()).unwrap_or(SLOTS);
        report(
            store
                .heartbeat(&heartbeat(worker, name, running, started_at), now)
                .await,
        );
        let leases: Vec<_> = busy.iter().map(|(_, one)| one.lease).collect();
        let until = now + Duration::from_secs(30);
        report(store.renew(worker, &leases, until).await);
        let (done, rest) = busy.into_iter().partition(|(end, _)| *end <= now);
        busy = rest;
        settle(&engine, &*store, worker, done).await;
        for claimed in claim(&*store, worker, SLOTS.saturating_sub(running), now).await {
            let took = Duration::from_millis(rand::rng().random_range(200..9_000));
            busy.push((now + took, claimed));
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

fn heartbeat(worker: WorkerId, name: &str, running: u32, started_at: Timestamp) -> Heartbeat {
    Heartbeat {
        remote: None,
        worker,
        name: name.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        lease: None,
        slots: BTreeMap::from([("default".to_owned(), SLOTS)]),
        running,
        draining: false,
        started_at,
    }
}

async fn claim(store: &dyn Store, worker: WorkerId, free: u32, now: Timestamp) -> Vec<Claimed> {
    let Ok(queues) = store.ready_queues().await else {
        return Vec::new();
    };
    let wants = queues
        .into_iter()
        .take(free as usize)
        .map(|queue| QueueClaim {
            queue: queue.name,
            lease: LeaseId::random(),
            limit: 1,
            limited: queue.limited,
            jobs: None,
        });
    let claim = Claim {
        worker,
        until: now + Duration::from_secs(30),
        queues: wants.collect(),
    };
    store.claim(&claim, now).await.unwrap_or_default()
}

async fn settle(
    engine: &Engine,
    store: &dyn Store,
    worker: WorkerId,
    done: Vec<(Timestamp, Claimed)>,
) {
    let now = engine.now();
    let results: Vec<_> = done
        .into_iter()
        .filter_map(|(end, claimed)| result(&claimed, end, now))
        .collect();
    report(store.settle(By::Worker(worker), &results, now).await);
    engine.wakeups().send(baton_ports::Wakeup::Facts);
    engine.wakeups().send(baton_ports::Wakeup::Due);
}

fn result(claimed: &Claimed, end: Timestamp, now: Timestamp) -> Option<AttemptResult> {
    let args = &claimed.args;
    let policy = args.options.policy();
    let decision = decide(verdict(), claimed.counters, policy, now, &mut rand::rng()).ok()?;
    let failure = decision.failure.as_ref();
    let is_dead = decision.transition.to() == State::Failed;
    Some(AttemptResult {
        lease: claimed.lease,
        job: args.id,
        counters: claimed.counters,
        queued_at: claimed.queued_at,
        started_at: Some(end - Duration::from_millis(150)),
        fingerprint: failure
            .filter(|_| is_dead)
            .map(|failure| fingerprint::fingerprint(&args.kind, failure)),
        seen: None,
        decision,
    })
}

fn verdict() -> Verdict {
    match rand::rng().random_range(0..20) {
        0..=3 => Verdict::failed(
            Class::Retry,
            "http_503",
            "503 Service Unavailable: try later",
        ),
        4 => Verdict::failed(
            Class::Permanent,
            "http_422",
            "422: template variable \"name\" missing",
        ),
        5 => Verdict::failed(
            Class::Unknown,
            "timeout",
            "no answer from hooks.example.org after 30 s",
        ),
        6 => Verdict::failed(
            Class::Gone,
            "http_410",
            "410 Gone: the subscription has ended",
        ),
        7 => Verdict::Skipped {
            why: "the recipient has opted out".to_owned(),
        },
        _ => Verdict::Accepted {
            result: Some(r#"{"status":200,"body":{"ok":true}}"#.to_owned()),
        },
    }
}

fn report<T, E: std::fmt::Display>(answer: Result<T, E>) {
    if let Err(error) = answer {
        eprintln!("the preview could not go on as planned: {error}");
    }
}
