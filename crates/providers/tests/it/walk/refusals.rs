//! What is refused as it comes in, and what ends a walk for good.

use std::{collections::BTreeMap, sync::Arc};

use baton_domain::job::{Class, FieldError, Verdict};
use baton_ports::Handler;
use baton_providers::{DestinationConfig, HttpConfig};
use serde_json::{Value, json};

use super::fixture::{
    Answer, MemoryCursor, attempt, attempt_by, by_cursor, page, rows, target, walker, walker_with,
    wrong,
};
use crate::bench::failed;

#[test]
fn everything_that_is_wrong_with_a_payload_is_named() {
    let payload = json!({
        "url": "ftp://a.example",
        "items": "users",
        "next": {"cursor": "/next"},
        "total": 7,
        "job": {"kind": "resize", "key": "always"},
        "body": {},
    });

    let told = wrong(&payload);

    for field in ["url", "items", "next", "total", "job.key", "body"] {
        assert!(
            told.contains(&format!("payload.{field} ")),
            "{field}: {told}"
        );
    }
}

#[test]
fn what_is_missing_is_asked_for_with_an_example() {
    let told = wrong(&json!({"url": "https://a.example"}));

    assert!(
        told.contains("payload.next is missing") && told.contains("\"link\""),
        "{told}"
    );
    assert!(
        told.contains("payload.job is missing") && told.contains("\"kind\""),
        "{told}"
    );
}

#[test]
fn a_job_that_no_row_can_fill_is_refused() {
    for (job, field) in [
        (
            json!({"kind": "resize", "payload": "{{id}}"}),
            "payload.job.payload ",
        ),
        (
            json!({"kind": "resize", "key": "r-{{id}}"}),
            "payload.job.key ",
        ),
        (
            json!({"kind": "resize", "colour": 1}),
            "payload.job is no job: unknown field `colour`",
        ),
        (
            json!({"kind": "baton.walk"}),
            "payload.job.kind cannot be baton.walk",
        ),
        (json!([]), "payload.job is no job"),
    ] {
        let payload = json!({"url": "https://a.example", "next": "link", "job": job});

        let told = wrong(&payload);

        assert!(told.starts_with(field), "{told}");
    }
}

#[test]
fn what_a_walk_makes_is_told_so_that_it_can_be_judged() {
    let job = json!({"kind": "resize", "queue": "slow", "key": "{{/id}}", "payload": 7});
    let payload = json!({"url": "https://a.example", "next": "link", "job": job});

    let made = walker().makes(&payload.to_string()).unwrap();

    assert_eq!(
        (made.at, made.spec.kind.as_str()),
        ("payload.job", "resize")
    );
    assert_eq!(
        (made.spec.queue.as_deref(), made.spec.key),
        (Some("slow"), None)
    );
}

#[tokio::test]
async fn a_page_that_names_itself_as_the_next_one_ends_the_walk() {
    let same = page(&json!({"users": rows(1..3), "next": "b"}));
    let target = target([same.clone(), same]).await;
    let kept = Arc::<MemoryCursor>::default();

    let verdict = attempt(&by_cursor(&target), &kept).await;

    let failure = failed(&verdict, Class::Permanent, "circle");
    assert!(failure.message.contains("goes in a circle"), "{failure:?}");
    assert_eq!(kept.made().len(), 1);
}

#[tokio::test]
async fn a_longer_circle_is_noticed_as_well() {
    let cycle = ["a", "b", "c", "d", "e"].iter().cycle();
    let pages = cycle
        .take(40)
        .map(|next| page(&json!({"users": [], "next": next})));
    let target = target(pages).await;
    let kept = Arc::<MemoryCursor>::default();

    let verdict = attempt(&by_cursor(&target), &kept).await;

    failed(&verdict, Class::Permanent, "circle");
    assert!(kept.made().len() < 20, "{}", kept.made().len());
}

#[tokio::test]
async fn a_page_that_cannot_be_read_ends_the_walk_and_nothing_of_it_is_written() {
    let plain = |body: &str| -> Answer { ("200 OK", String::new(), body.to_owned()) };
    let long = format!("[{}1]", " ".repeat(4 * 1024 * 1024));
    for (answer, why) in [
        (plain("<html>"), "page 1 is no JSON"),
        (
            page(&json!({"users": {}})),
            "page 1 has no list at \"/users\"",
        ),
        (
            page(&json!({"error": "no"})),
            "page 1 has no list at \"/users\"",
        ),
        (
            page(&json!({"users": [], "next": [1]})),
            "is neither a text nor a number",
        ),
        (plain(&long), "page 1 has more than 4194304 bytes"),
    ] {
        let target = target([answer]).await;
        let kept = Arc::<MemoryCursor>::default();

        let verdict = attempt(&by_cursor(&target), &kept).await;

        let failure = failed(&verdict, Class::Permanent, "bad_page");
        assert!(failure.message.contains(why), "{failure:?}");
        assert!(kept.made().is_empty());
    }
}

