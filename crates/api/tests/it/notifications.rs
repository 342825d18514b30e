//! Notifications: told once, to those who are to be told.

use baton_ports::faulty::Odds;
use serde_json::{Value, json};

use crate::fixture::Fixture;

/// A fixture with recipients: a and b, c who is disabled, and d who has opted in to likes.
async fn fixture() -> Fixture {
    let fixture = Fixture::new();
    for (id, more) in [
        ("a", json!({})),
        ("b", json!({"time_zone": "Asia/Seoul"})),
        ("c", json!({"enabled": false, "topics": ["likes"]})),
        ("d", json!({"topics": ["likes"]})),
    ] {
        fixture.recipient(id, more).await;
    }
    fixture
}

fn to(recipients: &Value, more: &Value) -> Value {
    let mut body =
        json!({"recipients": recipients, "message": {"title": "Hi {{id}}", "body": "b"}});
    let more = more.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(more);
    body
}

#[tokio::test]
async fn each_recipient_gets_an_item_and_a_delivery_of_its_own() {
    let fixture = fixture().await;

    let reply = fixture
        .post("/v1/notifications", to(&json!(["b", "a"]), &json!({})))
        .await;

    assert_eq!(reply.status, 201, "{reply:?}");
    let told = reply.json();
    assert!(told["id"].as_str().unwrap().starts_with("ntf_"));
    for (i, id) in ["b", "a"].into_iter().enumerate() {
        let sent = &told["items"][i];
        let inbox = fixture
            .get(&format!("/v1/recipients/{id}/inbox"))
            .await
            .ok();
        let job = fixture
            .get(&format!("/v1/jobs/{}", sent["job_id"].as_str().unwrap()))
            .await
            .ok();
        assert_eq!(
            (&sent["recipient_id"], &sent["skipped"]),
            (&json!(id), &json!(null))
        );
        assert_eq!(inbox["items"][0]["id"], sent["item_id"]);
        assert_eq!(inbox["items"][0]["title"], format!("Hi {id}"));
        assert_eq!(inbox["items"][0]["notification_id"], told["id"]);
        assert_eq!(
            (&job["queue"], &job["kind"], &job["state"]),
            (
                &json!("notifications"),
                &json!("delivery"),
                &json!("queued")
            )
        );
        assert_eq!(
            (&job["recipient_id"], &job["campaign_id"]),
            (&json!(id), &json!(null))
        );
    }
}

#[tokio::test]
async fn the_action_says_whether_there_is_an_item_a_delivery_or_both() {
    let fixture = fixture().await;
    let sent = async |action: &str| {
        let body = to(&json!(["a"]), &json!({"action": action}));
        let told = fixture.post("/v1/notifications", body).await.json();
        let sent = &told["items"][0];
        (sent["item_id"].is_string(), sent["job_id"].is_string())
    };

    let sent = [sent("inbox").await, sent("push").await, sent("both").await];

    assert_eq!(sent, [(true, false), (false, true), (true, true)]);
}

#[tokio::test]
async fn who_does_not_want_it_is_skipped() {
    let fixture = fixture().await;

    let body = to(&json!(["a", "c", "d"]), &json!({"topic": "likes"}));
    let reply = fixture.post("/v1/notifications", body).await;

    assert_eq!(reply.status, 201, "{reply:?}");
    let told = reply.json();
    let skipped: Vec<_> = (0..3)
        .map(|i| told["items"][i]["skipped"].clone())
        .collect();
    assert_eq!(
        skipped,
        [json!("opted_out"), json!("disabled"), json!(null)]
    );
    assert_eq!(
        fixture.get("/v1/recipients/a/inbox/unread").await.ok()["unread"],
        0
    );
    assert_eq!(
        fixture.get("/v1/recipients/d/inbox/unread").await.ok()["unread"],
        1
    );
}

#[tokio::test]
async fn the_same_key_is_answered_as_the_first_time_and_other_content_is_a_conflict() {
    let fixture = fixture().await;
    let keyed = |title: &str| {
        to(
            &json!(["a"]),
            &json!({"key": "k", "message": {"title": title, "body": "b"}}),
        )
    };

    let first = fixture.post("/v1/notifications", keyed("t")).await;
    assert_eq!(first.status, 201, "{first:?}");
    let second = fixture.post("/v1/notifications", keyed("t")).await.ok();
    let other = fixture.post("/v1/notifications", keyed("other")).await;

    let first = first.json();
    assert_eq!(
        (&first["created"], &second["created"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(
        (&first["id"], &first["items"]),
        (&second["id"], &second["items"])
    );
    assert_eq!(other.problem("key-conflict")["existing_id"], first["id"]);
    assert_eq!(
        fixture.get("/v1/recipients/a/inbox/unread").await.ok()["unread"],
        1
    );
}

#[tokio::test]
async fn what_is_wrong_is_named_field_by_field_and_nothing_is_written() {
    let fixture = fixture().await;
    let wrong = async |recipients, more| {
        let reply = fixture
            .post("/v1/notifications", to(&recipients, &more))
            .await;
        reply.wrong_fields()
    };
    let many: Vec<_> = (0..101).map(|i| i.to_string()).collect();
    let zoned = json!({"message": {"title": "t", "body": "{{time_zone}}"}});

    assert_eq!(wrong(json!([]), json!({})).await, ["recipients"]);
    assert_eq!(wrong(json!(many), json!({})).await, ["recipients"]);
    assert_eq!(
        wrong(json!(["a", "nobody", "a"]), json!({})).await,
        ["recipients[2]"]
    );
    assert_eq!(
        wrong(json!(["a", "nobody"]), json!({})).await,
        ["recipients[1]"]
    );
    assert_eq!(wrong(json!(["b", "a"]), zoned).await, ["recipients[1]"]);
    assert_eq!(
        wrong(json!(["a"]), json!({"provider": "other"})).await,
        ["provider"]
    );
    assert_eq!(
        wrong(json!(["a"]), json!({"action": "shout"})).await,
        ["action"]
    );
    assert_eq!(
        wrong(json!(["a"]), json!({"surprise": 1})).await,
        ["surprise"]
    );
    let message = json!({"message": {"title": "{{who}}", "body": "b", "data": [1]}});
    assert_eq!(
        wrong(json!(["a"]), message).await,
        ["message.data", "message.title"]
    );
    assert_eq!(
        fixture.get("/v1/recipients/a/inbox/unread").await.ok()["version"],
        0
    );
    assert_eq!(fixture.get("/v1/jobs").await.ok()["items"], json!([]));
}

#[tokio::test]
async fn a_commit_that_nobody_confirms_tells_nobody_twice() {
    let fixture = fixture().await;
    let odds = |share| Odds {
        before: share,
        after: share,
    };
    fixture.faults.set(odds(0.3));

    for i in 0..10 {
        let body = to(&json!(["a", "b"]), &json!({"key": format!("like-{i}")}));
        let mut tries = 0;
        while !fixture
            .post("/v1/notifications", body.clone())
            .await
            .status
            .is_success()
        {
            tries += 1;
            assert!(tries < 100, "notification {i} is never accepted");
        }
    }

    fixture.faults.set(odds(0.0));
    for id in ["a", "b"] {
        let unread = fixture
            .get(&format!("/v1/recipients/{id}/inbox/unread"))
            .await
            .ok();
        assert_eq!(
            (&unread["unread"], &unread["version"]),
            (&json!(10), &json!(10))
        );
    }
    let jobs = fixture
        .get("/v1/jobs?queue=notifications&limit=100")
        .await
        .ok();
    assert_eq!(jobs["items"].as_array().unwrap().len(), 20);
}
