//! SQLite: one writer thread with group commit, and readers beside it.
//!
//! Whatever waits while the last flush was under way shares the next one: units run one after the
//! other in one transaction, each behind a savepoint of its own, and each caller hears of its unit
//! only after the common commit. `synchronous=FULL`, as a commit that was answered must be there
//! after a power cut.

mod checkpoints;
mod home;
mod readers;
mod scripts;
mod standstill;
mod writer;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
    thread,
    time::Duration,
};

use baton_ports::store::{Error, Result};
use rusqlite::{Connection, OpenFlags};
use tokio::sync::{mpsc, oneshot};

use self::{
    checkpoints::{Alive, Checkpoints},
    home::Home,
    readers::Readers,
    scripts::in_snapshot,
    standstill::Standstill,
    writer::{GROUP, Request},
};
use super::{PoolUse, Unit};
use crate::{open::Lock, row::Rows, statement::Script, value::Params};

pub use self::{scripts::refused, writer::Thread};

/// How long a look that is under way may hold up the end.
const LAST_LOOK: Duration = Duration::from_secs(5);

/// What the writer's scripts pass from statement to statement; gone with the connection.
pub const SCRATCH: &str = concat!(
    include_str!("../../scratch.sqlite.sql"),
    include_str!("../../scratch.incoming.sql")
);

/// An SQLite database, opened.
pub struct Sqlite {
    path: PathBuf,
    home: Arc<Home>,
    standstill: Standstill,
    requests: mpsc::Sender<Request>,
    readers: Readers,
    checkpoints: Alive,
}

impl Sqlite {
    /// Opens a database that is already migrated. The writer holds the lock to its very end, so that no second server
    /// opens the file before.
    pub fn open(path: &Path, lock: Lock) -> Result<Self> {
        let mut connection = connect(path, OpenFlags::default())?;
        connection.execute_batch(SCRATCH).map_err(refused)?;
        let (checkpoints, alive) = Checkpoints::start(path, &mut connection)?;
        let home = Arc::new(Home::of(path.to_owned())?);
        let standstill = Standstill::default();
        let at = (Arc::clone(&home), standstill.clone());
        let (requests, received) = mpsc::channel(4 * GROUP);
        thread::Builder::new()
            .name("sqlite-writer".to_owned())
            .spawn(move || {
                let closed = writer::write_all(&mut connection, &at.0, &at.1, received);
                checkpoints.end(&mut connection);
                writer::finish(connection);
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
            requests,
            readers: Readers::of(path.to_owned()),
            checkpoints: alive,
        })
    }

    pub(super) async fn transact(&self, unit: Unit) -> Result<Vec<Rows>> {
        let (answer, answered) = oneshot::channel();
        let gone = || "the database was closed".to_owned();
        let sent = self.requests.send(Request::Write(unit, answer)).await;
        sent.map_err(|_| Error::Unavailable(gone()))?;
        // The writer has taken the unit: it may have ended before the commit or after it.
        answered.await.map_err(|_| Error::Unconfirmed(gone()))?
    }

    /// How the readers are used.
    pub(super) fn pool(&self) -> PoolUse {
        self.readers.used()
    }

    /// Does what stands in line and leaves the file as the whole truth, without a journal beside it.
    pub async fn close(&self) {
        // The readers first: only whoever closes the file last can remove its journal.
        if !self.readers.close(LAST_LOOK).await {
            tracing::warn!("a look at the database did not end in time; its journal may stay");
        }
        let (answer, answered) = oneshot::channel();
        if self.requests.send(Request::Close(answer)).await.is_ok() {
            // Nobody answers when the thread has ended by itself.
            let _ = answered.await;
        }
    }

    /// Waits until nobody writes any more.
    pub async fn ended(&self) {
        self.requests.closed().await;
    }

    /// Waits until nobody copies the journal any more although the writer goes on; for ever if the writer has ended, too.
    pub async fn checkpoints_ended(&self) {
        self.checkpoints.clone().ended().await;
        if self.requests.is_closed() {
            std::future::pending::<()>().await;
        }
    }

    /// Has a thread die, for tests of what follows.
    pub async fn kill(&self, thread: Thread) {
        // The writer may have died already.
        let _ = self.requests.send(Request::Die(thread)).await;
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
