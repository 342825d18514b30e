//! The events: filtered in the address, paged back, and never moved under the hand.

use axum::http::StatusCode;
use baton_domain::job::State;

use crate::fixture::Fixture;

#[tokio::test]
async fn events_are_shown_newest_first_and_by_what_is_looked_for() {
    let fixture = Fixture::new();
    let done = fixture.job_in(State::Succeeded).await;
    let failed = fixture.job_in(State::Failed).await;

    let all = fixture.get("/admin/events").await;
    let of_one = fixture.get(&format!("/admin/events?subject={done}")).await;
    let elsewhere = fixture.get("/admin/events?queue=nowhere").await;

    all.has(&format!("/jobs/{done}"))
        .has(&format!("/jobs/{failed}"));
    let places = ["data-event=\"2\"", "data-event=\"1\""].map(|one| all.body.find(one).unwrap());
    assert!(places[0] < places[1]);
    of_one
        .has(&format!("/jobs/{done}"))
        .lacks(&format!("/jobs/{failed}\""));
    elsewhere.lacks("data-event=");
}

#[tokio::test]
async fn a_page_leads_back_without_gap_or_repeat() {
    let fixture = Fixture::new();
    for _ in 0..60 {
        fixture.job_in(State::Queued).await;
    }

    let first = fixture.get("/admin/events").await;
    let second = fixture.get("/admin/events?before=11").await;

    first
        .has("data-event=\"60\"")
        .has("data-event=\"11\"")
        .lacks("data-event=\"10\"")
        .has("before=11\"");
    second
        .has("data-event=\"10\"")
        .has("data-event=\"1\"")
        .lacks("data-event=\"11\"")
        .lacks("rel=\"next\"");
}

#[tokio::test]
async fn what_is_no_number_is_refused() {
    let fixture = Fixture::new();

    let page = fixture.get("/admin/events?before=yesterday").await;

    assert_eq!(page.status, StatusCode::BAD_REQUEST);
}
