//! How long the database takes, and what it does not answer.

use std::{collections::BTreeSet, time::Instant};

use baton_ports::store::{Error, Result};

use super::{Kernel, NO_ANSWER, NO_ROOM};
use crate::statement::ALL;

/// What only tools run, beside servers.
const OF_TOOLS: [&str; 3] = ["bench", "copy", "restore"];

/// Has what is told of transactions begin at zero.
pub fn begin(kernel: &Kernel) {
    let scripts = ALL.iter().filter(|script| kernel.has(script));
    let areas: BTreeSet<_> = scripts.map(|script| area(script.name)).collect();
    for area in areas.into_iter().filter(|area| !OF_TOOLS.contains(area)) {
        drop(metrics::histogram!("baton_store_seconds", "area" => area));
        metrics::counter!("baton_store_timeouts_total", "area" => area).increment(0);
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
    if answer.as_ref().err().is_some_and(is_timeout) {
        metrics::counter!("baton_store_timeouts_total", "area" => area).increment(1);
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

/// How the errors end that say that something took too long: a statement (`57014` on PostgreSQL, `1969` on MariaDB, `3024` on MySQL),
/// a lock (`55P03`, `1205`, a file that is in use), a server that answers nothing, a connection that is not to be had.
const TOO_LONG: [&str; 8] = [
    "(57014)",
    "(1969)",
    "(3024)",
    "(55P03)",
    "(1205)",
    "database is locked",
    NO_ANSWER,
    NO_ROOM,
];

/// Whether the database, a lock or a connection was not to be had in time.
fn is_timeout(error: &Error) -> bool {
    let (Error::Unavailable(text) | Error::Unconfirmed(text)) = error else {
        return false;
    };
    TOO_LONG.iter().any(|end| text.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_too_long_is_told_from_what_was_refused() {
        let late = "canceling statement due to statement timeout (57014)";
        let gone = "terminating connection due to administrator command (57P01)";

        assert!(is_timeout(&Error::Unavailable(late.to_owned())));
        assert!(is_timeout(&Error::Unconfirmed(NO_ANSWER.to_owned())));
        assert!(!is_timeout(&Error::Unavailable(gone.to_owned())));
        assert!(!is_timeout(&Error::Refused(late.to_owned())));
    }
}
