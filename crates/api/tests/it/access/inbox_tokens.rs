//! Inbox tokens: one inbox, for a while.

use std::time::Duration;

use baton_domain::access::Permission;
use serde_json::json;

use super::{call, get, guarded, key};

#[tokio::test]
async fn an_inbox_token_opens_the_inbox_of_its_recipient_for_its_time_and_nothing_else() {
    let fixture = guarded();
    let permissions = [
        Permission::Inbox,
        Permission::RecipientsWrite,
        Permission::JobsRead,
    ];
    let backend = key(&fixture, &permissions).await;
    for id in ["ann", "bob"] {
        let path = format!("/v1/recipients/{id}");
        call(
            &fixture,
            &backend,
            "PUT",
            &path,
            Some(json!({"platform": "ios"})),
        )
        .await;
    }

    let path = "/v1/recipients/ann/inbox/token";
    let made = call(
        &fixture,
        &backend,
        "POST",
        path,
        Some(json!({"expires_in": "5m"})),
    )
    .await;

    assert_eq!(made.status, 201, "{made:?}");
    let token = made.json()["token"].as_str().unwrap().to_owned();
    get(&fixture, &token, "/v1/recipients/ann/inbox").await.ok();
    let anothers = get(&fixture, &token, "/v1/recipients/bob/inbox").await;
    anothers.problem("permission-denied");
    get(&fixture, &token, "/v1/jobs")
        .await
        .problem("permission-denied");
    let next = call(&fixture, &token, "POST", path, None).await;
    next.problem("permission-denied");
    fixture.clock.advance(Duration::from_mins(5));
    get(&fixture, &token, "/v1/recipients/ann/inbox")
        .await
        .problem("unauthenticated");
}

#[tokio::test]
async fn an_inbox_token_is_worth_nothing_without_its_key_and_nobody_forges_one() {
    let fixture = guarded();
    let backend = key(&fixture, &[Permission::Inbox, Permission::RecipientsWrite]).await;
    call(
        &fixture,
        &backend,
        "PUT",
        "/v1/recipients/ann",
        Some(json!({"platform": "ios"})),
    )
    .await;
    let path = "/v1/recipients/ann/inbox/token";
    let made = call(&fixture, &backend, "POST", path, None).await.json();
    let token = made["token"].as_str().unwrap();
    let id = baton_domain::access::KeyToken::read(&backend).unwrap().id;
    let end = fixture.engine.now() + Duration::from_hours(1);
    let forged = baton_domain::access::InboxToken::sign(id, &[0; 32], "ann", end).reveal();

    get(&fixture, &forged, "/v1/recipients/ann/inbox")
        .await
        .problem("unauthenticated");
    get(&fixture, token, "/v1/recipients/ann/inbox").await.ok();
    fixture.engine.revoke_key(id).await.unwrap();

    get(&fixture, token, "/v1/recipients/ann/inbox")
        .await
        .problem("unauthenticated");
}

#[tokio::test]
async fn an_inbox_token_lasts_a_day_at_most() {
    let fixture = guarded();
    let backend = key(&fixture, &[Permission::Inbox]).await;

    for lasts in ["0s", "25h"] {
        let asked = Some(json!({"expires_in": lasts}));
        let made = call(
            &fixture,
            &backend,
            "POST",
            "/v1/recipients/ann/inbox/token",
            asked,
        )
        .await;

        assert_eq!(made.wrong_fields(), ["expires_in"], "{lasts}");
    }
}
