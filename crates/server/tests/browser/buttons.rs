//! Buttons, pressed in the browser, do what they say.

use baton_domain::job::State;
use baton_testkit::eventually;
use fantoccini::Locator;
use serde_json::json;

use crate::{
    page::Page,
    server::{Server, TIMEOUT},
};

#[tokio::test]
async fn the_page_says_that_a_call_that_was_sent_is_waited_for() {
    let server = Server::start().await;
    let timeout = json!({"timeout": "2m"});
    let id = server.enqueue_call("/slow/20000", timeout).await;
    eventually("the call has arrived", TIMEOUT, async || {
        server.target.total() == 1
    })
    .await;
    let page = Page::open(&server, &format!("/jobs/{id}")).await;

    page.press("[data-action=cancel]", ".head .blocker").await;
    let said = page.texts(".head .blocker").await;
    page.until_there(".head[data-state=succeeded]").await;

    assert!(said[0].contains("Asked to stop"), "{said:?}");
    assert!(said[0].contains("waited for"), "{said:?}");
    assert_eq!(server.target.total(), 1);
}

#[tokio::test]
async fn the_cancel_button_takes_out_a_job_that_waits() {
    let server = Server::start().await;
    let id = server.enqueue_call("/ok", json!({"delay": "1h"})).await;
    let page = Page::open(&server, &format!("/jobs/{id}")).await;

    let head = format!("[data-job='{id}'] .head[data-state=canceled]");
    page.press("[data-action=cancel]", &head).await;

    assert_eq!(server.job(id).await.state, State::Canceled);
    assert_eq!(server.target.total(), 0);
    assert!(page.is_the_same().await);
}

#[tokio::test]
async fn a_job_is_taken_by_force_only_once_the_end_of_its_id_is_typed() {
    let server = Server::start().await;
    let id = server.enqueue(
        "simulate",
        json!({"sleep_ms": 60000}),
        json!({"timeout": "2m"}),
    );
    let id = id.await;
    server.until(id, State::Running).await;
    let page = Page::open(&server, &format!("/jobs/{id}")).await;

    page.press("[data-action=force-stop]", "dialog[open] [name=confirm]")
        .await;
    let sure = "dialog[open] button[data-action=force-stop]";
    let button = page.find(Locator::Css(sure)).await.unwrap();
    button.click().await.unwrap();
    let untyped = server.job(id).await.state;
    let text = id.to_string();
    let field = page
        .find(Locator::Css("dialog[open] [name=confirm]"))
        .await
        .unwrap();
    field.send_keys(&text[text.len() - 6..]).await.unwrap();
    page.press(sure, ".head[data-state=canceled]").await;

    assert_eq!(untyped, State::Running);
    assert_eq!(server.job(id).await.state, State::Canceled);
    assert!(page.is_the_same().await);
}

#[tokio::test]
async fn a_queue_that_is_paused_on_the_overview_starts_nothing_until_it_is_resumed() {
    let server = Server::start().await;
    let first = server.enqueue_call("/ok", json!({"queue": "q"})).await;
    server.until(first, State::Succeeded).await;
    let page = Page::open(&server, "").await;

    page.press(
        "[data-queue=q] [data-action=pause]",
        "[data-queue=q][data-paused=true]",
    )
    .await;
    let held = server.enqueue_call("/ok", json!({"queue": "q"})).await;
    for _ in 0..3 {
        let beside = server.enqueue_call("/ok", json!({"queue": "p"})).await;
        server.until(beside, State::Succeeded).await;
    }
    let meanwhile = server.job(held).await;
    page.press(
        "[data-queue=q] [data-action=resume]",
        "[data-queue=q][data-paused=false]",
    )
    .await;

    assert_eq!((meanwhile.state, meanwhile.attempt), (State::Queued, 0));
    server.until(held, State::Succeeded).await;
    assert!(page.is_the_same().await);
    assert_eq!(page.complaints().await, [""; 0]);
}
