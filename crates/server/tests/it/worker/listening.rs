//! What a worker answers at an address of its own.

use baton_testkit::eventually;

use super::{TIMEOUT, Working, enqueue, served, until_state, ways::ask};

const WORDS: [&str; 6] = ["--kind", "some", "--listen", "127.0.0.1:0", "--", "true"];

#[tokio::test]
async fn a_worker_tells_that_it_claims_and_what_it_has_done() {
    let served = served("30s");
    let worker = Working::start(&served, &WORDS);
    let address = address(&worker);

    let id = enqueue(&served, "some", &[]);
    until_state(&served, &id, "succeeded").await;

    until_said(&address, "/healthz", "claiming\n").await;
    assert!(ask(&format!("{address}/healthz"), "GET", "").starts_with("HTTP/1.1 200 "));
    let done = "baton_job_attempts_total{queue=\"some\",kind=\"some\",outcome=\"succeeded\"} 1\n";
    until_said(&address, "/metrics", done).await;
}

#[tokio::test]
async fn a_worker_whose_server_is_gone_tells_that_it_does_not_claim() {
    let served = served("30s");
    let worker = Working::start(&served, &WORDS);
    let address = address(&worker);
    until_said(&address, "/healthz", "\r\n\r\nclaiming\n").await;

    served.signal("TERM");
    let _ended = served.ended();

    until_said(&address, "/healthz", "not claiming\n").await;
    assert!(ask(&format!("{address}/healthz"), "GET", "").starts_with("HTTP/1.1 503 "));
}

/// Where a worker says that it listens.
fn address(worker: &Working) -> String {
    let log = worker.log();
    let said = log.lines().find_map(|line| line.split_once("answers on "));
    said.unwrap().1.to_owned()
}

/// Waits until this stands in an answer.
async fn until_said(address: &str, path: &str, words: &str) {
    eventually(words, TIMEOUT, async || {
        ask(&format!("{address}{path}"), "GET", "").contains(words)
    })
    .await;
}