#[tokio::test]
async fn a_page_that_breaks_off_is_asked_for_again_later() {
    let target = crate::target::Target::that_sends(
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"users\": [",
    )
    .await;

    let verdict = attempt(&by_cursor(&target), &Arc::default()).await;

    let failure = failed(&verdict, Class::Retry, "cut_off");
    assert_eq!(failure.message, "page 1 broke off after 11 bytes");
}

#[tokio::test]
async fn nobody_is_led_to_another_server() {
    for next in [
        "http://127.0.0.1:1/users",
        "//localhost/x",
        "https://127.0.0.1/",
        "ftp://x",
    ] {
        let target = target([page(&json!({"users": rows(1..2), "next": next}))]).await;
        let mut payload = by_cursor(&target);
        payload["next"] = json!({"url": "/next"});
        let kept = Arc::<MemoryCursor>::default();

        let verdict = attempt(&payload, &kept).await;

        let failure = failed(&verdict, Class::Permanent, "bad_page");
        assert!(
            failure.message.contains("does not lie at http://127.0.0.1"),
            "{failure:?}"
        );
        assert!(kept.made().is_empty(), "{next}");
    }
}

#[tokio::test]
async fn a_row_that_lacks_a_value_is_named_and_nothing_of_its_page_is_written() {
    let users: Value = json!([{"id": 1}, {"id": null}]);
    let target = target([page(&json!({"users": users}))]).await;
    let kept = Arc::<MemoryCursor>::default();

    let verdict = attempt(&by_cursor(&target), &kept).await;

    let failure = failed(&verdict, Class::Permanent, "bad_row");
    let wanted = "row 2 of page 1 (/users/1) has no text, number or truth at \"/id\"";
    assert_eq!(failure.message, wanted);
    assert!(kept.made().is_empty());
}

#[tokio::test]
async fn a_job_that_is_refused_names_its_row() {
    let target = target([page(&json!({"users": rows(1..4)}))]).await;
    let kept = Arc::new(MemoryCursor {
        refused: vec![FieldError::new("jobs[2].payload.url", "is missing")],
        ..MemoryCursor::default()
    });

    let verdict = attempt(&by_cursor(&target), &kept).await;

    let failure = failed(&verdict, Class::Permanent, "bad_row");
    let wanted = "row 3 of page 1 (/users/2) makes no job: its payload.url is missing";
    assert!(failure.message.starts_with(wanted), "{failure:?}");
}

#[tokio::test]
async fn a_checkpoint_that_is_refused_for_another_reason_is_tried_again() {
    let target = target([page(&json!({"users": rows(1..4)}))]).await;
    let kept = Arc::new(MemoryCursor {
        refused: vec![FieldError::new("seq", "1 does not follow 1, which stands")],
        ..MemoryCursor::default()
    });

    let verdict = attempt(&by_cursor(&target), &kept).await;

    failed(&verdict, Class::Retry, "checkpoint");
}

#[tokio::test]
async fn a_private_address_is_refused_as_it_is_to_any_call() {
    let target = target([page(&json!({"users": []}))]).await;
    let handler = walker_with(HttpConfig::default());

    let verdict = attempt_by(&handler, &by_cursor(&target), &Arc::default()).await;

    let Verdict::Failed { failure, .. } = &verdict else {
        panic!("{verdict:?}");
    };
    assert_eq!(failure.class, Class::Permanent, "{failure:?}");
    assert_eq!(target.connects(), 0);
}

#[tokio::test]
async fn a_destination_lends_its_credentials_to_pages_below_it_alone() {
    let pages = [
        page(&json!({"users": [], "next": "/hook/more"})),
        page(&json!({"users": [], "next": "/hooks"})),
    ];
    let mut target = target(pages).await;
    let shop = DestinationConfig {
        url: target.url(),
        headers: BTreeMap::from([("Authorization".to_owned(), "Bearer of-the-shop".to_owned())]),
        allow_private: true,
        ..DestinationConfig::default()
    };
    let handler = walker_with(HttpConfig {
        destinations: BTreeMap::from([("shop".to_owned(), shop)]),
        ..HttpConfig::default()
    });
    let payload = json!({
        "destination": "shop",
        "path": "/users",
        "items": "/users",
        "next": {"url": "/next"},
        "job": {"kind": "resize"},
    });
    handler.check(&payload.to_string()).unwrap();

    let verdict = attempt_by(&handler, &payload, &Arc::default()).await;

    let failure = failed(&verdict, Class::Permanent, "bad_page");
    assert!(
        failure
            .message
            .contains("does not lie below the destination shop"),
        "{failure:?}"
    );
    let (first, second) = (target.next().await, target.next().await);
    assert!(first.head.starts_with("GET /hook/users "), "{}", first.head);
    assert!(
        second.head.starts_with("GET /hook/more "),
        "{}",
        second.head
    );
    assert_eq!(second.header("authorization"), Some("Bearer of-the-shop"));
    assert_eq!(target.arrived(), 0);
}

#[test]
fn a_destination_that_is_not_configured_is_refused_as_it_comes_in() {
    let payload = json!({"destination": "shop", "next": "link", "job": {"kind": "resize"}});

    assert!(wrong(&payload).starts_with("payload.destination no destination \"shop\""));
}
