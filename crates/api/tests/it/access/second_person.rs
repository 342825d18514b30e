//! A second person for large campaigns: who may approve one, and that nothing else starts it.

use baton_domain::{
    UserId,
    access::{Actor, KeyToken, Permission, Permissions, Principal},
    audit::{AuditAction, AuditFilter},
    page::PageRequest,
};
use baton_engine::KeySpec;
use baton_ports::store::{AuditLog, Campaigns};
use serde_json::{Value, json};

use super::{call, get, key};
use crate::fixture::{Fixture, Reply};

/// A server on which campaigns of more than one recipient need two people, and two recipients.
async fn town() -> Fixture {
    let fixture = Fixture::with_second_person_over(1);
    let admin = key(&fixture, &Permission::ALL).await;
    for id in ["a", "b"] {
        let body = json!({"platform": "ios", "topics": ["t"], "addresses": {"push": "token"}});
        let path = format!("/v1/recipients/{id}");
        call(&fixture, &admin, "PUT", &path, Some(body)).await;
    }
    fixture
}

/// The keys of two who may do everything.
async fn two_people(fixture: &Fixture) -> (String, String) {
    (
        key(fixture, &Permission::ALL).await,
        key(fixture, &Permission::ALL).await,
    )
}

/// A key that a user has made.
async fn key_of(fixture: &Fixture, user: UserId) -> String {
    let actor = Actor::unbounded(Principal::User(user), "ann", Permissions::ALL);
    let spec = KeySpec {
        name: "hers".to_owned(),
        permissions: Permissions::ALL,
        kinds: Vec::new(),
        queues: Vec::new(),
        expires_at: None,
    };
    let made = fixture.engine.caller(actor).create_key(spec).await;
    made.unwrap().1.reveal()
}

/// A key that the bearer of a key has made.
async fn key_by(fixture: &Fixture, maker: &str) -> String {
    let body = json!({"name": "theirs", "permissions": ["campaigns:send", "jobs:read"]});
    let made = call(fixture, maker, "POST", "/v1/keys", Some(body)).await;
    made.json()["token"].as_str().unwrap().to_owned()
}

fn quiz() -> Value {
    json!({
        "name": "Quiz", "category": "question", "action": "push", "audience": {"topic": "t"},
        "message": {"title": "t", "body": "b"},
    })
}

async fn create(fixture: &Fixture, key: &str, quiz: Value) -> Value {
    call(fixture, key, "POST", "/v1/campaigns", Some(quiz))
        .await
        .json()
}

async fn command(fixture: &Fixture, key: &str, campaign: &Value, word: &str) -> Reply {
    let path = format!("/v1/campaigns/{}/{word}", campaign["id"].as_str().unwrap());
    call(fixture, key, "POST", &path, None).await
}

async fn state(fixture: &Fixture, key: &str, campaign: &Value) -> Value {
    let path = format!("/v1/campaigns/{}", campaign["id"].as_str().unwrap());
    get(fixture, key, &path).await.json()["state"].clone()
}

fn principal(key: &str) -> String {
    KeyToken::read(key).unwrap().id.to_string()
}

#[tokio::test]
async fn a_large_campaign_waits_until_somebody_else_has_approved_it() {
    let fixture = town().await;
    let (ann, ben) = two_people(&fixture).await;

    let held = create(&fixture, &ann, quiz()).await;
    command(&fixture, &ann, &held, "approve")
        .await
        .problem("second-person-needed");
    let approved = command(&fixture, &ben, &held, "approve").await.ok();
    let again = command(&fixture, &ben, &held, "approve").await.ok();

    assert_eq!(held["state"], "stopped");
    assert_eq!(held["approval"]["recipients"], 2);
    assert_eq!(held["approval"]["asked_by"], principal(&ann));
    assert_eq!(held["approval"]["approved_by"], Value::Null);
    assert_eq!(approved["state"], "scheduled");
    assert_eq!(approved["approval"]["approved_by"], principal(&ben));
    assert_eq!(again, approved);
}

