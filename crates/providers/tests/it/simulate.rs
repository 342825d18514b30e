//! What a simulation does.

use std::os::unix::process::ExitStatusExt;

use baton_domain::job::{AttemptCounters, Class, Verdict};
use baton_ports::Handler;
use baton_providers::{SimulateConfig, SimulateHandler};
use serde_json::{Value, json};

use crate::bench::{call, failed};

async fn attempt(payload: &Value, tries: u32, losses: u32) -> Verdict {
    let mut call = call(payload);
    call.counters = AttemptCounters {
        attempt: tries + losses,
        tries,
        losses,
        run: 1,
    };
    handler().run(call).await
}

fn handler() -> SimulateHandler {
    SimulateHandler::new(SimulateConfig {
        allow_crash: false,
        ..SimulateConfig::default()
    })
}

/// What `abort` ends a process with.
const SIGABRT: i32 = 6;

const DONE: Verdict = Verdict::Accepted { result: None };

#[tokio::test]
async fn an_empty_payload_succeeds() {
    assert_eq!(attempt(&json!({}), 1, 0).await, DONE);
}

#[tokio::test]
async fn it_fails_as_often_as_asked_and_then_succeeds() {
    let payload = json!({"fail_times": 2, "sleep_ms": 1});

    failed(&attempt(&payload, 1, 0).await, Class::Retry, "simulated");
    failed(&attempt(&payload, 2, 0).await, Class::Retry, "simulated");
    assert_eq!(attempt(&payload, 3, 0).await, DONE);
    assert_eq!(
        attempt(&payload, 2, 1).await,
        DONE,
        "a lost attempt is one of them"
    );
}

#[tokio::test]
async fn an_error_without_a_count_happens_each_time() {
    for (error, class) in [
        ("retry", Class::Retry),
        ("permanent", Class::Permanent),
        ("unknown", Class::Unknown),
    ] {
        let verdict = attempt(&json!({"error": error}), 90, 0).await;

        failed(&verdict, class, "simulated");
    }
    assert_eq!(
        attempt(&json!({"error": "retry", "fail_times": 0}), 1, 0).await,
        DONE
    );
}

#[tokio::test]
async fn a_crash_that_is_not_allowed_is_refused_and_ends_nothing() {
    let payload = json!({"error": "crash"});

    let errors = handler().check(&payload.to_string()).unwrap_err();
    let verdict = attempt(&payload, 1, 0).await;

    assert_eq!(errors[0].field, "payload.error");
    assert!(errors[0].message.contains("allow_crash"));
    failed(&verdict, Class::Permanent, "bad_payload");
}

#[tokio::test]
async fn a_crash_that_is_allowed_ends_the_process() {
    const CHILD: &str = "BATON_TEST_CRASHES";
    let payload = json!({"error": "crash", "fail_times": 1});
    if std::env::var_os(CHILD).is_some() {
        SimulateHandler::new(SimulateConfig {
            allow_crash: true,
            ..SimulateConfig::default()
        })
        .run(call(&payload))
        .await;
        return;
    }

    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "simulate::a_crash_that_is_allowed_ends_the_process",
        ])
        .env(CHILD, "1")
        .output()
        .unwrap();

    assert_eq!(child.status.signal(), Some(SIGABRT), "{child:?}");
}

#[tokio::test]
async fn a_cancel_ends_the_sleep_at_once() {
    let call = call(&json!({"sleep_ms": 3_600_000}));
    let cancel = call.cancel.clone();
    let running = tokio::spawn(async move { handler().run(call).await });

    cancel.cancel();

    assert_eq!(running.await.unwrap(), Verdict::Canceled);
}

#[tokio::test]
async fn a_payload_that_makes_no_sense_is_refused_field_by_field() {
    let payload = r#"{"sleep_ms": -1, "fail_times": 1.5, "error": "explode", "sleep": 1}"#;

    let mut fields: Vec<String> = handler()
        .check(payload)
        .unwrap_err()
        .into_iter()
        .map(|error| error.field)
        .collect();

    fields.sort();
    assert_eq!(
        fields,
        [
            "payload.error",
            "payload.fail_times",
            "payload.sleep",
            "payload.sleep_ms"
        ]
    );
}
