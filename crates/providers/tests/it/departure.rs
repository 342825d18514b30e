//! The time-out before a request is sent: nothing was done, and that is known.

use std::time::Duration;

use baton_domain::job::Class;
use baton_ports::Handler;
use baton_providers::HttpConfig;
use serde_json::json;

use crate::{
    bench::{call, failed, handler, handler_with},
    target::{Connection, Target},
};

#[tokio::test]
async fn a_time_out_in_the_handshake_is_tried_later_as_nothing_was_sent() {
    let target = Target::that(Connection::stall).await;
    let mut call = call(&json!({"url": target.url().replace("http:", "https:")}));
    call.timeout = Duration::from_millis(300);

    let verdict = handler().run(call).await;

    let failure = failed(&verdict, Class::Retry, "connect");
    assert!(
        failure.message.contains("within 300ms"),
        "{}",
        failure.message
    );
}

#[tokio::test]
async fn a_connection_that_takes_too_long_is_tried_later_as_nothing_was_sent() {
    let target = Target::that(Connection::stall).await;
    let handler = handler_with(HttpConfig {
        allow_private_targets: true,
        connect_timeout: Duration::from_millis(200),
        ..HttpConfig::default()
    });

    let verdict = handler
        .run(call(
            &json!({"url": target.url().replace("http:", "https:")}),
        ))
        .await;

    let failure = failed(&verdict, Class::Retry, "connect");
    assert!(
        failure.message.contains("it took too long"),
        "{}",
        failure.message
    );
}
