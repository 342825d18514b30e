//! Migrating PostgreSQL, under running servers.

use std::time::Duration;

use tokio::time::{Instant, sleep};
use tokio_postgres::{Client, Error, GenericClient, Row, error::SqlState, types::ToSql};

use super::{Applied, Step, ledger, missing, names, statements};
use crate::open::OpenError;

/// How often one that waits asks for its turn.
const TURN: Duration = Duration::from_millis(100);
/// How long a step waits for a table that others use. Everybody who comes after it waits behind it.
const LOCK_TIMEOUT: &str = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '2s'";
/// How long to leave the table to the others before the next try.
const PAUSE: Duration = Duration::from_millis(500);
/// For how long a step is tried.
const RETRY_FOR: Duration = Duration::from_mins(2);

/// Applies what is missing, each step in a transaction of its own. The lock is held by the session, so
/// that of eight nodes that start at once one works and seven wait.
pub async fn apply(client: &mut Client, steps: &'static [Step]) -> Result<Vec<String>, OpenError> {
    const UNLOCK: &str = "SELECT pg_advisory_unlock(hashtext('baton schema'))";
    wait_for_turn(client).await?;
    let missing = missing(steps, &applied(client).await?)?;
    client.batch_execute(ledger::TABLE).await?;
    for step in &missing {
        retrying_for(client, step).await?;
    }
    client.batch_execute(UNLOCK).await?;
    Ok(names(&missing))
}

/// Asks again and again instead of waiting inside a statement: an index that is made beside the work waits for
/// every statement that began before it.
async fn wait_for_turn(client: &Client) -> Result<(), Error> {
    const LOCK: &str = "SELECT pg_try_advisory_lock(hashtext('baton schema'))";
    while !client.query_one(LOCK, &[]).await?.get::<_, bool>(0) {
        sleep(TURN).await;
    }
    Ok(())
}

/// Applies a step as soon as the tables it changes can be had for a moment.
async fn retrying_for(client: &mut Client, step: &Step) -> Result<(), OpenError> {
    let deadline = Instant::now() + RETRY_FOR;
    loop {
        let tried = if is_concurrent(step) {
            beside_the_work(client, step).await
        } else {
            at_once(client, step).await
        };
        match tried {
            Err(error) if is_in_use(&error) && Instant::now() < deadline => sleep(PAUSE).await,
            Err(error) if is_in_use(&error) => {
                return Err(OpenError::Occupied {
                    step: step.name.to_owned(),
                    tried_for: RETRY_FOR,
                });
            }
            tried => return Ok(tried?),
        }
    }
}

async fn at_once(client: &mut Client, step: &Step) -> Result<(), Error> {
    let transaction = client.transaction().await?;
    transaction.batch_execute(LOCK_TIMEOUT).await?;
    transaction.batch_execute(step.sql).await?;
    note(&transaction, step).await?;
    transaction.commit().await
}

/// Applies a step that makes an index beside the work, which no transaction can hold: statement by statement,
/// each of which can be repeated.
async fn beside_the_work(client: &mut Client, step: &Step) -> Result<(), Error> {
    client.batch_execute("SET statement_timeout = 0").await?;
    for statement in statements(step.sql) {
        client.batch_execute(&statement).await?;
    }
    let transaction = client.transaction().await?;
    note(&transaction, step).await?;
    transaction.commit().await
}

fn is_concurrent(step: &Step) -> bool {
    statements(step.sql).any(|sql| sql.contains(" CONCURRENTLY "))
}

fn is_in_use(error: &Error) -> bool {
    let states = [
        SqlState::LOCK_NOT_AVAILABLE,
        SqlState::T_R_DEADLOCK_DETECTED,
    ];
    error.code().is_some_and(|code| states.contains(code))
}

async fn note(client: &impl GenericClient, step: &Step) -> Result<(), Error> {
    let (digest, oldest) = (
        step.digest(),
        i32::try_from(step.oldest).unwrap_or(i32::MAX),
    );
    let row: [&(dyn ToSql + Sync); 3] = [&step.name, &digest, &oldest];
    client.execute(ledger::NOTE, &row).await.map(drop)
}

/// What is applied.
pub async fn applied(client: &Client) -> Result<Applied, OpenError> {
    const HAS_LEDGER: &str = "SELECT to_regclass('schema_migrations') IS NOT NULL,
        EXISTS (SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('schema_migrations') AND attname = 'oldest_program')";
    let found = client.query_one(HAS_LEDGER, &[]).await?;
    match (found.get(0), found.get(1)) {
        (false, _) => Ok(Applied::new()),
        (true, false) => Err(OpenError::UnreleasedSchema),
        (true, true) => {
            let rows = client.query(ledger::READ, &[]).await?;
            let entry =
                |row: &Row| ledger::entry(row.get(0), row.get(1), i64::from(row.get::<_, i32>(2)));
            Ok(rows.iter().map(entry).collect())
        }
    }
}
