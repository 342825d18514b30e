//! What an operator asks at three in the morning, each answered by a page of a real server.

mod installation;

use std::time::{Duration, Instant};

use baton_domain::{JobId, job::State};
use baton_testkit::eventually;
use serde_json::json;

use crate::{
    page::{Page, row},
    server::{Server, TIMEOUT},
};

/// How soon a page shows what has changed: two seconds, and what a busy machine adds. A page changes once a second.
const SOON: Duration = Duration::from_secs(5);

/// A job that runs for a minute.
async fn running(server: &Server) -> JobId {
    let (sleep, timeout) = (json!({"sleep_ms": 60000}), json!({"timeout": "2m"}));
    let id = server.enqueue("simulate", sleep, timeout).await;
    server.until(id, State::Running).await;
    id
}

#[tokio::test]
async fn what_runs_now() {
    const RUNNING: &str = ".numbers a[data-state=running]";
    let server = Server::start().await;
    let (first, second) = (running(&server).await, running(&server).await);
    let page = Page::open(&server, "").await;

    let number = format!("{RUNNING} b");
    eventually("two jobs are seen to run", TIMEOUT, async || {
        page.texts(&number).await == ["2"]
    })
    .await;
    let is_in_sight = page.is_in_sight(RUNNING).await;
    let longest = "[data-panel=longest] tbody tr:first-child th";
    let names_the_longest = format!("[data-panel=longest] tr:first-child[data-job='{first}']");
    page.until_there(&names_the_longest).await;
    let is_longest_in_sight = page.is_in_sight(longest).await;
    page.press(RUNNING, &row(second, "running")).await;
    let since = page
        .texts("tr[data-state=running] td:nth-child(5) .muted")
        .await;

    assert!(is_in_sight && is_longest_in_sight, "without a scroll");
    assert!(page.is_there(&row(first, "running")).await);
    assert_eq!(since, ["began", "began"]);
    assert_eq!(page.complaints().await, [""; 0]);
}

#[tokio::test]
async fn how_far_is_it() {
    let server = Server::start().await;
    let tell = format!(
        "{} tell progress 62/100; sleep 60",
        env!("CARGO_BIN_EXE_baton")
    );
    let id = server.enqueue("import", json!({}), json!({})).await;
    let page = Page::open(&server, &format!("/jobs/{id}")).await;

    let _worker = server.start_worker(&["--kind", "import", "--exec", &tell]);
    eventually("the worker reports", TIMEOUT, async || {
        server.job(id).await.progress.is_some()
    })
    .await;
    let reported = Instant::now();
    page.until_there("[data-progress='62']").await;
    let seen_after = reported.elapsed();

    let told = page.texts("[data-progress]").await;
    assert!(seen_after < SOON, "{seen_after:?}");
    assert!(told[0].starts_with("62 %, 62 of 100"), "{told:?}");
    assert!(page.is_in_sight("[data-panel=progress] progress").await);
    assert!(page.is_the_same().await);
    assert_eq!(page.complaints().await, [""; 0]);
}

#[tokio::test]
async fn can_i_stop_only_this_one() {
    let server = Server::start().await;
    let (stopped, other) = (running(&server).await, running(&server).await);
    let page = Page::open(&server, "/jobs").await;

    let cancel = format!("tr[data-job='{stopped}'] [data-action=cancel]");
    page.press(&cancel, &row(stopped, "canceled")).await;

    assert_eq!(server.job(stopped).await.state, State::Canceled);
    assert_eq!(server.job(other).await.state, State::Running);
    assert!(page.is_there(&row(other, "running")).await);
    page.until_there(".toast[data-kind=receipt]").await;
    assert!(!page.is_there(&cancel).await);
    assert!(page.is_the_same().await);
    assert_eq!(page.complaints().await, [""; 0]);
}

#[tokio::test]
async fn what_failed_and_why() {
    const EACH: usize = 700;
    let server = Server::start().await;
    for script in ["/bad", "/gone", "/status/418"] {
        let job = json!({"kind": "http", "payload": {"url": server.target.url(script)}, "max_attempts": 1});
        let job = serde_json::from_str(&job.to_string()).unwrap();
        server.api.enqueue_all(vec![job; EACH]).await.unwrap();
    }
    let page = Page::open(&server, "/dead-letters").await;

    let count = "[data-group] [data-number]";
    eventually("three causes have all jobs", TIMEOUT, async || {
        page.texts(count).await == ["700", "700", "700"]
    })
    .await;
    let causes = page.texts("[data-group] .cause").await;
    page.press(
        "[data-group] [data-label=sample] a",
        "[data-panel=timeline]",
    )
    .await;
    let sentence = page.texts(".head .sentence").await.concat();

    for code in ["http_400", "http_410", "http_418"] {
        let names = causes.iter().filter(|cause| cause.contains(code));
        assert_eq!(names.count(), 1, "{code}: {causes:?}");
    }
    assert!(sentence.contains("failed"), "{sentence}");
    assert_eq!(page.complaints().await, [""; 0]);
}
