//! What is known when no answer came: that nothing was sent, or nothing at all.

use std::{
    collections::HashSet,
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use baton_domain::job::{Class, Verdict};
use baton_ports::Handler;
use serde_json::json;
use tokio::net::TcpListener;

use crate::{
    bench::{ENOUGH, accepted, call, failed, handler, post},
    target::Target,
};

#[tokio::test]
async fn a_silent_target_leaves_the_outcome_unknown() {
    let mut target = Target::that(|mut connection| async move {
        connection.receive().await;
        connection.stall().await;
    })
    .await;
    let mut call = call(&json!({"url": target.url()}));
    call.timeout = ENOUGH;

    let verdict = handler().run(call).await;

    let failure = failed(&verdict, Class::Unknown, "timeout");
    assert!(
        failure.message.contains("did not answer within 3s"),
        "{}",
        failure.message
    );
    assert_eq!(target.arrived(), 1);
}

#[tokio::test]
async fn headers_that_never_end_leave_the_outcome_unknown() {
    let target = Target::that(|mut connection| async move {
        connection.receive().await;
        connection.send("HTTP/1.1 200 OK\r\nX-Slow: ").await;
        connection.stall().await;
    })
    .await;
    let mut call = call(&json!({"url": target.url()}));
    call.timeout = Duration::from_millis(300);

    let verdict = handler().run(call).await;

    failed(&verdict, Class::Unknown, "timeout");
}

#[tokio::test]
async fn a_reset_after_the_request_leaves_the_outcome_unknown() {
    let mut target = Target::that(|mut connection| async move {
        connection.receive().await;
        connection.reset();
    })
    .await;

    let verdict = post(&target.url()).await;

    failed(&verdict, Class::Unknown, "reset");
    assert_eq!((target.arrived(), target.connects()), (1, 1));
}

#[tokio::test]
async fn a_reset_amid_the_request_leaves_the_outcome_unknown() {
    let target = Target::that(|mut connection| async move {
        connection.receive_one_byte().await;
        connection.reset();
    })
    .await;

    let verdict = post(&target.url()).await;

    failed(&verdict, Class::Unknown, "reset");
    assert_eq!(target.connects(), 1);
}

#[tokio::test]
async fn an_answer_that_is_not_http_leaves_the_outcome_unknown() {
    for text in [
        "SSH-2.0-OpenSSH_9.2\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "\0\0\0\0",
    ] {
        let mut target = Target::that_sends(text).await;

        let verdict = post(&target.url()).await;

        failed(&verdict, Class::Unknown, "protocol");
        assert_eq!(target.arrived(), 1, "{text}");
    }
}

#[tokio::test]
async fn a_kept_connection_that_closes_on_a_request_is_not_sent_the_request_again() {
    for _ in 0..20 {
        let answered = AtomicBool::new(false);
        let mut target = Target::that(move |mut connection| {
            let is_first = !answered.swap(true, Ordering::SeqCst);
            async move {
                connection.receive().await;
                if is_first {
                    connection.answer("200 OK", "", "").await;
                    connection.receive().await;
                }
            }
        })
        .await;
        let handler = handler();
        accepted(
            &handler
                .run(call(&json!({"url": target.url(), "body": 1})))
                .await,
        );

        let verdict = handler
            .run(call(&json!({"url": target.url(), "body": 2})))
            .await;

        failed(&verdict, Class::Unknown, "reset");
        assert_eq!((target.arrived(), target.connects()), (2, 1));
    }
}

#[tokio::test]
async fn a_connection_closed_at_once_after_an_answer_makes_no_second_arrival() {
    let mut target = Target::that(|mut connection| async move {
        connection.receive().await;
        connection.answer("200 OK", "", "").await;
    })
    .await;
    let handler = handler();

    // Whether the close is seen before or after the next request is written is a race; each round runs
    // it anew.
    let mut answered = 0;
    for _ in 0..200 {
        let verdict = handler
            .run(call(&json!({"url": target.url(), "body": {}})))
            .await;
        answered += usize::from(matches!(verdict, Verdict::Accepted { .. }));
    }

    let keys = target.keys();
    let distinct: HashSet<&String> = keys.iter().collect();
    assert_eq!(distinct.len(), keys.len());
    assert_eq!(answered, keys.len());
}

#[tokio::test]
async fn a_refused_connection_is_tried_later() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    drop(listener);

    let verdict = post(&url).await;

    let failure = failed(&verdict, Class::Retry, "connect");
    assert!(
        failure
            .message
            .starts_with("nothing was sent to http://127.0.0.1:"),
        "{}",
        failure.message
    );
}

#[tokio::test]
async fn a_name_that_does_not_exist_is_tried_later() {
    let verdict = post("http://no-such-host.invalid/").await;

    failed(&verdict, Class::Retry, "dns");
}

#[tokio::test]
async fn a_failed_handshake_is_tried_later_as_nothing_was_sent() {
    for answer in ["HTTP/1.1 400 Bad Request\r\n\r\n", ""] {
        let target = Target::that(move |mut connection| async move {
            connection.receive_one_byte().await;
            connection.send(answer).await;
        })
        .await;

        let verdict = post(&target.url().replace("http:", "https:")).await;

        failed(&verdict, Class::Retry, "tls");
    }
}
