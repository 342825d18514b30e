//! SQLite: one writer thread with group commit, and readers beside it.
//!
//! Whatever waits while the last flush was under way shares the next one: units run one after the
//! other in one transaction, each behind a savepoint of its own, and each caller hears of its unit
//! only after the common commit. `synchronous=FULL`, as a commit that was answered must be there
//! after a power cut.

mod checkpoints;
mod home;
mod readers;
mod standstill;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use baton_ports::store::{Error, Result};
use rusqlite::{Connection, OpenFlags, types::ValueRef};
use tokio::sync::{mpsc, oneshot};
use uuid::Uuid;

use self::{
    checkpoints::{Alive, Checkpoints},
    home::Home,
    readers::Readers,
    standstill::Standstill,
};
use super::Unit;
use crate::{
    open::Lock,
    row::{Row, Rows},
    statement::{Script, Statement},
    value::{Params, Value, named},
};

/// How many units share a commit at most.
const GROUP: usize = 512;
/// How long a look that is under way may hold up the end.
const LAST_LOOK: Duration = Duration::from_secs(5);

/// What the writer's scripts pass from statement to statement; gone with the connection.
pub const SCRATCH: &str = include_str!("../../scratch.sqlite.sql");

/// An SQLite database, opened.
pub struct Sqlite {
    path: PathBuf,
    home: Arc<Home>,
    standstill: Standstill,
    door: mpsc::Sender<Job>,
    readers: Readers,
    checkpoints: Alive,
}

/// What the writer is asked.
enum Job {
    Write(Unit, oneshot::Sender<Result<Vec<Rows>>>),
    /// To do what stands in line, take nothing more, and say when the file is the whole truth.
    Close(oneshot::Sender<()>),
    /// That a thread dies, for tests of what follows.
    Die(Thread),
}

/// A thread of its own.
#[derive(Debug, Clone, Copy)]
pub enum Thread {
    /// It writes.
    Writer,
    /// It copies the journal.
    Checkpoints,
}

impl Sqlite {
    /// Opens a database that is already migrated. The writer holds the lock to its very end, so that no second server
    /// opens the file before.
    pub fn open(path: &Path, lock: Lock) -> Result<Self> {
        let mut writer = connect(path, OpenFlags::default())?;
        writer.execute_batch(SCRATCH).map_err(refused)?;
        let (checkpoints, alive) = Checkpoints::start(path, &mut writer)?;
        let home = Arc::new(Home::of(path.to_owned())?);
        let standstill = Standstill::default();
        let at = (Arc::clone(&home), standstill.clone());
        let (door, line) = mpsc::channel(4 * GROUP);
        thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(move || {
                let closed = write_all(&mut writer, &at.0, &at.1, line);
                checkpoints.end(&mut writer);
                finish(writer);
                drop(lock);
                for closed in closed {
                    let _ = closed.send(());
                }
            })
            .map_err(|error| {
                Error::Unavailable(format!("the writer thread cannot start: {error}"))
            })?;
        Ok(Self {
            path: path.to_owned(),
            home,
            standstill,
            door,
            readers: Readers::of(path.to_owned()),
            checkpoints: alive,
        })
    }

    pub(super) async fn transact(&self, unit: Unit) -> Result<Vec<Rows>> {
        let (answer, answered) = oneshot::channel();
        let gone = || "the database was closed".to_owned();
        let sent = self.door.send(Job::Write(unit, answer)).await;
        sent.map_err(|_| Error::Unavailable(gone()))?;
        // The writer has taken the unit: it may have ended before the commit or after it.
        answered.await.map_err(|_| Error::Unconfirmed(gone()))?
    }

    /// Does what stands in line and leaves the file as the whole truth, without a journal beside it.
    pub async fn close(&self) {
        // The readers first: only whoever closes the file last can remove its journal.
        if !self.readers.close(LAST_LOOK).await {
            tracing::warn!("a look at the database did not end in time; its journal may stay");
        }
        let (answer, answered) = oneshot::channel();
        if self.door.send(Job::Close(answer)).await.is_ok() {
            // Nobody answers when the thread has ended by itself.
            let _ = answered.await;
        }
    }

    /// Waits until nobody writes any more.
    pub async fn ended(&self) {
        self.door.closed().await;
    }

    /// Waits until nobody copies the journal any more although the writer goes on; for ever if the writer has ended, too.
    pub async fn checkpoints_ended(&self) {
        self.checkpoints.clone().ended().await;
        if self.door.is_closed() {
            std::future::pending::<()>().await;
        }
    }

    /// Has a thread die, for tests of what follows.
    pub async fn kill(&self, thread: Thread) {
        // The writer may have died already.
        let _ = self.door.send(Job::Die(thread)).await;
    }

