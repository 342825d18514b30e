//! The doors of `serve --dev`: time that passes at once, leases and connections that are lost, and quiet.

mod remote;

use std::time::Duration;

use baton_client::{Client, EnqueueJob, Error, Job};
use baton_domain::{JobId, job::State};
use baton_testkit::eventually;
use serde_json::{Value, json};

use crate::{routes::ask, support::Served};

/// How long anything here may take: the machine may be busy.
const TIMEOUT: Duration = Duration::from_mins(1);
const DAY: Duration = Duration::from_hours(24);

fn client(served: &Served) -> Client {
    Client::new(&served.url).unwrap()
}

async fn enqueue(client: &Client, job: Value) -> JobId {
    let job: EnqueueJob = serde_json::from_value(job).unwrap();
    client.enqueue(&job).await.unwrap().job.id
}

async fn until(client: &Client, id: JobId, state: State) -> Job {
    let what = format!("{id} is {state}");
    let mut seen = None;
    eventually(&what, TIMEOUT, async || {
        let job = client.job(id).await.unwrap();
        let is_there = job.state == state;
        seen = Some(job);
        is_there
    })
    .await;
    seen.unwrap()
}

/// What is wrong with what a door was asked, in words.
fn refused(error: &Error) -> String {
    let Error::Problem(problem) = error else {
        panic!("{error}");
    };
    assert_eq!(problem.status, 422, "{problem:?}");
    format!("{:?}", problem.errors)
}

#[tokio::test]
async fn a_schedule_of_tomorrow_fires_when_the_clock_is_put_ahead_by_a_day() {
    let served = Served::start(&[]);
    let client = client(&served);
    let create = [
        "schedules",
        "create",
        "daily",
        "--cron",
        "0 9 * * *",
        "--time-zone",
        "UTC",
        "--kind",
        "simulate",
        "--json",
    ];
    let schedule = served.run(&create).json();
    let id = schedule["id"].as_str().unwrap();

    client.advance_clock(DAY).await.unwrap();
    let fires = || served.run(&["schedules", "fires", id, "--json"]).out();
    eventually("it has fired", TIMEOUT, async || !fires().is_empty()).await;
    let quiet = client.quiet(Duration::from_secs(20)).await.unwrap();

    assert_eq!(fires().lines().count(), 1);
    assert!(quiet.quiet, "{quiet:?}");
}

#[tokio::test]
async fn a_job_that_waits_for_its_time_or_its_next_try_runs_once_that_has_passed() {
    let served = Served::start(&[]);
    let client = client(&served);
    let hour = json!({"strategy": "fixed", "base": "1h", "cap": "1h", "jitter": "none"});
    let fails = json!({"kind": "simulate", "payload": {"fail_times": 1}, "backoff": hour});
    let fails = enqueue(&client, fails).await;
    let late = enqueue(
        &client,
        json!({"kind": "simulate", "payload": {}, "delay": "20h"}),
    )
    .await;
    until(&client, fails, State::RetryWait).await;

    let before = client.quiet(Duration::from_secs(20)).await.unwrap();
    let first = client.advance_clock(Duration::from_hours(2)).await.unwrap();
    let tried = until(&client, fails, State::Succeeded).await;
    let waits = client.job(late).await.unwrap();
    let second = client.advance_clock(DAY).await.unwrap();
    until(&client, late, State::Succeeded).await;

    assert!(before.quiet, "what waits for its time may wait: {before:?}");
    assert_eq!((tried.attempt, waits.state), (2, State::Pending));
    assert!(second.since(first) >= DAY, "{first} {second}");
}

#[tokio::test]
async fn a_running_job_goes_on_while_days_pass_and_ends_once() {
    let served = Served::start(&["--lease", "9s"]);
    let client = client(&served);
    let slow = json!({"kind": "simulate", "payload": {"sleep_ms": 10_000}, "timeout": "1m"});
    let slow = enqueue(&client, slow).await;
    until(&client, slow, State::Running).await;

    for _ in 0..3 {
        client.advance_clock(2 * DAY).await.unwrap();
        let workers = client.workers().await.unwrap();
        assert_eq!(workers[0].state, "live", "{workers:?}");
        assert!(client.ready().await.unwrap().is_yes());
    }
    let ended = client
        .ended_job(slow, Duration::from_secs(25))
        .await
        .unwrap();

    let attempts = client.attempts(slow).await.unwrap();
    assert_eq!((ended.state, ended.attempt), (State::Succeeded, 1));
    assert_eq!(attempts.len(), 1, "{attempts:?}");
}

#[tokio::test]
async fn a_span_that_is_none_or_too_long_is_refused_with_why() {
    let served = Served::start(&[]);
    let client = client(&served);
    let years = Duration::from_hours(87_000);

    client.advance_clock(years).await.unwrap();
    let too_far = client.advance_clock(years).await.unwrap_err();
    let shown = client.advance_clock(Duration::ZERO).await.unwrap();
    let back = ask_with(&served, r#"{"advance": "-1h"}"#);

    assert!(
        refused(&too_far).contains("more than ten years"),
        "{too_far}"
    );
    assert!(back.starts_with("HTTP/1.1 422"), "{back}");
    assert!(back.contains("expected a duration such as"), "{back}");
    let again = client.advance_clock(Duration::ZERO).await.unwrap();
    assert!(again.since(shown) < Duration::from_hours(1));
}

/// Asks for another time in these words.
fn ask_with(served: &Served, body: &str) -> String {
    use std::io::{Read, Write};
    let address = served.url.strip_prefix("http://").unwrap();
    let mut socket = std::net::TcpStream::connect(address).unwrap();
    let length = body.len();
    let head = format!(
        "POST /v1/dev/clock HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    socket.write_all((head + body).as_bytes()).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer
}

#[tokio::test]
async fn a_server_says_what_keeps_it_from_being_quiet_and_when_nothing_does_any_more() {
    let served = Served::start(&[]);
    let client = client(&served);
    let slow = json!({"kind": "simulate", "payload": {"sleep_ms": 1_500}});
    let slow = enqueue(&client, slow).await;
    let unserved = enqueue(&client, json!({"kind": "mine", "payload": {}})).await;

    let busy = client.quiet(Duration::ZERO).await.unwrap();
    client.cancel(unserved, false, None).await.unwrap();
    let quiet = client.quiet(Duration::from_secs(20)).await.unwrap();

    let words = busy.busy.join("; ");
    assert!(!busy.quiet);
    assert!(
        words.contains(&format!("{unserved} (mine) is queued")),
        "{words}"
    );
    assert!(quiet.quiet && quiet.busy.is_empty(), "{quiet:?}");
    let ended = client.job(slow).await.unwrap();
    assert_eq!(ended.state, State::Succeeded);
}

#[test]
fn a_server_that_asks_for_keys_has_no_doors() {
    let served = Served::start_guarded(tempfile::tempdir().unwrap(), &[]);

    for (method, path, _) in baton_api::DOORS {
        let answer = ask(&served, method, path, "localhost");

        assert!(
            answer.starts_with("HTTP/1.1 404"),
            "{method} {path}: {answer}"
        );
    }
}
