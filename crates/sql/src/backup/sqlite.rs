//! Backups of SQLite: a copy is made by one reader in one snapshot, which holds up nobody who writes.

use std::{fs, io, path::Path};

use baton_domain::Timestamp;
use rusqlite::{Connection, OpenFlags};

use super::{
    Contents, RestoreOptions, Restored, Unfinished, beside, sync_folder, synced, taken, unwritable,
};
use crate::{
    migrate as steps,
    open::{OpenError, OpenOptions, lock, open},
    statement as sql,
};

/// Copies the database of a file to a new file, and looks at what was copied.
pub fn backup(from: &Path, to: &Path) -> Result<Contents, OpenError> {
    let source = existing(from)?;
    let unfinished = Unfinished::create(&beside(to, ".part"))?;
    if to.exists() {
        return Err(taken(to));
    }
    copy(&source, &unfinished.0)?;
    check(&unfinished.0)?;
    let contents = count(&unfinished.0)?;
    unfinished.finish(to)?;
    Ok(contents)
}

/// Puts a copy back as the database of a file that no server has open.
///
/// # Errors
/// When the copy is none of ours or damaged, the database is in use, or one is there that may not be moved.
pub async fn restore(
    from: &Path,
    to: &Path,
    options: RestoreOptions,
    now: Timestamp,
) -> Result<Restored, OpenError> {
    let source = existing(from)?;
    let _lock = lock(to).await?;
    let is_there = length(to) > 0 || length(&beside(to, "-wal")) > 0;
    if is_there && !options.replace {
        return Err(OpenError::NotEmpty {
            path: to.to_owned(),
        });
    }
    let prepared = Unfinished::create(&beside(to, ".restoring"))?;
    copy(&source, &prepared.0)?;
    check(&prepared.0)?;
    let epoch = prepare(&prepared.0, options.hold, now).await?;
    let contents = count(&prepared.0)?;
    synced(&prepared.0)?;
    let before = is_there.then(|| beside(to, &format!(".before-{}", now.as_micros())));
    if let Some(before) = &before {
        set_aside(to, before)?;
    }
    fs::rename(&prepared.0, to).map_err(|error| unwritable(to, &error))?;
    sync_folder(to);
    Ok(Restored {
        contents,
        epoch,
        before: before.map(|before| before.display().to_string()),
    })
}

/// Does with the copy what has to be done before a server opens it.
async fn prepare(path: &Path, hold: bool, now: Timestamp) -> Result<i64, OpenError> {
    let options = OpenOptions {
        // Nothing is promised of it yet.
        allow_unsafe: true,
        ..OpenOptions::default()
    };
    let store = open(&format!("sqlite://{}", path.display()), &options).await?;
    let begun = store.begin_anew_after_restore().await;
    let held = if hold { store.hold(now).await } else { Ok(()) };
    store.close().await;
    // The lock of a name that nobody uses again.
    let _ = fs::remove_file(beside(path, ".lock"));
    held?;
    Ok(begun?)
}

/// Keeps what is there under another name. It stays under its own as well, until the copy takes its place.
fn set_aside(path: &Path, before: &Path) -> Result<(), OpenError> {
    // With its journal in it, if it can still be read; else its journal goes with it.
    if let Ok(connection) = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE) {
        let folded = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()));
        if let Err(error) = folded {
            tracing::warn!(%error, "the database that is replaced cannot be read; it is kept with its journal");
        }
    }
    fs::hard_link(path, before).map_err(|error| unwritable(before, &error))?;
    for suffix in ["-wal", "-shm"] {
        let (from, to) = (beside(path, suffix), beside(before, suffix));
        match fs::rename(&from, &to) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(unwritable(&to, &error));
            }
            _ => {}
        }
    }
    Ok(())
}

fn existing(path: &Path) -> Result<Connection, OpenError> {
    let none = |why: String| OpenError::NoBackup {
        path: path.to_owned(),
        why,
    };
    if length(path) == 0 {
        return Err(none("it is not there, or empty".to_owned()));
    }
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)
        .map_err(|error| none(error.to_string()))?;
    connection.busy_timeout(std::time::Duration::from_secs(10))?;
    let applied = steps::sqlite_applied(&connection).map_err(|error| none(error.to_string()))?;
    if applied.is_empty() {
        return Err(none("it holds no tables of Baton's".to_owned()));
    }
    steps::missing(steps::SQLITE, &applied)?;
    Ok(connection)
}

fn copy(source: &Connection, to: &Path) -> Result<(), OpenError> {
    let path = to.to_str().ok_or_else(|| OpenError::Unwritable {
        path: to.to_owned(),
        why: "its name is no UTF-8".to_owned(),
    })?;
    source.execute("VACUUM INTO ?1", [path])?;
    Ok(())
}

fn check(path: &Path) -> Result<(), OpenError> {
    let copied = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let word: String = copied.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if word == "ok" {
        Ok(())
    } else {
        Err(OpenError::Refused(format!("the copy is damaged: {word}")))
    }
}

fn count(path: &Path) -> Result<Contents, OpenError> {
    let copied = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let Some(counts) = sql::restore::COUNTS.sqlite.first() else {
        return Err(OpenError::Refused("nothing can be counted".to_owned()));
    };
    Ok(copied.query_row(counts.sql, [], |row| {
        Ok(Contents {
            jobs: row.get(0)?,
            unfinished: row.get(1)?,
            at_most_once: row.get(2)?,
            recipients: row.get(3)?,
            last_event: row.get(4)?,
        })
    })?)
}

fn length(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}
