//! Why a database could not be opened, copied or put back, as sentences that say what to do.

use std::{path::PathBuf, time::Duration};

/// Why a database could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The URL is not one this program understands.
    #[error(
        "{url:?} is not a database URL: {why}. Use sqlite:///path/to/file postgres://user:password@host/name or mysql://user:password@host/name"
    )]
    BadUrl {
        /// The URL, without its password.
        url: String,
        /// What is wrong with it.
        why: String,
    },
    /// The database does not answer.
    #[error(
        "the database at {place} cannot be reached: {why}. Check that it runs and that the URL is right"
    )]
    Unreachable {
        /// Where it should be.
        place: String,
        /// What went wrong.
        why: String,
    },
    /// A pooler gives each transaction another session.
    #[error(
        "between Baton and the database at {place} stands PgBouncer in transaction mode, or a pooler like it: each transaction may get another session, and Baton needs sessions of its own, for LISTEN, for prepared statements and for the settings of its planner. Set pool_mode=session for this database, or connect to PostgreSQL directly: Baton pools its connections itself"
    )]
    Pooler {
        /// Where it should be.
        place: String,
    },
    /// The schema is older than this program.
    #[error("the schema is older than this program ({} missing: {}). Run `baton migrate` first", .pending.len(), .pending.join(", "))]
    OldSchema {
        /// The steps that are missing.
        pending: Vec<String>,
    },
    /// This program is too old for the schema.
    #[error(
        "this program is too old for the schema: it is of generation {program}, and the step {step} needs {oldest} or newer. \
         Start the Baton that applied the step, or a newer one; to go back further, restore the backup from before it"
    )]
    NewerSchema {
        /// A step this program does not know.
        step: String,
        /// The generation of the oldest program that may run on it.
        oldest: u32,
        /// The generation of this program.
        program: u32,
    },
    /// A step cannot be finalized while an older program is there.
    #[error(
        "nothing was finalized: {} of an older version {} there, which would not understand what comes after. Stop them, start this \
         version in their place, and finalize then", .workers.join(", "), if .workers.len() == 1 { "is" } else { "are" }
    )]
    OlderPrograms {
        /// The workers of older programs.
        workers: Vec<String>,
    },
    /// A step could not have its tables.
    #[error(
        "the step {step} could not have its tables within {}s: others held them all the time. Look for a long transaction in \
         pg_stat_activity, on MySQL in SHOW PROCESSLIST (a backup, a forgotten client), end it, and run `baton migrate` again", .tried_for.as_secs()
    )]
    Occupied {
        /// The step.
        step: String,
        /// For how long it was tried.
        tried_for: Duration,
    },
    /// The schema is from before the first release.
    #[error(
        "this database was made by a Baton from before the first release, whose schema no program carries on. Start with an empty \
         database, and let the Baton that made this one finish what is in it"
    )]
    UnreleasedSchema,
    /// A step was applied with another text.
    #[error(
        "the step {step} was applied with another text than this program has. This database was made by an unreleased Baton; start with an empty one"
    )]
    ChangedSchema {
        /// The step.
        step: String,
    },
    /// Another server has the file.
    #[error(
        "another Baton server has {path} open. Stop it, or give this one a data folder of its own with --data-dir"
    )]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// A file is there that a backup would have to overwrite.
    #[error("{path} exists, and a backup overwrites nothing. Name a file that is not there")]
    Taken {
        /// The file.
        path: PathBuf,
    },
    /// Somebody is in a database that was to be replaced.
    #[error(
        "others are connected to the database at {place}. Stop every Baton server, and whoever else uses it, and try again"
    )]
    Connected {
        /// Where it is.
        place: String,
    },
    /// A program of PostgreSQL is missing, or too old.
    #[error(
        "{program} of PostgreSQL {server} or newer is needed for this, and it {why}. On Debian: apt install postgresql-client-{server} \
         (or postgresql-client); elsewhere put the folder of this program first in the PATH"
    )]
    NoProgram {
        /// The program.
        program: &'static str,
        /// The major version of the server.
        server: i32,
        /// What is wrong with it.
        why: String,
    },
    /// A database is there where a backup was to be put back.
    #[error(
        "{path} holds a database. Give an empty place, or --replace to put the backup in its place and keep what is there beside it"
    )]
    NotEmpty {
        /// The file.
        path: PathBuf,
    },
    /// A file is not a database of ours.
    #[error("{path} is no database of Baton's that can be copied: {why}")]
    NoBackup {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A file is there where a new one was to be made.
    #[error(
        "{path} exists. A measurement makes files of its own beside it and removes them; name one that is not there"
    )]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The user may not make databases.
    #[error(
        "the user {user:?} may not create a database on this server, and a measurement only works in one of its own. Grant it with: ALTER ROLE {user} CREATEDB"
    )]
    MayNotCreate {
        /// The user.
        user: String,
    },
    /// The user lacks a right.
    #[error(
        "the database refused: {why}. To its own database the user needs SELECT, INSERT, UPDATE, DELETE and CREATE TEMPORARY TABLES, and \
         for `baton migrate` also CREATE, ALTER, DROP, INDEX and CREATE VIEW; or simply: GRANT ALL PRIVILEGES ON name.* TO user"
    )]
    MayNot {
        /// What it was told.
        why: String,
    },
    /// A setting of the server or the database keeps this program from working, or some of what it is told from being stored.
    #[error("{setting} is {value}: {why}")]
    Unsuited {
        /// The setting.
        setting: &'static str,
        /// What it is.
        value: String,
        /// What is wrong with that, and what to do.
        why: &'static str,
    },
    /// The file is another program's, or none at all.
    #[error(
        "{path} is no database of Baton's: {why}. It is left as it is; give another folder with --data-dir, or put a backup in its place with `baton restore`"
    )]
    NotOurs {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        why: String,
    },
    /// The file or its folder cannot be written.
    #[error(
        "{path} cannot be written: {why}. Give a place that this user may write (a server's is its --data-dir)"
    )]
    Unwritable {
        /// The file or folder.
        path: PathBuf,
        /// What went wrong.
        why: String,
    },
    /// The database may lose what it has confirmed.
    #[error("the database may lose what it has confirmed: {}. Mend its settings, or accept the risk with --allow-unsafe-durability", .0.join("; "))]
    Unsafe(Vec<String>),
    /// The installation is being moved, or has moved.
    #[error("{0}")]
    Sealed(String),
    /// An installation cannot be copied as things are.
    #[error("{0}")]
    NotCopied(String),
    /// What was copied is not what was to be copied.
    #[error(
        "the copy is not what it was made of: {table} has {} rows in the source and {} in the target, or not the same. The target stays sealed. \
         Remove it, take the seal off the source with --reopen, and copy to an empty database", .rows[0], .rows[1]
    )]
    Differs {
        /// The table.
        table: &'static str,
        /// How many rows the source has, and the target.
        rows: [u64; 2],
    },
    /// Anything else the database says.
    #[error("the database refused: {0}")]
    Refused(String),
}

impl From<rusqlite::Error> for OpenError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Refused(error.to_string())
    }
}

impl From<tokio_postgres::Error> for OpenError {
    fn from(error: tokio_postgres::Error) -> Self {
        let said = error.as_db_error().map(|said| said.message().to_owned());
        Self::Refused(said.unwrap_or_else(|| error.to_string()))
    }
}

/// A database, a statement, a column or a privilege that the user may not have.
const NO_RIGHT: [u16; 4] = [1044, 1142, 1143, 1227];

impl From<mysql_async::Error> for OpenError {
    fn from(error: mysql_async::Error) -> Self {
        match error {
            mysql_async::Error::Server(said) if NO_RIGHT.contains(&said.code) => {
                Self::MayNot { why: said.message }
            }
            mysql_async::Error::Server(said) => Self::Refused(said.message),
            other => Self::Refused(other.to_string()),
        }
    }
}

impl From<baton_ports::store::Error> for OpenError {
    fn from(error: baton_ports::store::Error) -> Self {
        Self::Refused(error.to_string())
    }
}
