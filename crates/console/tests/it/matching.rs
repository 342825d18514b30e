//! What is done to all jobs of a search: asked first, begun, watched and stopped.

use axum::http::StatusCode;
use baton_domain::{
    audit::AuditFilter,
    job::{JobSpec, State},
    operation::{Action, Operation},
    page::PageRequest,
};

use crate::fixture::{Fixture, spec};

impl Fixture {
    async fn newest_operation(&self) -> Operation {
        let all = self.engine.operations(&PageRequest::default()).await;
        all.unwrap().items.remove(0)
    }
}

#[tokio::test]
async fn beside_the_list_stands_what_can_be_done_to_all_in_that_state() {
    let fixture = Fixture::new();
    fixture.job_in(State::Failed).await;
    fixture.job_in(State::Queued).await;

    let queued = fixture.get("/admin/jobs?state=queued&queue=default").await;
    let failed = fixture.get("/admin/jobs?state=failed").await;
    let all = fixture.get("/admin/jobs").await;
    let nothing = fixture.get("/admin/jobs?state=pending").await;

    queued
        .has("/jobs/matching/cancel?state=queued&#38;queue=default\"")
        .lacks("matching/retry");
    failed
        .has("/jobs/matching/retry?state=failed\"")
        .lacks("matching/cancel");
    all.lacks("/jobs/matching/");
    nothing.lacks("/jobs/matching/");
}

#[tokio::test]
async fn a_preview_says_how_many_there_are_and_asks_for_a_reason() {
    let fixture = Fixture::new();
    for _ in 0..3 {
        fixture.job_in(State::Queued).await;
    }

    let asked = fixture
        .get("/admin/jobs/matching/cancel?state=queued&kind=simulate")
        .await;

    asked
        .has("<h1>Cancel 3 jobs</h1>")
        .has("3 jobs match now: queued jobs, kind simulate.")
        .has("Jobs that come or move after this moment are left alone.")
        .has("name=\"reason\"")
        .has("action=\"../../jobs/matching/cancel?state=queued&#38;kind=simulate\">");
}

#[tokio::test]
async fn what_matches_nothing_or_is_not_allowed_is_not_asked_for() {
    let fixture = Fixture::new();
    fixture.job_in(State::Failed).await;

    let none = fixture
        .get("/admin/jobs/matching/cancel?state=queued")
        .await;
    let wrong = fixture
        .get("/admin/jobs/matching/cancel?state=failed")
        .await;
    let no_state = fixture.get("/admin/jobs/matching/cancel").await;
    let no_action = fixture
        .get("/admin/jobs/matching/discard?state=failed")
        .await;

    none.has("No job matches now.");
    for answer in [none, no_state, no_action] {
        assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    }
    assert_eq!(wrong.status, StatusCode::CONFLICT);
}

#[tokio::test]
async fn a_receipt_leads_to_the_operation_which_says_what_it_is_about_and_why() {
    let fixture = Fixture::new();
    fixture.job_in(State::Queued).await;
    let matching = "/admin/jobs/matching/cancel?state=queued";

    let pressed = fixture.press(matching, "reason=wrong+batch").await;

    let begun = fixture.newest_operation().await;
    assert_eq!(pressed.status, StatusCode::SEE_OTHER);
    let there = format!("/operations/{}", begun.id);
    assert!(pressed.header("location").ends_with(&there), "{pressed:?}");
    let page = fixture.get(&format!("/admin{there}")).await;
    page.has("cancel of queued jobs")
        .has("<dt>reason</dt><dd>wrong batch</dd>")
        .has("data-action=\"stop-operation\"");
    let about = AuditFilter {
        object: Some(begun.id.to_string()),
        ..AuditFilter::default()
    };
    let audit = fixture
        .engine
        .audit_entries(&about, &PageRequest::default())
        .await;
    let entry = audit.unwrap().items.remove(0);
    assert_eq!(
        (entry.count, entry.reason.as_deref()),
        (Some(1), Some("wrong batch"))
    );
}

#[tokio::test]
async fn an_operation_is_stopped_from_its_page() {
    let fixture = Fixture::new();
    let tagged = JobSpec {
        tags: vec!["red".to_owned()],
        ..spec()
    };
    fixture.enqueue(tagged).await;
    fixture
        .press("/admin/jobs/matching/cancel?state=queued&tag=red", "")
        .await;
    let begun = fixture.newest_operation().await;
    let page = format!("/admin/operations/{}", begun.id);

    let receipt = fixture.press_by_script(&format!("{page}/stop"), "").await;

    receipt.has("what it had done stays done");
    fixture
        .get(&page)
        .await
        .has("⊘</span>stopped</span> cancel of queued jobs, tag red")
        .has("<dt>left alone</dt><dd>1, since somebody stopped it</dd>")
        .lacks("data-action=\"stop-operation\"");
    assert_eq!(begun.action, Action::Cancel);
}
