//! The price of a commit: one row, one durable transaction.

use std::{sync::Arc, time::Duration};

use baton_ports::store::Result;
use mysql_async::prelude::Queryable;
use parking_lot::Mutex;
use rusqlite::Connection;
use tokio::time::Instant;
use tokio_postgres::{Client, Statement};

use super::{Tools, blocking, connect};
use crate::kernel::{
    Kernel, mysql,
    postgres::passing,
    sqlite::{Sqlite, refused},
};

const TABLE: &str = "CREATE TABLE bench_commits (payload text NOT NULL)";
const INSERT: &str = "INSERT INTO bench_commits (payload) VALUES ($1)";

/// Commits single rows to a table of its own, as durably as the store commits.
pub struct Commits {
    hand: Session,
    payload: String,
}

enum Session {
    Postgres(Client, Statement),
    Sqlite(Arc<Mutex<Connection>>),
    Mysql(Arc<tokio::sync::Mutex<mysql_async::Conn>>),
}

impl Tools {
    /// Prepares to commit rows of this payload.
    pub async fn commits(&self, payload: &str) -> Result<Commits> {
        let hand = match self.store.kernel() {
            Kernel::Postgres(postgres) => {
                let client = connect(postgres.address()).await?;
                prepare(client).await.map_err(|error| passing(&error))?
            }
            Kernel::Sqlite(sqlite) => open(sqlite)?,
            Kernel::Mysql(mysql) => {
                let mut session = mysql.connect().await?;
                let made = session.query_drop(TABLE).await;
                made.map_err(|error| mysql::passing(&error))?;
                Session::Mysql(Arc::new(tokio::sync::Mutex::new(session)))
            }
        };
        Ok(Commits {
            hand,
            payload: payload.to_owned(),
        })
    }
}

async fn prepare(client: Client) -> std::result::Result<Session, tokio_postgres::Error> {
    client.batch_execute(TABLE).await?;
    let statement = client.prepare(INSERT).await?;
    Ok(Session::Postgres(client, statement))
}

fn open(sqlite: &Sqlite) -> Result<Session> {
    let connection = sqlite.connect()?;
    connection.execute_batch(TABLE).map_err(refused)?;
    Ok(Session::Sqlite(Arc::new(Mutex::new(connection))))
}

impl Commits {
    /// Commits one row, and says how long that took.
    pub async fn one(&self) -> Result<Duration> {
        match &self.hand {
            Session::Postgres(client, statement) => {
                let begun = Instant::now();
                let done = client.execute(statement, &[&self.payload]).await;
                done.map_err(|error| passing(&error))?;
                Ok(begun.elapsed())
            }
            Session::Mysql(session) => {
                let mut session = session.lock().await;
                let begun = Instant::now();
                let insert = INSERT.replace("$1", "?");
                let done = session.exec_drop(insert, (&self.payload,)).await;
                done.map_err(|error| mysql::passing(&error))?;
                Ok(begun.elapsed())
            }
            Session::Sqlite(connection) => {
                let (connection, payload) = (Arc::clone(connection), self.payload.clone());
                // Measured where it happens: the way to the thread and back is none of the commit's.
                blocking(move || insert(&connection.lock(), &payload).map_err(refused)).await
            }
        }
    }
}

fn insert(connection: &Connection, payload: &str) -> rusqlite::Result<Duration> {
    let begun = Instant::now();
    connection.prepare_cached(INSERT)?.execute([payload])?;
    Ok(begun.elapsed())
}
