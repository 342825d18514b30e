//! Migrated databases of the private PostgreSQL of this run, each a copy of one: to migrate takes longer than most tests do.

use std::panic::resume_unwind;

use baton_sql::OpenError;
use baton_testkit::{Database, Postgres};
use tokio::{sync::OnceCell, task::spawn_blocking};

static MIGRATED: OnceCell<Database> = OnceCell::const_new();

/// A database with the tables of today and nothing else, which nobody has opened yet.
pub async fn database() -> Result<Database, OpenError> {
    let server = Postgres::shared();
    let migrated = MIGRATED.get_or_try_init(async || {
        let database = server.database();
        baton_sql::migrate(&database.url()).await?;
        Ok::<_, OpenError>(database)
    });
    let migrated = migrated.await?;
    // Beside this thread, on which the connection that has migrated may be about to end.
    let copied = spawn_blocking(|| server.database_like(migrated)).await;
    Ok(copied.unwrap_or_else(|error| resume_unwind(error.into_panic())))
}
