//! The other ways to have a job done: processes that go on, and a service beside the worker.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::mpsc,
};

use serde_json::json;

use super::{Working, enqueue, served, until_state};
use crate::{
    serving::exchange,
    support::{Served, baton},
};

const TRACEPARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
const TRACESTATE: &str = "vendor=1";

#[tokio::test]
async fn a_process_that_reads_lines_does_one_job_after_the_other() {
    let served = served("30s");
    let script =
        "while read -r line; do echo '{\"verdict\": \"accepted\", \"result\": '$$'}'; done";
    let words = [
        "--kind", "line", "--slots", "1", "--lines", "--", "sh", "-c", script,
    ];
    let _worker = Working::start(&served, &words);

    let first = enqueue(&served, "line", &[]);
    let second = enqueue(&served, "line", &[]);

    let first = until_state(&served, &first, "succeeded").await;
    let second = until_state(&served, &second, "succeeded").await;
    assert!(first["result"].is_u64());
    assert_eq!(first["result"], second["result"], "it is the same process");
    let metrics = exchange(&served, "GET /metrics", "");
    for line in [
        r#"baton_job_attempts_total{queue="line",kind="line",outcome="succeeded"} 2"#,
        r#"baton_job_run_seconds_count{queue="line",kind="line",outcome="succeeded"} 2"#,
        r#"baton_job_wait_seconds_count{queue="line"} 2"#,
    ] {
        assert!(metrics.contains(line), "{line}{metrics}");
    }
}

#[tokio::test]
async fn a_process_that_reads_lines_can_move_its_cursor_and_is_started_anew_when_it_dies() {
    let served = served("30s");
    let script = "while read -r line; do case $line in \
        *'\"cursor\":7'*) echo '{\"verdict\": \"accepted\", \"result\": \"went on\"}';; \
        *) echo '{\"checkpoint\": {\"cursor\": 7}}'; read -r saved; exit 3;; esac; done";
    let words = ["--kind", "dies", "--lines", "--", "sh", "-c", script];
    let _worker = Working::start(&served, &words);

    let id = enqueue(&served, "dies", &["--backoff", "100ms"]);

    let seen = until_state(&served, &id, "succeeded").await;
    assert_eq!(seen["result"], "went on");
    assert_eq!(seen["attempt"], 2);
}

#[tokio::test]
async fn what_a_process_that_reads_lines_said_last_is_the_words_of_its_failure() {
    let served = served("30s");
    let script = "read -r line; echo 'the disk is full' >&2; exit 1";
    let words = ["--kind", "dies", "--lines", "--", "sh", "-c", script];
    let _worker = Working::start(&served, &words);

    let id = enqueue(&served, "dies", &["--max-attempts", "1"]);

    let seen = until_state(&served, &id, "failed").await;
    assert_eq!(seen["last_error"]["message"], "the disk is full");
}

