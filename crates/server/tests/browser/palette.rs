//! The palette under an operator's hands: opened by keys, asked by typing, followed or left by keys.

use baton_testkit::eventually;
use fantoccini::{Locator, key::Key};
use serde_json::json;

use crate::{
    page::Page,
    server::{Server, TIMEOUT},
};

const OPEN: &str = "dialog[data-palette][open]";

/// What a keyboard sends to whatever has the focus.
pub async fn strike(page: &Page, keys: &str) {
    let focused = page.active_element().await.unwrap();
    focused.send_keys(keys).await.unwrap();
}

pub fn key(key: Key) -> String {
    char::from(key).to_string()
}

/// Control held down, and a letter.
fn control(letter: &str) -> String {
    key(Key::Control) + letter
}

#[tokio::test]
async fn a_job_is_found_by_its_key_from_another_room_without_a_mouse() {
    let server = Server::start().await;
    let id = server
        .enqueue_call("/ok", json!({ "key": "order-7" }))
        .await;
    let page = Page::open(&server, "/queues").await;

    strike(&page, &control("k")).await;
    page.until_there(OPEN).await;
    strike(&page, "order-7").await;
    let found = format!("#palette-found [aria-selected=true][href$='/admin/jobs/{id}']");
    page.until_there(&found).await;
    strike(&page, &key(Key::Enter)).await;
    page.until_there("#job-id").await;

    let at = page.script("return location.pathname", json!([])).await;
    assert_eq!(at, format!("/admin/jobs/{id}"));
    assert_eq!(page.complaints().await, [""; 0]);
}

#[tokio::test]
async fn arrows_choose_escape_leaves_and_the_focus_stays_inside_meanwhile() {
    const ACTIVE: &str = "return document.activeElement.getAttribute('aria-activedescendant')";
    let server = Server::start().await;
    let page = Page::open(&server, "/queues").await;

    strike(&page, "/").await;
    page.until_there(OPEN).await;
    page.until_there("#palette-found [role=option]").await;
    let first = page.script(ACTIVE, json!([])).await;
    strike(&page, &key(Key::Down)).await;
    let second = page.script(ACTIVE, json!([])).await;
    strike(&page, &(key(Key::Up) + &key(Key::Up))).await;
    let last = page.script(ACTIVE, json!([])).await;
    for _ in 0..4 {
        strike(&page, &key(Key::Tab)).await;
        let inside = "return !document.hasFocus() || document.activeElement === document.body
            || !!document.activeElement.closest('dialog[data-palette]')";
        assert_eq!(page.script(inside, json!([])).await, true);
    }
    strike(&page, &key(Key::Escape)).await;
    page.until_there("dialog[data-palette]:not([open])").await;

    assert_eq!(first, "found-0");
    assert_eq!(second, "found-1");
    let options = page.texts("#palette-found [role=option]").await.len();
    assert_eq!(last, format!("found-{}", options - 1));
    assert!(page.is_the_same().await);
    assert_eq!(page.complaints().await, [""; 0]);
}

#[tokio::test]
async fn the_beginning_of_an_id_and_enter_lead_to_what_has_it() {
    let server = Server::start().await;
    let id = server.enqueue_call("/ok", json!({})).await;
    let page = Page::open(&server, "/queues").await;

    strike(&page, &control("k")).await;
    page.until_there(OPEN).await;
    strike(&page, &id.to_string()[..20]).await;
    let found = format!("#palette-found [aria-selected=true][href$='/admin/jobs/{id}']");
    page.until_there(&found).await;
    strike(&page, &key(Key::Enter)).await;

    page.until_there(&format!("[data-job='{id}'] .head")).await;
    assert_eq!(page.complaints().await, [""; 0]);
}

#[tokio::test]
async fn an_answer_that_comes_late_never_takes_the_place_of_a_newer_one() {
    // The answer to the first question is here, and is handed over when the test says so.
    const HOLD: &str = "
        const real = window.fetch;
        window.fetch = async (address, options) => {
            if (!String(address).includes('q=first')) return real(address, options);
            const answer = await real(address);
            await new Promise((release) => { window.release = release; });
            return answer;
        };";
    const RELEASE: &str = "
        const done = arguments[arguments.length - 1];
        window.release();
        setTimeout(() => done(document.querySelector('#palette-found').textContent), 100);";
    let server = Server::start().await;
    let first = server.enqueue_call("/ok", json!({"key": "first"})).await;
    let second = server.enqueue_call("/ok", json!({"key": "second"})).await;
    let page = Page::open(&server, "/queues").await;
    page.script(HOLD, json!([])).await;
    let found = |id| format!("#palette-found [href$='/admin/jobs/{id}']");

    strike(&page, &control("k")).await;
    page.until_there(OPEN).await;
    strike(&page, "first").await;
    eventually("the first answer is here", TIMEOUT, async || {
        page.script("return !!window.release", json!([])).await == true
    })
    .await;
    page.type_in("q", "second").await;
    page.until_there(&found(second)).await;
    page.execute_async(RELEASE, Vec::new()).await.unwrap();

    assert!(page.is_there(&found(second)).await);
    assert!(!page.is_there(&found(first)).await);
    assert_eq!(page.complaints().await, [""; 0]);
}

#[tokio::test]
async fn a_slash_that_is_typed_into_a_field_is_a_slash() {
    let server = Server::start().await;
    let page = Page::open(&server, "/jobs").await;

    let field = page.find(Locator::Css("main [name=queue]")).await.unwrap();
    field.send_keys("a/b").await.unwrap();

    let typed = page.script(
        "return document.querySelector('main [name=queue]').value",
        json!([]),
    );
    assert_eq!(typed.await, "a/b");
    assert!(!page.is_there(OPEN).await);
}
