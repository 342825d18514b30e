//! Following the feed across lost connections.

use baton_client::{Error, FeedMessage, StreamQuery};
use futures::{StreamExt, TryStreamExt};

use crate::server::{Server, answer, events, unavailable};

fn event(seq: u32) -> String {
    let data = format!(
        r#"{{"id": "1-{seq}", "seq": {seq}, "type": "job.queued", "subject": "s", "at": "2026-01-31T09:00:00Z", "data": {{}}}}"#
    );
    format!("id: 1-{seq}\nevent: job.queued\ndata: {data}\n\n")
}

async fn follow(server: &Server, count: usize) -> Vec<String> {
    let feed = server.client.follow(StreamQuery::default()).await.unwrap();
    let told = feed.take(count).try_collect::<Vec<_>>().await.unwrap();
    let words = told.into_iter().map(|told| match told {
        FeedMessage::Event(event) => event.id.to_string(),
        FeedMessage::Reset(reset) => format!("reset to {}", reset.last),
    });
    words.collect()
}

#[tokio::test]
async fn a_lost_line_is_taken_up_after_the_last_event_that_was_told_whole() {
    let torn = format!("{}{}id: 1-3\ndata: {{", event(1), event(2));
    let server = Server::answering([events(&torn), unavailable("0"), events(&event(3))]).await;

    let told = follow(&server, 3).await;

    assert_eq!(told, ["1-1", "1-2", "1-3"]);
    let asked = server.asked();
    assert!(!asked[0].contains("last-event-id"), "{asked:?}");
    assert!(asked[1].contains("last-event-id: 1-2\r\n"), "{asked:?}");
    assert!(asked[2].contains("last-event-id: 1-2\r\n"), "{asked:?}");
}

#[tokio::test]
async fn a_place_that_is_named_without_an_event_is_kept() {
    let server = Server::answering([events("id: 1-7\n\n"), events(&event(8))]).await;

    let told = follow(&server, 1).await;

    assert_eq!(told, ["1-8"]);
    assert!(server.asked()[1].contains("last-event-id: 1-7\r\n"));
}

#[tokio::test]
async fn a_reset_is_told_and_gone_on_after() {
    let reset = r#"{"reason": "pruned", "first": "2-5", "last": "2-9"}"#;
    let body = format!("event: reset\ndata: {reset}\n\n");
    let server = Server::answering([events(&body), events(&event(10))]).await;

    let told = follow(&server, 2).await;

    assert_eq!(told, ["reset to 2-9", "1-10"]);
    assert!(server.asked()[1].contains("last-event-id: 2-9\r\n"));
}

#[tokio::test]
async fn what_is_no_feed_is_not_followed() {
    let server =
        Server::answering([answer("200 OK", "text/event-stream", "", "data: oops\n\n")]).await;
    let feed = server.client.follow(StreamQuery::default()).await.unwrap();

    let told = feed.take(1).collect::<Vec<_>>().await;

    assert!(
        matches!(&told[0], Err(Error::Unexpected { .. })),
        "{told:?}"
    );
}
