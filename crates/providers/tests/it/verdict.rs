//! What an answer means for a job.

use std::time::Duration;

use baton_domain::job::{Class, Verdict};
use baton_ports::Handler;
use serde_json::json;

use crate::{
    bench::{ENOUGH, accepted, call, failed, handler, post},
    target::Target,
};

#[tokio::test]
async fn each_status_has_its_meaning() {
    let table = [
        ("400 Bad Request", Class::Permanent, "http_400"),
        ("401 Unauthorized", Class::Permanent, "http_401"),
        ("403 Forbidden", Class::Permanent, "http_403"),
        ("404 Not Found", Class::Permanent, "http_404"),
        ("408 Request Timeout", Class::Retry, "http_408"),
        ("410 Gone", Class::Gone, "http_410"),
        ("422 Unprocessable Content", Class::Permanent, "http_422"),
        ("425 Too Early", Class::Retry, "http_425"),
        ("429 Too Many Requests", Class::Throttled, "http_429"),
        ("500 Internal Server Error", Class::Retry, "http_500"),
        ("503 Service Unavailable", Class::Retry, "http_503"),
        ("599 Odd", Class::Retry, "http_599"),
        ("304 Not Modified", Class::Permanent, "redirect"),
        ("999 Unheard", Class::Permanent, "http_999"),
    ];

    for (status, class, code) in table {
        let target = Target::that_answers(status, "", "").await;

        let verdict = post(&target.url()).await;

        failed(&verdict, class, code);
    }
}

#[tokio::test]
async fn a_target_that_asks_for_patience_is_heard() {
    let table = [
        (
            "429 Too Many Requests",
            "Retry-After: 7\r\n",
            Class::Throttled,
            Some(7),
        ),
        (
            "503 Service Unavailable",
            "Retry-After: 120\r\n",
            Class::Retry,
            Some(120),
        ),
        (
            "503 Service Unavailable",
            "Retry-After: Thu, 25 Feb 2021 15:02:30 GMT\r\n",
            Class::Retry,
            Some(20),
        ),
        (
            "503 Service Unavailable",
            "Retry-After: 99999999999999999999\r\n",
            Class::Retry,
            Some(86_400),
        ),
        (
            "503 Service Unavailable",
            "Retry-After: -3\r\n",
            Class::Retry,
            None,
        ),
        (
            "429 Too Many Requests",
            "Retry-After: please\r\n",
            Class::Throttled,
            None,
        ),
        (
            "400 Bad Request",
            "Retry-After: 7\r\n",
            Class::Permanent,
            None,
        ),
    ];

    for (status, headers, class, seconds) in table {
        let target = Target::that_answers(status, headers, "").await;

        let verdict = post(&target.url()).await;

        let Verdict::Failed {
            failure,
            retry_after,
        } = verdict
        else {
            panic!("{status} is a failure");
        };
        assert_eq!(failure.class, class, "{status} {headers}");
        assert_eq!(
            retry_after,
            seconds.map(Duration::from_secs),
            "{status} {headers}"
        );
    }
}

#[tokio::test]
async fn a_redirect_is_named_and_not_followed() {
    let private = Target::that_answers("200 OK", "", "").await;
    let location = format!(
        "Location: http://127.0.0.1:{}/secret?token=x\r\n",
        private.port()
    );
    let target = Target::that_answers("302 Found", location.leak(), "").await;

    let verdict = post(&target.url()).await;

    let failure = failed(&verdict, Class::Permanent, "redirect");
    let told = format!("points to `http://127.0.0.1:{}/secret`", private.port());
    assert!(failure.message.contains(&told), "{}", failure.message);
    assert!(!failure.message.contains("token"));
    assert_eq!(private.connects(), 0);
}

#[tokio::test]
async fn a_failure_quotes_the_answer_and_keeps_the_path_and_query_to_itself() {
    let target = Target::that_answers("400 Bad Request", "", "no such `field`:\r\n\tname\0").await;
    let url = format!("{}/T0KEN?key=S3CRET", target.url());

    let verdict = post(&url).await;

    let failure = failed(&verdict, Class::Permanent, "http_400");
    let origin = format!("http://127.0.0.1:{}", target.port());
    assert_eq!(
        failure.message,
        format!(
            "{origin} answered 400 Bad Request; it will not accept this call as it is; it said `no \
             such 'field': name\u{fffd}`"
        )
    );
}

#[tokio::test]
async fn an_endless_body_is_cut_and_the_status_still_counts() {
    let target = Target::that(|mut connection| async move {
        connection.receive().await;
        connection.send("HTTP/1.1 200 OK\r\n\r\n").await;
        while connection.send(&"é".repeat(1000)).await {}
    })
    .await;

    let verdict = post(&target.url()).await;

    let result = accepted(&verdict);
    assert_eq!(result["status"], 200);
    assert_eq!(result["body"], "é".repeat(2048));
}

#[tokio::test]
async fn a_body_that_is_cut_inside_a_character_leaves_it_out() {
    let target = Target::that_answers(
        "200 OK",
        "",
        Box::leak(format!("x{}", "é".repeat(3000)).into_boxed_str()),
    )
    .await;

    let verdict = post(&target.url()).await;

    assert_eq!(accepted(&verdict)["body"], format!("x{}", "é".repeat(2047)));
}

#[tokio::test]
async fn a_body_that_breaks_off_or_is_garbage_does_not_change_the_verdict() {
    for (text, body) in [
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
            json!("short"),
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nnonsense",
            json!(null),
        ),
    ] {
        let mut target = Target::that_sends(text).await;

        let verdict = post(&target.url()).await;

        let result = accepted(&verdict);
        assert_eq!(
            (&result["status"], &result["body"]),
            (&json!(200), &body),
            "{text}"
        );
        assert_eq!(target.arrived(), 1, "{text}");
    }
}

#[tokio::test]
async fn a_body_that_stalls_is_not_waited_for_beyond_the_time_out() {
    let target = Target::that(|mut connection| async move {
        connection.receive().await;
        connection
            .send("HTTP/1.1 503 Busy\r\nContent-Length: 9\r\n\r\nhalf")
            .await;
        connection.stall().await;
    })
    .await;
    let mut call = call(&json!({"url": target.url()}));
    call.timeout = ENOUGH;

    let verdict = handler().run(call).await;

    failed(&verdict, Class::Retry, "http_503");
}
