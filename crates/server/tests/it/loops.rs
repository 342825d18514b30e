//! A process that has lost one of its loops says so and ends, rather than looking alive.

use std::{
    io::{Read, Write},
    net::TcpStream,
    time::Duration,
};

use baton_testkit::eventually;

use crate::support::Served;

const TIMEOUT: Duration = Duration::from_mins(1);

/// A server whose jobs may break it, and which says on stderr what it logs.
fn fragile(flags: &[&str]) -> Served {
    let folder = tempfile::tempdir().unwrap();
    let settings = "[simulate]\nallow_crash = true\n";
    std::fs::write(folder.path().join("baton.toml"), settings).unwrap();
    Served::start_in(folder, flags)
}

/// A page, or nothing once nobody listens any more.
fn page(served: &Served, path: &str) -> String {
    let host = served.url.trim_start_matches("http://");
    let mut answer = String::new();
    if let Ok(mut socket) = TcpStream::connect(host) {
        let ask = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        // A server on its way out may close before it has answered.
        let _ = socket.write_all(ask.as_bytes());
        let _ = socket.read_to_string(&mut answer);
    }
    answer
}

async fn ends_when_it_breaks(name: &str) {
    let served = fragile(&["--grace", "10s", "--log", "error"]);
    // Something that runs for as long as the grace period lets it, so that the end can be watched.
    let long = r#"{"sleep_ms": 600000}"#;
    served.run(&["jobs", "enqueue", "simulate", "--payload", long]);
    eventually("it runs", TIMEOUT, async || {
        let jobs = served.run(&["jobs", "list", "--state", "running"]);
        jobs.out().contains("simulate")
    })
    .await;

    let crash = format!(r#"{{"error": "crash", "loop": "{name}"}}"#);
    served.run(&["jobs", "enqueue", "simulate", "--payload", &crash]);
    eventually("it says that it is not ready", TIMEOUT, async || {
        let said = page(&served, "/readyz");
        said.is_empty() || said.contains("503") && said.contains(name)
    })
    .await;

    let (status, said) = served.last_words();
    assert_eq!(status.code(), Some(1), "{said}");
    let error = said.lines().find(|line| line.contains("ERROR"));
    assert!(error.is_some_and(|line| line.contains(name)), "{said}");
    assert!(said.contains("Start the server again"), "{said}");
}

#[tokio::test]
async fn a_server_without_its_claimer_ends() {
    ends_when_it_breaks("claimer").await;
}

#[tokio::test]
async fn a_server_without_its_settler_ends() {
    ends_when_it_breaks("settler").await;
}

#[tokio::test]
async fn a_server_without_its_renewer_ends() {
    ends_when_it_breaks("renewer").await;
}

#[tokio::test]
async fn a_server_without_a_routine_ends() {
    ends_when_it_breaks("rescuer").await;
}

#[tokio::test]
async fn a_server_without_the_thread_that_writes_to_sqlite_ends() {
    ends_when_it_breaks("sqlite-writer").await;
}

#[tokio::test]
async fn a_server_without_the_thread_that_copies_the_journal_of_sqlite_ends() {
    ends_when_it_breaks("sqlite-checkpoints").await;
}

#[tokio::test]
async fn a_panic_is_told_in_the_log_alone_and_without_the_paths_of_the_build() {
    let served = fragile(&["--log", "error"]);
    let words = [
        "jobs",
        "enqueue",
        "simulate",
        "--max-attempts",
        "1",
        "--payload",
        r#"{"error": "panic"}"#,
        "--json",
    ];
    let id = served.run(&words).json()["id"].as_str().unwrap().to_owned();

    served.run(&["jobs", "watch", &id, "--timeout", "30s"]);

    let told = [
        page(&served, &format!("/v1/jobs/{id}")),
        page(&served, &format!("/v1/jobs/{id}/attempts")),
        page(&served, &format!("/admin/jobs/{id}")),
        page(&served, "/v1/events"),
    ];
    for answer in told {
        assert!(answer.contains("200 OK"), "{answer}");
        assert!(!answer.contains("asked for this panic"), "{answer}");
    }
    let log = served.log();
    assert!(log.contains("the payload asked for this panic"), "{log}");
    assert!(log.contains("simulate.rs:"), "{log}");
    assert!(!log.contains("/src/") && !log.contains("crates/"), "{log}");
}
