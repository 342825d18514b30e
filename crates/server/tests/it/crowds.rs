//! Many queues: whoever may enqueue may invent them.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

use crate::support::Served;

const TIMEOUT: Duration = Duration::from_mins(2);

fn served(settings: &str) -> Served {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("baton.toml"), settings).unwrap();
    Served::start_in(folder, &[])
}

/// The status and the body of an answer.
fn ask(served: &Served, method: &str, path: &str, body: &str) -> (u16, String) {
    let address = served.url.strip_prefix("http://").unwrap();
    let mut socket = TcpStream::connect(address).unwrap();
    socket.set_read_timeout(Some(TIMEOUT)).unwrap();
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    socket.write_all(head.as_bytes()).unwrap();
    socket.write_all(body.as_bytes()).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, body.to_owned())
}

fn enqueue(served: &Served, jobs: &[Value]) -> (u16, String) {
    let batch = json!({"jobs": jobs}).to_string();
    ask(served, "POST", "/v1/jobs/batch", &batch)
}

fn job(queue: &str) -> Value {
    json!({"kind": "simulate", "queue": queue, "payload": {}})
}

#[test]
fn a_job_of_a_queue_that_may_not_be_used_is_refused_with_those_that_may() {
    let served = served("[queues]\nallow = [\"mail\", \"tenant-*\"]\n");
    let add = |job: Value| ask(&served, "POST", "/v1/jobs", &job.to_string());

    let (allowed, _) = add(job("tenant-7"));
    let (refused, why) = add(job("invented"));
    let (unnamed, _) = add(json!({"kind": "simulate", "payload": {}}));
    let (in_batch, which) = enqueue(&served, &[job("mail"), job("mails")]);
    let (changed, _) = ask(
        &served,
        "PATCH",
        "/v1/queues/invented",
        r#"{"paused": true}"#,
    );

    assert_eq!(
        (allowed, refused, unnamed, in_batch, changed),
        (201, 422, 422, 422, 422)
    );
    assert!(
        why.contains("mail, tenant-*") && why.contains("queues.allow"),
        "{why}"
    );
    assert!(which.contains("jobs[1].queue"), "{which}");
}

#[test]
fn ten_thousand_queues_make_neither_the_list_nor_the_metrics_long() {
    let served = served("[server]\nroles = [\"api\", \"engine\"]\n");
    let names: Vec<_> = (0..10_000).map(|i| format!("invented-{i:04}")).collect();
    for some in names.chunks(1_000) {
        let jobs: Vec<_> = some.iter().map(|name| job(name)).collect();
        let (status, answer) = enqueue(&served, &jobs);
        assert_eq!(status, 201, "{answer}");
    }

    let (mut seen, mut after, mut longest) = (Vec::new(), String::new(), 0);
    loop {
        let path = format!("/v1/queues?limit=500{after}");
        let (status, answer) = ask(&served, "GET", &path, "");
        assert_eq!(status, 200, "{answer}");
        longest = longest.max(answer.len());
        let page: Value = serde_json::from_str(&answer).unwrap();
        let items = page["items"].as_array().unwrap();
        seen.extend(
            items
                .iter()
                .map(|queue| queue["name"].as_str().unwrap().to_owned()),
        );
        let Some(next) = page["next"].as_str() else {
            break;
        };
        after = format!("&after={next}");
    }
    let metrics = metrics_with(
        &served,
        r#"baton_queue_jobs{queue="_other",state="queued"}"#,
    );

    assert_eq!(seen, names);
    assert!(longest < 300_000, "{longest} bytes");
    assert!(metrics.len() < 200_000, "{} bytes", metrics.len());
    let labels = metrics.matches("baton_queue_paused{").count();
    assert_eq!(labels, 101);
}

/// The metrics once they have this line.
fn metrics_with(served: &Served, line: &str) -> String {
    let began = Instant::now();
    loop {
        let (_, metrics) = ask(served, "GET", "/metrics", "");
        if metrics.contains(line) {
            return metrics;
        }
        assert!(began.elapsed() < TIMEOUT, "{metrics}");
        std::thread::sleep(Duration::from_millis(200));
    }
}
