//! What went wrong: a lost race, a passing trouble, a commit nobody confirmed, or a mistake of ours.

use baton_ports::store::Error;
use tokio_postgres::error::SqlState;

/// Why a transaction did not happen.
pub(super) enum Failed {
    /// It lost to another one, it seems, and may simply be tried again; what to say if that is no help.
    Race(Error),
    /// As the error says.
    Said(Error),
}

#[expect(clippy::needless_pass_by_value, reason = "it ends chains of map_err")]
pub(super) fn failed(error: tokio_postgres::Error) -> Failed {
    let lost_a_race = [
        SqlState::T_R_SERIALIZATION_FAILURE,
        SqlState::T_R_DEADLOCK_DETECTED,
        // Another transaction has just made the same row: the next look will see it.
        SqlState::UNIQUE_VIOLATION,
        // Or a streak between whose ids ours would lie.
        SqlState::EXCLUSION_VIOLATION,
    ];
    match error.code() {
        Some(code) if lost_a_race.contains(code) => Failed::Race(passing(&error)),
        // The server was stopped while it waited for its standby: it has committed here.
        Some(code) if ["57P01", "57P02"].contains(&code.code()) => {
            Failed::Said(Error::Unconfirmed(describe(&error)))
        }
        // Without a word of the server, the commit may have happened.
        None => Failed::Said(Error::Unconfirmed(describe(&error))),
        _ => Failed::Said(passing(&error)),
    }
}

/// What to say when something may have been done: not as it was asked, or with an answer that we cannot read.
#[expect(clippy::needless_pass_by_value, reason = "it ends chains of map_err")]
pub(super) fn in_doubt(error: tokio_postgres::Error) -> Failed {
    Failed::Said(Error::Unconfirmed(describe(&error)))
}

/// Tells a passing trouble from a mistake of ours.
pub fn passing(error: &tokio_postgres::Error) -> Error {
    let Some(code) = error.code() else {
        return Error::Unavailable(describe(error));
    };
    // 08 connection, 23P01 and 40 lost a race, 25006 read-only, 25P03 idled in a transaction, 53 resources,
    // 55P03 lock, 57 stopping, 58 the machine.
    let passing = [
        "08", "23P01", "25006", "25P03", "40", "53", "55P03", "57", "58",
    ];
    if passing.iter().any(|class| code.code().starts_with(class)) {
        Error::Unavailable(describe(error))
    } else {
        Error::Refused(describe(error))
    }
}

fn describe(error: &tokio_postgres::Error) -> String {
    match error.as_db_error() {
        Some(said) => format!("{} ({})", said.message(), said.code().code()),
        None => deepest(error),
    }
}

/// What lies at the bottom of an error.
pub(super) fn deepest(error: &(dyn std::error::Error + 'static)) -> String {
    error.source().map_or_else(|| error.to_string(), deepest)
}
