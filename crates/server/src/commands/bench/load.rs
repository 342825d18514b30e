//! The jobs that go through, and how they are put in.

use std::time::Duration;

use baton_domain::job::JobSpec;
use baton_engine::Caller;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use tokio::time::Instant;

use crate::exit::{Exit, Failure};

use super::handlers::NOOP;

/// The queue of the jobs.
pub const QUEUE: &str = "bench";
/// How many jobs one call brings.
pub const BATCH: u32 = 1_000;

/// About 200 bytes of JSON, as the peers' drivers have it.
pub fn payload() -> Value {
    json!({
        "i": 12345, "to": "user@example.com", "template": "welcome",
        "vars": {"name": "Some Body", "n": 12345}, "pad": "x".repeat(110),
    })
}

/// A job that does nothing.
pub fn noop() -> JobSpec {
    of_kind(NOOP, payload().to_string())
}

pub fn of_kind(kind: &str, payload: String) -> JobSpec {
    JobSpec {
        kind: kind.to_owned(),
        payload,
        queue: Some(QUEUE.to_owned()),
        ..JobSpec::default()
    }
}

/// Enqueues so many jobs like this one, a batch at a time, and says how long that took.
pub async fn fill(
    engine: &Caller,
    jobs: u32,
    job: &JobSpec,
    bar: &ProgressBar,
) -> Result<Duration, Failure> {
    let begun = Instant::now();
    let mut left = jobs;
    while left > 0 {
        let count = left.min(BATCH);
        let specs = vec![job.clone(); count as usize];
        engine
            .enqueue_all(specs)
            .await
            .map_err(|error| refused(&error))?;
        left -= count;
        bar.inc(count.into());
    }
    Ok(begun.elapsed())
}

/// What to say when the engine does not take a job.
pub fn refused(error: &baton_engine::Error) -> Failure {
    Failure::new(format!("a job was not accepted: {error}")).exit(Exit::Unreachable)
}

/// So many things in so long, by the second.
pub fn per_second(count: u64, took: Duration) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "nobody counts to 2^53 here")]
    let count = count as f64;
    count / took.as_secs_f64().max(1e-9)
}
