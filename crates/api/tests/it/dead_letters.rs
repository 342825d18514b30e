//! Dead letters: groups by cause, and what is done to many at once.

use baton_domain::operation::Action;
use baton_ports::store::DeadLetters;
use serde_json::json;

use crate::fixture::Fixture;

#[tokio::test]
async fn failures_of_one_cause_are_one_group() {
    let fixture = Fixture::new();
    for n in 0..3 {
        fixture.job(json!({"key": format!("k{n}")})).await;
    }
    fixture.fail("no box 17").await;
    let last = fixture.job(json!({})).await;
    fixture.fail("the certificate has expired").await;

    let list = fixture.get("/v1/dead-letters").await.ok();

    let groups = list["items"].as_array().unwrap();
    let mut counts: Vec<_> = groups
        .iter()
        .map(|group| group["count"].as_u64().unwrap())
        .collect();
    counts.sort_unstable();
    assert_eq!(counts, [1, 3]);
    let single = groups.iter().find(|group| group["count"] == 1).unwrap();
    assert_eq!(single["kind"], "note");
    assert_eq!(
        single["sample"],
        json!({"job_id": last.to_string(), "class": "permanent", "code": "http_400",
               "message": "the certificate has expired"})
    );
    assert!(single["first"].is_string() && single["last"].is_string());
}

#[tokio::test]
async fn dead_letters_are_run_again_by_an_operation_with_progress() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({})).await;
    fixture.fail("no such box").await;

    let reply = fixture
        .post(
            "/v1/dead-letters/retry",
            json!({"filter": {"kind": "note"}}),
        )
        .await;

    assert_eq!(reply.status, 202);
    let begun = reply.json();
    assert_eq!(begun["action"], Action::Retry.as_str());
    assert_eq!(
        (&begun["state"], &begun["total"]),
        (&json!("running"), &json!(1))
    );
    fixture.store.step(100, fixture.engine.now()).await.unwrap();
    fixture.store.step(100, fixture.engine.now()).await.unwrap();
    let ended = fixture.get(reply.header("location")).await.ok();
    assert_eq!(
        (&ended["state"], &ended["done"]),
        (&json!("done"), &json!(1))
    );
    let job = fixture.get(&format!("/v1/jobs/{id}")).await.ok();
    assert_eq!(job["state"], "queued");
}

#[tokio::test]
async fn discarded_dead_letters_leave_the_list_and_stay_failed() {
    let fixture = Fixture::new();
    let id = fixture.job(json!({})).await;
    fixture.fail("no such box").await;

    let reply = fixture
        .post("/v1/dead-letters/discard", json!({"filter": {}}))
        .await;
    fixture.store.step(100, fixture.engine.now()).await.unwrap();

    assert_eq!(reply.status, 202);
    let list = fixture.get("/v1/dead-letters").await.ok();
    assert_eq!(list["items"], json!([]));
    let job = fixture.get(&format!("/v1/jobs/{id}")).await.ok();
    assert_eq!(job["state"], "failed");
}

#[tokio::test]
async fn an_operation_without_a_filter_is_refused() {
    let fixture = Fixture::new();

    let none = fixture.post("/v1/dead-letters/retry", json!({})).await;
    let unknown = fixture
        .post("/v1/dead-letters/discard", json!({"filter": {"sort": "x"}}))
        .await;
    let odd = fixture
        .post(
            "/v1/dead-letters/discard",
            json!({"filter": {"kind": "a\u{0}"}}),
        )
        .await;

    assert_eq!(none.wrong_fields(), ["filter"]);
    assert_eq!(unknown.wrong_fields(), ["filter.sort"]);
    assert_eq!(odd.wrong_fields(), ["filter.kind"]);
}
