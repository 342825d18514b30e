//! Following an inbox across lost connections.

use baton_client::InboxMessage;
use futures::{StreamExt, TryStreamExt};

use crate::server::{Server, events};

const ITEM: &str = r#"{"id": "inb_0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b", "campaign_id": null, "notification_id": null, "category": "quiz", "title": "Quiz",
    "body": "At eight.", "data": null, "created_at": "2026-01-31T09:00:00Z", "read_at": null}"#;

fn message(id: &str, event: &str, data: &str) -> String {
    let data = data.replace('\n', " ");
    format!("id: {id}\nevent: {event}\ndata: {data}\n\n")
}

#[tokio::test]
async fn what_comes_into_an_inbox_is_told_across_a_lost_line() {
    let unread = message("1-3", "inbox.unread", r#"{"unread": 0, "version": 3}"#);
    let of_the_future = message("1-3", "inbox.folded", "{}");
    let added = message("1-4", "inbox.added", ITEM);
    let reset = message("2-1", "reset", r#"{"reason": "restored"}"#);
    let server = Server::answering([
        events(&unread),
        events(&(of_the_future + &added)),
        events(&reset),
    ])
    .await;

    let inbox = server.client.follow_inbox("kim").await.unwrap();
    let told: Vec<_> = inbox.take(3).try_collect().await.unwrap();

    assert!(
        matches!(&told[..], [InboxMessage::Unread(none), InboxMessage::Added(item), InboxMessage::Reset]
            if none.count == 0 && item.title == "Quiz"),
        "{told:?}"
    );
    let asked = server.asked();
    assert!(
        asked[0].starts_with("get /v1/recipients/kim/inbox/stream "),
        "{asked:?}"
    );
    assert!(asked[1].contains("last-event-id: 1-3\r\n"), "{asked:?}");
    assert!(asked[2].contains("last-event-id: 1-4\r\n"), "{asked:?}");
}
