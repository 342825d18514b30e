//! How long the database takes, and what it does not answer.

use std::{collections::BTreeSet, time::Instant};

use baton_ports::store::{Error, Result};

use super::Kernel;
use crate::statement::ALL;

/// What only tools run, beside servers.
const OF_TOOLS: [&str; 3] = ["bench", "copy", "restore"];

/// Has what is told of transactions begin at zero.
pub fn begin(kernel: &Kernel) {
    let scripts = ALL.iter().filter(|script| kernel.has(script));
    let areas: BTreeSet<_> = scripts.map(|script| area(script.name)).collect();
    for area in areas.into_iter().filter(|area| !OF_TOOLS.contains(area)) {
        drop(metrics::histogram!("baton_store_seconds", "area" => area));
    }
    if let Kernel::Sqlite(_) = kernel {
        drop(metrics::histogram!("baton_commit_group_size"));
    }
}

/// Tells how long a transaction took, and whether it failed, by what it is about: the folder of its script.
pub async fn timed<T>(
    script: &'static str,
    transaction: impl Future<Output = Result<T>>,
) -> Result<T> {
    let area = area(script);
    let began = Instant::now();
    let answer = transaction.await;
    metrics::histogram!("baton_store_seconds", "area" => area).record(began.elapsed());
    if let Some(error) = answer.as_ref().err().and_then(failure) {
        metrics::counter!("baton_store_errors_total", "error" => error).increment(1);
    }
    answer
}

fn area(script: &'static str) -> &'static str {
    script.split('/').next().unwrap_or(script)
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
