//! A job that is asked for by hand.

use axum::http::StatusCode;
use baton_domain::{
    access::Role,
    audit::{AuditAction, AuditFilter},
    job::State,
    page::PageRequest,
};
use baton_ports::store::JobFilter;
use serde_json::json;

use crate::{
    access::seen_by,
    fixture::{Answer, Fixture},
};

const NEW: &str = "/admin/jobs/new";

impl Fixture {
    async fn jobs(&self) -> usize {
        let (filter, page) = (JobFilter::default(), PageRequest::default());
        let all = self.engine.jobs(&filter, &page).await;
        all.unwrap().items.len()
    }

    /// Sends the form off as a browser does that has opened it.
    async fn send(&self, form: &Answer, typed: &str) -> Answer {
        let hidden = form.body.split("name=\"form\" value=\"").nth(1).unwrap();
        let hidden = hidden.split('"').next().unwrap();
        self.press(NEW, &format!("form={hidden}&{typed}")).await
    }
}

#[tokio::test]
async fn a_job_is_typed_in_and_its_page_is_shown() {
    let fixture = Fixture::new();
    let form = fixture.get(NEW).await;

    let made = fixture
        .send(
            &form,
            "kind=simulate&payload=%7B%22n%22%3A1%7D&queue=low&priority=-5&tags=red+blue",
        )
        .await;

    form.has("<option value=\"simulate\">");
    assert_eq!(made.status, StatusCode::SEE_OTHER, "{made:?}");
    let there = made.header("location").trim_start_matches('.').to_owned();
    let page = fixture
        .get(&format!("/admin{}", there.replace("/admin", "")))
        .await;
    page.has("simulate")
        .has("low")
        .has("red")
        .has("blue")
        .has("-5");
}

#[tokio::test]
async fn a_form_sent_twice_makes_one_job_and_a_changed_one_another() {
    let fixture = Fixture::new();
    let form = fixture.get(NEW).await;

    let first = fixture
        .send(&form, "kind=simulate&payload=1&delay=10m")
        .await;
    let again = fixture
        .send(&form, "kind=simulate&payload=1&delay=10m")
        .await;
    let once = fixture.jobs().await;
    let changed = fixture
        .send(&form, "kind=simulate&payload=2&delay=10m")
        .await;

    assert_eq!(first.header("location"), again.header("location"));
    assert_ne!(first.header("location"), changed.header("location"));
    assert_eq!((once, fixture.jobs().await), (1, 2));
}

#[tokio::test]
async fn what_is_to_be_mended_is_told_and_what_was_typed_is_kept() {
    let fixture = Fixture::new();
    let form = fixture.get(NEW).await;

    let refused = fixture
        .send(
            &form,
            "kind=simulate&payload=%7B%22a%22&tags=red&priority=high&run_at=soon&queue=no+queue",
        )
        .await;
    let unruly = fixture
        .send(&form, "kind=simulate&payload=1&max_attempts=1000")
        .await;

    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    refused
        .has("is no JSON: EOF while parsing")
        .has("id=\"payload-wrong\"")
        .has("id=\"priority-wrong\"")
        .has("must be a day and a time")
        .has("{&#34;a&#34;</textarea>")
        .has("value=\"no queue\"");
    unruly.has("must lie between 1 and 100");
    assert_eq!(fixture.jobs().await, 0);
}

#[tokio::test]
async fn a_time_is_that_of_the_clocks_in_the_zone_beside_it() {
    let fixture = Fixture::new();
    let form = fixture.get(NEW).await;

    fixture
        .send(
            &form,
            "kind=simulate&payload=1&run_at=2026-02-01T09%3A00&zone=Asia%2FSeoul",
        )
        .await;

    let filter = JobFilter::default();
    let jobs = fixture.engine.jobs(&filter, &PageRequest::default()).await;
    let job = jobs.unwrap().items.remove(0);
    assert_eq!(job.state, State::Pending);
    assert_eq!(job.run_at.to_string(), "2026-02-01T00:00:00.000000Z");
}

#[tokio::test]
async fn a_job_that_somebody_types_in_stands_in_the_audit_log_with_them() {
    let fixture = seen_by(Fixture::new(), Role::Sender);
    let form = fixture.get(NEW).await;

    let typed = "kind=simulate&payload=%7B%22to%22%3A%22ann%22%7D&queue=low";
    fixture.send(&form, typed).await;
    fixture.send(&form, typed).await;

    let (filter, page) = (AuditFilter::default(), PageRequest::default());
    let log = fixture.engine.audit_entries(&filter, &page).await.unwrap();
    let made = log
        .items
        .iter()
        .filter(|one| one.action == AuditAction::JobEnqueue);
    let made: Vec<_> = made.map(|one| (&*one.name, one.after.clone())).collect();
    let after = json!({ "kind": "simulate", "queue": "low" });
    assert_eq!(made, [("kim", Some(after))]);
}

#[tokio::test]
async fn whoever_may_not_ask_for_jobs_makes_none() {
    let fixture = seen_by(Fixture::new(), Role::Operator);

    let refused = fixture.press(NEW, "kind=simulate&payload=1").await;

    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    assert_eq!(fixture.jobs().await, 0);
}
