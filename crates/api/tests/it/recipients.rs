//! Recipients: written down, shown, listed, forgotten.

use axum::http::Method;
use serde_json::{Value, json};

use crate::fixture::{Fixture, Reply};

async fn put(fixture: &Fixture, id: &str, body: Value) -> Reply {
    let path = format!("/v1/recipients/{id}");
    fixture.call(Method::PUT, &path, Some(body)).await
}

async fn delete(fixture: &Fixture, id: &str) -> Reply {
    let path = format!("/v1/recipients/{id}");
    fixture.call(Method::DELETE, &path, None).await
}

#[tokio::test]
async fn a_recipient_is_made_by_the_first_put_and_described_by_every_one() {
    let fixture = Fixture::new();
    let whole = json!({
        "platform": "ios", "lat": 37.5, "lon": 127.0, "topics": ["quiz", "news", "quiz"], "enabled": false,
        "addresses": {"push": "token"}, "time_zone": "asia/seoul",
        "locale": "ko_kr",
    });

    let first = put(&fixture, "user-1", whole).await;
    let shown = fixture.get("/v1/recipients/user-1").await.ok();
    let second = put(&fixture, "user-1", json!({"platform": "web"}))
        .await
        .ok();

    assert_eq!(
        (first.status.as_u16(), first.header("location")),
        (201, "/v1/recipients/user-1")
    );
    assert_eq!(shown, first.json());
    assert_eq!(
        (&shown["topics"], &shown["time_zone"]),
        (&json!(["news", "quiz"]), &json!("Asia/Seoul"))
    );
    assert_eq!(
        (&shown["locale"], &second["locale"]),
        (&json!("ko-KR"), &json!(null))
    );
    assert_eq!(
        (&shown["lat"], &shown["enabled"]),
        (&json!(37.5), &json!(false))
    );
    assert_eq!(
        (&second["platform"], &second["enabled"]),
        (&json!("web"), &json!(true))
    );
    assert_eq!(
        (&second["topics"], &second["lat"], &second["addresses"]),
        (&json!([]), &json!(null), &json!({}))
    );
}

#[tokio::test]
async fn an_id_can_be_any_text_that_an_address_can_carry() {
    let fixture = Fixture::new();

    for (path, id) in [
        ("a%2Fb", "a/b"),
        ("%EA%B9%80", "김"),
        ("a%20b", "a b"),
        ("x@y.example", "x@y.example"),
        ("100%25", "100%"),
    ] {
        let made = put(&fixture, path, json!({"platform": "ios"})).await;
        assert_eq!(
            (made.status.as_u16(), &made.json()["id"]),
            (201, &json!(id)),
            "{path}"
        );
        assert_eq!(fixture.get(made.header("location")).await.ok()["id"], id);
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_recipient_is_named_field_by_field() {
    let fixture = Fixture::new();
    let wrong = json!({
        "platform": "", "lat": 91, "topics": ["fine", "two words"], "addresses": {"push": ""}, "time_zone": "KST",
    });

    let reply = put(&fixture, "%20", wrong).await;
    let unknown = put(&fixture, "a", json!({"platform": "ios", "shoe": 43})).await;
    let nothing = put(&fixture, "a", json!({})).await;

    let fields = [
        "id",
        "platform",
        "lat",
        "lon",
        "topics[1]",
        "addresses.push",
        "time_zone",
    ];
    assert_eq!(reply.wrong_fields(), fields);
    assert_eq!(unknown.wrong_fields(), ["shoe"]);
    assert_eq!(nothing.wrong_fields(), ["platform"]);
    fixture
        .get("/v1/recipients/a")
        .await
        .problem("recipient-not-found");
}

#[tokio::test]
async fn a_recipient_that_is_deleted_is_not_there_any_more() {
    let fixture = Fixture::new();
    put(&fixture, "a", json!({"platform": "ios"})).await;

    let deleted = delete(&fixture, "a").await;
    let again = delete(&fixture, "a").await;

    assert_eq!((deleted.status.as_u16(), deleted.body.len()), (204, 0));
    again.problem("recipient-not-found");
    fixture
        .get("/v1/recipients/a")
        .await
        .problem("recipient-not-found");
}

#[tokio::test]
async fn recipients_are_listed_the_newest_first_page_by_page() {
    let fixture = Fixture::new();
    for id in ["a", "b", "c"] {
        put(&fixture, id, json!({"platform": "ios"})).await;
    }

    let first = fixture.get("/v1/recipients?limit=2").await.ok();
    let next = first["next"].as_str().unwrap();
    let second = fixture
        .get(&format!("/v1/recipients?limit=2&after={next}"))
        .await
        .ok();

    let ids = |page: &Value| {
        page["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| item["id"].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        (ids(&first), ids(&second)),
        (vec![json!("c"), json!("b")], vec![json!("a")])
    );
    assert_eq!(second["next"], json!(null));
    fixture
        .get("/v1/recipients?after=x")
        .await
        .problem("bad-cursor");
    assert_eq!(
        fixture.get("/v1/recipients?limit=0").await.wrong_fields(),
        ["limit"]
    );
}

#[tokio::test]
async fn a_recipient_that_is_erased_is_gone_at_once_and_the_operation_can_be_watched() {
    let fixture = Fixture::new();
    put(&fixture, "a", json!({"platform": "ios"})).await;

    let erased = delete(&fixture, "a?erase=true").await;
    let again = delete(&fixture, "a?erase=true").await;
    let back = put(&fixture, "a", json!({"platform": "ios"})).await;

    let begun = erased.json();
    assert_eq!(erased.status.as_u16(), 202);
    assert_eq!(
        (&begun["action"], &begun["state"], &begun["stage"]),
        (&json!("erase"), &json!("running"), &json!("schedules"))
    );
    assert_eq!(again.json()["id"], begun["id"]);
    back.problem("recipient-being-erased");
    fixture
        .get("/v1/recipients/a")
        .await
        .problem("recipient-not-found");
    let shown = fixture.get(erased.header("location")).await.ok();
    assert_eq!(shown, begun);
}
