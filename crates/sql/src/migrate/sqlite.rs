//! Migrating SQLite: everything that is missing, in one transaction.

use rusqlite::{Connection, TransactionBehavior};

use super::{Applied, Step, ledger, missing, names};
use crate::open::OpenError;

/// Applies what is missing.
pub fn apply(
    connection: &mut Connection,
    steps: &'static [Step],
) -> Result<Vec<String>, OpenError> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Exclusive)?;
    let missing = missing(steps, &applied(&transaction)?)?;
    transaction.execute_batch(ledger::TABLE)?;
    for step in &missing {
        transaction.execute_batch(step.sql)?;
        transaction.execute(ledger::NOTE, (step.name, step.digest(), step.oldest))?;
    }
    transaction.commit()?;
    Ok(names(&missing))
}

/// What is applied.
pub fn applied(connection: &Connection) -> Result<Applied, OpenError> {
    const COLUMNS: &str = "SELECT count(*), coalesce(max(name = 'oldest_program'), 0) FROM pragma_table_info('schema_migrations')";
    let found = connection.query_row(COLUMNS, [], |row| Ok((row.get(0)?, row.get(1)?)))?;
    match found {
        (0_i64, _) => is_empty(connection).map(|()| Applied::new()),
        (_, false) => Err(OpenError::UnreleasedSchema),
        (_, true) => {
            let mut statement = connection.prepare(ledger::READ)?;
            let rows = statement.query_map([], |row| {
                Ok(ledger::entry(row.get(0)?, row.get(1)?, row.get(2)?))
            })?;
            Ok(rows.collect::<Result<_, _>>()?)
        }
    }
}

/// A file of another program is left as it is.
fn is_empty(connection: &Connection) -> Result<(), OpenError> {
    let sql = "SELECT count(*) FROM sqlite_master";
    match connection.query_row(sql, [], |row| row.get(0))? {
        0_i64 => Ok(()),
        _ => Err(OpenError::NotOurs {
            path: connection.path().unwrap_or_default().into(),
            why: "it holds tables of another program".to_owned(),
        }),
    }
}
