//! What happens, happens before the browser's eyes.

use baton_client::AuditQuery;
use baton_domain::job::State;
use serde_json::json;

use crate::{
    page::{Page, row},
    server::Server,
};

#[tokio::test]
async fn a_job_appears_in_the_list_fails_waits_and_succeeds_without_a_reload() {
    let server = Server::start().await;
    server.pause("calls", true).await;
    let page = Page::open(&server, "/jobs").await;
    page.watch_rows().await;

    let id = server
        .enqueue_call("/flaky/1", json!({"queue": "calls"}))
        .await;
    page.until_row(id, "queued").await;
    server.pause("calls", false).await;
    page.until_row(id, "retry_wait").await;
    let why = page.texts(&format!("{} .why", row(id, "retry_wait"))).await;
    page.until_row(id, "succeeded").await;

    // A frame a second does not show each moment of a quick job, but it never shows them out of order.
    let mut passed = page.passed(id).await;
    passed.retain(|state| state != "running");
    passed.dedup();
    let slow: Vec<_> = passed.iter().map(String::as_str).collect();
    assert!(
        matches!(
            slow[..],
            ["queued", "retry_wait", "succeeded"] | ["queued", "retry_wait", "queued", "succeeded"]
        ),
        "{passed:?}"
    );
    assert!(why[0].contains("503"), "{why:?}");
    assert!(page.is_the_same().await);
    assert_eq!(page.complaints().await, [""; 0]);
}

#[tokio::test]
async fn a_list_that_has_a_job_already_takes_the_next_one_in_above_it() {
    let server = Server::start().await;
    let first = server.enqueue_call("/ok", json!({})).await;
    server.until(first, State::Succeeded).await;
    let page = Page::open(&server, "/jobs").await;

    let second = server.enqueue_call("/ok", json!({})).await;
    page.until_row(second, "succeeded").await;

    let script =
        "return [...document.querySelectorAll('tr[data-job]')].map((row) => row.dataset.job)";
    let order = page.script(script, json!([])).await;
    assert_eq!(order, json!([second.to_string(), first.to_string()]));
    assert!(page.is_the_same().await);
}

#[tokio::test]
async fn a_new_job_is_only_offered_while_the_hand_is_on_the_list() {
    let server = Server::start().await;
    let first = server.enqueue_call("/ok", json!({})).await;
    server.until(first, State::Succeeded).await;
    let page = Page::open(&server, "/jobs").await;

    page.point_at(&row(first, "succeeded")).await;
    let second = server.enqueue_call("/ok", json!({})).await;
    page.until_there("[data-fresh]:not([hidden])").await;
    let came_under_the_hand = page.is_there(&row(second, "succeeded")).await;
    let offer = page.texts("[data-fresh] a").await;
    page.leave().await;
    page.until_row(second, "succeeded").await;

    assert!(!came_under_the_hand);
    assert_eq!(offer, ["1 new"]);
    page.until_there("[data-fresh][hidden]").await;
    assert!(page.is_the_same().await);
}

#[tokio::test]
async fn the_overview_tells_each_step_of_a_job_as_it_happens() {
    let server = Server::start().await;
    let page = Page::open(&server, "").await;

    let id = server.enqueue_call("/flaky/1", json!({})).await;
    page.until_there(".numbers [data-state=retry_wait]:not(.none)")
        .await;
    let told = format!("[data-panel=events] tr:has(a[title='{id}'])");
    page.until_there(&format!("{told} [data-state=succeeded]"))
        .await;

    let mut steps = page.texts(&format!("{told} .state")).await;
    steps.reverse();
    let steps: Vec<_> = steps.iter().map(|step| word(step)).collect();
    assert_eq!(
        steps,
        [
            "queued",
            "running",
            "retry_wait",
            "queued",
            "running",
            "succeeded"
        ]
    );
    assert!(page.is_there("[data-queue=default]").await);
    assert!(page.is_the_same().await);
    assert_eq!(page.complaints().await, [""; 0]);
}

#[tokio::test]
async fn a_picture_follows_but_not_under_the_hand_and_what_was_opened_beside_it_stays() {
    let server = Server::start().await;
    let first = server.enqueue_call("/ok", json!({})).await;
    server.until(first, State::Succeeded).await;
    let page = Page::open(&server, "").await;
    page.until_there(&ended(1)).await;
    page.press(
        "[data-panel=pictures] summary",
        "[data-panel=pictures] details[open]",
    )
    .await;
    let focus = "document.querySelector('.windows a').focus({ focusVisible: true })";
    page.script(focus, json!([])).await;

    page.point_at(".picture svg").await;
    let second = server.enqueue_call("/ok", json!({})).await;
    server.until(second, State::Succeeded).await;
    page.until_there("[data-live=held]").await;
    let moved_under_the_hand = page.is_there(&ended(2)).await;
    page.leave().await;
    page.until_there(&ended(2)).await;

    assert!(!moved_under_the_hand);
    assert!(
        page.is_there("[data-panel=pictures] details[open]").await,
        "the table stays open"
    );
    assert!(page.is_there(".windows a:focus").await, "the focus stays");
    assert!(page.is_the_same().await);
    assert_eq!(page.complaints().await, [""; 0]);
}

/// The picture of so many jobs that ended.
fn ended(many: u32) -> String {
    format!(".picture svg[aria-label*='15 minutes: {many},']")
}

#[tokio::test]
async fn a_reason_that_is_being_typed_stays_through_what_happens_and_lands_in_the_audit_log() {
    let server = Server::start().await;
    let first = server.enqueue_call("/ok", json!({})).await;
    server.until(first, State::Succeeded).await;
    let page = Page::open(&server, "/queues/default").await;

    page.press(".acts .because summary", ".acts .because[open]")
        .await;
    page.type_in("reason", "the target is down").await;
    let second = server.enqueue_call("/ok", json!({})).await;
    page.until_there(&format!("[data-job='{second}']")).await;
    let kept = "return document.querySelector('.acts .because[open] [name=reason]').value";
    let kept = page.script(kept, json!([])).await;
    page.press("[data-action=pause]", "[data-action=resume]")
        .await;

    assert_eq!(kept, "the target is down");
    let log = server.api.audit(&AuditQuery::default()).await.unwrap();
    let newest = &log.items[0];
    assert_eq!(newest.action.as_str(), "queue.change");
    assert_eq!(newest.reason.as_deref(), Some("the target is down"));
    page.until_there(".acts .because:not([open])").await;
}

#[tokio::test]
async fn an_entry_of_the_log_that_is_written_meanwhile_is_offered() {
    let server = Server::start().await;
    server.pause("calls", true).await;
    let page = Page::open(&server, "/activity").await;

    server.pause("calls", false).await;
    page.until_there("[data-fresh]:not([hidden])").await;
    let offer = page.texts("[data-fresh] a").await;
    let rows = page.texts("[data-audit]").await.len();
    page.press("[data-fresh] a", "[data-audit] + [data-audit]")
        .await;

    assert_eq!((offer, rows), (vec!["1 new".to_owned()], 1));
}

/// A state without its glyph.
fn word(badge: &str) -> &str {
    badge.trim_start_matches(|c: char| !c.is_ascii_alphabetic())
}
