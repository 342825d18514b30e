//! Migrated databases of the private PostgreSQL of this run, each a copy of one: to migrate takes longer than most tests do.

use baton_sql::OpenError;
use baton_testkit::{Database, Postgres};
use tokio::sync::OnceCell;

static MIGRATED: OnceCell<Database> = OnceCell::const_new();

/// A database with the tables of today and nothing else, which nobody has opened yet.
pub async fn database() -> Result<Database, OpenError> {
    let server = Postgres::shared();
    let migrated = MIGRATED.get_or_try_init(async || {
        let database = server.database();
        baton_sql::migrate(&database.url()).await?;
        Ok::<_, OpenError>(database)
    });
    Ok(server.database_like(migrated.await?))
}
