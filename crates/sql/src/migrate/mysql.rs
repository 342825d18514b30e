//! Migrating MySQL and MariaDB, where every statement that makes or changes a table is a transaction of its own.
//!
//! How far a step has come stands in `schema_under_way`, so that one that was cut off goes on where it stood. Only its next statement
//! may have been carried out without having been counted: what that one finds made already, the step itself has made.

use std::time::Duration;

use mysql_async::{Conn, Error, prelude::Queryable};
use tokio::time::{Instant, sleep};

use super::{Applied, Step, ledger, missing, names, statements, unfinalized};
use crate::{kernel::mysql::MEANING, open::OpenError};

/// A step waits for a table that others use no longer than this: everybody who comes after it waits behind it. How long it works is its own affair.
const SETTINGS: &str = "SET SESSION lock_wait_timeout = 2 /*M! , max_statement_time = 0, idle_transaction_timeout = 0 */";
/// Names and keys are compared by their bytes, to the last space.
const COLLATE: &str = "ALTER DATABASE CHARACTER SET utf8mb4 COLLATE /*M! utf8mb4_nopad_bin */ /*!80000 utf8mb4_0900_bin */";
const LEDGER: &str = "CREATE TABLE IF NOT EXISTS schema_migrations (name varchar(255) PRIMARY KEY, digest varchar(64) NOT NULL, oldest_program integer NOT NULL);
CREATE TABLE IF NOT EXISTS schema_under_way (name varchar(255) PRIMARY KEY, done bigint NOT NULL)";
const LOCK: &str = "SELECT get_lock(sha2(concat('baton schema ', database()), 256), 10)";
const UNLOCK: &str = "DO release_lock(sha2(concat('baton schema ', database()), 256))";

/// Whether a server has ever worked here.
const HAS_WORKED: &str = "SELECT 1 FROM (SELECT 1) x
WHERE EXISTS (SELECT 1 FROM facts) OR EXISTS (SELECT 1 FROM jobs) OR EXISTS (SELECT 1 FROM workers) OR EXISTS (SELECT 1 FROM nodes)
  OR EXISTS (SELECT 1 FROM leadership WHERE node IS NOT NULL)";
/// Workers, and who leads, that are there and do not say so as a node: programs from before there were nodes.
const OLDER_WORKERS: &str = "SELECT w.name FROM workers w
WHERE w.left_at IS NULL AND w.remote IS NULL AND w.seen_at + coalesce(w.lease_us, 30000000) > timestampdiff(MICROSECOND, '1970-01-01', utc_timestamp(6))
  AND NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = w.id)
UNION ALL
SELECT concat('the leader ', l.node) FROM leadership l
WHERE l.until > timestampdiff(MICROSECOND, '1970-01-01', utc_timestamp(6)) AND NOT EXISTS (SELECT 1 FROM nodes n WHERE n.id = l.node) AND NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = l.node)
ORDER BY 1";

/// How long to leave the table to the others before the next try, and for how long a step is tried.
const PAUSE: Duration = Duration::from_millis(500);
const RETRY_FOR: Duration = Duration::from_mins(2);

/// A lock was waited for too long; a deadlock.
const IN_USE: [u16; 2] = [1205, 1213];
/// A table, a column, an index or a row is there already; what was to be dropped is not.
const DONE_ALREADY: [u16; 5] = [1050, 1060, 1061, 1062, 1091];

/// Applies what is missing. The lock is held by the session, so that of eight nodes that start at once one works and seven wait.
pub async fn apply(session: &mut Conn, steps: &'static [Step]) -> Result<Vec<String>, OpenError> {
    session.query_drop(MEANING).await?;
    session.query_drop(SETTINGS).await?;
    lock(session).await?;
    let missing = missing(steps, &applied(session).await?)?;
    // Not everybody may change it who may use it.
    if other_collation(session).await?.is_some() {
        session.query_drop(COLLATE).await?;
    }
    if !missing.is_empty() {
        session.query_drop(LEDGER).await?;
    }
    for step in &missing {
        carry_out(session, step).await?;
    }
    // Where no server has ever worked, nobody goes back to an older program.
    let is_held_back = unfinalized(steps, &applied(session).await?)
        .next()
        .is_some();
    if is_held_back && session.query_first::<i64, _>(HAS_WORKED).await?.is_none() {
        finalize_steps(session, steps).await?;
    }
    session.query_drop(UNLOCK).await?;
    Ok(names(&missing))
}

