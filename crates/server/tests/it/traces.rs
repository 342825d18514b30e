//! Spans of a real server, as a collector of traces receives them.

use std::{
    fs,
    time::{Duration, Instant},
};

use baton_client::{ChangeQueue, Client, EnqueueJob};
use baton_domain::{
    Trace,
    job::{Backoff, State},
};
use baton_testkit::{Manner, ReceivedSpan, SpanCollector, eventually, free_port};
use serde_json::json;

use crate::support::{Served, baton, run};

const TIMEOUT: Duration = Duration::from_secs(30);
const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";

/// A server that sends its spans there.
fn served(endpoint: &str) -> Served {
    let folder = tempfile::tempdir().unwrap();
    let file = format!(
        "[traces]\nendpoint = {endpoint:?}\nservice_name = \"shop-jobs\"\nheaders = {{ X-Scope-OrgID = \"canary-of-the-header\" }}\n"
    );
    fs::write(folder.path().join("baton.toml"), file).unwrap();
    Served::start_in(folder, &["--log-format", "json"])
}

fn called_by(flags: &str) -> Option<Trace> {
    Some(Trace {
        traceparent: format!("00-{TRACE}-{CALLER}-{flags}"),
        tracestate: None,
    })
}

/// A job that calls this address.
fn calling(url: &str, trace: Option<Trace>) -> EnqueueJob {
    EnqueueJob {
        kind: "http".to_owned(),
        payload: json!({"url": url, "body": {"word": "canary-of-the-payload"}}).to_string(),
        max_attempts: Some(2),
        backoff: Some(Backoff {
            cap: Duration::from_millis(1),
            base: Duration::from_millis(1),
            ..Backoff::default()
        }),
        trace,
        ..EnqueueJob::default()
    }
}

