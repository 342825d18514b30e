//! What each test is given: a handler, a clock that stands still, and calls to make.

use std::{sync::Arc, time::Duration};

use baton_domain::{
    Clock, JobId, ManualClock, Timestamp,
    job::{AttemptCounters, Class, Failure, JobOptions, Verdict},
};
use baton_ports::{Call, Checkpoints, Handler, Origin, store::JobArgs};
use baton_providers::{HttpConfig, HttpHandler};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

/// The moment at which the clock of every test stands.
pub const NOW: Timestamp = Timestamp::from_micros(1_614_265_330_000_000);

/// A time-out within which a request is sent and its answer begins, on a busy machine too.
pub const ENOUGH: Duration = Duration::from_secs(3);

/// A handler that may call this machine, as its targets live here.
pub fn handler() -> HttpHandler {
    handler_with(HttpConfig {
        allow_private_targets: true,
        ..HttpConfig::default()
    })
}

/// A handler that does what `config` says.
pub fn handler_with(config: HttpConfig) -> HttpHandler {
    let clock: Arc<dyn Clock> = Arc::new(ManualClock::at(NOW));
    HttpHandler::new(config, clock).unwrap()
}

/// The first attempt of a job.
pub fn call(payload: &Value) -> Call {
    Call {
        args: Arc::new(JobArgs {
            id: JobId::new(NOW),
            kind: "http".to_owned(),
            queue: "default".to_owned(),
            payload: payload.to_string(),
            expires_at: None,
            options: JobOptions {
                timeout: Duration::from_secs(10),
                ..JobOptions::default()
            },
            created_at: NOW,
            key: None,
        }),
        counters: AttemptCounters {
            attempt: 1,
            tries: 1,
            losses: 0,
            run: 1,
        },
        timeout: Duration::from_secs(10),
        cancel: CancellationToken::new(),
        prepared: None,
        checkpoints: Checkpoints::default(),
        span: Origin::default(),
    }
}

/// What becomes of a POST of `{}` to a URL.
pub async fn post(url: &str) -> Verdict {
    handler().run(call(&json!({"url": url, "body": {}}))).await
}

/// The failure a verdict tells of, which must be of this class and code.
#[track_caller]
pub fn failed(verdict: &Verdict, class: Class, code: &str) -> Failure {
    let Verdict::Failed { failure, .. } = verdict else {
        panic!("expected a failure {code}, got {verdict:?}");
    };
    assert_eq!(
        (failure.class, failure.code.as_str()),
        (class, code),
        "{failure:?}"
    );
    failure.clone()
}

/// The result of an accepted job.
#[track_caller]
pub fn accepted(verdict: &Verdict) -> Value {
    let Verdict::Accepted { result } = verdict else {
        panic!("expected acceptance, got {verdict:?}");
    };
    result
        .as_deref()
        .map_or(Value::Null, |result| serde_json::from_str(result).unwrap())
}