    pub(super) async fn read(&self, script: &'static Script, params: Params) -> Result<Rows> {
        let home = Arc::clone(&self.home);
        let look = move |reader: &Connection| {
            home.check()?;
            in_snapshot(reader, script.sqlite, &params)
        };
        self.readers.look(look).await
    }

    /// An error where nothing could be written for long, though reading goes on.
    pub fn check_writes(&self) -> Result<()> {
        self.standstill.check()
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
             PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000; PRAGMA journal_size_limit = 67108864;
             PRAGMA wal_autocheckpoint = 4000;",
        )
        .map_err(refused)?;
    connection.set_prepared_statement_cache_capacity(256);
    Ok(connection)
}

/// Writes until nobody can ask any more, or somebody asked to close; says who waits for the end.
fn write_all(
    writer: &mut Connection,
    home: &Home,
    standstill: &Standstill,
    mut line: mpsc::Receiver<Job>,
) -> Vec<oneshot::Sender<()>> {
    let (mut group, mut closed) = (Vec::new(), Vec::new());
    while line.blocking_recv_many(&mut group, GROUP) > 0 {
        let (mut units, mut waiting) = (Vec::new(), Vec::new());
        for job in group.drain(..) {
            match job {
                Job::Write(unit, answer) => {
                    units.push(unit);
                    waiting.push(answer);
                }
                Job::Close(answer) => {
                    line.close();
                    closed.push(answer);
                }
                Job::Die(Thread::Writer) => std::panic::resume_unwind(Box::new("it was told to")),
                Job::Die(Thread::Checkpoints) => {
                    checkpoints::ask_no_more(writer);
                }
            }
        }
        if units.is_empty() {
            continue;
        }
        standstill.begin();
        let answers = match home.check() {
            Ok(()) => write_group(writer, units),
            Err(error) => vec![Err(error); units.len()],
        };
        standstill.end(&answers);
        for (waiting, answer) in waiting.into_iter().zip(answers) {
            // Who hung up has its work done all the same.
            let _ = waiting.send(answer);
        }
    }
    closed
}

/// Copies the journal into the file, and removes it where nobody else has the file open.
fn finish(writer: Connection) {
    let copied = writer.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0));
    match copied {
        Ok(0) => {}
        Ok(_) => tracing::warn!("somebody reads the database; its journal stays beside it"),
        Err(error) => {
            tracing::warn!(%error, "the journal cannot be copied to the database: {error}; it stays beside it");
        }
    }
    if let Err((_, error)) = writer.close() {
        tracing::warn!(%error, "the database could not be closed: {error}");
    }
}

fn write_group(writer: &Connection, units: Vec<Unit>) -> Vec<Result<Vec<Rows>>> {
    let count = units.len();
    let all = |error: Error| vec![Err(error); count];
    if let [unit] = units.as_slice() {
        return vec![write_alone(writer, unit)];
    }
    if let Err(error) = begin(writer) {
        return all(error);
    }
    let mut answers = Vec::with_capacity(count);
    for unit in units {
        answers.push(write_unit(writer, &unit));
        // What would follow would begin a transaction of its own.
        if writer.is_autocommit() {
            return all(rolled_back());
        }
    }
    match commit(writer, count) {
        Ok(()) => answers,
        Err(error) => all(error),
    }
}

/// A group of one needs no savepoint: each page that changes behind one is copied first.
fn write_alone(writer: &Connection, unit: &Unit) -> Result<Vec<Rows>> {
    begin(writer)?;
    let done = run_unit(writer, unit);
    if writer.is_autocommit() {
        return Err(rolled_back());
    }
    match done {
        Ok(rows) if unit.is_kept(&rows) => commit(writer, 1).map(|()| rows),
        done => {
            run(writer, "ROLLBACK")?;
            done
        }
    }
}

fn write_unit(writer: &Connection, unit: &Unit) -> Result<Vec<Rows>> {
    run(writer, "SAVEPOINT unit")?;
    match run_unit(writer, unit) {
        Ok(rows) if unit.is_kept(&rows) => run(writer, "RELEASE unit").map(|()| rows),
        done => {
            run(writer, "ROLLBACK TO unit")?;
            run(writer, "RELEASE unit")?;
            done
        }
    }
}

fn run_unit(writer: &Connection, unit: &Unit) -> Result<Vec<Rows>> {
    let scripts = unit.scripts.iter();
    scripts
        .map(|(script, params)| run_script(writer, script.sqlite, params))
        .collect()
}

fn begin(writer: &Connection) -> Result<()> {
    if !writer.is_autocommit() {
        // An earlier transaction could not even be rolled back then.
        let _ = run(writer, "ROLLBACK");
    }
    run(writer, "BEGIN IMMEDIATE")
}

fn commit(writer: &Connection, count: usize) -> Result<()> {
    metrics::histogram!("baton_commit_group_size").record(u32::try_from(count).unwrap_or(u32::MAX));
    run(writer, "COMMIT").map_err(|error| {
        // A rollback that fails finds none to roll back.
        let _ = run(writer, "ROLLBACK");
        // What could not be flushed may be in the journal all the same.
        Error::Unconfirmed(error.to_string())
    })
}

