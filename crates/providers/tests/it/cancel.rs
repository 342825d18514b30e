//! What a cancel does to a call on its way.

use std::sync::Arc;

use baton_domain::job::Verdict;
use baton_ports::Handler;
use serde_json::json;
use tokio::sync::Semaphore;

use crate::{
    bench::{accepted, call, handler},
    target::{Connection, Target},
};

#[tokio::test]
async fn a_call_that_was_not_sent_is_canceled_at_once() {
    let mut target = Target::that(Connection::stall).await;
    let call = call(&json!({"url": target.url().replace("http:", "https:")}));
    let cancel = call.cancel.clone();
    let running = tokio::spawn(async move { handler().run(call).await });
    while target.connects() == 0 {
        tokio::task::yield_now().await;
    }

    cancel.cancel();

    assert_eq!(running.await.unwrap(), Verdict::Canceled);
    assert_eq!(target.arrived(), 0);
}

#[tokio::test]
async fn a_call_that_is_canceled_before_it_starts_connects_to_nobody() {
    let target = Target::that_answers("200 OK", "", "").await;
    let call = call(&json!({"url": target.url()}));
    call.cancel.cancel();

    let verdict = handler().run(call).await;

    assert_eq!(verdict, Verdict::Canceled);
    assert_eq!(target.connects(), 0);
}

#[tokio::test]
async fn a_call_that_was_sent_is_waited_for_as_its_outcome_matters() {
    let gate = Arc::new(Semaphore::new(0));
    let mut target = Target::that({
        let gate = Arc::clone(&gate);
        move |mut connection| {
            let gate = Arc::clone(&gate);
            async move {
                connection.receive().await;
                let _permit = gate.acquire().await;
                connection.answer("200 OK", "", "done").await;
            }
        }
    })
    .await;
    let call = call(&json!({"url": target.url()}));
    let cancel = call.cancel.clone();
    let running = tokio::spawn(async move { handler().run(call).await });
    target.next().await;

    cancel.cancel();
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    gate.add_permits(1);

    assert_eq!(
        accepted(&running.await.unwrap()),
        json!({"status": 200, "body": "done"})
    );
}
