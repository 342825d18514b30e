//! What becomes of an API key: it goes to its own server with every call, and nowhere else.

use baton_client::{Client, Error, KeyToken, RowFormat, StreamQuery};
use baton_domain::Timestamp;
use bytes::Bytes;
use futures::stream;

use crate::server::{Server, answer};

fn key() -> KeyToken {
    KeyToken::draw(Timestamp::from_micros(1))
}

fn refusal() -> String {
    let body = r#"{"type": "/docs/problems/unauthenticated", "title": "t", "status": 401, "detail": "d", "code": "unauthenticated"}"#;
    answer(
        "401 Unauthorized",
        "application/problem+json",
        "WWW-Authenticate: Bearer\r\n",
        body,
    )
}

#[tokio::test]
async fn every_call_shows_the_key_streams_and_imports_as_well() {
    let server = Server::answering([refusal(), refusal(), refusal()]).await;
    let key = key();
    let client = server.client.clone().with_key(&key);

    let read = client.queues().await.unwrap_err();
    let streamed = client.follow(StreamQuery::default()).await.err().unwrap();
    let rows = stream::iter([Ok(Bytes::from_static(b"{}"))]);
    let imported = client.import_recipients(RowFormat::Ndjson, false, rows);
    let imported = imported.await.unwrap_err();

    for error in [read, streamed, imported] {
        assert_eq!(error.problem().unwrap().status, 401, "{error}");
    }
    let shown = format!("authorization: bearer {}", key.reveal());
    let asked = server.asked();
    assert_eq!(asked.len(), 3);
    assert!(asked.iter().all(|head| head.contains(&shown)), "{asked:?}");
}

#[tokio::test]
async fn a_client_without_a_key_shows_none() {
    let server = Server::answering([refusal()]).await;

    server.client.queues().await.unwrap_err();

    let asked = server.asked();
    assert!(!asked[0].contains("authorization"), "{asked:?}");
}

#[tokio::test]
async fn a_key_does_not_follow_a_server_that_sends_elsewhere() {
    let elsewhere = Server::answering([]).await;
    let place = format!("Location: {}/v1/queues\r\n", elsewhere.client.address());
    let moved = answer("307 Temporary Redirect", "text/plain", &place, "");
    let server = Server::answering([moved]).await;

    let error = server.client.clone().with_key(&key()).queues().await;

    assert!(matches!(error, Err(Error::Unexpected { .. })), "{error:?}");
    assert!(elsewhere.asked().is_empty());
}

#[tokio::test]
async fn neither_a_client_nor_its_errors_tell_its_key() {
    let server = Server::answering([]).await;
    let key = key();
    let client = server.client.clone().with_key(&key);

    let told = format!("{client:?}");
    let error = client.queues().await.unwrap_err();

    let told = format!("{told} {error} {error:?}");
    assert!(!told.contains(&key.secret.reveal()), "{told}");
}

#[test]
fn an_authority_that_is_none_is_refused() {
    let refused = Client::trusting("https://jobs.example", "no certificate").unwrap_err();

    assert!(matches!(refused, Error::BadAuthority(_)), "{refused}");
}
