//! What a call looks like to its target.

use std::sync::Arc;

use baton_domain::{Trace, job::AttemptCounters};
use baton_ports::Handler;
use serde_json::json;

use crate::{
    bench::{accepted, call, handler},
    target::Target,
};

#[tokio::test]
async fn json_is_sent_to_the_letter_with_the_headers_a_receiver_needs() {
    let mut target = Target::that_answers("200 OK", "", r#"{"ok":true}"#).await;
    let mut call = call(&json!({}));
    Arc::make_mut(&mut call.args).payload = format!(
        r#"{{"url":"{}?q=1#part","headers":{{"X-Tenant":"seven"}},"body":{{"b": 1.10, "a":[ ]}}}}"#,
        target.url()
    );
    call.counters = AttemptCounters {
        attempt: 3,
        tries: 2,
        losses: 1,
        run: 2,
    };
    let id = call.args.id;

    let verdict = handler().run(call).await;

    let request = target.next().await;
    assert_eq!(
        accepted(&verdict),
        json!({"status": 200, "body": r#"{"ok":true}"#})
    );
    assert!(
        request.head.starts_with("POST /hook?q=1 HTTP/1.1\r\n"),
        "{}",
        request.head
    );
    assert_eq!(request.body, br#"{"b": 1.10, "a":[ ]}"#);
    let host = format!("127.0.0.1:{}", target.port());
    for (name, value) in [
        ("host", host.as_str()),
        ("content-type", "application/json"),
        ("content-length", "20"),
        ("x-tenant", "seven"),
        ("user-agent", concat!("baton/", env!("CARGO_PKG_VERSION"))),
        ("idempotency-key", &format!("{id}.2")),
        ("baton-job-id", &id.to_string()),
        ("baton-attempt", "3"),
    ] {
        assert_eq!(request.header(name), Some(value), "{name}");
    }
    assert_eq!(request.header("webhook-id"), None);
}

#[tokio::test]
async fn the_trace_of_a_job_is_sent_on() {
    let mut target = Target::that_answers("204 No Content", "", "").await;
    let mut traced = call(&json!({"url": target.url(), "body": ""}));
    let trace = Trace {
        traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".to_owned(),
        tracestate: Some("vendor=x y,other=1".to_owned()),
    };
    Arc::make_mut(&mut traced.args).options.trace = Some(trace.clone());

    handler().run(traced).await;
    let told = target.next().await;
    handler()
        .run(call(&json!({"url": target.url(), "body": ""})))
        .await;
    let untold = target.next().await;

    assert_eq!(told.header("traceparent"), Some(trace.traceparent.as_str()));
    assert_eq!(told.header("tracestate"), trace.tracestate.as_deref());
    assert_eq!(
        (untold.header("traceparent"), untold.header("tracestate")),
        (None, None)
    );
}

#[tokio::test]
async fn a_trace_that_a_payload_names_itself_goes_before_that_of_the_job() {
    const OWN: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let mut target = Target::that_answers("204 No Content", "", "").await;
    let mut traced = call(&json!({"url": target.url(), "headers": {"Traceparent": OWN}}));
    Arc::make_mut(&mut traced.args).options.trace = Some(Trace {
        traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".to_owned(),
        tracestate: Some("vendor=1".to_owned()),
    });

    handler().run(traced).await;

    let request = target.next().await;
    assert_eq!(request.header("traceparent"), Some(OWN));
    assert_eq!(request.head.matches("trace").count(), 1, "{}", request.head);
}

#[tokio::test]
async fn a_body_is_framed_by_what_it_is() {
    let mut target = Target::that_answers("204 No Content", "", "").await;
    let url = target.url();
    let table = [
        (
            json!({"url": url, "body": "wörds"}),
            Some("text/plain; charset=utf-8"),
            Some("6"),
            "wörds",
        ),
        (
            json!({"url": url, "body": ""}),
            Some("text/plain; charset=utf-8"),
            Some("0"),
            "",
        ),
        (
            json!({"url": url, "body": null}),
            Some("application/json"),
            Some("4"),
            "null",
        ),
        (
            json!({"url": url, "body": 7}),
            Some("application/json"),
            Some("1"),
            "7",
        ),
        (json!({"url": url, "method": "PUT"}), None, Some("0"), ""),
        (json!({"url": url, "method": "GET"}), None, None, ""),
        (
            json!({"url": url, "headers": {"content-type": "text/csv"}, "body": "a,b"}),
            Some("text/csv"),
            Some("3"),
            "a,b",
        ),
    ];

    for (payload, content_type, length, body) in table {
        let verdict = handler().run(call(&payload)).await;

        let request = target.next().await;
        assert_eq!(accepted(&verdict), json!({"status": 204}), "{payload}");
        assert_eq!(request.header("content-type"), content_type, "{payload}");
        assert_eq!(request.header("content-length"), length, "{payload}");
        assert_eq!(request.body, body.as_bytes(), "{payload}");
    }
}
