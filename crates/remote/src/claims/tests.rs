//! Claims that wait, at servers that say how long they did, or do not.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use baton_client::{Client, Transport};
use baton_domain::{JobId, LeaseId, Timestamp, WorkerId, duration};
use baton_ports::{
    Wakeups, WorkSource,
    store::{Claim, Error, QueueClaim},
};
use baton_protocol::remote::{PROTOCOL, RegisterWorker, Registered, RemoteLimits};
use futures::{FutureExt, future::BoxFuture};
use parking_lot::Mutex;
use reqwest::{Method, Request, Response};
use serde_json::json;
use tokio::time::{Instant, sleep};

use crate::{RemoteSource, Until};

const NOW: Timestamp = Timestamp::from_micros(1_000_000_000_000_000);

/// A server whose answer to the first claim is lost, and that is not reached after that.
#[derive(Debug, Default)]
struct Going(AtomicU32);

impl Transport for Going {
    fn carry(&self, request: Request) -> BoxFuture<'_, baton_client::Result<Response>> {
        async move {
            if *request.method() == Method::PUT {
                let body = serde_json::to_vec(&registered()).unwrap();
                return Ok(http::Response::new(body).into());
            }
            Err(baton_client::Error::Unreachable {
                url: request.url().to_string(),
                cause: "it is gone".to_owned(),
                unsent: self.0.fetch_add(1, Ordering::Relaxed) > 0,
            })
        }
        .boxed()
    }
}

fn registered() -> Registered {
    Registered {
        id: WorkerId::new(NOW),
        protocol: PROTOCOL,
        lease: Duration::from_secs(30),
        beat: Duration::from_secs(10),
        server: "0".to_owned(),
        limits: RemoteLimits::default(),
    }
}

async fn source(transport: Arc<dyn Transport>) -> RemoteSource {
    let client = Client::new("http://localhost").unwrap();
    let whom = RegisterWorker {
        protocol: PROTOCOL,
        name: "host:1".to_owned(),
        sdk: "test/0".to_owned(),
        version: None,
        kinds: vec!["resize".to_owned()],
        queues: Vec::new(),
        slots: 4,
        labels: BTreeMap::new(),
    };
    let servers = vec![client.carried_by(transport)];
    let worker = WorkerId::new(NOW);
    let source = RemoteSource::register(
        servers,
        worker,
        whom,
        Arc::new(Wakeups::default()),
        Until::default(),
    );
    source.await.unwrap()
}

/// A server that answers each claim once it has waited as it asks, and says so or does not. The claim that is asked with a wait
/// of more than `at` gets a job then.
#[derive(Debug)]
struct Waiting {
    is_said: bool,
    at: Option<Duration>,
    calls: Mutex<Vec<(String, Duration)>>,
}

impl Waiting {
    fn new(is_said: bool, at: Option<Duration>) -> Arc<Self> {
        let calls = Mutex::default();
        Arc::new(Self { is_said, at, calls })
    }

    fn waits(&self, call: &str) -> Vec<Duration> {
        let calls = self.calls.lock();
        let of = calls.iter().filter(|(name, _)| name == call);
        of.map(|(_, wait)| *wait).collect()
    }

    async fn answer(&self, request: Request) -> serde_json::Value {
        if *request.method() == Method::PUT {
            return serde_json::to_value(registered()).unwrap();
        }
        let call = request.url().path().rsplit('/').next().unwrap().to_owned();
        let body = request.body().and_then(|body| body.as_bytes()).unwrap();
        let body: serde_json::Value = serde_json::from_slice(body).unwrap();
        let wait = duration::parse(body["wait"].as_str().unwrap()).unwrap();
        self.calls.lock().push((call.clone(), wait));
        if call == "beat" {
            sleep(wait).await;
            return json!({"lease": "30s", "held": body["heard"], "lost": [], "stop": [], "drain": false});
        }
        let at = self.at.filter(|at| *at < wait);
        let waited = at.unwrap_or(wait);
        sleep(waited).await;
        let lease = &body["wants"][0]["lease"];
        let batches = match at {
            Some(_) => json!([{"lease": lease, "queue": "resize", "jobs": [job()]}]),
            None => json!([]),
        };
        let mut answer = json!({"lease": "30s", "batches": batches});
        if self.is_said {
            answer["waited"] = json!(duration::format(waited));
        }
        answer
    }
}

