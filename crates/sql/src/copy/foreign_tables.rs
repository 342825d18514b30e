//! Whose tables are in a database that has none of ours: an installation is copied to an empty one only.

use mysql_async::prelude::Queryable;

use crate::open::{self, Location, OpenError};

/// A database of ours has one of these from its first statement on.
const OURS: [&str; 2] = ["schema_migrations", "schema_under_way"];

/// Refuses a database in which another program has tables.
pub async fn refuse(url: &str) -> Result<(), OpenError> {
    let tables = tables(url).await?;
    let is_begun = tables.iter().any(|table| OURS.contains(&&**table));
    match tables.first() {
        Some(table) if !is_begun => Err(OpenError::NotCopied(format!(
            "the database to be filled is another program's: it has a table {table}. Nothing was changed; give an empty database"
        ))),
        _ => Ok(()),
    }
}

async fn tables(url: &str) -> Result<Vec<String>, OpenError> {
    match open::place(url)? {
        // Another program's file is opened as no database at all.
        Location::Sqlite(_) => Ok(Vec::new()),
        Location::Postgres(address) => {
            let sql = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1";
            let rows = open::reach(&address).await?.query(sql, &[]).await?;
            Ok(rows.iter().map(|row| row.get(0)).collect())
        }
        Location::Mysql(address) => {
            let sql = "SELECT CAST(table_name AS char) FROM information_schema.tables WHERE table_schema = database() ORDER BY 1";
            let mut session = open::connect_to_mysql(&address).await?;
            Ok(session.query(sql).await?)
        }
    }
}
