//! Inboxes: listed, counted, read, followed.

use serde_json::{Value, json};

use crate::{fixture::Fixture, stream::Reader};

/// A fixture with recipient a.
async fn fixture() -> Fixture {
    let fixture = Fixture::new();
    fixture.recipient("a", json!({})).await;
    fixture
}

/// Tells a something; answers with the item's id.
async fn tell(fixture: &Fixture, title: &str) -> String {
    let body = json!({
        "recipients": ["a"], "message": {"title": title, "body": "b", "data": {"n": 1.10}}, "action": "inbox",
    });
    let told = fixture.post("/v1/notifications", body).await.json();
    told["items"][0]["item_id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn an_inbox_is_listed_page_by_page() {
    let fixture = fixture().await;
    for title in ["1", "2", "3"] {
        tell(&fixture, title).await;
    }

    let first = fixture.get("/v1/recipients/a/inbox?limit=2").await.ok();
    let next = first["next"].as_str().unwrap();
    let second = fixture
        .get(&format!("/v1/recipients/a/inbox?limit=2&after={next}"))
        .await
        .ok();

    let titles = |page: &Value| -> Vec<Value> {
        let items = page["items"].as_array().unwrap().iter();
        items.map(|item| item["title"].clone()).collect()
    };
    assert_eq!(
        (titles(&first), titles(&second)),
        (vec![json!("3"), json!("2")], vec![json!("1")])
    );
    assert_eq!(
        (&second["next"], &first["items"][0]["read_at"]),
        (&json!(null), &json!(null))
    );
    assert_eq!(first["items"][0]["data"], json!({"n": 1.10}));
    fixture
        .get("/v1/recipients/a/inbox?after=x")
        .await
        .problem("bad-cursor");
}

#[tokio::test]
async fn reading_goes_down_to_nothing_one_by_one_and_all_at_once() {
    let fixture = fixture().await;
    let first = tell(&fixture, "1").await;
    for title in ["2", "3"] {
        tell(&fixture, title).await;
    }
    let read = format!("/v1/recipients/a/inbox/{first}/read");

    let before = fixture.get("/v1/recipients/a/inbox/unread").await.ok();
    let one = fixture.post_nothing(&read).await.ok();
    let again = fixture.post_nothing(&read).await.ok();
    let all = fixture
        .post_nothing("/v1/recipients/a/inbox/read-all")
        .await
        .ok();

    assert_eq!(
        (&before["unread"], &one["unread"], &all["unread"]),
        (&json!(3), &json!(2), &json!(0))
    );
    assert_eq!(one, again);
    assert!(before["version"].as_i64() < one["version"].as_i64());
    let items = fixture.get("/v1/recipients/a/inbox").await.ok();
    assert!(
        items["items"]
            .as_array()
            .unwrap()
            .iter()
            .all(|item| item["read_at"].is_string())
    );
}

#[tokio::test]
async fn what_is_not_there_is_named_by_its_problem() {
    let fixture = fixture().await;
    let item = "inb_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b";

    for path in ["inbox", "inbox/unread", "inbox/stream"] {
        let reply = fixture.get(&format!("/v1/recipients/nobody/{path}")).await;
        reply.problem("recipient-not-found");
    }
    for (path, problem) in [
        ("nobody/inbox/read-all".to_owned(), "recipient-not-found"),
        (format!("nobody/inbox/{item}/read"), "recipient-not-found"),
        (format!("a/inbox/{item}/read"), "inbox-item-not-found"),
        ("a/inbox/x/read".to_owned(), "inbox-item-not-found"),
    ] {
        let reply = fixture
            .post_nothing(&format!("/v1/recipients/{path}"))
            .await;
        reply.problem(problem);
    }
}

#[tokio::test]
async fn a_follower_sees_what_comes_and_how_much_is_unread() {
    let fixture = fixture().await;
    tell(&fixture, "before").await;
    let mut reader = Reader::at(&fixture, "/v1/recipients/a/inbox/stream", None).await;
    let first = reader.event().await;

    let item = tell(&fixture, "now").await;
    fixture.sequence().await;
    let added = reader.event().await;
    let unread = reader.event().await;
    fixture
        .post_nothing("/v1/recipients/a/inbox/read-all")
        .await
        .ok();
    fixture.sequence().await;
    let read = reader.event().await;

    assert_eq!(
        (first.event.as_str(), &first.data["unread"]),
        ("inbox.unread", &json!(1))
    );
    assert_eq!(
        (added.event.as_str(), &added.data["id"]),
        ("inbox.added", &json!(item))
    );
    assert_eq!(
        (unread.event.as_str(), &unread.data["unread"]),
        ("inbox.unread", &json!(2))
    );
    assert_eq!(
        (read.event.as_str(), &read.data["unread"]),
        ("inbox.unread", &json!(0))
    );
    assert_eq!(read.id, format!("1-{}", read.data["version"]));
}

#[tokio::test]
async fn a_follower_goes_on_after_a_break_without_a_gap() {
    let fixture = fixture().await;
    tell(&fixture, "seen").await;
    let path = "/v1/recipients/a/inbox/stream";
    let seen = Reader::at(&fixture, path, None).await.event().await.id;
    for i in 0..120 {
        tell(&fixture, &i.to_string()).await;
    }

    let mut reader = Reader::at(&fixture, path, Some(&seen)).await;

    for i in 0..120 {
        assert_eq!(reader.event().await.data["title"], i.to_string());
    }
    assert_eq!(reader.event().await.data["unread"], 121);
}

#[tokio::test]
async fn a_follower_with_a_place_that_never_was_is_told_to_begin_anew() {
    let fixture = fixture().await;
    tell(&fixture, "before").await;

    // The last but one is of another history: the store was put back since.
    for odd in ["1-99", "1--1", "x", "2-1", "1"] {
        let mut reader = Reader::at(&fixture, "/v1/recipients/a/inbox/stream", Some(odd)).await;

        assert_eq!(reader.event().await.event, "reset");
        assert_eq!(reader.event().await.data["unread"], 1);
    }
}

#[tokio::test]
async fn a_text_that_nobody_can_have_as_an_id_names_nobody_and_no_store_is_asked() {
    let fixture = fixture().await;
    fixture.cut();

    for path in ["", "/inbox", "/inbox/unread", "/inbox/stream"] {
        let reply = fixture.get(&format!("/v1/recipients/a%00b{path}")).await;
        reply.problem("recipient-not-found");
    }
    let reply = fixture
        .post_nothing("/v1/recipients/a%00b/inbox/read-all")
        .await;
    reply.problem("recipient-not-found");
}