#[tokio::test]
async fn a_service_beside_the_worker_is_posted_each_job() {
    let served = served("30s");
    let (url, asked) = service();
    let _worker = Working::start(&served, &["--kind", "post", "--http", &url]);

    let id = enqueue(&served, "post", &["--payload", r#"{"to": "you"}"#]);

    let (head, body) = asked.recv_timeout(super::TIMEOUT).unwrap();
    assert_eq!(body, r#"{"to": "you"}"#);
    let head = head.to_lowercase();
    assert!(head.contains(&format!("baton-job-id: {id}")), "{head}");
    assert!(head.contains(&format!("idempotency-key: {id}.1")), "{head}");
    let seen = until_state(&served, &id, "succeeded").await;
    assert_eq!(seen["result"]["status"], json!(200));
}

#[tokio::test]
async fn a_service_moves_the_cursor_of_its_job_and_is_told_where_it_stood() {
    let served = served("30s");
    let (url, asked) = service_that(|head| {
        if header(head, "baton-cursor").is_some() {
            return 200;
        }
        let control = header(head, "baton-control").unwrap();
        let moved = r#"{"checkpoint": {"cursor": {"after": "가"}, "jobs": [{"kind": "child"}]}}"#;
        assert!(ask(control, "GET", "").contains(r#""cursor":null"#));
        assert!(ask(control, "POST", moved).contains(r#""saved":"recorded""#));
        assert!(ask(control, "POST", "nothing").contains(r#""saved":"refused""#));
        503
    });
    let _worker = Working::start(&served, &["--kind", "post", "--http", &url]);

    let id = enqueue(&served, "post", &["--backoff", "100ms"]);

    let seen = until_state(&served, &id, "succeeded").await;
    assert_eq!(seen["attempt"], 2);
    let (first, _) = asked.recv_timeout(super::TIMEOUT).unwrap();
    let (second, _) = asked.recv_timeout(super::TIMEOUT).unwrap();
    let stood: serde_json::Value =
        serde_json::from_str(header(&second, "baton-cursor").unwrap()).unwrap();
    assert_eq!(stood, json!({"after": "가"}));
    let children = served.run(&["jobs", "list", "--kind", "child", "--json"]);
    assert_eq!(children.out().lines().count(), 1, "{}", children.out());
    let over = ask(header(&first, "baton-control").unwrap(), "GET", "");
    assert!(over.starts_with("HTTP/1.1 410"), "{over}");
}

#[tokio::test]
async fn a_command_is_told_the_trace_of_its_job_and_never_that_of_its_worker() {
    let served = served("30s");
    let script = r#"echo "[\"$TRACEPARENT\", \"$TRACESTATE\", \"$BATON_JOB_KEY\"]""#;
    let words = ["--kind", "told", "--", "sh", "-c", script];
    let of_the_worker = [("TRACEPARENT", "mine"), ("TRACESTATE", "mine")];
    let _worker = Working::start_with(&served, &words, &of_the_worker);

    let traced = enqueue_traced(&served, "told", &["--key", "order-7"]);
    let bare = enqueue(&served, "told", &[]);

    let traced = until_state(&served, &traced, "succeeded").await;
    let bare = until_state(&served, &bare, "succeeded").await;
    assert_eq!(traced["trace"]["traceparent"], TRACEPARENT);
    assert_eq!(
        traced["result"],
        json!([TRACEPARENT, TRACESTATE, "order-7"])
    );
    assert_eq!(bare["result"], json!(["", "", ""]));
}

#[tokio::test]
async fn a_process_that_reads_lines_is_told_trace_key_and_tags() {
    let served = served("30s");
    let script =
        r#"while read -r line; do echo "{\"verdict\": \"accepted\", \"result\": $line}"; done"#;
    let _worker = Working::start(
        &served,
        &["--kind", "line", "--lines", "--", "sh", "-c", script],
    );

    let id = enqueue_traced(&served, "line", &["--key", "order-7", "--tag", "red"]);

    let seen = until_state(&served, &id, "succeeded").await;
    let told = &seen["result"]["job"];
    assert_eq!(
        told["trace"],
        json!({"traceparent": TRACEPARENT, "tracestate": TRACESTATE})
    );
    assert_eq!(
        (&told["key"], &told["tags"]),
        (&json!("order-7"), &json!(["red"]))
    );
}

#[tokio::test]
async fn a_service_beside_the_worker_is_told_the_trace() {
    let served = served("30s");
    let (url, asked) = service();
    let _worker = Working::start(&served, &["--kind", "post", "--http", &url]);

    enqueue_traced(&served, "post", &[]);

    let (head, _) = asked.recv_timeout(super::TIMEOUT).unwrap();
    let head = head.to_lowercase();
    assert!(
        head.contains(&format!("traceparent: {TRACEPARENT}\r\n")),
        "{head}"
    );
    assert!(
        head.contains(&format!("tracestate: {TRACESTATE}\r\n")),
        "{head}"
    );
}

/// Adds a job as a program does that has a trace; says its id.
fn enqueue_traced(served: &Served, kind: &str, words: &[&str]) -> String {
    let out = baton(served.folder.path())
        .args(["--url", &served.url, "jobs", "enqueue", kind, "--json"])
        .args(words)
        .env("TRACEPARENT", TRACEPARENT)
        .env("TRACESTATE", TRACESTATE)
        .output()
        .unwrap();
    let job: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    job["id"].as_str().unwrap().to_owned()
}

/// A service that is content with anything, and tells what it was asked.
pub fn service() -> (String, mpsc::Receiver<(String, String)>) {
    service_that(|_| 200)
}

/// A service that answers to what stands in the head of a request.
fn service_that(
    answers: impl Fn(&str) -> u16 + Send + 'static,
) -> (String, mpsc::Receiver<(String, String)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/work", listener.local_addr().unwrap());
    let (told, asked) = mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let (mut head, mut length) = (String::new(), 0);
            loop {
                let mut line = String::new();
                stream.read_line(&mut line).unwrap();
                let lower = line.to_lowercase();
                if let Some(text) = lower.strip_prefix("content-length:") {
                    length = text.trim().parse().unwrap();
                }
                if line.trim().is_empty() {
                    break;
                }
                head.push_str(&line);
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            let status = answers(&head);
            let answer = format!(
                "HTTP/1.1 {status} Said\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{{}}"
            );
            stream.get_mut().write_all(answer.as_bytes()).unwrap();
            let _ = told.send((head, String::from_utf8(body).unwrap()));
        }
    });
    (url, asked)
}

/// What a head says under this name.
fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = head.lines().filter_map(|line| line.split_once(": "));
    let (_, value) = lines.find(|(one, _)| one.eq_ignore_ascii_case(name))?;
    Some(value.trim())
}

/// Asks an address of a worker, and says the whole answer.
pub fn ask(url: &str, method: &str, body: &str) -> String {
    let (host, path) = url
        .strip_prefix("http://")
        .unwrap()
        .split_once('/')
        .unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    let length = body.len();
    write!(
        stream,
        "{method} /{path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}
