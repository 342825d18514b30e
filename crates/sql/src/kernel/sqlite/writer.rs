//! The writer: what waits shares a commit, each unit behind a savepoint of its own.

use baton_ports::store::{Error, Result};
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::{
    checkpoints,
    home::Home,
    scripts::{run, run_script},
    standstill::Standstill,
};
use crate::{kernel::Unit, row::Rows};

/// How many units share a commit at most.
pub const GROUP: usize = 512;

/// What the writer is asked.
pub enum Request {
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

/// Writes until nobody can ask any more, or somebody asked to close; says who waits for the end.
pub fn write_all(
    writer: &mut Connection,
    home: &Home,
    standstill: &Standstill,
    mut received: mpsc::Receiver<Request>,
) -> Vec<oneshot::Sender<()>> {
    let (mut group, mut closed) = (Vec::new(), Vec::new());
    while received.blocking_recv_many(&mut group, GROUP) > 0 {
        let (mut units, mut waiting) = (Vec::new(), Vec::new());
        for request in group.drain(..) {
            match request {
                Request::Write(unit, answer) => {
                    units.push(unit);
                    waiting.push(answer);
                }
                Request::Close(answer) => {
                    received.close();
                    closed.push(answer);
                }
                Request::Die(Thread::Writer) => {
                    std::panic::resume_unwind(Box::new("it was told to"))
                }
                Request::Die(Thread::Checkpoints) => {
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
pub fn finish(writer: Connection) {
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
