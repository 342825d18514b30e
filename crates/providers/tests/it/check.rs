//! What is refused before a job is accepted, and how it is said.

use baton_ports::Handler;
use serde_json::{Value, json};

use crate::bench::handler;

fn refusals(payload: &str) -> Vec<(String, String)> {
    let errors = handler().check(payload).err().unwrap_or_default();
    errors
        .into_iter()
        .map(|error| (error.field, error.message))
        .collect()
}

#[track_caller]
fn assert_refused(payload: &Value, field: &str, says: &str) {
    let refusals = refusals(&payload.to_string());
    assert!(
        matches!(&refusals[..], [(at, message)] if at == field && message.contains(says)),
        "{payload}: expected {field} to say {says:?}, got {refusals:?}"
    );
}

#[tokio::test]
async fn a_plain_payload_is_accepted() {
    for payload in [
        json!({"url": "https://example.com/hook"}),
        json!({"url": "http://example.com:8080", "method": "GET", "headers": {"X-A": "1", "Accept": "text/html"}}),
        json!({"url": "http://10.0.0.1/", "method": null, "headers": null, "body": null}),
        json!({"url": "http://[::1]:80/", "method": "DELETE", "body": ["any", {"json": true}]}),
    ] {
        assert_eq!(refusals(&payload.to_string()), [], "{payload}");
    }
}

#[tokio::test]
async fn a_url_that_cannot_be_called_is_refused() {
    for (url, says) in [
        (json!(null), "must be a text"),
        (json!(7), "must be a text"),
        (json!(""), "is not a whole URL"),
        (json!("/hook"), "is not a whole URL"),
        (json!("http://"), "is not a whole URL"),
        (json!("http://exa mple.com/"), "is not a whole URL"),
        (json!("http://256.256.256.256/"), "is not a whole URL"),
        (json!("ftp://example.com/"), "must begin with http"),
        (json!("file:///etc/passwd"), "must begin with http"),
        (json!("javascript:alert(1)"), "must begin with http"),
        (
            json!("https://user:secret@example.com/"),
            "must not carry a user name",
        ),
        (
            json!("https://user@example.com/"),
            "must not carry a user name",
        ),
        (
            json!("https://:secret@example.com/"),
            "must not carry a user name",
        ),
        (json!("http://example.com:0/"), "port 0"),
        (
            json!(format!("http://example.com/{}", "x".repeat(8_000))),
            "at most 8000 bytes",
        ),
    ] {
        assert_refused(&json!({"url": url}), "payload.url", says);
    }
    assert_refused(&json!({}), "payload.url", "is missing");
}

#[tokio::test]
async fn a_method_that_is_none_is_refused() {
    for method in [
        json!("post"),
        json!("CONNECT"),
        json!("TRACE"),
        json!("GET / HTTP/1.1\r\n"),
        json!(""),
        json!(1),
    ] {
        let payload = json!({"url": "http://example.com/", "method": method});

        assert_refused(&payload, "payload.method", "must be GET, HEAD, POST");
    }
}

#[tokio::test]
async fn headers_that_are_reserved_or_broken_are_refused_by_name() {
    for (name, value, says) in [
        ("Host", json!("evil"), "the url"),
        ("content-length", json!("5"), "set by Baton"),
        ("Transfer-Encoding", json!("chunked"), "set by Baton"),
        ("Expect", json!("100-continue"), "set by Baton"),
        ("Connection", json!("close"), "belongs to the connection"),
        ("UPGRADE", json!("h2c"), "belongs to the connection"),
        (
            "Idempotency-Key",
            json!("mine"),
            "the same for every attempt",
        ),
        ("Baton-Attempt", json!("1"), "cannot begin with Baton-"),
        ("BATON-anything", json!("1"), "cannot begin with Baton-"),
        ("Webhook-Id", json!("1"), "signature"),
        (
            "X-Bad",
            json!("one\r\nX-Injected: two"),
            "one line of ASCII",
        ),
        ("X-Bad", json!("one\ntwo"), "one line of ASCII"),
        ("X-Bad", json!("nul\0"), "one line of ASCII"),
        ("X-Bad", json!("größe"), "one line of ASCII"),
        ("X-Bad", json!(7), "must be a text"),
        ("X-Bad", json!(null), "must be a text"),
        ("X Bad", json!("1"), "not a header's name"),
        ("X-Bad:", json!("1"), "not a header's name"),
        ("", json!("1"), "not a header's name"),
    ] {
        let payload = json!({"url": "http://example.com/", "headers": {name: value}});

        assert_refused(&payload, &format!("payload.headers.{name}"), says);
    }
    assert_refused(
        &json!({"url": "http://example.com/", "headers": {"X\r\nY": "1"}}),
        "payload.headers.X\\r\\nY",
        "not a header's name",
    );
    assert_refused(
        &json!({"url": "http://example.com/", "headers": {"X-A": "1", "x-a": "2"}}),
        "payload.headers.x-a",
        "given twice",
    );
    assert_refused(
        &json!({"url": "http://example.com/", "headers": ["X-A"]}),
        "payload.headers",
        "must be an object",
    );
}

#[tokio::test]
async fn everything_that_is_wrong_is_said_at_once() {
    let payload = r#"{"url": "nowhere", "method": "SEND", "headers": {"Host": "x"}, "retries": 3, "body": 1, "body": 2}"#;

    let mut fields: Vec<String> = refusals(payload)
        .into_iter()
        .map(|(field, _)| field)
        .collect();

    fields.sort();
    assert_eq!(
        fields,
        [
            "payload.body",
            "payload.body",
            "payload.headers.Host",
            "payload.method",
            "payload.retries",
            "payload.url"
        ]
    );
}

#[tokio::test]
async fn what_is_no_object_is_refused_as_a_whole() {
    for payload in ["", "null", "[]", "7", "\"text\"", "{", "{\"url\": }"] {
        assert_eq!(
            refusals(payload),
            [("payload".to_owned(), "must be a JSON object".to_owned())],
            "{payload}"
        );
    }
}

#[tokio::test]
async fn an_unknown_field_is_named_with_those_there_are() {
    let payload = json!({"url": "http://example.com/", "verb": "GET"});

    assert_refused(
        &payload,
        "payload.verb",
        "it has url or destination and path, method, headers and body",
    );
}
