//! What a measurement needs of a database beside the store.
//!
//! A database of its own that goes afterwards, the settings it was taken under, where the log stands, a history, a snapshot
//! held open, the price of a commit, and that of one row for each recipient.

mod bare;
mod commits;
mod history;
mod scratch;
mod snapshot;

pub use commits::Commits;
pub use history::History;
pub use scratch::Scratch;
pub use snapshot::Snapshot;

use std::{
    thread,
    time::{Duration, Instant},
};

use baton_ports::store::{Error, Result};
use rusqlite::Connection;
use tokio_postgres::{Client, error::SqlState};

use crate::{
    address::Address,
    kernel::{
        Kernel,
        postgres::passing,
        sqlite::{Sqlite, refused},
    },
    row::Row,
    statement as sql,
    store::SqlStore,
    value::params,
};

/// How long the journal of SQLite may take to be emptied.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How long to wait before it is tried again.
const PAUSE: Duration = Duration::from_millis(5);

/// The tools of a measurement, for one store.
#[derive(Clone)]
pub struct Tools {
    store: SqlStore,
}

impl Tools {
    /// The tools for this store.
    #[must_use]
    pub fn of(store: &SqlStore) -> Self {
        Self {
            store: store.clone(),
        }
    }

    /// What the database says of itself: its version, and what decides how much a commit costs.
    pub async fn settings(&self) -> Result<Vec<(String, String)>> {
        let rows = self
            .store
            .kernel()
            .read(&sql::bench::SETTINGS, params! {})
            .await?;
        rows.into_iter()
            .map(|row| {
                let mut cells = row.cells("settings");
                Ok((cells.text("name")?, cells.text("setting")?))
            })
            .collect()
    }

    /// How many bytes the log has taken, where the database counts them.
    pub async fn written(&self) -> Result<Option<i64>> {
        let kernel = self.store.kernel();
        if !kernel.has(&sql::bench::WRITTEN) {
            return Ok(None);
        }
        let rows = kernel.read(&sql::bench::WRITTEN, params! {}).await?;
        let position = |row: Row| row.cells("log").maybe_int("written");
        rows.into_iter().next().map_or(Ok(None), position)
    }

    /// How many transactions the database has ended, where it counts them.
    pub async fn transactions(&self) -> Result<Option<i64>> {
        let kernel = self.store.kernel();
        if !kernel.has(&sql::bench::TRANSACTIONS) {
            return Ok(None);
        }
        let rows = kernel.read(&sql::bench::TRANSACTIONS, params! {}).await?;
        let count = |row: Row| row.cells("pg_stat_database").maybe_int("transactions");
        rows.into_iter().next().map_or(Ok(None), count)
    }

    /// Brings what was written to its place, so that a measurement does not pay for what came before
    /// it; `false` where this user may not ask for it.
    pub async fn checkpoint(&self) -> Result<bool> {
        match self.store.kernel() {
            Kernel::Postgres(postgres) => checkpoint(postgres.address()).await,
            Kernel::Sqlite(sqlite) => on(sqlite, empty_the_journal).await.map(|()| true),
            // Nobody can ask InnoDB for it, so there is nothing that could be granted.
            Kernel::Mysql(_) => Ok(true),
        }
    }

    /// Brings the statistics up to date as the database does by itself in time. SQLite does not; MySQL does while it works.
    pub async fn vacuum(&self) -> Result<()> {
        let Kernel::Postgres(postgres) = self.store.kernel() else {
            return Ok(());
        };
        let client = connect(postgres.address()).await?;
        let done = client.batch_execute("VACUUM ANALYZE").await;
        done.map_err(|error| passing(&error))
    }
}

/// While pages are copied beside the writer it does nothing but say so.
fn empty_the_journal(connection: &Connection) -> rusqlite::Result<()> {
    let begun = Instant::now();
    let is_busy = |row: &rusqlite::Row<'_>| row.get(0);
    while connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], is_busy)?
        && begun.elapsed() < TIMEOUT
    {
        thread::sleep(PAUSE);
    }
    Ok(())
}

async fn checkpoint(address: &Address) -> Result<bool> {
    match connect(address).await?.batch_execute("CHECKPOINT").await {
        Ok(()) => Ok(true),
        Err(error) if error.code() == Some(&SqlState::INSUFFICIENT_PRIVILEGE) => Ok(false),
        Err(error) => Err(passing(&error)),
    }
}

/// A connection beside the store's own, with no settings of ours.
async fn connect(address: &Address) -> Result<Client> {
    let (client, connection) = address.connect().await.map_err(|error| passing(&error))?;
    tokio::spawn(connection);
    Ok(client)
}

/// Works on a connection beside the store's own.
async fn on<T: Send + 'static>(
    sqlite: &Sqlite,
    work: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
) -> Result<T> {
    let connection = sqlite.connect()?;
    blocking(move || work(&connection).map_err(refused)).await
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T> + Send + 'static,
) -> Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|error| Error::Refused(error.to_string()))?
}
