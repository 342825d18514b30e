//! API keys that get a new secret: what stays, what ends, and who may.

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::{
    access::{KeyToken, Permission},
    audit::AuditAction,
};
use baton_ports::{
    layer::{Hook, Layer, StoreCall},
    store::{Error, Result},
};
use serde_json::{Value, json};

use super::{audited, call, get, guarded, key, key_within};
use crate::fixture::{Fixture, Reply};

/// Asks for a new secret of the key that is shown.
async fn rotate(fixture: &Fixture, admin: &str, shown: &str, how: Value) -> Reply {
    let id = KeyToken::read(shown).unwrap().id;
    let path = format!("/v1/keys/{id}/rotate");
    call(fixture, admin, "POST", &path, Some(how)).await
}

fn token(made: &Value) -> String {
    made["token"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_rotated_key_is_good_beside_the_new_one_for_a_day_and_no_longer() {
    let fixture = guarded();
    let admin = key(&fixture, &Permission::ALL).await;
    let old = key_within(&fixture, &[Permission::JobsCreate], &["no*"], &["low"]).await;
    let enqueue = async |key: &str, queue: &str| {
        let job = json!({"kind": "note", "queue": queue});
        call(&fixture, key, "POST", "/v1/jobs", Some(job)).await
    };

    let made = rotate(&fixture, &admin, &old, json!({})).await;
    let made = made.json();
    let new = token(&made);

    assert_eq!(made["name"], "a test");
    assert_eq!(made["kinds"], json!(["no*"]));
    assert_eq!(
        made["replaces"]["id"],
        KeyToken::read(&old).unwrap().id.to_string()
    );
    assert_eq!(enqueue(&old, "low").await.status, 201);
    assert_eq!(enqueue(&new, "low").await.status, 201);
    enqueue(&new, "high").await.problem("permission-denied");
    fixture.clock.advance(Duration::from_hours(24));
    enqueue(&old, "low").await.problem("unauthenticated");
    assert_eq!(enqueue(&new, "low").await.status, 201);
    assert_eq!(audited(&fixture, AuditAction::KeyRotate).await, 1);
}

#[tokio::test]
async fn a_key_that_is_rotated_without_an_overlap_ends_at_once_and_cannot_be_rotated_again() {
    let fixture = guarded();
    let admin = key(&fixture, &Permission::ALL).await;
    let old = key(&fixture, &[Permission::JobsRead]).await;
    get(&fixture, &old, "/v1/jobs").await.ok();

    let made = rotate(&fixture, &admin, &old, json!({"overlap": "0s"})).await;
    let new = token(&made.json());

    get(&fixture, &old, "/v1/jobs")
        .await
        .problem("unauthenticated");
    get(&fixture, &new, "/v1/jobs").await.ok();
    rotate(&fixture, &admin, &old, json!({}))
        .await
        .problem("invalid");
    let too_long = json!({"overlap": "91d"});
    rotate(&fixture, &admin, &new, too_long)
        .await
        .problem("invalid");
    let log = get(&fixture, &admin, "/v1/audit/export").await;
    let secret = new.split('_').nth(2).unwrap();
    assert!(!String::from_utf8_lossy(&log.body).contains(secret));
}

#[tokio::test]
async fn a_key_that_was_made_for_a_while_is_followed_by_one_for_as_long() {
    let fixture = guarded();
    let admin = key(&fixture, &Permission::ALL).await;
    let wanted = json!({"name": "ci", "permissions": ["jobs:read"], "expires_in": "30d"});
    let old = call(&fixture, &admin, "POST", "/v1/keys", Some(wanted)).await;
    let old = token(&old.json());
    fixture.clock.advance(Duration::from_hours(29 * 24));

    let made = rotate(&fixture, &admin, &old, json!({"overlap": "7d"})).await;
    let new = token(&made.json());
    let again = rotate(&fixture, &admin, &old, json!({})).await;
    fixture.clock.advance(Duration::from_hours(24));

    assert_eq!(made.status, 201, "{made:?}");
    again.problem("invalid");
    get(&fixture, &old, "/v1/jobs")
        .await
        .problem("unauthenticated");
    get(&fixture, &new, "/v1/jobs").await.ok();
    fixture.clock.advance(Duration::from_hours(29 * 24));
    get(&fixture, &new, "/v1/jobs")
        .await
        .problem("unauthenticated");
}

#[tokio::test]
async fn nobody_gets_a_new_secret_of_a_key_that_may_more_than_they() {
    let fixture = guarded();
    let lesser = key(&fixture, &[Permission::KeysAdmin, Permission::JobsRead]).await;
    let no_admin = key(&fixture, &[Permission::JobsRead]).await;
    let greater = key(&fixture, &[Permission::Operate]).await;

    let more = rotate(&fixture, &lesser, &greater, json!({})).await;
    let none = rotate(&fixture, &no_admin, &no_admin, json!({})).await;
    let own = rotate(&fixture, &lesser, &no_admin, json!({})).await;

    more.problem("permission-denied");
    none.problem("permission-denied");
    assert_eq!(own.status, 201, "{own:?}");
    assert_eq!(audited(&fixture, AuditAction::KeyRotate).await, 1);
}

/// Loses the answer to a call of this name, whose commit was made.
struct LosesAnswerTo(&'static str);

#[async_trait]
impl Hook for LosesAnswerTo {
    async fn after(&self, call: StoreCall) -> Result<()> {
        match call.name == self.0 {
            true => Err(Error::Unconfirmed("its answer is lost".to_owned())),
            false => Ok(()),
        }
    }
}

#[tokio::test]
async fn the_token_of_a_key_whose_commit_was_not_confirmed_is_told_all_the_same() {
    let wanted = json!({"name": "a test", "permissions": ["jobs:read"]});
    let fixture = Fixture::new();
    let shown = token(&fixture.post("/v1/keys", wanted.clone()).await.json());
    let id = KeyToken::read(&shown).unwrap().id;

    for (lost, path, body) in [
        ("add_key", "/v1/keys".to_owned(), wanted),
        ("rotate_key", format!("/v1/keys/{id}/rotate"), json!({})),
    ] {
        let fixture = Fixture::new().over(Layer::over(fixture.store.clone(), LosesAnswerTo(lost)));

        let made = fixture.post(&path, body).await;

        assert_eq!(made.status, 201, "{lost}: {made:?}");
        assert!(KeyToken::read(&token(&made.json())).is_ok(), "{lost}");
    }
}
