//! Migrating SQLite: everything that is missing, in one transaction.

use rusqlite::{Connection, TransactionBehavior, types::ToSql};

use super::{Applied, Step, ledger, missing, names};
use crate::open::OpenError;

/// Applies what is missing.
pub fn apply(
    connection: &mut Connection,
    steps: &'static [Step],
) -> Result<Vec<String>, OpenError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
    transaction.execute_batch(ledger::TABLES)?;
    let missing = missing(steps, &applied(&transaction)?)?;
    for step in &missing {
        transaction.execute_batch(step.sql)?;
        note(&transaction, step)?;
    }
    transaction.commit()?;
    Ok(names(&missing))
}

fn note(connection: &Connection, step: &Step) -> Result<(), OpenError> {
    let digest = step.digest();
    let row: [&dyn ToSql; 3] = [&step.name, &digest, &step.oldest];
    for (sql, has_line) in ledger::notes(step) {
        connection.execute(sql, if has_line { &row } else { &row[..2] })?;
    }
    Ok(())
}

/// What is applied.
pub fn applied(connection: &Connection) -> Result<Applied, OpenError> {
    let mut all = Applied::new();
    if has(connection, "schema_migrations")? {
        let mut statement = connection.prepare("SELECT name, digest FROM schema_migrations")?;
        let rows = statement.query_map([], |row| Ok(ledger::strict(row.get(0)?, row.get(1)?)))?;
        for row in rows {
            all.extend([row?]);
        }
    }
    if has(connection, "schema_steps")? {
        let sql = "SELECT name, digest, oldest_program FROM schema_steps";
        let mut statement = connection.prepare(sql)?;
        let open =
            |row: &rusqlite::Row<'_>| Ok(ledger::open(row.get(0)?, row.get(1)?, row.get(2)?));
        for row in statement.query_map([], open)? {
            all.extend([row?]);
        }
    }
    Ok(all)
}

fn has(connection: &Connection, table: &str) -> Result<bool, OpenError> {
    let sql = "SELECT count(*) FROM sqlite_master WHERE name = ?1";
    Ok(connection.query_row(sql, [table], |row| row.get::<_, i64>(0))? > 0)
}