#[tokio::test]
async fn a_campaign_within_the_bound_needs_one_person() {
    let fixture = town().await;
    let ann = key(&fixture, &Permission::ALL).await;
    let mut small = quiz();
    small["audience"] = json!({"topic": "nobody"});

    let campaign = create(&fixture, &ann, small).await;

    assert_eq!(campaign["state"], "scheduled");
    assert_eq!(campaign["approval"], Value::Null);
    command(&fixture, &ann, &campaign, "approve")
        .await
        .problem("illegal-transition");
}

#[tokio::test]
async fn nothing_but_an_approval_starts_a_campaign_that_waits_for_one() {
    let fixture = town().await;
    let (ann, ben) = two_people(&fixture).await;
    let held = create(&fixture, &ann, quiz()).await;
    let line = format!("/v1/queues/{}", held["id"].as_str().unwrap());

    for (key, wish) in [(&ann, "resume"), (&ben, "resume"), (&ben, "stop")] {
        command(&fixture, key, &held, wish)
            .await
            .problem("awaits-approval");
    }
    command(&fixture, &ann, &held, "retry-failed").await;
    let open = json!({"paused": false});
    call(&fixture, &ann, "PATCH", &line, Some(open))
        .await
        .problem("invalid");

    let now = fixture.engine.now();
    let taken = fixture.store.take_expansion(fixture.worker, now, now);
    assert_eq!(taken.await.unwrap(), None);
    assert_eq!(state(&fixture, &ann, &held).await, "stopped");
}

#[tokio::test]
async fn a_key_that_was_rotated_counts_as_whom_the_old_one_counted_as() {
    let fixture = town().await;
    let ann = UserId::new(fixture.engine.now());
    let old = key_of(&fixture, ann).await;
    let rotates = key(&fixture, &Permission::ALL).await;
    let held = create(&fixture, &old, quiz()).await;
    let by_rotator = create(&fixture, &rotates, quiz()).await;
    let path = format!("/v1/keys/{}/rotate", principal(&old));
    let rotated = call(&fixture, &rotates, "POST", &path, Some(json!({}))).await;
    let new = rotated.json()["token"].as_str().unwrap().to_owned();

    command(&fixture, &new, &held, "approve")
        .await
        .problem("second-person-needed");
    let approved = command(&fixture, &new, &by_rotator, "approve").await.ok();

    assert_eq!(approved["state"], "scheduled");
}

#[tokio::test]
async fn viewers_learn_nobodys_name_from_an_approval() {
    let fixture = town().await;
    let sender = key(&fixture, &Permission::ALL).await;
    let viewer = key(&fixture, &[Permission::JobsRead]).await;
    let held = create(&fixture, &sender, quiz()).await;
    let path = format!("/v1/campaigns/{}", held["id"].as_str().unwrap());

    let to_sender = get(&fixture, &sender, &path).await.json();
    let to_viewer = get(&fixture, &viewer, &path).await.json();

    let name = "asked_by_name";
    assert_ne!(to_sender["approval"][name], "(hidden)");
    assert_eq!(to_viewer["approval"][name], "(hidden)");
    assert_eq!(
        to_viewer["approval"]["asked_by"],
        to_sender["approval"]["asked_by"]
    );
}

#[tokio::test]
async fn whoever_asks_again_for_an_approval_hears_what_became_of_the_first() {
    let fixture = town().await;
    let (ann, ben) = two_people(&fixture).await;
    let held = create(&fixture, &ann, quiz()).await;
    command(&fixture, &ben, &held, "approve").await.ok();

    let again = command(&fixture, &ben, &held, "approve").await.ok();
    let by_asker = command(&fixture, &ann, &held, "approve").await.ok();

    assert_eq!(again["approval"], by_asker["approval"]);
}

#[tokio::test]
async fn a_key_counts_as_the_user_who_made_it_or_made_its_maker() {
    let fixture = town().await;
    let (ann, ben) = (
        UserId::new(fixture.engine.now()),
        UserId::new(fixture.engine.now()),
    );
    let first = key_of(&fixture, ann).await;
    let second = key_of(&fixture, ann).await;
    let third = key_by(&fixture, &second).await;
    let held = create(&fixture, &first, quiz()).await;

    for own in [&first, &second, &third] {
        command(&fixture, own, &held, "approve")
            .await
            .problem("second-person-needed");
    }
    let other = key_of(&fixture, ben).await;
    let approved = command(&fixture, &other, &held, "approve").await.ok();

    assert_eq!(approved["state"], "scheduled");
}

