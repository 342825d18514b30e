//! What the system did by itself, as the second tab of the activity tells it.

use axum::http::StatusCode;
use serde_json::json;

use crate::fixture::Fixture;

#[tokio::test]
async fn nothing_was_mended_where_nothing_has_happened() {
    let fixture = Fixture::new();

    let page = fixture.get("/admin/activity/recoveries").await;
    let people = fixture.get("/admin/activity").await;

    page.has("The system has not had to mend anything")
        .has("aria-current=\"page\">By the system");
    people
        .has("aria-current=\"page\">By people")
        .has("/activity/recoveries\"");
}

#[tokio::test]
async fn each_recovery_says_what_happened_and_what_became_of_it() {
    let fixture = Fixture::new();
    let away = json!({"node": "wrk_1", "reason": "connection refused"});
    fixture.note("hints.away", "hints", away).await;
    fixture.note("leader.changed", "wrk_1", json!({})).await;
    fixture
        .note("schedule.missed", "sch_1", json!({"missed": 3}))
        .await;
    fixture
        .note("worker.joined", "wrk_2", json!({"name": "web"}))
        .await;
    let own = json!({"why": "stopped by itself: the token is wrong (http_401)"});
    fixture.note("campaign.stopped", "cmp_1", own).await;
    let asked = json!({"why": "provider maintenance"});
    fixture.note("campaign.stopped", "cmp_2", asked).await;

    let page = fixture.get("/admin/activity/recoveries").await;

    page.has("Redis lost")
        .has("Jobs are found in the database meanwhile (connection refused).")
        .has("leader changed")
        .has("3 times had passed unfired")
        .has("campaign stopped itself")
        .has("the token is wrong")
        .lacks("provider maintenance")
        .lacks("worker.joined");
    assert_eq!(page.body.matches("data-recovery=").count(), 4);
}

#[tokio::test]
async fn jobs_that_lost_their_lease_in_one_moment_are_one_line() {
    let fixture = Fixture::new();
    let lost = json!({"class": "lost", "from": "running", "to": "retry_wait"});
    for job in ["job_1", "job_2", "job_3"] {
        fixture.note("job.retry_wait", job, lost.clone()).await;
    }
    let failed = json!({"class": "retry", "from": "running", "to": "retry_wait"});
    fixture.note("job.retry_wait", "job_4", failed).await;

    let page = fixture.get("/admin/activity/recoveries").await;

    page.has("lease expired <span class=\"muted\">× 3</span>")
        .has("and others")
        .lacks("job_4");
    assert_eq!(page.body.matches("data-recovery=").count(), 1);
}

#[tokio::test]
async fn older_recoveries_are_a_page_of_their_own() {
    let fixture = Fixture::new();
    for n in 0..51 {
        fixture
            .note("leader.changed", &format!("wrk_{n}"), json!({}))
            .await;
    }

    let page = fixture.get("/admin/activity/recoveries").await;
    let older = fixture.get("/admin/activity/recoveries?after=2").await;
    let wrong = fixture.get("/admin/activity/recoveries?after=x").await;

    page.has("/activity/recoveries?after=2\">Older");
    older.has(">Newest</a>").lacks(">Older</a>");
    assert_eq!(older.body.matches("data-recovery=").count(), 1);
    assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
}
