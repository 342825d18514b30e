//! SQLite: one writer thread with group commit, and readers beside it.
//!
//! Whatever waits while the last flush was under way shares the next one: units run one after the
//! other in one transaction, each behind a savepoint of its own, and each caller hears of its unit
//! only after the common commit. `synchronous=FULL`, as a commit that was answered must be there
//! after a power cut.

use std::{
    collections::HashMap,
    fs::File,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use baton_ports::store::{Error, Result};
use parking_lot::Mutex;
use rusqlite::{Connection, OpenFlags, types::ValueRef};
use tokio::sync::{mpsc, oneshot};

use super::Unit;
use crate::{
    row::{Row, Rows},
    statement::{Script, Statement},
    value::{Params, Value, named},
};

/// How many units share a commit at most.
const GROUP: usize = 512;
/// How many readers wait for the next question.
const IDLE_READERS: usize = 8;

/// What the writer's scripts pass from statement to statement; gone with the connection.
pub const SCRATCH: &str = include_str!("../../scratch.sqlite.sql");

/// An SQLite database, opened.
pub struct Sqlite {
    path: PathBuf,
    door: mpsc::Sender<Job>,
    readers: Arc<Mutex<Vec<Connection>>>,
    /// Held for as long as the database is open, so that no second server opens it.
    _lock: File,
}

type Job = (Unit, oneshot::Sender<Result<Vec<Rows>>>);

impl Sqlite {
    /// Opens a database that is already migrated.
    pub fn open(path: &Path, lock: File) -> Result<Self> {
        let writer = connect(path, OpenFlags::default())?;
        writer.execute_batch(SCRATCH).map_err(refused)?;
        let (door, line) = mpsc::channel(4 * GROUP);
        thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(move || write_all(&writer, line))
            .map_err(|error| {
                Error::Unavailable(format!("the writer thread cannot start: {error}"))
            })?;
        Ok(Self {
            path: path.to_owned(),
            door,
            readers: Arc::default(),
            _lock: lock,
        })
    }

    pub(super) async fn transact(&self, unit: Unit) -> Result<Vec<Rows>> {
        let (answer, answered) = oneshot::channel();
        let gone = |()| Error::Unavailable("the database was closed".to_owned());
        self.door.send((unit, answer)).await.map_err(|_| gone(()))?;
        answered.await.map_err(|_| gone(()))?
    }

    pub(super) async fn read(&self, script: &'static Script, params: Params) -> Result<Rows> {
        let (readers, path) = (self.readers.clone(), self.path.clone());
        let read = tokio::task::spawn_blocking(move || {
            let idle = readers.lock().pop();
            let reader = idle.map_or_else(|| connect(&path, OpenFlags::default()), Ok)?;
            let rows = in_snapshot(&reader, script.sqlite, &params);
            let mut readers = readers.lock();
            if readers.len() < IDLE_READERS && reader.is_autocommit() {
                readers.push(reader);
            }
            rows
        });
        read.await
            .map_err(|error| Error::Refused(error.to_string()))?
    }

    /// A connection of one's own, for tools.
    pub fn connect(&self) -> Result<Connection> {
        connect(&self.path, OpenFlags::default())
    }
}

/// Opens a connection with the settings every one of ours has.
pub fn connect(path: &Path, flags: OpenFlags) -> Result<Connection> {
    let connection = Connection::open_with_flags(path, flags).map_err(|error| {
        Error::Unavailable(format!("{} cannot be opened: {error}", path.display()))
    })?;
    connection
        .busy_timeout(Duration::from_secs(10))
        .map_err(refused)?;
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
             PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000; PRAGMA journal_size_limit = 67108864;",
        )
        .map_err(refused)?;
    connection.set_prepared_statement_cache_capacity(256);
    Ok(connection)
}

fn write_all(writer: &Connection, mut line: mpsc::Receiver<Job>) {
    let mut group = Vec::new();
    while line.blocking_recv_many(&mut group, GROUP) > 0 {
        let (units, waiting): (Vec<_>, Vec<_>) = group.drain(..).unzip();
        let answers = write_group(writer, units);
        for (waiting, answer) in waiting.into_iter().zip(answers) {
            // Who hung up has its work done all the same.
            let _ = waiting.send(answer);
        }
    }
}

fn write_group(writer: &Connection, units: Vec<Unit>) -> Vec<Result<Vec<Rows>>> {
    let count = units.len();
    let all = |error: Error| vec![Err(error); count];
    if !writer.is_autocommit() {
        // An earlier transaction could not even be rolled back then.
        let _ = run(writer, "ROLLBACK");
    }
    if let Err(error) = run(writer, "BEGIN IMMEDIATE") {
        return all(error);
    }
    let mut answers = Vec::with_capacity(count);
    for unit in units {
        answers.push(write_unit(writer, &unit));
        // A full disk makes SQLite roll the whole transaction back by itself: then nothing of the
        // group has happened, and what would follow would begin a transaction of its own.
        if writer.is_autocommit() {
            let lost = "the database rolled the transaction back; is the disk full?";
            return all(Error::Unavailable(lost.to_owned()));
        }
    }
    metrics::histogram!("baton_commit_group_size").record(u32::try_from(count).unwrap_or(u32::MAX));
    match run(writer, "COMMIT") {
        Ok(()) => answers,
        Err(error) => {
            // A rollback that fails finds none to roll back.
            let _ = run(writer, "ROLLBACK");
            // What could not be flushed may be in the journal all the same.
            all(Error::Unconfirmed(error.to_string()))
        }
    }
}

