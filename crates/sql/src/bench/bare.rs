//! The bare expansion: what the database itself takes for one row for each recipient.
//!
//! An audience is written chunk by chunk, with nothing kept but the row and a cursor.

use std::time::Duration;

use baton_ports::store::Result;
use mysql_async::prelude::Queryable;
use rusqlite::Connection;
use tokio::time::Instant;
use tokio_postgres::Client;

use super::{Tools, connect, on};
use crate::kernel::{Kernel, mysql, postgres::passing, sqlite::Sqlite};

/// A campaign's id as far as its deliveries have it in common: ten digits too short.
const CAMPAIGN: &str = "0199a1b2-c3d4-7e5f-8a9b-00";
const CAMPAIGN_ID: &str = "cmp_0199a1b2-c3d4-7e5f-8a9b-000000000000";

/// What makes a delivery of a job, where both are one row: whose it is, once in a campaign, and a place
/// among those that are to be sent. And where the walk is.
const KEYS: &str = "ALTER TABLE bench_deliveries ADD COLUMN recipient text NOT NULL DEFAULT '';
    ALTER TABLE bench_deliveries ADD COLUMN state text NOT NULL DEFAULT 'queued';
    CREATE UNIQUE INDEX bench_recipients ON bench_deliveries (queue, recipient);
    CREATE INDEX bench_to_send ON bench_deliveries (queue, priority, run_at, id) WHERE state = 'queued';
    CREATE TABLE bench_cursor (at bigint NOT NULL);
    INSERT INTO bench_cursor (at) VALUES (0)";
const GONE: &str = "DROP TABLE bench_deliveries, bench_cursor";

impl Tools {
    /// Writes a delivery, and nothing else, for each of so many recipients, numbered from 1; says how long
    /// each chunk took, its commit included.
    pub async fn expand_bare(&self, recipients: i64, chunk: i64) -> Result<Vec<Duration>> {
        match self.store.kernel() {
            Kernel::Postgres(postgres) => {
                let client = connect(postgres.address()).await?;
                let walked = walk(&client, recipients, chunk).await;
                walked.map_err(|error| passing(&error))
            }
            Kernel::Sqlite(sqlite) => walk_file(sqlite, recipients, chunk).await,
            Kernel::Mysql(mysql) => {
                let mut session = mysql.connect().await?;
                let walked = walk_mysql(&mut session, recipients, chunk).await;
                walked.map_err(|error| mysql::passing(&error))
            }
        }
    }
}

async fn walk(
    client: &Client,
    recipients: i64,
    chunk: i64,
) -> std::result::Result<Vec<Duration>, tokio_postgres::Error> {
    client
        .batch_execute("CREATE TABLE bench_deliveries (LIKE jobs INCLUDING ALL)")
        .await?;
    client.batch_execute(KEYS).await?;
    let id = format!("('{CAMPAIGN}' || lpad(to_hex(number), 10, '0'))::uuid");
    let payload =
        format!("'{{\"recipient_id\":' || to_json(id) || ',\"campaign_id\":\"{CAMPAIGN_ID}\"}}'");
    let insert = insert(&id, &payload);
    let statement = format!("WITH j AS ({insert}) UPDATE bench_cursor SET at = $2");
    let statement = client.prepare(&statement).await?;
    let mut took = Vec::new();
    for after in starts(recipients, chunk) {
        let begun = Instant::now();
        client
            .execute(&statement, &[&after, &(after + chunk)])
            .await?;
        took.push(begun.elapsed());
    }
    // Or the server sweeps through it beside what is measured next.
    client.batch_execute(GONE).await?;
    Ok(took)
}

async fn walk_file(sqlite: &Sqlite, recipients: i64, chunk: i64) -> Result<Vec<Duration>> {
    on(sqlite, move |connection| {
        make_tables(connection)?;
        let id = format!("'{CAMPAIGN}' || printf('%010x', number)");
        let payload = format!("json_object('recipient_id', id, 'campaign_id', '{CAMPAIGN_ID}')");
        let insert = insert(&id, &payload);
        let mut took = Vec::new();
        for after in starts(recipients, chunk) {
            let begun = Instant::now();
            connection.execute_batch("BEGIN IMMEDIATE")?;
            connection
                .prepare_cached(&insert)?
                .execute([after, after + chunk])?;
            connection
                .prepare_cached("UPDATE bench_cursor SET at = ?1")?
                .execute([after + chunk])?;
            connection.execute_batch("COMMIT")?;
            took.push(begun.elapsed());
        }
        Ok(took)
    })
    .await
}

async fn walk_mysql(
    session: &mut mysql_async::Conn,
    recipients: i64,
    chunk: i64,
) -> std::result::Result<Vec<Duration>, mysql_async::Error> {
    session
        .query_drop("CREATE TABLE bench_deliveries LIKE jobs")
        .await?;
    // A text can only be a key as far as its length is known, and there is no index on a part of the rows.
    let keys = KEYS.replace("text", "varchar(255)");
    session
        .query_drop(keys.replace(" WHERE state = 'queued'", ""))
        .await?;
    let id = format!("concat('{CAMPAIGN}', lpad(lower(hex(number)), 10, '0'))");
    let payload = format!("json_object('recipient_id', id, 'campaign_id', '{CAMPAIGN_ID}')");
    let insert = insert(&id, &payload).replace("ON CONFLICT DO NOTHING", "");
    let mut took = Vec::new();
    for after in starts(recipients, chunk) {
        let begun = Instant::now();
        let before = after + chunk;
        let rows = insert
            .replace("$1", &after.to_string())
            .replace("$2", &before.to_string());
        let cursor = format!("UPDATE bench_cursor SET at = {before}");
        session
            .query_drop(format!("BEGIN; {rows}; {cursor}; COMMIT"))
            .await?;
        took.push(begun.elapsed());
    }
    session.query_drop(GONE).await?;
    Ok(took)
}

/// SQLite has no LIKE for tables: the text of the one there is makes the other.
fn make_tables(connection: &Connection) -> rusqlite::Result<()> {
    let text = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = 'jobs'";
    let made: String = connection.query_row(text, [], |row| row.get(0))?;
    connection.execute_batch(&made.replacen("jobs", "bench_deliveries", 1))?;
    connection.execute_batch(KEYS)
}

fn insert(id: &str, payload: &str) -> String {
    format!(
        "INSERT INTO bench_deliveries (id, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, delivery, tags, created_at, recipient)
         SELECT {id}, 'delivery', '{CAMPAIGN_ID}', 0, {payload}, 1700000000000000, 4, '', 30000000, 'at_least_once', '[]', 1700000000000000, id
         FROM recipients WHERE number > $1 AND number <= $2 ORDER BY number ON CONFLICT DO NOTHING"
    )
}

fn starts(recipients: i64, chunk: i64) -> impl Iterator<Item = i64> {
    (0..recipients).step_by(usize::try_from(chunk.max(1)).unwrap_or(1))
}
