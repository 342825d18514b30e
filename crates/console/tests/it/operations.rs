//! Operations, and the probe that goes before one.

use axum::http::StatusCode;
use baton_domain::{
    job::State,
    operation::{Action, DeadLetterFilter},
};

use crate::fixture::{Fixture, verdict_for};

#[tokio::test]
async fn every_operation_has_a_page_that_says_how_far_it_is() {
    let fixture = Fixture::new();
    fixture.job_in(State::Failed).await;
    let everything = DeadLetterFilter::default();
    let begun = fixture
        .engine
        .start_operation(Action::Retry, &everything)
        .await
        .unwrap();

    let list = fixture.get("/admin/operations").await;
    let page = fixture
        .get(&format!("/admin/operations/{}", begun.id))
        .await;

    list.has(&format!("href=\"./operations/{}\"", begun.id))
        .has("all dead letters")
        .has("0 %");
    page.has("retry of all dead letters")
        .has("<dt>changed</dt><dd><span data-number>0</span> of 1")
        .has(&format!("/activity?object={}", begun.id));
}

#[tokio::test]
async fn an_operation_on_a_cause_says_what_went_wrong() {
    let fixture = Fixture::new();
    fixture.job_in(State::Failed).await;
    let group = fixture.group().await;
    let of_the_cause = DeadLetterFilter {
        fingerprint: Some(group.fingerprint),
        ..DeadLetterFilter::default()
    };
    fixture
        .engine
        .start_operation(Action::Discard, &of_the_cause)
        .await
        .unwrap();

    let list = fixture.get("/admin/operations").await;

    list.has("http_400: no such template");
}

#[tokio::test]
async fn an_empty_room_says_what_leaves_its_record_there() {
    let fixture = Fixture::new();

    let list = fixture.get("/admin/operations").await;
    let wrong = fixture.get("/admin/operations/op_7").await;

    list.has("leaves its record here");
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn one_of_a_cause_is_probed_before_the_rest() {
    let fixture = Fixture::new();
    for _ in 0..3 {
        fixture.job_in(State::Failed).await;
    }
    let group = fixture.group().await;
    let probe = format!("/admin/dead-letters/{}/probe", group.fingerprint);

    let pressed = fixture.press(&probe, "").await;
    let there = format!("{probe}/{}", group.sample_job);
    let under_way = fixture.get(&there).await;
    let claimed = fixture.claim().await;
    fixture.settle(claimed, verdict_for(State::Succeeded)).await;
    let ended = fixture.get(&there).await;

    assert_eq!(pressed.status, StatusCode::SEE_OTHER);
    let path = there.trim_start_matches("/admin/dead-letters/");
    assert!(pressed.header("location").ends_with(path), "{pressed:?}");
    under_way
        .has("It is on its way")
        .has("Left of this cause: 2 jobs");
    ended
        .has("It worked")
        .has("data-action=\"retry-group\"")
        .has(&format!("/dead-letters/{}/retry\"", group.fingerprint));
}

#[tokio::test]
async fn a_probe_that_fails_again_says_that_the_rest_would() {
    let fixture = Fixture::new();
    for _ in 0..2 {
        fixture.job_in(State::Failed).await;
    }
    let group = fixture.group().await;
    let probe = format!("/admin/dead-letters/{}/probe", group.fingerprint);

    fixture.press(&probe, "").await;
    let claimed = fixture.claim().await;
    fixture.settle(claimed, verdict_for(State::Failed)).await;
    let ended = fixture.get(&format!("{probe}/{}", group.sample_job)).await;

    ended.has("the rest would, too").has("no such template");
}
