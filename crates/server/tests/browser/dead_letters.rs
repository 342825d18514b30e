//! Dead letters: a cause is mended, and its jobs run again together.

use baton_domain::job::State;
use baton_lab::target::{Options, Target};
use baton_testkit::{eventually, free_port};
use serde_json::json;

use crate::{
    page::Page,
    server::{Server, TIMEOUT},
};

#[tokio::test]
async fn the_dead_letters_of_one_cause_are_retried_together_after_a_question() {
    let server = Server::start().await;
    let page = Page::open(&server, "/dead-letters").await;
    let port = free_port();
    let payload = json!({ "url": format!("http://127.0.0.1:{port}/ok") });
    let mut ids = Vec::new();
    for _ in 0..3 {
        let once = json!({"max_attempts": 1});
        ids.push(server.enqueue("http", payload.clone(), once).await);
    }
    for id in &ids {
        server.until(*id, State::Failed).await;
    }

    let count = "[data-group] [data-number]";
    eventually("one cause has three jobs", TIMEOUT, async || {
        page.texts(count).await == ["3"]
    })
    .await;
    let listen = ([127, 0, 0, 1], port).into();
    let target = Target::start(Options { listen, log: None }).await.unwrap();
    page.press("[data-action=retry-group]", "dialog[open] .effects")
        .await;
    let asked = page.texts("dialog[open] h1").await;
    let untouched = server.job(ids[0]).await.state;
    page.press(
        "dialog[open] button[data-action=retry]",
        "[data-operation][data-finished=true]",
    )
    .await;

    page.leave().await;

    assert_eq!(asked, ["Retry 3 jobs"]);
    assert_eq!(untouched, State::Failed);
    for id in ids {
        server.until(id, State::Succeeded).await;
    }
    assert_eq!(target.total(), 3);
    page.until_there("[data-panel=groups] .empty").await;
    assert!(page.is_the_same().await);
    assert_eq!(page.complaints().await, [""; 0]);
}
