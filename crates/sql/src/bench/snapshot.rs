//! A snapshot held open: what a forgotten session or a long report does to a queue.

use baton_ports::store::Result;
use mysql_async::prelude::Queryable;
use rusqlite::Connection;
use tokio_postgres::Client;

use super::{Tools, blocking, connect};
use crate::kernel::{Kernel, mysql, postgres::passing, sqlite::refused};

const LOOK: &str = "SELECT count(*) FROM jobs";

/// A transaction that has read something and goes on; it ends when this is dropped.
pub struct Snapshot {
    _held: OpenSnapshot,
}

#[expect(dead_code, reason = "held, not used")]
enum OpenSnapshot {
    Postgres(Client),
    Sqlite(Connection),
    Mysql(mysql_async::Conn),
}

impl Tools {
    /// Begins a transaction that sees the database as it is now, and reads the jobs in it.
    pub async fn snapshot(&self) -> Result<Snapshot> {
        let held = match self.store.kernel() {
            Kernel::Postgres(postgres) => {
                let client = connect(postgres.address()).await?;
                let begin = format!("BEGIN ISOLATION LEVEL REPEATABLE READ; {LOOK}");
                let begun = client.batch_execute(&begin).await;
                begun.map_err(|error| passing(&error))?;
                OpenSnapshot::Postgres(client)
            }
            Kernel::Sqlite(sqlite) => {
                let connection = sqlite.connect()?;
                blocking(move || begin(connection)).await?
            }
            Kernel::Mysql(mysql) => {
                let mut session = mysql.connect().await?;
                let begin = format!("START TRANSACTION WITH CONSISTENT SNAPSHOT; {LOOK}");
                let begun = session.query_drop(begin).await;
                begun.map_err(|error| mysql::passing(&error))?;
                OpenSnapshot::Mysql(session)
            }
        };
        Ok(Snapshot { _held: held })
    }
}

fn begin(connection: Connection) -> Result<OpenSnapshot> {
    connection.execute_batch("BEGIN").map_err(refused)?;
    let looked = connection.query_row(LOOK, [], |row| row.get::<_, i64>(0));
    looked.map_err(refused)?;
    Ok(OpenSnapshot::Sqlite(connection))
}
