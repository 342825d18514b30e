//! Migrations: forward-only steps, each applied once, in order, under a lock.
//!
//! What was applied is written down with a digest of its text: a step that was changed afterwards is
//! found, and so is a schema that is newer than this program.

use std::collections::HashMap;

use ring::digest;

use crate::open::OpenError;

/// One step.
#[derive(Debug)]
pub struct Step {
    /// Its name: a number and what it does.
    pub name: &'static str,
    /// Its statements.
    pub sql: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/migrations.rs"));

/// What is already applied: digests by name.
pub type Applied = HashMap<String, String>;

/// The ledger of steps; safe to run at any time.
pub const LEDGER: &str =
    "CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, digest text NOT NULL)";

impl Step {
    /// The digest of its text.
    pub fn digest(&self) -> String {
        let digest = digest::digest(&digest::SHA256, self.sql.as_bytes());
        digest.as_ref()[..8]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}

/// The steps that are still to be applied.
///
/// # Errors
/// When the schema is not one that this program's steps lead to.
pub fn missing(steps: &'static [Step], applied: &Applied) -> Result<Vec<&'static Step>, OpenError> {
    let is_known = |name: &String| steps.iter().any(|step| step.name == name);
    if let Some(name) = applied.keys().find(|name| !is_known(name)) {
        return Err(OpenError::NewerSchema { step: name.clone() });
    }
    let changed = |step: &&Step| {
        applied
            .get(step.name)
            .is_some_and(|digest| *digest != step.digest())
    };
    if let Some(step) = steps.iter().find(changed) {
        return Err(OpenError::ChangedSchema {
            step: step.name.to_owned(),
        });
    }
    Ok(steps
        .iter()
        .filter(|step| !applied.contains_key(step.name))
        .collect())
}

/// Applies what is missing to SQLite, in one transaction.
pub fn sqlite(
    connection: &mut rusqlite::Connection,
    steps: &'static [Step],
) -> Result<Vec<String>, OpenError> {
    let transaction =
        connection.transaction_with_behavior(rusqlite::TransactionBehavior::Exclusive)?;
    transaction.execute_batch(LEDGER)?;
    let missing = missing(steps, &sqlite_applied(&transaction)?)?;
    for step in &missing {
        transaction.execute_batch(step.sql)?;
        let row = (step.name, step.digest());
        transaction.execute(
            "INSERT INTO schema_migrations (name, digest) VALUES (?1, ?2)",
            row,
        )?;
    }
    transaction.commit()?;
    Ok(names(&missing))
}

/// What is applied to an SQLite database.
pub fn sqlite_applied(connection: &rusqlite::Connection) -> Result<Applied, OpenError> {
    let is_new = "SELECT count(*) FROM sqlite_master WHERE name = 'schema_migrations'";
    if connection.query_row(is_new, [], |row| row.get::<_, i64>(0))? == 0 {
        return Ok(Applied::new());
    }
    let mut statement = connection.prepare("SELECT name, digest FROM schema_migrations")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Applies what is missing to PostgreSQL, each step in a transaction of its own. The lock is held by
/// the session, so that of eight nodes that start at once one works and seven wait.
pub async fn postgres(
    client: &mut tokio_postgres::Client,
    steps: &'static [Step],
) -> Result<Vec<String>, OpenError> {
    const LOCK: &str = "SELECT pg_advisory_lock(hashtext('baton schema'))";
    const UNLOCK: &str = "SELECT pg_advisory_unlock(hashtext('baton schema'))";
    client.batch_execute(LOCK).await?;
    client.batch_execute(LEDGER).await?;
    let missing = missing(steps, &postgres_applied(client).await?)?;
    for step in &missing {
        let transaction = client.transaction().await?;
        transaction
            .batch_execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '10s'")
            .await?;
        transaction.batch_execute(step.sql).await?;
        let (name, digest) = (step.name, step.digest());
        let insert = "INSERT INTO schema_migrations (name, digest) VALUES ($1, $2)";
        transaction.execute(insert, &[&name, &digest]).await?;
        transaction.commit().await?;
    }
    client.batch_execute(UNLOCK).await?;
    Ok(names(&missing))
}

/// What is applied to a PostgreSQL database.
pub async fn postgres_applied(client: &tokio_postgres::Client) -> Result<Applied, OpenError> {
    let is_new = "SELECT to_regclass('schema_migrations') IS NULL";
    if client.query_one(is_new, &[]).await?.get(0) {
        return Ok(Applied::new());
    }
    let rows = client
        .query("SELECT name, digest FROM schema_migrations", &[])
        .await?;
    Ok(rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

fn names(steps: &[&Step]) -> Vec<String> {
    steps.iter().map(|step| step.name.to_owned()).collect()
}
