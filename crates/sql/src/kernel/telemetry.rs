//! How long the database takes, and what it does not answer.

use std::time::Instant;

use baton_ports::store::{Error, Result};

/// Tells how long a transaction took, and whether it failed, by what it is about: the folder of its script.
pub async fn timed<T>(
    script: &'static str,
    transaction: impl Future<Output = Result<T>>,
) -> Result<T> {
    let area = script.split('/').next().unwrap_or(script);
    let began = Instant::now();
    let answer = transaction.await;
    metrics::histogram!("baton_store_seconds", "area" => area).record(began.elapsed());
    if let Some(error) = answer.as_ref().err().and_then(failure) {
        metrics::counter!("baton_store_errors_total", "error" => error).increment(1);
    }
    answer
}

/// What the database did not do; that an erasure stands in the way, or a cursor is unknown, is an answer.
const fn failure(error: &Error) -> Option<&'static str> {
    match error {
        Error::Unavailable(_) => Some("unavailable"),
        Error::Unconfirmed(_) => Some("unconfirmed"),
        Error::Corrupt { .. } => Some("corrupt"),
        Error::Refused(_) => Some("refused"),
        Error::Erasing | Error::BadCursor => None,
    }
}
