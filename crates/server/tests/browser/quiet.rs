//! Pages load nothing from elsewhere and complain of nothing.

use baton_domain::job::State;
use serde_json::json;

use crate::{page::Page, server::Server};

const LOADED: &str = "return performance.getEntries().map((entry) => entry.name)
    .filter((name) => name.includes('://'))";

#[tokio::test]
async fn no_page_loads_from_elsewhere_or_complains() {
    let server = Server::start().await;
    let id = server.enqueue_call("/bad", json!({})).await;
    server.until(id, State::Failed).await;
    let page = Page::open(&server, "").await;
    let own = format!("{}/admin", server.api.address());

    for path in ["", "/jobs", "/dead-letters", &format!("/jobs/{id}")] {
        page.go(&server, path).await;
        let loaded = page.script(LOADED, json!([])).await;
        let loaded: Vec<String> = serde_json::from_value(loaded).unwrap();

        assert!(
            loaded.len() >= 3,
            "a page, its style, its script: {loaded:?}"
        );
        assert!(loaded.iter().all(|url| url.starts_with(&own)), "{loaded:?}");
        assert_eq!(page.complaints().await, [""; 0], "{path}");
    }
}

#[tokio::test]
async fn the_pages_policy_refuses_what_would_be_loaded_from_elsewhere() {
    let server = Server::start().await;
    let page = Page::open(&server, "").await;

    let elsewhere = server.target.url("/ok");
    let fetch = "return fetch(arguments[0]).then(() => 'loaded', () => 'refused')";
    let answer = page.script(fetch, json!([elsewhere])).await;

    assert_eq!(answer, "refused");
    assert_eq!(server.target.total(), 0);
    let complaints = page.complaints().await;
    assert!(
        complaints.iter().any(|line| line.contains("connect-src")),
        "{complaints:?}"
    );
}
