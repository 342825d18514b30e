//! How a walk stops, and goes on where it did.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use baton_domain::job::{Class, Verdict};
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::fixture::{MemoryCursor, attempt, by_cursor, page, rows, target};
use crate::bench::{accepted, failed};

#[tokio::test]
async fn a_target_that_is_down_is_asked_again_later_and_the_walk_goes_on_behind_its_checkpoint() {
    let busy = (
        "429 Too Many Requests",
        "Retry-After: 7\r\n".to_owned(),
        String::new(),
    );
    let answers = [
        page(&json!({"users": rows(1..3), "next": "b"})),
        busy,
        ("502 Bad Gateway", String::new(), String::new()),
        page(&json!({"users": rows(3..4)})),
    ];
    let target = target(answers).await;
    let (payload, kept) = (by_cursor(&target), Arc::<MemoryCursor>::default());

    let throttled = attempt(&payload, &kept).await;
    let down = attempt(&payload, &kept).await;
    let over = attempt(&payload, &kept).await;

    let Verdict::Failed { retry_after, .. } = &throttled else {
        panic!("{throttled:?}");
    };
    assert_eq!(*retry_after, Some(Duration::from_secs(7)));
    failed(&throttled, Class::Throttled, "http_429");
    failed(&down, Class::Retry, "http_502");
    assert_eq!(accepted(&over), json!({"pages": 2, "rows": 3}));
    assert_eq!(
        kept.made().concat(),
        [r#"{"id":1}"#, r#"{"id":2}"#, r#"{"id":3}"#]
    );
}

#[tokio::test]
async fn a_walk_that_had_come_to_its_end_asks_for_nothing_more() {
    let target = target([page(&json!({"users": rows(1..3)}))]).await;
    let (payload, kept) = (by_cursor(&target), Arc::<MemoryCursor>::default());
    attempt(&payload, &kept).await;

    let again = attempt(&payload, &kept).await;

    assert_eq!(accepted(&again), json!({"pages": 1, "rows": 2}));
    assert_eq!(kept.made().concat().len(), 2);
}

#[tokio::test]
async fn an_attempt_that_ended_in_the_middle_of_a_page_goes_on_with_its_next_row() {
    let long = page(&json!({"users": rows(0..1_500)}));
    let target = target([long.clone(), long]).await;
    let payload = by_cursor(&target);
    let kept = Arc::<MemoryCursor>::default();
    attempt(&payload, &kept).await;
    kept.saved.lock().truncate(1);

    let verdict = attempt(&payload, &kept).await;

    assert_eq!(accepted(&verdict), json!({"pages": 1, "rows": 1_500}));
    let made = kept.made().concat();
    assert_eq!(made.len(), 1_500);
    assert_eq!(made[1_000], r#"{"id":1000}"#);
}

#[tokio::test]
async fn a_walk_that_is_canceled_stops_behind_the_page_it_is_at() {
    let target = target([page(&json!({"users": rows(1..3), "next": "b"}))]).await;
    let kept = Arc::new(MemoryCursor {
        is_to_stop: true.into(),
        cancel: Some(CancellationToken::new()),
        ..MemoryCursor::default()
    });

    let verdict = attempt(&by_cursor(&target), &kept).await;

    assert_eq!(verdict, Verdict::Canceled);
    assert_eq!(kept.made().concat().len(), 2);
}

#[tokio::test]
async fn a_walk_is_handed_on_when_its_worker_drains() {
    let answers = [
        page(&json!({"users": rows(1..3), "next": "b"})),
        page(&json!({"users": rows(3..4)})),
    ];
    let target = target(answers).await;
    let (payload, kept) = (by_cursor(&target), Arc::<MemoryCursor>::default());
    kept.is_to_stop.store(true, Ordering::Relaxed);

    let drained = attempt(&payload, &kept).await;
    kept.is_to_stop.store(false, Ordering::Relaxed);
    let over = attempt(&payload, &kept).await;

    let now = Duration::ZERO;
    assert_eq!(drained, Verdict::Snoozed { after: now });
    assert_eq!(accepted(&over), json!({"pages": 2, "rows": 3}));
}
