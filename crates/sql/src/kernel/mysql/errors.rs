//! What went wrong: a lost race, a passing trouble, a commit nobody confirmed, or a mistake of ours.

use baton_ports::store::Error;
use metrics::counter;

/// Why a transaction did not happen.
pub(super) enum Failed {
    /// It lost to another one, it seems, and may simply be tried again; what to say if that is no help.
    Race(Error),
    /// Nothing was done because the connection no longer suits the database: another one may.
    Stale(Error),
    /// As the error says.
    Said(Error),
}

/// The transaction was the victim of a deadlock.
const DEADLOCK: u16 = 1213;
/// A lock was waited for too long; the row changed since; a lock was not to be waited for; another transaction has just made the same row.
const LOST_RACES: [u16; 5] = [DEADLOCK, 1205, 1020, 3572, 1062];
/// The server takes no writes: it is a standby by now.
const READ_ONLY: [u16; 3] = [1290, 1836, 3100];
/// The server is being stopped, or has closed the connection, whatever it had done by then.
const LEAVING: [u16; 4] = [1053, 1077, 1079, 1927];
/// What no row is to blame for: 1021 the disk, 1037 and 1041 memory, 1040 and 1203 connections, 1044 1045 1049 1130 1142 1143 the login, a database,
/// a right, 1054 1146 1305 1356 a column, a table, a function, a view, 1114 a full table, 1158 to 1161 the network, 1180 the commit, 1317 and 1969 an end that was ordered,
/// 3024 the time.
const PASSING: [u16; 24] = [
    1021, 1037, 1040, 1041, 1044, 1045, 1049, 1054, 1114, 1130, 1142, 1143, 1146, 1158, 1159, 1160,
    1161, 1180, 1203, 1305, 1317, 1356, 1969, 3024,
];

#[expect(clippy::needless_pass_by_value, reason = "it ends chains of map_err")]
pub(super) fn failed(error: mysql_async::Error) -> Failed {
    let mysql_async::Error::Server(said) = &error else {
        // Without a word of the server, the commit may have happened.
        return Failed::Said(Error::Unconfirmed(error.to_string()));
    };
    if said.code == DEADLOCK {
        counter!("baton_store_deadlocks_total").increment(1);
    }
    match said.code {
        code if LOST_RACES.contains(&code) => Failed::Race(passing(&error)),
        code if READ_ONLY.contains(&code) => Failed::Stale(passing(&error)),
        code if LEAVING.contains(&code) => Failed::Said(Error::Unconfirmed(describe(&error))),
        _ => Failed::Said(passing(&error)),
    }
}

/// Tells a passing trouble from a mistake of ours.
pub fn passing(error: &mysql_async::Error) -> Error {
    let mysql_async::Error::Server(said) = error else {
        return Error::Unavailable(error.to_string());
    };
    let is_race = LOST_RACES.contains(&said.code) && said.code != 1062;
    let passing = [&READ_ONLY[..], &LEAVING, &PASSING].concat();
    if is_race || passing.contains(&said.code) {
        Error::Unavailable(describe(error))
    } else {
        Error::Refused(describe(error))
    }
}

fn describe(error: &mysql_async::Error) -> String {
    match error {
        mysql_async::Error::Server(said) => format!("{} ({})", said.message, said.code),
        other => other.to_string(),
    }
}
