//! What is repeated, and what must not be.

use std::time::{Duration, Instant};

use baton_client::{EnqueueJob, Error, Json};

use crate::server::{Server, accepted, answer, unavailable};

const TIMEOUT: Duration = Duration::from_secs(10);

fn job(key: Option<&str>) -> EnqueueJob {
    EnqueueJob {
        key: key.map(str::to_owned),
        ..EnqueueJob::new("http", Json::empty_object())
    }
}

#[tokio::test]
async fn an_enqueue_with_a_key_is_repeated_and_waits_as_long_as_it_is_asked_to() {
    let server = Server::answering([unavailable("1"), accepted()]).await;
    let client = server.client.clone().retrying_for(TIMEOUT);
    let began = Instant::now();

    let items = client.enqueue_all(vec![job(Some("k"))]).await.unwrap();

    assert!(items[0].created);
    assert_eq!(server.asked().len(), 2);
    assert!(began.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn an_enqueue_without_a_key_is_sent_once() {
    let server = Server::answering([unavailable("0"), accepted()]).await;
    let client = server.client.clone().retrying_for(TIMEOUT);

    let error = client.enqueue_all(vec![job(None)]).await.unwrap_err();

    assert_eq!(error.problem().unwrap().code, "unavailable");
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn an_enqueue_without_a_key_is_not_repeated_after_a_lost_answer() {
    let server = Server::answering([]).await;
    let client = server.client.clone().retrying_for(TIMEOUT);

    let error = client.enqueue(&job(None)).await.unwrap_err();

    assert!(
        matches!(error, Error::Unreachable { unsent: false, .. }),
        "{error:?}"
    );
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_client_that_was_not_told_to_retry_repeats_nothing() {
    let server = Server::answering([unavailable("0"), accepted()]).await;

    let error = server.client.queues().await.unwrap_err();

    assert_eq!(error.problem().unwrap().status, 503);
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn an_answer_that_is_not_batons_is_told_from_a_problem() {
    let page = answer("404 Not Found", "text/html", "", "<h1>nginx</h1>");
    let server = Server::answering([page]).await;

    let error = server.client.queues().await.unwrap_err();

    assert!(
        matches!(&error, Error::Unexpected { what, .. } if what.contains("nginx")),
        "{error:?}"
    );
}
