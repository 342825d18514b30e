//! The room of queues: how long each line is, what holds it up, and who may change that.

use axum::http::StatusCode;
use baton_domain::{
    audit::{AuditAction, AuditFilter},
    job::{JobSpec, State},
    page::PageRequest,
};

use crate::{
    campaigns::in_line,
    fixture::{Fixture, spec},
};

#[tokio::test]
async fn every_queue_leads_to_its_page_and_that_to_its_jobs() {
    let fixture = Fixture::new();
    fixture.heartbeat("web-1:4711", "0.1.0").await;
    let job = fixture.job_in(State::Queued).await;

    let room = fixture.get("/admin/queues").await;
    let queue = fixture.get("/admin/queues/default").await;

    room.has("data-queue=\"default\"")
        .has("href=\"./queues/default\"")
        .has("hidden>\n<summary>Lines of campaigns");
    queue
        .has("1 queued, 0 running")
        .has("web-1:4711")
        .has(&format!("data-job=\"{job}\""))
        .has("href=\"../jobs?state=queued&#38;queue=default\"")
        .has("aria-current=\"page\"");
}

#[tokio::test]
async fn a_queue_that_nobody_has_named_is_not_there() {
    let fixture = Fixture::new();

    let page = fixture.get("/admin/queues/nowhere").await;

    assert_eq!(page.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn limits_are_set_with_what_was_before_and_written_down() {
    let fixture = Fixture::new();
    fixture.job_in(State::Queued).await;

    let first = fixture
        .press_by_script("/admin/queues/default/limits", "max_running=3&rate=")
        .await;
    let second = fixture
        .press_by_script("/admin/queues/default/limits", "max_running=&rate=12.5")
        .await;

    first.has("limited to any number at once and any number a second, and is now to 3 at once");
    second.has("limited to 3 at once and any number a second, and is now to any number at once and 12.5 a second");
    let filter = AuditFilter {
        action: Some(AuditAction::QueueChange),
        ..AuditFilter::default()
    };
    let log = fixture
        .engine
        .audit_entries(&filter, &PageRequest::default())
        .await
        .unwrap();
    assert_eq!(log.items.len(), 2);
    let page = fixture.get("/admin/queues/default").await;
    page.has("of 12.5 started at most");
}

#[tokio::test]
async fn what_is_no_number_changes_nothing() {
    let fixture = Fixture::new();
    fixture.job_in(State::Queued).await;

    let words = fixture
        .press("/admin/queues/default/limits", "max_running=many&rate=")
        .await;
    let nothing = fixture
        .press("/admin/queues/default/limits", "max_running=0&rate=")
        .await;

    words.has("is no number that can be a limit");
    assert_ne!(nothing.status, StatusCode::SEE_OTHER);
    let queues = fixture.engine.queues().await.unwrap();
    assert_eq!(queues[0].max_running, None);
}

#[tokio::test]
async fn the_line_of_a_campaign_goes_by_its_name() {
    let fixture = Fixture::new();
    let campaign = in_line(&fixture, "Spring sale").await;

    let room = fixture.get("/admin/queues").await;
    let overview = fixture.get("/admin").await;

    room.has(&format!("data-line=\"{campaign}\""))
        .has("Spring sale</a>")
        .lacks("hidden>\n<summary>Lines of campaigns");
    overview.lacks(&format!("data-queue=\"{campaign}\""));
}

#[tokio::test]
async fn a_queue_for_remote_workers_that_none_serves_needs_a_person() {
    let fixture = Fixture::new();
    fixture.heartbeat("web-1:4711", "0.1.0").await;
    let resize = JobSpec {
        kind: "resize".to_owned(),
        queue: Some("pictures".to_owned()),
        ..spec()
    };
    fixture.enqueue(resize).await;

    let overview = fixture.get("/admin").await;
    let queue = fixture.get("/admin/queues/pictures").await;

    overview.has("No live worker serves pictures, where 1 job waits");
    queue.has("No live worker serves this queue");
}