#[tokio::test]
async fn the_right_to_operate_is_none_to_approve() {
    let fixture = town().await;
    let ann = key(&fixture, &Permission::ALL).await;
    let operator = key(&fixture, &[Permission::Operate, Permission::JobsRead]).await;
    let held = create(&fixture, &ann, quiz()).await;

    command(&fixture, &operator, &held, "approve")
        .await
        .problem("permission-denied");

    assert_eq!(state(&fixture, &ann, &held).await, "stopped");
}

#[tokio::test]
async fn a_canceled_campaign_is_not_approved() {
    let fixture = town().await;
    let (ann, ben) = two_people(&fixture).await;
    let held = create(&fixture, &ann, quiz()).await;
    command(&fixture, &ann, &held, "cancel").await.ok();

    for word in ["approve", "resume"] {
        command(&fixture, &ben, &held, word)
            .await
            .problem("illegal-transition");
    }
}

#[tokio::test]
async fn asking_again_under_the_same_key_makes_nobody_else_the_asker() {
    let fixture = town().await;
    let (ann, ben) = two_people(&fixture).await;
    let mut keyed = quiz();
    keyed["key"] = json!("once");
    let held = create(&fixture, &ann, keyed.clone()).await;

    let again = create(&fixture, &ben, keyed).await;

    assert_eq!(again, held);
    command(&fixture, &ann, &held, "approve")
        .await
        .problem("second-person-needed");
}

#[tokio::test]
async fn a_campaign_of_a_schedule_fired_by_hand_is_asked_for_by_that_hand() {
    let fixture = town().await;
    let (ann, ben) = two_people(&fixture).await;
    let daily = json!({"name": "d", "cron": "0 9 * * *", "time_zone": "UTC", "campaign": quiz()});
    let schedule = call(&fixture, &ann, "POST", "/v1/schedules", Some(daily)).await;
    let fire = format!(
        "/v1/schedules/{}/fire",
        schedule.json()["id"].as_str().unwrap()
    );

    let fired = call(&fixture, &ann, "POST", &fire, None).await.json();

    let made = json!({"id": fired["made"]});
    assert_eq!(state(&fixture, &ann, &made).await, "stopped");
    command(&fixture, &ann, &made, "approve")
        .await
        .problem("second-person-needed");
    let approved = command(&fixture, &ben, &made, "approve").await.ok();
    assert_eq!(approved["approval"]["asked_by"], principal(&ann));
}

#[tokio::test]
async fn the_rest_of_a_large_campaign_needs_two_people_as_well() {
    let fixture = town().await;
    let (ann, ben) = two_people(&fixture).await;
    let whole = create(&fixture, &ann, quiz()).await;
    command(&fixture, &ben, &whole, "cancel").await.ok();
    let now = fixture.engine.now();
    fixture.store.cancel_deliveries(10, now).await.unwrap();

    let rest = command(&fixture, &ann, &whole, "send-to-rest").await.json();

    assert_eq!(rest["state"], "stopped");
    assert_eq!(rest["approval"]["recipients"], 2);
}

#[tokio::test]
async fn an_approval_stands_in_the_audit_log() {
    let fixture = town().await;
    let (ann, ben) = two_people(&fixture).await;
    let held = create(&fixture, &ann, quiz()).await;

    command(&fixture, &ben, &held, "approve").await.ok();

    let filter = AuditFilter {
        action: Some(AuditAction::CampaignApprove),
        ..AuditFilter::default()
    };
    let page = PageRequest::default();
    let entries = fixture.store.audit_entries(&filter, &page).await.unwrap();
    let [entry] = &entries.items[..] else {
        panic!("{entries:?}");
    };
    assert_eq!(entry.principal.to_string(), principal(&ben));
    assert_eq!(entry.count, Some(2));
    assert_eq!(entry.before.as_ref().unwrap()["asked_by"], principal(&ann));
    assert_eq!(entry.after.as_ref().unwrap()["state"], "scheduled");
}
