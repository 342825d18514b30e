//! What went wrong: a lost race, a passing trouble, a commit nobody confirmed, or a mistake of ours.

use baton_ports::store::Error;
use metrics::counter;
use mysql_async::IoError;

use super::galera::ALONE;

/// Why a transaction did not happen.
pub(super) enum Failed {
    /// It lost to another one, it seems, and may simply be tried again; what to say if that is no help.
    Race(Error),
    /// It found a row where it wanted to make one, or did not find what an optimistic script needs.
    Conflict(Error),
    /// Nothing was done because the connection no longer suits the database: another one may.
    Stale(Error),
    /// As the error says.
    Said(Error),
}

/// The transaction was the victim of a deadlock.
const DEADLOCK: u16 = 1213;
/// A lock was waited for too long; the row changed since; a lock was not to be waited for; another member of the group changed the same rows.
const LOST_RACES: [u16; 5] = [DEADLOCK, 1205, 1020, 3572, 3101];
/// Another transaction has just made the same row; a statement has two rows for one value, or none for a value that there must be, which is how a
/// script says that it found something else than an optimistic one needs.
const CONFLICTS: [u16; 3] = [1062, 1172, 1048];
/// The server takes no writes: it is a standby by now.
const READ_ONLY: [u16; 4] = [1290, 1792, 1836, 3100];
/// The server is being stopped, has closed the connection, did not get through, or failed in the commit itself, whatever it had done by then.
const LEAVING: [u16; 10] = [1053, 1077, 1079, 1158, 1159, 1160, 1161, 1180, 1927, 4031];
/// What no row is to blame for: 1021 and 1030 the disk, 28 126 127 134 135 144 145 1034 1194 1195 the disk under the tables of a session, 1028 1037 1038 1041 1135 memory, 1206 and 1637 room for locks and transactions,
/// 1040 1129 1203 1226 connections, 1044 1045 1049 1130 1142 1143 1227 1370 1449 the login, a database, a right, whose right, 1054 1146
/// 1305 1356 1412 a column, a table, a function, a view, a table that was changed, 1114 a full table, 1173 1175 1598 1665 how the
/// server is set, 3168 a server that is not ready, 1317 and 1969 an end that was ordered, 3024 the time.
const PASSING: [u16; 46] = [
    28, 126, 127, 134, 135, 144, 145, 1034, 1194, 1195, 1021, 1028, 1030, 1037, 1038, 1040, 1041,
    1044, 1045, 1049, 1054, 1114, 1129, 1130, 1135, 1142, 1143, 1146, 1173, 1175, 1203, 1206, 1226,
    1227, 1305, 1317, 1356, 1370, 1412, 1449, 1598, 1637, 1665, 1969, 3024, 3168,
];

#[expect(clippy::needless_pass_by_value, reason = "it ends chains of map_err")]
pub(super) fn failed(error: mysql_async::Error) -> Failed {
    let mysql_async::Error::Server(said) = &error else {
        // Without a word of the server, the commit may have happened.
        return Failed::Said(Error::Unconfirmed(describe(&error)));
    };
    if said.code == DEADLOCK {
        counter!("baton_store_deadlocks_total").increment(1);
    }
    match said.code {
        code if LOST_RACES.contains(&code) => Failed::Race(passing(&error)),
        code if CONFLICTS.contains(&code) => Failed::Conflict(passing(&error)),
        ALONE => Failed::Stale(passing(&error)),
        code if READ_ONLY.contains(&code) => Failed::Stale(passing(&error)),
        code if LEAVING.contains(&code) => Failed::Said(Error::Unconfirmed(describe(&error))),
        _ => Failed::Said(passing(&error)),
    }
}

/// Whether a read that failed so may be answered on another connection: this one is closed, or its server left alone.
pub(super) fn is_stale(error: &mysql_async::Error) -> bool {
    match error {
        mysql_async::Error::Io(_) => true,
        mysql_async::Error::Server(said) => said.code == ALONE,
        _ => false,
    }
}

/// Tells a passing trouble from a mistake of ours.
pub fn passing(error: &mysql_async::Error) -> Error {
    let mysql_async::Error::Server(said) = error else {
        return Error::Unavailable(describe(error));
    };
    let passing = [&LOST_RACES[..], &READ_ONLY, &[ALONE], &LEAVING, &PASSING].concat();
    if passing.contains(&said.code) {
        Error::Unavailable(describe(error))
    } else {
        Error::Refused(describe(error))
    }
}

pub(super) fn describe(error: &mysql_async::Error) -> String {
    match error {
        mysql_async::Error::Server(said) => format!("{} ({})", said.message, said.code),
        mysql_async::Error::Io(IoError::Io(error)) => error.to_string(),
        other => other.to_string(),
    }
}
