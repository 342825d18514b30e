//! What becomes of connections after a call.

use std::{sync::Arc, time::Duration};

use baton_ports::Handler;
use baton_providers::HttpConfig;
use serde_json::json;
use tokio::sync::{Barrier, mpsc};

use crate::{
    bench::{accepted, call, handler, handler_with},
    target::Target,
};

#[tokio::test]
async fn connections_are_kept_and_used_again() {
    let mut target = Target::that_answers("200 OK", "", "fine").await;
    let handler = handler();

    for _ in 0..5 {
        accepted(&handler.run(call(&json!({"url": target.url()}))).await);
    }

    assert_eq!((target.arrived(), target.connects()), (5, 1));
}

#[tokio::test]
async fn a_connection_whose_answer_is_chunked_or_empty_is_used_again_too() {
    const CHUNKED: &str =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nyes\r\n0\r\n\r\n";
    let target = Target::that(|mut connection| async move {
        while connection.receive().await.is_some() {
            connection.send(CHUNKED).await;
            connection.receive().await;
            connection.answer("200 OK", "", "").await;
        }
    })
    .await;
    let handler = handler();

    for expected in [json!("yes"), json!(null), json!("yes")] {
        let verdict = handler.run(call(&json!({"url": target.url()}))).await;

        assert_eq!(accepted(&verdict)["body"], expected);
    }

    assert_eq!(target.connects(), 1);
}

#[tokio::test]
async fn a_connection_that_its_target_wants_closed_is_not_used_again() {
    let mut target = Target::that_answers("200 OK", "Connection: close\r\n", "bye").await;
    let handler = handler();

    for _ in 0..3 {
        accepted(&handler.run(call(&json!({"url": target.url()}))).await);
    }

    assert_eq!((target.arrived(), target.connects()), (3, 3));
}

#[tokio::test]
async fn a_connection_whose_answer_can_be_read_in_two_ways_is_not_used_again() {
    const TWICE: &str = "Transfer-Encoding: chunked\r\nContent-Length: 5";
    const BAD: &str = "Transfer-Encoding: chunked\r\nConnection: \u{a0}close";
    for headers in [TWICE, BAD] {
        let target = Target::that(move |mut connection| async move {
            while connection.receive().await.is_some() {
                let answer = format!("HTTP/1.1 200 OK\r\n{headers}\r\n\r\n3\r\nyes\r\n0\r\n\r\n");
                connection.send(&answer).await;
            }
        })
        .await;
        let handler = handler();

        for _ in 0..2 {
            let verdict = handler.run(call(&json!({"url": target.url()}))).await;
            assert_eq!(accepted(&verdict)["body"], json!("yes"));
        }

        assert_eq!(target.connects(), 2, "{headers}");
    }
}

#[tokio::test]
async fn a_connection_with_a_rest_that_nobody_reads_is_not_used_again() {
    let target = Target::that(|mut connection| async move {
        while connection.receive().await.is_some() {
            let body = "x".repeat(1_000_000);
            connection.answer("200 OK", "", &body).await;
        }
    })
    .await;
    let handler = handler();

    for _ in 0..2 {
        accepted(&handler.run(call(&json!({"url": target.url()}))).await);
    }

    assert_eq!(target.connects(), 2);
}

#[tokio::test]
async fn connections_at_rest_are_closed_when_their_time_is_over() {
    let (closed, mut closing) = mpsc::unbounded_channel();
    let target = Target::that(move |mut connection| {
        let closed = closed.clone();
        async move {
            while connection.receive().await.is_some() {
                connection.answer("200 OK", "", "").await;
            }
            closed.send(()).unwrap();
        }
    })
    .await;
    let handler = handler_with(HttpConfig {
        allow_private_targets: true,
        idle_timeout: Duration::from_millis(20),
        ..HttpConfig::default()
    });

    accepted(&handler.run(call(&json!({"url": target.url()}))).await);

    closing.recv().await.unwrap();
    accepted(&handler.run(call(&json!({"url": target.url()}))).await);
    assert_eq!(target.connects(), 2);
}

#[tokio::test]
async fn no_more_connections_rest_than_are_allowed() {
    let both = Arc::new(Barrier::new(2));
    let target = Target::that(move |mut connection| {
        let both = Arc::clone(&both);
        async move {
            while connection.receive().await.is_some() {
                both.wait().await;
                connection.answer("200 OK", "", "").await;
            }
        }
    })
    .await;
    let handler = handler_with(HttpConfig {
        allow_private_targets: true,
        max_idle_per_host: 1,
        ..HttpConfig::default()
    });

    for _ in 0..2 {
        let (first, second) = tokio::join!(
            handler.run(call(&json!({"url": target.url()}))),
            handler.run(call(&json!({"url": target.url()}))),
        );
        accepted(&first);
        accepted(&second);
    }

    assert_eq!(target.connects(), 3);
}
