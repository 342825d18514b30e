//! Queues: look, pause, limit.

use axum::http::Method;
use serde_json::{Value, json};

use crate::fixture::{Fixture, Reply};

async fn change(fixture: &Fixture, name: &str, body: Value) -> Reply {
    fixture
        .call(Method::PATCH, &format!("/v1/queues/{name}"), Some(body))
        .await
}

#[tokio::test]
async fn queues_are_listed_with_what_stands_in_them() {
    let fixture = Fixture::new();
    fixture.job(json!({})).await;
    fixture.job(json!({"queue": "mail", "delay": "1h"})).await;
    fixture.sequence().await;

    let list = fixture.get("/v1/queues").await.ok();

    let queues = list["items"].as_array().unwrap();
    let named = |name: &str| queues.iter().find(|queue| queue["name"] == name).unwrap();
    assert_eq!(named("default")["queued"], 1);
    assert!(named("default")["oldest_queued_at"].is_string());
    assert_eq!(named("mail")["pending"], 1);
    assert_eq!(named("mail")["paused"], false);
}

#[tokio::test]
async fn queues_are_listed_page_by_page() {
    let fixture = Fixture::new();
    for queue in ["a", "b", "c"] {
        fixture.job(json!({"queue": queue})).await;
    }
    let names = |list: &Value| {
        let items = list["items"].as_array().unwrap().iter();
        items.map(|queue| queue["name"].clone()).collect::<Vec<_>>()
    };

    let first = fixture.get("/v1/queues?limit=2").await.ok();
    let after = first["next"].as_str().unwrap();
    let last = fixture
        .get(&format!("/v1/queues?limit=2&after={after}"))
        .await
        .ok();

    assert_eq!(
        (names(&first), names(&last)),
        (vec![json!("a"), json!("b")], vec![json!("c")])
    );
    assert_eq!(last["next"], Value::Null);
}

#[tokio::test]
async fn a_paused_queue_gives_nothing_until_it_is_resumed() {
    let fixture = Fixture::new();
    fixture.job(json!({})).await;

    let paused = change(&fixture, "default", json!({"paused": true}))
        .await
        .ok();
    let while_paused = fixture.claim().await.len();
    change(&fixture, "default", json!({"paused": false}))
        .await
        .ok();
    let after = fixture.claim().await.len();

    assert_eq!(paused["paused"], true);
    assert_eq!((while_paused, after), (0, 1));
}

#[tokio::test]
async fn limits_are_set_left_and_lifted() {
    let fixture = Fixture::new();

    let set = change(&fixture, "mail", json!({"max_running": 5, "rate": 2.5}))
        .await
        .ok();
    let left = change(&fixture, "mail", json!({"rate": null})).await.ok();

    assert_eq!(
        (&set["max_running"], &set["rate"]),
        (&json!(5), &json!(2.5))
    );
    assert_eq!(
        (&left["max_running"], &left["rate"]),
        (&json!(5), &json!(null))
    );
}

#[tokio::test]
async fn a_change_that_makes_no_sense_is_refused() {
    let fixture = Fixture::new();

    for (name, body, fields) in [
        ("default", json!({}), vec!["paused"]),
        ("default", json!({"paused": "yes"}), vec!["paused"]),
        ("default", json!({"paussed": true}), vec!["paussed"]),
        (
            "default",
            json!({"max_running": 0, "rate": 0}),
            vec!["max_running", "rate"],
        ),
        ("default", json!({"max_running": 1.5}), vec!["max_running"]),
        ("two%20words", json!({"paused": true}), vec!["name"]),
        ("a%00b", json!({"paused": true}), vec!["name"]),
    ] {
        let reply = change(&fixture, name, body.clone()).await;

        assert_eq!(reply.wrong_fields(), fields, "{name} {body}");
    }
}
