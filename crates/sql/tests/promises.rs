//! SQLite, PostgreSQL and MariaDB keep every promise of a store.

use std::{process::ExitCode, sync::Arc};

use baton_ports::promises::{Fresh, StoreFactory, run};
use baton_sql::{OpenOptions, SqlStore};
use baton_testkit::{Mariadb, Postgres};

fn main() -> ExitCode {
    let sqlite: StoreFactory = Arc::new(|| Box::pin(sqlite()));
    let postgres: StoreFactory = Arc::new(|| Box::pin(postgres()));
    let mysql: StoreFactory = Arc::new(|| Box::pin(mysql()));
    run(&[("sqlite", sqlite), ("postgres", postgres), ("mysql", mysql)])
}

async fn sqlite() -> Result<Fresh, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let url = format!("sqlite://{}", folder.path().join("baton.db").display());
    let store = open(&url).await?;
    Ok(Fresh {
        store: Arc::new(store),
        keep: Box::new(folder),
    })
}

async fn postgres() -> Result<Fresh, String> {
    let database = Postgres::shared().database();
    baton_sql::migrate(&database.url())
        .await
        .map_err(|error| error.to_string())?;
    let store = open(&database.url()).await?;
    Ok(Fresh {
        store: Arc::new(store),
        keep: Box::new(database),
    })
}

async fn mysql() -> Result<Fresh, String> {
    let url = Mariadb::shared().database();
    baton_sql::migrate(&url)
        .await
        .map_err(|error| error.to_string())?;
    let store = open(&url).await?;
    Ok(Fresh {
        store: Arc::new(store),
        keep: Box::new(()),
    })
}

/// The servers of the tests do not flush: they outlive the crash of a process, not of the machine.
async fn open(url: &str) -> Result<SqlStore, String> {
    let options = OpenOptions {
        allow_unsafe: true,
        ..OpenOptions::default()
    };
    baton_sql::open(url, &options)
        .await
        .map_err(|error| error.to_string())
}
