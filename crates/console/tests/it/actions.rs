//! Buttons do what they say, with a script and without one.

use axum::body::Body;
use axum::http::{Request, StatusCode, header};
use baton_domain::{job::State, page::PageRequest};

use crate::fixture::Fixture;

#[tokio::test]
async fn a_button_without_a_script_leads_back_with_a_note() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Queued).await;

    let answer = fixture
        .press(
            &format!("/admin/jobs/{id}/cancel"),
            "back=%2Fjobs%3Fstate%3Dqueued",
        )
        .await;

    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert_eq!(answer.header("location"), "../../jobs?state=queued");
    assert_eq!(fixture.job(id).await.state, State::Canceled);
    let cookie = answer.header("set-cookie").split(';').next().unwrap();
    let request = Request::get("/admin/jobs").header(header::COOKIE, cookie);
    let page = fixture.ask(request.body(Body::empty()).unwrap()).await;
    page.has("class=\"flash\"").has("Canceled simulate job_…");
    assert!(page.header("set-cookie").contains("Max-Age=0"));
}

#[tokio::test]
async fn a_button_never_leads_out_of_the_console() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Queued).await;

    let answer = fixture
        .press(
            &format!("/admin/jobs/{id}/cancel"),
            "back=https%3A%2F%2Fevil.example%2F",
        )
        .await;

    assert_eq!(answer.header("location"), "../../../admin");
}

#[tokio::test]
async fn a_script_gets_a_receipt() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Failed).await;

    let answer = fixture
        .press_by_script(&format!("/admin/jobs/{id}/retry"), "")
        .await;

    assert_eq!(answer.status, StatusCode::OK);
    answer.has("\"message\":\"Run 2 of simulate job_…");
    assert_eq!(fixture.job(id).await.state, State::Queued);
}

#[tokio::test]
async fn a_move_that_the_table_lacks_is_refused_with_its_reason() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Succeeded).await;

    let page = fixture.press(&format!("/admin/jobs/{id}/cancel"), "").await;
    let receipt = fixture
        .press_by_script(&format!("/admin/jobs/{id}/retry"), "")
        .await;

    assert_eq!(page.status, StatusCode::CONFLICT);
    page.has("A job that is succeeded cannot be canceled.");
    assert_eq!(receipt.status, StatusCode::CONFLICT);
    receipt.has("\"title\":\"Not from where it is now\"");
}

#[tokio::test]
async fn each_button_moves_the_job_as_it_says() {
    let cases = [
        (State::Pending, "run-now", "", State::Queued),
        (State::RetryWait, "run-now", "", State::Queued),
        (
            State::Uncertain,
            "resolve",
            "as=succeeded",
            State::Succeeded,
        ),
        (State::Uncertain, "resolve", "as=failed", State::Failed),
        (State::Skipped, "retry", "", State::Queued),
        (State::Canceled, "retry", "", State::Queued),
    ];
    for (from, action, form, to) in cases {
        let fixture = Fixture::new();
        let id = fixture.job_in(from).await;

        let answer = fixture
            .press(&format!("/admin/jobs/{id}/{action}"), form)
            .await;

        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{action} {form}");
        assert_eq!(fixture.job(id).await.state, to, "{action} {form}");
    }
}

#[tokio::test]
async fn a_running_job_is_asked_to_stop_and_stays_running_until_it_does() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Running).await;

    let answer = fixture
        .press_by_script(&format!("/admin/jobs/{id}/cancel"), "reason=looks+hung")
        .await;

    answer.has("Asked simulate job_…");
    let job = fixture.job(id).await;
    assert_eq!(job.state, State::Running);
    assert!(job.cancel_asked_at.is_some());
}

#[tokio::test]
async fn a_job_is_stopped_by_force_only_once_its_id_was_typed() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Running).await;
    let path = format!("/admin/jobs/{id}/force-stop");
    let typed = id.to_string()[id.to_string().len() - 6..].to_owned();

    let asked = fixture.get(&path).await;
    let mistyped = fixture.press(&path, "confirm=000000x").await;
    let still = fixture.job(id).await.state;
    let form = format!("confirm={typed}&reason=looks+hung");
    let stopped = fixture.press(&path, &form).await;

    asked
        .has(&format!("pattern=\"{typed}\""))
        .has("may still be doing what it was doing");
    assert_eq!(mistyped.status, StatusCode::BAD_REQUEST);
    assert_eq!(still, State::Running);
    assert_eq!(stopped.status, StatusCode::SEE_OTHER);
    let job = fixture.job(id).await;
    assert_eq!(
        (job.state, job.reason.as_deref()),
        (State::Canceled, Some("looks hung"))
    );
}

#[tokio::test]
async fn a_queue_is_paused_and_the_receipt_offers_the_way_back() {
    let fixture = Fixture::new();
    fixture.job_in(State::Queued).await;

    let paused = fixture
        .press_by_script("/admin/queues/default/pause", "")
        .await;
    let page = fixture.get("/admin").await;
    let resumed = fixture
        .press_by_script("/admin/queues/default/resume", "")
        .await;

    paused.has("\"undo\":\"../../queues/default/resume\"");
    page.has("data-queue=\"default\" data-paused=\"true\"");
    resumed.has("Resumed queue default: 1 job can start.");
    assert!(!fixture.engine.queues().await.unwrap()[0].paused);
}

#[tokio::test]
async fn a_group_is_retried_after_the_number_was_shown() {
    let fixture = Fixture::new();
    for _ in 0..3 {
        fixture.job_in(State::Failed).await;
    }
    let groups = fixture.engine.dead_letters(&PageRequest::default()).await;
    let fingerprint = groups.unwrap().items[0].fingerprint.clone();
    let path = format!("/admin/dead-letters/{fingerprint}/retry");

    let asked = fixture.get(&path).await;
    let begun = fixture.press_by_script(&path, "").await;
    let page = fixture.get("/admin/dead-letters").await;

    asked.has(">Retry 3 jobs</button>").has("not included");
    begun.has("Retrying 3 jobs");
    page.has("data-finished=\"false\"")
        .has("aria-label=\"retry, 0 percent\"")
        .has("of 3</span>");
}

#[tokio::test]
async fn a_store_that_is_away_is_told_as_such() {
    let fixture = Fixture::new();
    let id = fixture.job_in(State::Queued).await;
    fixture.cut(true);

    let answer = fixture
        .press_by_script(&format!("/admin/jobs/{id}/cancel"), "")
        .await;

    assert_eq!(answer.status, StatusCode::SERVICE_UNAVAILABLE);
    answer.has("The database cannot be reached");
    fixture.cut(false);
    assert_eq!(fixture.job(id).await.state, State::Queued);
}
