//! One job's page tells its life in order.

use baton_domain::job::State;
use serde_json::json;

use crate::{page::Page, server::Server};

#[tokio::test]
async fn a_jobs_page_grows_by_each_attempt_in_order() {
    let server = Server::start().await;
    server.pause("calls", true).await;
    let id = server
        .enqueue_call("/flaky/2", json!({"queue": "calls"}))
        .await;
    let page = Page::open(&server, &format!("/jobs/{id}")).await;
    let before = page.texts(".timeline p").await;

    server.pause("calls", false).await;
    page.until_there(".timeline [data-mark=succeeded]").await;
    // What is read of a job beside its attempts may be of a moment before them, until the page hears of the end.
    page.until_there(".head[data-state=succeeded]").await;

    let lines = page.texts(".timeline li > div > p:first-child").await;
    let attempts: Vec<_> = lines
        .iter()
        .filter_map(|line| line.strip_prefix("Attempt "))
        .map(|line| line.split(' ').take(2).collect::<Vec<_>>().join(" "))
        .collect();
    assert!(before.iter().all(|line| !line.contains("Attempt")));
    assert_eq!(attempts, ["1: failed", "2: failed", "3: succeeded"]);
    assert!(lines[0].starts_with("Accepted"), "{lines:?}");
    assert_eq!(server.job(id).await.state, State::Succeeded);
    assert!(page.is_the_same().await);
    assert_eq!(page.complaints().await, [""; 0]);
}