/// A full disk makes SQLite roll the whole transaction back by itself: then nothing of it has happened.
fn rolled_back() -> Error {
    let lost = "the database rolled the transaction back; is the disk full?";
    Error::Unavailable(lost.to_owned())
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
        let values: Vec<_> = statement
            .params
            .iter()
            .map(|name| told.get(*name).unwrap_or_else(|| named(params, name)))
            .collect();
        let count = values.iter().find_map(|value| value.len());
        if count == Some(0) {
            continue;
        }
        let mut prepared = connection.prepare_cached(statement.sql).map_err(refused)?;
        for (place, value) in values.iter().enumerate() {
            bind_one(&mut prepared, place, value)?;
        }
        if let Some(count) = count {
            run_for_each(&mut prepared, &values, count)?;
        } else if prepared.column_count() == 0 {
            prepared.raw_execute().map_err(refused)?;
        } else {
            rows = read_rows(&mut prepared)?;
            tell(&mut told, statement.sql, &prepared, &rows);
        }
    }
    Ok(rows)
}

/// Runs a statement once for each element of its lists; what is the same for all stays bound.
fn run_for_each(
    prepared: &mut rusqlite::Statement<'_>,
    values: &[&Value],
    count: usize,
) -> Result<()> {
    for i in 0..count {
        for (place, value) in values.iter().enumerate() {
            if value.len().is_some() {
                bind_one(prepared, place, value.at(i))?;
            }
        }
        prepared.raw_execute().map_err(refused)?;
    }
    Ok(())
}

/// What a script has told itself by `SELECT ... AS told_name`: a column of the rows it selected, as a
/// list. A later statement that names it runs once for each of them, and not at all if there are none.
type Told = HashMap<String, Value>;

fn tell(told: &mut Told, sql: &str, prepared: &rusqlite::Statement<'_>, rows: &Rows) {
    if !sql.contains(" AS told_") {
        return;
    }
    let names = prepared.column_names().enumerate();
    for (i, name) in names.filter(|(_, name)| name.starts_with("told_")) {
        let cells = rows.iter().map(|row| row.0[i].clone());
        told.insert(name.to_owned(), Value::List(cells.collect()));
    }
}

/// Binds a value. An id is text in SQLite; it is written on the stack, for there are thousands of them.
fn bind_one(prepared: &mut rusqlite::Statement<'_>, place: usize, value: &Value) -> Result<()> {
    let place = place + 1;
    match value {
        // A list is bound element by element: see `run_for_each`.
        Value::Null | Value::List(_) | Value::Blob => {
            prepared.raw_bind_parameter(place, rusqlite::types::Null)
        }
        Value::Int(number) => prepared.raw_bind_parameter(place, number),
        Value::Float(number) => prepared.raw_bind_parameter(place, number),
        Value::Text(text) => prepared.raw_bind_parameter(place, text.as_str()),
        Value::Uuid(id) => {
            let mut text = Uuid::encode_buffer();
            prepared.raw_bind_parameter(place, &*id.hyphenated().encode_lower(&mut text))
        }
    }
    .map_err(refused)
}

fn read_rows(prepared: &mut rusqlite::Statement<'_>) -> Result<Rows> {
    let columns = prepared.column_count();
    let mut cursor = prepared.raw_query();
    let mut rows = Rows::new();
    while let Some(row) = cursor.next().map_err(refused)? {
        let mut cells = Vec::with_capacity(columns);
        for i in 0..columns {
            cells.push(read_cell(row.get_ref(i).map_err(refused)?));
        }
        rows.push(Row(cells));
    }
    Ok(rows)
}

fn read_cell(cell: ValueRef<'_>) -> Value {
    match cell {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Real(number) => Value::Float(number),
        ValueRef::Text(text) => Value::Text(match str::from_utf8(text) {
            Ok(text) => text.to_owned(),
            Err(_) => String::from_utf8_lossy(text).into_owned(),
        }),
        ValueRef::Blob(_) => Value::Blob,
    }
}

fn run(connection: &Connection, sql: &str) -> Result<()> {
    connection
        .prepare_cached(sql)
        .and_then(|mut statement| statement.execute([]))
        .map(drop)
        .map_err(refused)
}

/// What SQLite says of JSON in a row that a statement cannot take apart.
const MALFORMED: &str = "malformed JSON";

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
        Code::PermissionDenied,
    ];
    match error.sqlite_error_code() {
        Some(code) if passing.contains(&code) => Error::Unavailable(error.to_string()),
        _ if error.to_string().contains(MALFORMED) => Error::Corrupt {
            table: "rows",
            column: "JSON",
            message: MALFORMED.to_owned(),
        },
        _ => Error::Refused(error.to_string()),
    }
}