impl Transport for Waiting {
    fn carry(&self, request: Request) -> BoxFuture<'_, baton_client::Result<Response>> {
        async move {
            let body = self.answer(request).await.to_string();
            Ok(http::Response::new(body).into())
        }
        .boxed()
    }
}

fn job() -> serde_json::Value {
    json!({
        "id": JobId::new(NOW), "kind": "resize", "payload": {}, "token": "token", "attempt": 1, "tries": 1,
        "max_attempts": 4, "run": 1, "losses": 0, "timeout": "30s", "delivery": "at_least_once",
        "idempotency_key": "key", "queued_ago": "3ms", "created_ago": "3ms",
    })
}

#[tokio::test(start_paused = true)]
async fn a_lease_counts_from_when_its_claim_had_waited_where_the_server_says_so() {
    let server = Waiting::new(true, Some(Duration::from_secs(40)));
    let source = source(server.clone()).await;
    source.claim(&claim_of(&source), 4, NOW).await.unwrap();
    let sent = Instant::now();

    let claimed = source.claim(&claim_of(&source), 4, NOW).await.unwrap();

    let from = source.granted_at(claimed[0].lease).unwrap();
    assert_eq!(from - sent, Duration::from_secs(40));
    let waits = server.waits("claim");
    assert_eq!(waits, [15, 50].map(Duration::from_secs));
}

#[tokio::test(start_paused = true)]
async fn a_lease_counts_from_before_its_claim_was_sent_where_the_server_does_not() {
    let server = Waiting::new(false, Some(Duration::from_secs(10)));
    let source = source(server.clone()).await;
    let sent = Instant::now();

    let claimed = source.claim(&claim_of(&source), 4, NOW).await.unwrap();

    assert_eq!(sent.elapsed(), Duration::from_secs(10));
    assert_eq!(source.granted_at(claimed[0].lease), Some(sent));
}

#[tokio::test(start_paused = true)]
async fn a_server_that_does_not_say_how_long_it_waited_is_asked_for_half_a_lease() {
    let server = Waiting::new(false, None);
    let source = source(server.clone()).await;

    for _ in 0..3 {
        source.claim(&claim_of(&source), 4, NOW).await.unwrap();
    }

    assert_eq!(server.waits("claim"), [Duration::from_secs(15); 3]);
}

#[tokio::test(start_paused = true)]
async fn an_idle_worker_makes_one_call_in_fifty_seconds_and_beats_no_more() {
    let server = Waiting::new(true, None);
    let source = source(server.clone()).await;

    idle(&source, Duration::from_mins(10)).await;

    let (claims, beats) = (server.waits("claim").len(), server.waits("beat").len());
    assert!((12..=14).contains(&claims), "{claims}");
    assert!(beats <= 3, "{beats}");
}

#[tokio::test(start_paused = true)]
async fn an_idle_worker_of_a_server_that_says_nothing_of_waits_goes_on_beating() {
    let server = Waiting::new(false, None);
    let source = source(server.clone()).await;

    idle(&source, Duration::from_mins(10)).await;

    assert!(server.waits("beat").len() >= 59);
}

/// A gateway before a server that answers claims for so long as it waits, and 502 after that or until it is up.
#[derive(Debug)]
struct Gateway {
    waits: Duration,
    down: AtomicU32,
    asked: Mutex<Vec<Duration>>,
}

