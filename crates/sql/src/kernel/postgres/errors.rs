//! What went wrong: a lost race, a passing trouble, a commit nobody confirmed, or a mistake of ours.

use baton_ports::store::Error;
use tokio_postgres::error::SqlState;

/// Why a transaction did not happen.
pub(super) enum Failed {
    /// It lost to another one, it seems, and may simply be tried again; what to say if that is no help.
    Race(Error),
    /// Nothing was done because the connection no longer suits the database: another one may.
    Stale(Error),
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
        // Or a batch between whose ids ours would lie.
        SqlState::EXCLUSION_VIOLATION,
    ];
    if is_stale(&error) {
        return Failed::Stale(Error::Unavailable(describe(&error)));
    }
    match error.code() {
        Some(code) if lost_a_race.contains(code) => Failed::Race(passing(&error)),
        // The server was stopped while it waited for its standby: it has committed here.
        Some(code) if ["57P01", "57P02"].contains(&code.code()) => {
            Failed::Said(Error::Unconfirmed(describe(&error)))
        }
        // A pooler lost the server behind it, whatever that had done by then.
        Some(code) if code.code().starts_with("08") => {
            Failed::Said(Error::Unconfirmed(describe(&error)))
        }
        // Without a word of the server, the commit may have happened.
        None => Failed::Said(Error::Unconfirmed(describe(&error))),
        _ => Failed::Said(passing(&error)),
    }
}

/// Why a transaction did not end as it was told to.
pub(super) fn at_the_end(error: tokio_postgres::Error) -> Failed {
    match failed(error) {
        // Refused for the connection's sake, after everything was done on it.
        Failed::Stale(Error::Unavailable(why)) => Failed::Said(Error::Unconfirmed(why)),
        failed => failed,
    }
}

/// What to say when something may have been done: not as it was asked, or with an answer that we cannot read.
#[expect(clippy::needless_pass_by_value, reason = "it ends chains of map_err")]
pub(super) fn in_doubt(error: tokio_postgres::Error) -> Failed {
    Failed::Said(Error::Unconfirmed(describe(&error)))
}

/// Whether a statement was refused, before it did anything, for what its connection has prepared or is connected to.
/// A new connection prepares it anew, at a server that takes writes.
pub(super) fn is_stale(error: &tokio_postgres::Error) -> bool {
    let Some(said) = error.as_db_error() else {
        return false;
    };
    match said.code().code() {
        // A prepared statement is gone, or its name is taken, by a pooler or DISCARD; the server is a standby by now.
        "26000" | "42P05" | "25006" => true,
        // A step has changed the type of a column: of a result, of a parameter, of what a parameter is compared with.
        // The words of the first are in the language of the server.
        "0A000" => said.routine() == Some("RevalidateCachedQuery"),
        "42804" | "42883" => true,
        "XX000" => said.message().starts_with("cache lookup failed"),
        _ => false,
    }
}

/// Tells a passing trouble from a mistake of ours.
pub fn passing(error: &tokio_postgres::Error) -> Error {
    let Some(code) = error.code() else {
        return Error::Unavailable(describe(error));
    };
    // 08 connection, 23P01 and 40 lost a race, 25006 read-only, 25P03 idled in a transaction, 53 resources,
    // 55P03 lock, 57 stopping, 58 the machine. And what no row is to blame for, until an operator has mended it:
    // 28 the login, 3D a database, 3F a schema, 42501 a right, 42703 a column, 42P01 a table.
    let passing = [
        "08", "23P01", "25006", "25P03", "28", "3D", "3F", "40", "42501", "42703", "42P01", "53",
        "55P03", "57", "58",
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