/// Lets the program use what no older one understands, and names the steps; those programs may not run on the database any more.
pub async fn finalize(
    session: &mut Conn,
    steps: &'static [Step],
) -> Result<Vec<String>, OpenError> {
    let older: Vec<String> = session.query(OLDER_WORKERS).await?;
    if !older.is_empty() {
        return Err(OpenError::OlderPrograms { workers: older });
    }
    finalize_steps(session, steps).await
}

async fn finalize_steps(
    session: &mut Conn,
    steps: &'static [Step],
) -> Result<Vec<String>, OpenError> {
    let applied = applied(session).await?;
    let held_back: Vec<_> = unfinalized(steps, &applied).collect();
    for Step {
        name, finalized, ..
    } in &held_back
    {
        let raised = format!(
            "UPDATE schema_migrations SET oldest_program = {finalized} WHERE name = '{name}'"
        );
        session.query_drop(raised).await?;
    }
    Ok(names(&held_back))
}

/// How texts are compared where nothing else is said, if not as ours are: in scratch tables, and in what is read from JSON. A dump
/// that is read back brings the tables' own rules, and not this one.
pub async fn other_collation(session: &mut Conn) -> Result<Option<String>, OpenError> {
    let ours = ["utf8mb4_nopad_bin", "utf8mb4_0900_bin"];
    let found: Option<String> = session.query_first("SELECT @@collation_database").await?;
    Ok(found.filter(|found| !ours.contains(&&**found)))
}

async fn lock(session: &mut Conn) -> Result<(), OpenError> {
    loop {
        match session.query_first::<Option<i64>, _>(LOCK).await?.flatten() {
            Some(1) => return Ok(()),
            Some(_) => {}
            // Nobody is waited for then: it would be asked again at once, for ever.
            None => {
                return Err(OpenError::Refused(
                    "the server gives no lock on the schema (get_lock says nothing)".to_owned(),
                ));
            }
        }
    }
}

async fn carry_out(session: &mut Conn, step: &Step) -> Result<(), OpenError> {
    let name = step.name;
    let begun = format!("SELECT done FROM schema_under_way WHERE name = '{name}'");
    let done: usize = session.query_first(begun).await?.unwrap_or(0);
    for (place, statement) in statements(step.sql).enumerate().skip(done) {
        let is_next = place == done;
        match retrying_for(session, &statement).await {
            Err(Error::Server(said)) if is_next && DONE_ALREADY.contains(&said.code) => {}
            Err(error) if is_in_use(&error) => {
                return Err(OpenError::Occupied {
                    step: name.to_owned(),
                    tried_for: RETRY_FOR,
                });
            }
            carried_out => carried_out?,
        }
        let count = place + 1;
        let counted =
            format!("REPLACE INTO schema_under_way (name, done) VALUES ('{name}', {count})");
        session.query_drop(counted).await?;
    }
    let (digest, oldest) = (step.digest(), step.oldest);
    let noted = format!(
        "BEGIN; INSERT INTO schema_migrations (name, digest, oldest_program) VALUES ('{name}', '{digest}', {oldest}); \
         DELETE FROM schema_under_way WHERE name = '{name}'; COMMIT"
    );
    Ok(session.query_drop(noted).await?)
}

/// Carries out a statement as soon as the table it changes can be had for a moment.
async fn retrying_for(session: &mut Conn, statement: &str) -> Result<(), Error> {
    let deadline = Instant::now() + RETRY_FOR;
    loop {
        match session.query_drop(statement).await {
            Err(error) if is_in_use(&error) && Instant::now() < deadline => sleep(PAUSE).await,
            tried => return tried,
        }
    }
}

fn is_in_use(error: &Error) -> bool {
    matches!(error, Error::Server(said) if IN_USE.contains(&said.code))
}

/// What is applied.
pub async fn applied(session: &mut Conn) -> Result<Applied, OpenError> {
    const HAS_LEDGER: &str = "SELECT count(*) FROM information_schema.tables WHERE table_schema = database() AND table_name = 'schema_migrations'";
    if session.query_first(HAS_LEDGER).await? != Some(1) {
        return Ok(Applied::new());
    }
    let rows: Vec<(String, String, i64)> = session.query(ledger::READ).await?;
    let entries = rows.into_iter();
    Ok(entries
        .map(|(name, digest, oldest)| ledger::entry(name, digest, oldest))
        .collect())
}