fn write_unit(writer: &Connection, unit: &Unit) -> Result<Vec<Rows>> {
    run(writer, "SAVEPOINT unit")?;
    let done = unit
        .scripts
        .iter()
        .map(|(script, params)| run_script(writer, script.sqlite, params))
        .collect::<Result<Vec<_>>>();
    match done {
        Ok(rows) if (unit.keep)(&rows) => run(writer, "RELEASE unit").map(|()| rows),
        done => {
            run(writer, "ROLLBACK TO unit")?;
            run(writer, "RELEASE unit")?;
            done
        }
    }
}

fn in_snapshot(reader: &Connection, statements: &[Statement], params: &Params) -> Result<Rows> {
    run(reader, "BEGIN DEFERRED")?;
    let rows = run_script(reader, statements, params);
    run(reader, "COMMIT")?;
    rows
}

/// Runs the statements in order; with a list among its values, one runs once for each element.
fn run_script(connection: &Connection, statements: &[Statement], params: &Params) -> Result<Rows> {
    let mut rows = Rows::new();
    let mut told = Told::new();
    for statement in statements {
        let mut prepared = connection.prepare_cached(statement.sql).map_err(refused)?;
        let values: Vec<_> = statement
            .params
            .iter()
            .map(|name| told.get(*name).unwrap_or_else(|| named(params, name)))
            .collect();
        if let Some(count) = values.iter().find_map(|value| value.len()) {
            for i in 0..count {
                let element = values.iter().map(|value| Bound(value.at(i)));
                prepared
                    .execute(rusqlite::params_from_iter(element))
                    .map_err(refused)?;
            }
            continue;
        }
        let values = rusqlite::params_from_iter(values.into_iter().map(Bound));
        if prepared.column_count() == 0 {
            prepared.execute(values).map_err(refused)?;
        } else {
            rows = read_rows(&mut prepared, values)?;
            tell(&mut told, statement.sql, &prepared, &rows);
        }
    }
    Ok(rows)
}

/// What a script has told itself by `SELECT ... AS told_name`: the cells of the last row that was
/// selected, for the statements after it. The planner makes more of a value than of a subquery.
type Told = HashMap<String, Value>;

fn tell(told: &mut Told, sql: &str, prepared: &rusqlite::Statement<'_>, rows: &Rows) {
    if !sql.contains(" AS told_") {
        return;
    }
    for (i, name) in prepared.column_names().into_iter().enumerate() {
        let cell = rows.last().map_or(&Value::Null, |row| &row.0[i]);
        told.insert(name.to_owned(), cell.clone());
    }
}

fn read_rows(
    prepared: &mut rusqlite::CachedStatement<'_>,
    params: impl rusqlite::Params,
) -> Result<Rows> {
    let columns = prepared.column_count();
    let mut cursor = prepared.query(params).map_err(refused)?;
    let mut rows = Rows::new();
    while let Some(row) = cursor.next().map_err(refused)? {
        let cells = (0..columns).map(|i| row.get_ref(i).map_err(refused).and_then(read_cell));
        rows.push(Row(cells.collect::<Result<_>>()?));
    }
    Ok(rows)
}

fn read_cell(cell: ValueRef<'_>) -> Result<Value> {
    Ok(match cell {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Real(number) => Value::Float(number),
        ValueRef::Text(text) => Value::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(_) => return Err(Error::Refused("a blob where none is kept".to_owned())),
    })
}

fn run(connection: &Connection, sql: &str) -> Result<()> {
    connection
        .prepare_cached(sql)
        .and_then(|mut statement| statement.execute([]))
        .map(drop)
        .map_err(refused)
}

/// A value as SQLite binds it; an id is text there.
struct Bound<'a>(&'a Value);

impl rusqlite::ToSql for Bound<'_> {
    fn to_sql(&self) -> rusqlite::Result<rusqlite::types::ToSqlOutput<'_>> {
        Ok(match self.0 {
            Value::Null => rusqlite::types::Null.into(),
            Value::Int(number) => (*number).into(),
            Value::Float(number) => (*number).into(),
            Value::Text(text) => text.as_str().into(),
            Value::Uuid(id) => id.to_string().into(),
            // Lists are taken apart before: see `run_script`.
            Value::List(_) => rusqlite::types::Null.into(),
        })
    }
}

/// Tells a passing trouble from a mistake of ours.
#[expect(clippy::needless_pass_by_value, reason = "it ends chains of map_err")]
pub fn refused(error: rusqlite::Error) -> Error {
    use rusqlite::ErrorCode as Code;
    let passing = [
        Code::DatabaseBusy,
        Code::DatabaseLocked,
        Code::DiskFull,
        Code::SystemIoFailure,
        Code::CannotOpen,
        Code::ReadOnly,
    ];
    match error.sqlite_error_code() {
        Some(code) if passing.contains(&code) => Error::Unavailable(error.to_string()),
        _ => Error::Refused(error.to_string()),
    }
}
