//! Backups: a consistent copy while servers write, and a copy put back.
//!
//! SQLite is copied by one reader in one snapshot. PostgreSQL has programs of its own for both; what is around
//! them is ours: which copy it is, what it holds, and that nobody takes it for the former history.

mod postgres;
mod programs;
mod sqlite;

use std::{
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use baton_domain::Timestamp;

use crate::{
    address::MysqlAddress,
    open::{Location, OpenError, own_file, place},
};

/// What a copy holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Contents {
    /// Jobs, ended ones included.
    pub jobs: i64,
    /// Jobs that had not ended.
    pub unfinished: i64,
    /// Those of them that stand in line and are to be called at most once.
    pub at_most_once: i64,
    /// Recipients.
    pub recipients: i64,
    /// The number of the last event.
    pub last_event: i64,
}

/// A copy that was put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// What it holds.
    pub contents: Contents,
    /// The epoch of its new history.
    pub epoch: i64,
    /// Where what was there before is kept: a file, or a database.
    pub before: Option<String>,
}

/// How to put a copy back.
#[derive(Debug, Clone, Copy, Default)]
pub struct RestoreOptions {
    /// Whether a database that is there may be moved aside.
    pub replace: bool,
    /// Whether nothing may run before somebody says so.
    pub hold: bool,
}

/// Copies a database to a new file, and looks at what was copied.
pub async fn backup(from: &str, to: &Path) -> Result<Contents, OpenError> {
    match place(from)? {
        Location::Sqlite(from) => {
            let to = to.to_owned();
            let copied = tokio::task::spawn_blocking(move || sqlite::backup(&from, &to)).await;
            copied.map_err(|error| OpenError::Refused(error.to_string()))?
        }
        Location::Postgres(address) => postgres::backup(&address, to).await,
        Location::Mysql(address) => Err(by_its_own_programs(&address)),
    }
}

/// Puts a copy back as a database that no server has open.
///
/// # Errors
/// When the copy is none of ours or damaged, the database is in use, or one is there that may not be moved.
pub async fn restore(
    from: &Path,
    to: &str,
    options: RestoreOptions,
    now: Timestamp,
) -> Result<Restored, OpenError> {
    match place(to)? {
        Location::Sqlite(to) => sqlite::restore(from, &to, options, now).await,
        Location::Postgres(address) => postgres::restore(from, &address, options, now).await,
        Location::Mysql(address) => Err(by_its_own_programs(&address)),
    }
}

fn by_its_own_programs(address: &MysqlAddress) -> OpenError {
    OpenError::Refused(format!(
        "the database at {} is copied and put back by the programs of its server: mariadb-backup, or mariadb-dump \
         --single-transaction. docs/operations/mysql.md says how, and what to do after a copy was put back",
        address.place()
    ))
}

/// A file that is removed unless it gets another name.
struct Unfinished(PathBuf);

impl Unfinished {
    fn create(path: &Path) -> Result<Self, OpenError> {
        // What a run that was killed has left is nobody's.
        let _ = fs::remove_file(path);
        own_file()
            .create_new(true)
            .open(path)
            .map_err(|error| unwritable(path, &error))?;
        Ok(Self(path.to_owned()))
    }

    /// Gives it its name, which nobody may have.
    fn finish(self, to: &Path) -> Result<(), OpenError> {
        synced(&self.0)?;
        // A link is never made over what is there; a rename would be.
        fs::hard_link(&self.0, to).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => taken(to),
            _ => unwritable(to, &error),
        })?;
        drop(self);
        sync_folder(to);
        Ok(())
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        for suffix in ["", "-wal", "-shm", "-journal", ".lock"] {
            // Most of them are not there.
            let _ = fs::remove_file(beside(&self.0, suffix));
        }
    }
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn synced(path: &Path) -> Result<(), OpenError> {
    let file = File::options().write(true).open(path);
    file.and_then(|file| file.sync_all())
        .map_err(|error| unwritable(path, &error))
}

/// So that the name survives a power cut; systems that cannot do it do without.
fn sync_folder(path: &Path) {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let synced = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
    if let Err(error) = synced {
        tracing::debug!(%error, "the folder could not be synced");
    }
}

fn taken(path: &Path) -> OpenError {
    OpenError::Taken {
        path: path.to_owned(),
    }
}

fn unwritable(path: &Path, error: &io::Error) -> OpenError {
    OpenError::Unwritable {
        path: path.to_owned(),
        why: error.to_string(),
    }
}
