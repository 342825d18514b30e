//! Databases of MariaDB and MySQL that promises have used, and others use after them: to make all tables takes these servers longer
//! than most promises take.

use std::sync::{Mutex, PoisonError};

use baton_sql::inside::{MYSQL, statements};
use baton_testkit::{Brand, Mysql};
use mysql_async::{Conn, prelude::Queryable};

static UNUSED: Mutex<Vec<Database>> = Mutex::new(Vec::new());

struct Database {
    brand: Brand,
    url: String,
}

/// A migrated database with nothing in it.
pub async fn empty(brand: Brand) -> Result<Lent, String> {
    let found = {
        let mut unused = UNUSED.lock().unwrap_or_else(PoisonError::into_inner);
        let place = unused.iter().position(|one| one.brand == brand);
        place.map(|place| unused.swap_remove(place))
    };
    let database = match found {
        Some(used) => {
            let emptied = clear(&used).await;
            emptied.map_err(|error| error.to_string())?;
            used
        }
        None => migrated(brand).await?,
    };
    Ok(Lent(Some(database)))
}

async fn migrated(brand: Brand) -> Result<Database, String> {
    let url = Mysql::shared(brand).database();
    let migrated = baton_sql::migrate(&url).await;
    migrated.map_err(|error| error.to_string())?;
    Ok(Database { brand, url })
}

/// Gives a database back when it is dropped.
pub struct Lent(Option<Database>);

impl Lent {
    /// Where it is.
    pub fn url(&self) -> &str {
        self.0.as_ref().map_or("", |used| &used.url)
    }
}

impl Drop for Lent {
    fn drop(&mut self) {
        let mut unused = UNUSED.lock().unwrap_or_else(PoisonError::into_inner);
        unused.extend(self.0.take());
    }
}

/// MySQL refuses this list while somebody in it runs a statement with a letter of four bytes. The other table is empty on MariaDB by default.
const fn others(brand: Brand) -> &'static str {
    match brand {
        Brand::Mariadb => {
            "SELECT id FROM information_schema.processlist WHERE db = database() AND id <> connection_id()"
        }
        Brand::Mysql => {
            "SELECT processlist_id FROM performance_schema.threads WHERE processlist_db = database() AND processlist_id <> connection_id()"
        }
    }
}

const TABLES: &str = "SELECT table_name FROM information_schema.tables
    WHERE table_schema = database() AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'schema\\_%'";

/// Leaves what the migrations have left.
async fn clear(used: &Database) -> Result<(), mysql_async::Error> {
    let mut session = Conn::from_url(&used.url).await?;
    // What the promise before has left under way would else come to be seen in this one.
    for other in session.query::<u64, _>(others(used.brand)).await? {
        // It may have gone by itself.
        let _ = session.query_drop(format!("KILL {other}")).await;
    }
    let tables: Vec<String> = session.query(TABLES).await?;
    let emptied = tables.iter().map(|table| format!("DELETE FROM {table}"));
    let first_rows = MYSQL.iter().flat_map(|step| statements(step.sql));
    let first_rows = first_rows.filter(|statement| statement.starts_with("INSERT INTO"));
    let first_rows = first_rows.map(|statement| statement.trim_end_matches(';').to_owned());
    let all: Vec<_> = emptied.chain(first_rows).collect();
    session
        .query_drop(format!("BEGIN; {}; COMMIT", all.join(";\n")))
        .await?;
    session.disconnect().await
}
