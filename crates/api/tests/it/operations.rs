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
