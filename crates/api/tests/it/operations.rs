//! Bulk operations.

use serde_json::json;

use crate::fixture::Fixture;

#[tokio::test]
async fn operations_are_listed_newest_first() {
    let fixture = Fixture::new();
    let first = fixture
        .post("/v1/dead-letters/retry", json!({"filter": {}}))
        .await
        .json();
    fixture.clock.advance(std::time::Duration::from_millis(5));
    let second = fixture
        .post("/v1/dead-letters/discard", json!({"filter": {}}))
        .await
        .json();

    let list = fixture.get("/v1/operations").await.ok();

    let ids: Vec<_> = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["id"])
        .collect();
    assert_eq!(ids, [&second["id"], &first["id"]]);
}

#[tokio::test]
async fn an_operation_that_is_not_there_is_not_found() {
    let fixture = Fixture::new();

    for id in ["op_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", "nonsense"] {
        fixture
            .get(&format!("/v1/operations/{id}"))
            .await
            .problem("operation-not-found");
    }
}

#[tokio::test]
async fn jobs_of_a_state_are_canceled_by_an_operation() {
    let fixture = Fixture::new();
    fixture.job(json!({})).await;
    let body = json!({"filter": {"state": "queued", "kind": "note"}, "reason": "wrong batch"});

    let reply = fixture.post("/v1/jobs/cancel", body).await;

    assert_eq!(reply.status, 202);
    let begun = fixture.get(reply.header("location")).await.ok();
    assert_eq!(
        (&begun["action"], &begun["state"], &begun["total"]),
        (&json!("cancel"), &json!("running"), &json!(1))
    );
    assert_eq!(
        (&begun["jobs"], &begun["reason"]),
        (
            &json!({"state": "queued", "kind": "note"}),
            &json!("wrong batch")
        )
    );
}

#[tokio::test]
async fn what_their_state_does_not_allow_is_not_begun() {
    let fixture = Fixture::new();

    for (action, state) in [
        ("cancel", "failed"),
        ("retry", "queued"),
        ("retry", "succeeded"),
    ] {
        let body = json!({"filter": {"state": state}});
        let reply = fixture.post(&format!("/v1/jobs/{action}"), body).await;
        reply.problem("illegal-transition");
    }
}

#[tokio::test]
async fn a_selection_names_a_state_and_nothing_that_nobody_knows() {
    let fixture = Fixture::new();

    for body in [
        json!({"filter": {}}),
        json!({"filter": {"state": "dead"}}),
        json!({"filter": {"state": "queued", "color": "red"}}),
        json!({"filter": {"state": "queued", "kind": "x".repeat(256)}}),
    ] {
        let reply = fixture.post("/v1/jobs/cancel", body.clone()).await;
        assert!([400, 422].contains(&reply.status.as_u16()), "{body}");
    }
}

#[tokio::test]
async fn an_operation_is_stopped_and_says_so() {
    let fixture = Fixture::new();
    fixture.job(json!({})).await;
    let begun = fixture
        .post("/v1/jobs/cancel", json!({"filter": {"state": "queued"}}))
        .await;
    let there = begun.header("location").to_owned();

    let stopped = fixture.post(&format!("{there}/stop"), json!({})).await.ok();

    assert_eq!(stopped["state"], "stopped");
    assert_eq!(
        (&stopped["done"], &stopped["skipped"]),
        (&json!(0), &json!(0))
    );
}