impl Transport for Gateway {
    fn carry(&self, request: Request) -> BoxFuture<'_, baton_client::Result<Response>> {
        async move {
            if *request.method() == Method::PUT {
                let body = serde_json::to_vec(&registered()).unwrap();
                return Ok(http::Response::new(body).into());
            }
            let body = request.body().and_then(|body| body.as_bytes()).unwrap();
            let body: serde_json::Value = serde_json::from_slice(body).unwrap();
            let wait = duration::parse(body["wait"].as_str().unwrap()).unwrap();
            self.asked.lock().push(wait);
            let is_down = self.down.load(Ordering::Relaxed) > 0;
            if is_down {
                self.down.fetch_sub(1, Ordering::Relaxed);
            } else {
                sleep(wait.min(self.waits)).await;
            }
            if is_down || wait > self.waits {
                let answer = http::Response::builder()
                    .status(502)
                    .body("<h1>Gateway</h1>");
                return Ok(answer.unwrap().into());
            }
            let answer = json!({"lease": "30s", "batches": [], "waited": duration::format(wait)});
            Ok(http::Response::new(answer.to_string()).into())
        }
        .boxed()
    }
}

#[tokio::test(start_paused = true)]
async fn a_server_that_is_away_for_a_moment_costs_no_patience() {
    let gateway = Arc::new(Gateway {
        waits: Duration::from_mins(1),
        down: AtomicU32::new(12),
        asked: Mutex::default(),
    });
    let source = source(gateway.clone()).await;

    for _ in 0..4 {
        let _ = source.claim(&claim_of(&source), 4, NOW).await;
    }

    assert_eq!(source.wait(), Duration::from_secs(50));
    assert_eq!(gateway.asked.lock().last(), Some(&Duration::from_secs(50)));
}

#[tokio::test(start_paused = true)]
async fn claims_wait_as_long_as_a_gateway_does_and_find_out_when_it_waits_longer() {
    let gateway = Arc::new(Gateway {
        waits: Duration::from_secs(30),
        down: AtomicU32::new(0),
        asked: Mutex::default(),
    });
    let source = source(gateway.clone()).await;

    for _ in 0..60 {
        let _ = source.claim(&claim_of(&source), 4, NOW).await;
    }

    let asked = gateway.asked.lock();
    let broken = asked.iter().filter(|wait| **wait > gateway.waits).count();
    assert!((1..=6).contains(&broken), "{broken} of {}", asked.len());
    let shortest = asked.iter().filter(|wait| **wait < Duration::from_secs(12));
    assert_eq!(shortest.count(), 0, "{asked:?}");
}

#[tokio::test(start_paused = true)]
async fn a_job_that_a_claim_brings_has_the_worker_beat_at_once() {
    let server = Waiting::new(true, Some(Duration::from_secs(40)));
    let source = source(server.clone()).await;
    let work = async {
        source.claim(&claim_of(&source), 4, NOW).await.unwrap();
        sleep(Duration::from_secs(1)).await;
        let before = server.waits("beat").len();
        let claimed = source.claim(&claim_of(&source), 4, NOW).await.unwrap();
        sleep(Duration::from_millis(10)).await;
        (before, claimed.len())
    };

    let (before, claimed) = tokio::select! {
        () = source.run() => unreachable!("it beats for ever"),
        counts = work => counts,
    };

    assert_eq!(claimed, 1);
    assert_eq!(server.waits("beat").len(), before + 1);
}

/// Claims and beats for a while, as a worker does that never gets anything.
async fn idle(source: &RemoteSource, span: Duration) {
    let claims = async {
        loop {
            source.claim(&claim_of(source), 4, NOW).await.unwrap();
        }
    };
    tokio::select! {
        () = source.run() => {}
        () = claims => {}
        () = sleep(span) => {}
    }
}

#[tokio::test(start_paused = true)]
async fn a_claim_that_may_have_got_something_is_in_doubt_although_its_repeat_was_not_sent() {
    let calls = Arc::new(Going::default());
    let source = source(calls.clone()).await;
    let claim = claim_of(&source);

    let claimed = source.claim(&claim, 4, NOW).await;

    assert!(matches!(claimed, Err(Error::Unconfirmed(_))), "{claimed:?}");
    assert!(calls.0.load(Ordering::Relaxed) > 2, "it asks again");
}

fn claim_of(source: &RemoteSource) -> Claim {
    Claim {
        worker: source.worker(),
        until: NOW,
        queues: vec![QueueClaim {
            queue: "resize".to_owned(),
            lease: LeaseId::random(),
            limit: 4,
            limited: false,
            jobs: None,
        }],
    }
}
