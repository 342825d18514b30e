//! A page outlives its server.

use serde_json::json;

use crate::{page::Page, server::Server};

#[tokio::test]
async fn a_page_finds_its_server_again_after_a_kill_and_shows_what_is_new() {
    let mut server = Server::start().await;
    let before = server
        .enqueue(
            "simulate",
            json!({"sleep_ms": 60000}),
            json!({"timeout": "2m"}),
        )
        .await;
    let page = Page::open(&server, "/jobs").await;
    page.until_row(before, "running").await;

    server.kill();
    page.until_there("[data-live=reconnecting]").await;
    server.restart();
    let after = server.enqueue_call("/ok", json!({})).await;

    page.until_row(after, "succeeded").await;
    page.until_there("[data-live=live]").await;
    let rescued = format!("tr[data-job='{before}'] .why");
    page.until_there(&rescued).await;
    assert!(page.is_the_same().await);
}
