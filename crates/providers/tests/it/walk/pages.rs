//! What is asked for page by page, and what is made of the rows.

use std::sync::Arc;

use serde_json::{Value, json};

use super::fixture::{MemoryCursor, attempt, by_cursor, page, rows, target};
use crate::{bench::accepted, target::Target};

#[tokio::test]
async fn each_page_is_a_checkpoint_with_a_job_for_each_row() {
    let pages = [
        page(&json!({"users": rows(1..3), "next": "b c", "total": 3})),
        page(&json!({"users": rows(3..4), "next": null, "total": 3})),
    ];
    let mut target = target(pages).await;
    let mut payload = by_cursor(&target);
    payload["total"] = json!("/total");
    let kept = Arc::default();

    let verdict = attempt(&payload, &kept).await;

    assert_eq!(accepted(&verdict), json!({"pages": 2, "rows": 3}));
    let made = [vec![r#"{"id":1}"#, r#"{"id":2}"#], vec![r#"{"id":3}"#]];
    assert_eq!(kept.made(), made);
    assert_eq!(kept.done(), [(2, Some(3)), (3, Some(3))]);
    let first = kept.saved.lock()[0].jobs[0].clone();
    assert_eq!(
        (first.kind.as_str(), first.key.as_deref()),
        ("resize", Some("r-1"))
    );
    assert_eq!(
        asked(&mut target, 2).await,
        ["/hook?limit=2", "/hook?limit=2&after=b+c"]
    );
}

#[tokio::test]
async fn each_page_has_a_key_of_its_own_and_what_the_payload_says() {
    let pages = [
        page(&json!({"users": [], "next": "b"})),
        page(&json!({"users": []})),
    ];
    let mut target = target(pages).await;
    let mut payload = by_cursor(&target);
    payload["headers"] = json!({"Authorization": "Bearer of-the-payload"});

    attempt(&payload, &Arc::default()).await;

    let (first, second) = (target.next().await, target.next().await);
    let keys = [&first, &second].map(|request| request.header("idempotency-key").unwrap());
    assert!(
        keys[0].ends_with(".1.1") && keys[1].ends_with(".1.2"),
        "{keys:?}"
    );
    assert_eq!(
        second.header("authorization"),
        Some("Bearer of-the-payload")
    );
    assert_eq!(second.header("accept"), Some("application/json"));
}

#[tokio::test]
async fn a_page_can_name_the_address_of_the_next_one() {
    let pages = [
        page(&json!({"users": rows(1..2), "links": {"next": "/other?page=2"}})),
        page(&json!({"users": rows(2..3), "links": {}})),
    ];
    let mut target = target(pages).await;
    let mut payload = by_cursor(&target);
    payload["next"] = json!({"url": "/links/next"});

    let verdict = attempt(&payload, &Arc::default()).await;

    assert_eq!(accepted(&verdict), json!({"pages": 2, "rows": 2}));
    assert_eq!(
        asked(&mut target, 2).await,
        ["/hook?limit=2", "/other?page=2"]
    );
}

#[tokio::test]
async fn the_head_of_an_answer_can_name_the_next_page() {
    let link = "Link: </hook?page=1>; rel=\"prev\"\r\nLink: </hook?page=3>; rel=\"next\"\r\n";
    let pages = [
        ("200 OK", link.to_owned(), "[7]".to_owned()),
        ("200 OK", String::new(), "[8]".to_owned()),
    ];
    let mut target = target(pages).await;
    let payload = json!({
        "url": target.url(),
        "next": "link",
        "job": {"kind": "resize", "payload": ["{{}}"]},
    });
    let kept = Arc::<MemoryCursor>::default();

    let verdict = attempt(&payload, &kept).await;

    assert_eq!(accepted(&verdict), json!({"pages": 2, "rows": 2}));
    assert_eq!(kept.made(), [vec!["[\"7\"]"], vec!["[\"8\"]"]]);
    assert_eq!(asked(&mut target, 2).await, ["/hook", "/hook?page=3"]);
}

#[tokio::test]
async fn without_a_payload_a_job_gets_its_row_to_the_letter() {
    let body = r#"{"users": [{"id":  12345678901234567890, "x": 1.10}]}"#;
    let target = target([("200 OK", String::new(), body.to_owned())]).await;
    let mut payload = by_cursor(&target);
    payload["job"] = json!({"kind": "resize"});
    let kept = Arc::<MemoryCursor>::default();

    attempt(&payload, &kept).await;

    assert_eq!(
        kept.made(),
        [[r#"{"id":  12345678901234567890, "x": 1.10}"#]]
    );
}

#[tokio::test]
async fn a_page_of_more_rows_than_a_checkpoint_takes_is_several() {
    let target = target([page(&json!({"users": rows(0..2_500)}))]).await;
    let kept = Arc::<MemoryCursor>::default();

    let verdict = attempt(&by_cursor(&target), &kept).await;

    assert_eq!(accepted(&verdict), json!({"pages": 1, "rows": 2_500}));
    let counts: Vec<_> = kept.made().iter().map(Vec::len).collect();
    assert_eq!(counts, [1_000, 1_000, 500]);
    let made: Vec<String> = kept.made().concat();
    let wanted: Vec<String> = (0..2_500).map(|id| format!("{{\"id\":{id}}}")).collect();
    assert_eq!(made, wanted);
}

#[tokio::test]
async fn what_is_too_much_for_a_checkpoint_by_its_bytes_is_several_as_well() {
    let long = "x".repeat(1_500_000);
    let users: Value = (0..2).map(|id| json!({"id": id, "text": long})).collect();
    let target = target([page(&json!({"users": users}))]).await;
    let mut payload = by_cursor(&target);
    payload["job"]["payload"] = json!(["{{/text}}", "{{/text}}"]);
    let kept = Arc::<MemoryCursor>::default();

    let verdict = attempt(&payload, &kept).await;

    assert_eq!(accepted(&verdict), json!({"pages": 1, "rows": 2}));
    let counts: Vec<_> = kept.made().iter().map(Vec::len).collect();
    assert_eq!(counts, [1, 1]);
}

/// What was asked for, request by request.
async fn asked(target: &mut Target, count: usize) -> Vec<String> {
    let mut asked = Vec::new();
    for _ in 0..count {
        let request = target.next().await;
        let line = request.head.lines().next().unwrap();
        let place = line.strip_prefix("GET ").unwrap().strip_suffix(" HTTP/1.1");
        asked.push(place.unwrap().to_owned());
    }
    asked
}