/// The spans of one kind of work, once there are so many.
async fn spans_of(collector: &SpanCollector, work: &str, count: usize) -> Vec<ReceivedSpan> {
    let found = || {
        let spans = collector.spans().into_iter();
        let spans: Vec<_> = spans.filter(|span| span.name.starts_with(work)).collect();
        spans
    };
    let what = format!("the collector has {count} spans of {work}");
    eventually(&what, TIMEOUT, async || found().len() >= count).await;
    found()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_told_from_its_enqueue_to_its_call_in_the_trace_of_its_caller() {
    let collector = SpanCollector::start().await;
    let served = served(&collector.url());
    let client = Client::new(&served.url).unwrap();
    let url = format!("{}/hook?token=canary-of-the-address", collector.url());

    let job = client.enqueue(&calling(&url, called_by("01"))).await;
    let job = job.unwrap().job;

    let [settle] = &spans_of(&collector, "settle http", 1).await[..] else {
        panic!("one way into the store")
    };
    let of = |name| spans_of(&collector, name, 1);
    let (send, process) = (of("send http").await, of("process http").await);
    let (send, process, call) = (&send[0], &process[0], &of("POST").await[0]);
    let spans = [send, process, call, settle];
    assert!(spans.iter().all(|span| span.trace == TRACE), "{spans:#?}");
    assert_eq!(spans.map(|span| span.kind), [4, 5, 3, 3]);
    assert_eq!(
        spans.map(|span| &*span.parent),
        [CALLER, &send.span, &process.span, &process.span]
    );
    let id = job.id.to_string();
    let told = [
        ("messaging.system", "baton"),
        ("messaging.destination.name", "default"),
        ("messaging.message.id", &id),
        ("baton.kind", "http"),
        ("baton.attempt", "1"),
        ("baton.outcome", "succeeded"),
    ];
    for (name, value) in told {
        assert_eq!(process.attributes[name], value, "{process:#?}");
    }
    assert_eq!(call.attributes["http.response.status_code"], "200");
    let sent_on = format!("00-{TRACE}-{}-01", call.span);
    assert_eq!(collector.traceparents(), [sent_on]);
    assert_eq!(send.service, "shop-jobs");
    let header = collector.header("x-scope-orgid");
    assert_eq!(header.as_deref(), Some("canary-of-the-header"));
    let log = served.log();
    let ids = format!(r#""trace_id":"{TRACE}","span_id":"{}""#, process.span);
    assert!(log.contains(&ids), "{log}");
    assert!(!format!("{spans:?}{log}").contains("canary"), "{spans:#?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_attempt_is_a_trace_of_its_own_with_a_link_to_the_enqueue() {
    let collector = SpanCollector::start().await;
    let served = served(&collector.url());
    let client = Client::new(&served.url).unwrap();
    let nowhere = format!("http://127.0.0.1:{}/", free_port());

    let job = calling(&nowhere, called_by("01"));
    client.enqueue(&job).await.unwrap();

    let process = spans_of(&collector, "process http", 2).await;
    let send = &spans_of(&collector, "send http", 1).await[0];
    let attempt = |n: &str| process.iter().find(|s| s.attributes["baton.attempt"] == n);
    let (first, second) = (attempt("1").unwrap(), attempt("2").unwrap());
    assert_eq!((&first.parent, &first.links), (&send.span, &vec![]));
    assert_ne!(second.trace, TRACE);
    assert_eq!(second.parent, "");
    assert_eq!(second.links, [format!("{TRACE}-{}", send.span)]);
    assert!(first.is_error && second.is_error, "{process:#?}");
    assert_eq!(second.attributes["baton.state"], "failed");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_claim_is_told_with_how_many_jobs_it_brought_and_goes_back_to_the_first() {
    let collector = SpanCollector::start().await;
    let served = served(&collector.url());
    let client = Client::new(&served.url).unwrap();
    let paused = |paused| ChangeQueue {
        paused: Some(paused),
        ..ChangeQueue::default()
    };
    client.change_queue("default", &paused(true)).await.unwrap();
    let told = vec![calling(&collector.url(), called_by("01")); 3];
    client.enqueue_all(told).await.unwrap();

    let resume = paused(false);
    client.change_queue("default", &resume).await.unwrap();

    let receive = &spans_of(&collector, "receive default", 1).await[0];
    let send = &spans_of(&collector, "send http", 1).await[0];
    let said = |name: &str| &*receive.attributes[name];
    assert_eq!((receive.kind, &*receive.parent), (3, ""));
    assert_eq!(receive.links, [format!("{TRACE}-{}", send.span)]);
    assert_ne!(receive.trace, TRACE);
    assert_eq!(said("messaging.operation.type"), "receive");
    assert_eq!(said("messaging.destination.name"), "default");
    assert_eq!(said("messaging.batch.message_count"), "3");
}

#[tokio::test(flavor = "multi_thread")]
async fn jobs_of_one_batch_belong_to_one_span_and_the_decision_of_a_caller_holds() {
    let collector = SpanCollector::start().await;
    let folder = tempfile::tempdir().unwrap();
    let mut command = baton(folder.path());
    command
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url())
        .env("OTEL_TRACES_SAMPLER_ARG", "0");
    let served = Served::start_as(command, folder, &[]);
    let client = Client::new(&served.url).unwrap();

    let untold = calling(&collector.url(), called_by("00"));
    client.enqueue(&untold).await.unwrap();
    let own = calling(&collector.url(), None);
    client.enqueue(&own).await.unwrap();
    eventually("both have called", TIMEOUT, async || {
        collector.traceparents().len() == 2
    })
    .await;
    let told = vec![calling(&collector.url(), called_by("01")); 3];
    client.enqueue_all(told).await.unwrap();

    let process = spans_of(&collector, "process http", 3).await;
    let send = spans_of(&collector, "send http", 1).await;
    assert_eq!(send[0].attributes["messaging.batch.message_count"], "3");
    assert!(process.iter().all(|span| span.parent == send[0].span));
    assert_eq!((process.len(), send.len()), (3, 1));
    let sent_on = collector.traceparents();
    let untold = called_by("00").unwrap().traceparent;
    assert!(sent_on.contains(&untold), "{sent_on:?}");
    let own = sent_on.iter().find(|sent| !sent.contains(TRACE)).unwrap();
    assert!(own.ends_with("-00"), "{own}");
}

/// Jobs run at once while their spans find nobody.
async fn goes_on_without(endpoint: &str) -> (Served, Client) {
    let served = served(endpoint);
    let client = Client::new(&served.url).unwrap();
    let job = EnqueueJob {
        kind: "simulate".to_owned(),
        payload: "{}".to_owned(),
        ..EnqueueJob::default()
    };
    let began = client.metrics().await.unwrap();
    for why in ["full", "failed", "refused", "stopped"] {
        let line = format!("baton_spans_dropped_total{{why=\"{why}\"}} 0");
        assert!(began.contains(&line), "{began}");
    }
    for item in client.enqueue_all(vec![job; 100]).await.unwrap() {
        let ended = client.ended_job(item.id, TIMEOUT).await.unwrap();
        assert_eq!(ended.state, State::Succeeded);
    }
    (served, client)
}

async fn counts_what_is_dropped(client: &Client) {
    eventually("what is dropped is counted", TIMEOUT, async || {
        let metrics = client.metrics().await.unwrap();
        let mut lines = metrics.lines();
        let failed = "baton_spans_dropped_total{why=\"failed\"} ";
        let count = lines.find_map(|line| line.strip_prefix(failed)).unwrap();
        count.parse::<u64>().unwrap() > 100
    })
    .await;
}

/// Far less than a collector is given for one batch.
fn stops_soon(served: Served) -> String {
    let began = Instant::now();
    served.signal("TERM");
    let (status, log) = served.last_words();
    assert!(status.success(), "{log}");
    let took = began.elapsed();
    assert!(took < Duration::from_secs(8), "{took:?}: {log}");
    log
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_away_or_fails_costs_its_spans_and_nothing_else() {
    let failing = SpanCollector::start().await;
    failing.is_now(Manner::Fails);
    let away = format!("http://127.0.0.1:{}", free_port());

    for endpoint in [failing.url(), away] {
        let (served, client) = goes_on_without(&endpoint).await;
        counts_what_is_dropped(&client).await;
        let log = stops_soon(served);

        let told = log.matches("spans are dropped, for the collector").count();
        assert_eq!(told, 1, "{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_never_answers_holds_up_no_job_and_no_stop() {
    let collector = SpanCollector::start().await;
    collector.is_now(Manner::Hangs);

    let (served, client) = goes_on_without(&collector.url()).await;
    let before = collector.requests();
    let job = calling(&collector.url(), None);
    client.enqueue(&job).await.unwrap();
    eventually("it is being sent something", TIMEOUT, async || {
        collector.requests() > before
    })
    .await;
    let log = stops_soon(served);

    assert!(log.contains("spans were not sent"), "{log}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_left_is_sent_as_the_server_stops() {
    let collector = SpanCollector::start().await;
    let (served, _) = goes_on_without(&collector.url()).await;

    stops_soon(served);

    let names = collector.spans().into_iter().map(|span| span.name);
    let names: Vec<_> = names.collect();
    let count = |name: &str| names.iter().filter(|is| *is == name).count();
    let counts = ["send simulate", "process simulate", "settle simulate"].map(count);
    assert_eq!(counts, [1, 100, 100]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_doctor_says_whether_the_collector_takes_spans() {
    let collector = SpanCollector::start().await;
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let doctor = |endpoint: &str| {
        let file = format!("[traces]\nendpoint = {endpoint:?}\n");
        fs::write(here.join("baton.toml"), file).unwrap();
        run(here, &["doctor", "--listen", "127.0.0.1:0"]).out()
    };

    let takes = doctor(&collector.url());
    collector.is_now(Manner::Fails);
    let fails = doctor(&collector.url());

    assert!(takes.contains("ok   traces: "), "{takes}");
    assert!(fails.contains("odd  traces: "), "{fails}");
    assert_eq!(collector.spans(), []);
}
