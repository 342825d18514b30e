//! The language of the pages, as somebody chooses it in the head of a page.

use serde_json::json;

use crate::{page::Page, server::Server};

const CHOICE: &str = "button[name=language]";
const KOREAN: &str = "html[lang=ko]";
const ENGLISH: &str = "html[lang=en]";

#[tokio::test]
async fn a_language_is_chosen_on_any_page_and_kept_on_the_others() {
    let server = Server::start().await;
    let page = Page::open(&server, "/queues").await;
    let english = page.texts("h1").await;

    page.press(CHOICE, KOREAN).await;
    let at = page.script("return location.pathname", json!([])).await;
    let korean = page.texts("h1").await;
    page.go(&server, "/fleet").await;
    let is_kept = page.is_there(KOREAN).await;
    page.press(CHOICE, ENGLISH).await;

    assert_eq!(at, "/admin/queues");
    assert_eq!(
        (english, korean),
        (vec!["Queues".to_owned()], vec!["대기열".to_owned()])
    );
    assert!(is_kept);
    assert_eq!(page.complaints().await, [""; 0]);
}
