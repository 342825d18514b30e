//! A long job of one's own worker, in the hands of an operator.

use baton_domain::job::State;
use serde_json::json;

use crate::{page::Page, server::Server};

#[tokio::test]
async fn a_long_job_is_stopped_where_it_is_and_resumed_there() {
    let server = Server::start().await;
    let baton = env!("CARGO_BIN_EXE_baton");
    let walk = format!(
        "if [ -n \"$BATON_CURSOR\" ]; then echo \"\\\"from $BATON_CURSOR\\\"\"; \
         else {baton} tell checkpoint 62 --progress 62/100; sleep 60; fi"
    );
    let id = server.enqueue("import", json!({}), json!({})).await;
    let page = Page::open(&server, &format!("/jobs/{id}")).await;
    let unserved = page.texts("main").await.concat();

    let _worker = server.start_worker(&["--kind", "import", "--exec", &walk]);
    page.until_there("[data-progress='62']").await;
    page.press("[data-action=cancel]", "[data-action=retry]")
        .await;
    let stopped = server.job(id).await;
    page.press("[data-action=retry]", "[data-state=succeeded]")
        .await;

    assert!(
        unserved.contains("baton worker --kind import -- COMMAND"),
        "{unserved}"
    );
    assert_eq!(stopped.state, State::Canceled);
    server.until(id, State::Succeeded).await;
    let resumed = server.job(id).await;
    assert_eq!(resumed.result.unwrap().as_str(), "\"from 62\"");
    assert_eq!(page.complaints().await, [""; 0]);
}
