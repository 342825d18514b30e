//! SQLite, PostgreSQL, MariaDB and MySQL keep every promise of a store.

#[path = "../migrated/postgres.rs"]
mod migrated;
mod used;

use std::{process::ExitCode, sync::Arc};

use baton_ports::promises::{Fresh, StoreFactory, run};
use baton_sql::{OpenOptions, SqlStore};
use baton_testkit::Brand;

fn main() -> ExitCode {
    let sqlite: StoreFactory = Arc::new(|| Box::pin(sqlite()));
    let postgres: StoreFactory = Arc::new(|| Box::pin(postgres()));
    let mariadb: StoreFactory = Arc::new(|| Box::pin(mysql(Brand::Mariadb)));
    let mysql: StoreFactory = Arc::new(|| Box::pin(mysql(Brand::Mysql)));
    run(&[
        ("on_sqlite", sqlite),
        ("on_postgres", postgres),
        ("on_mariadb", mariadb),
        ("on_mysql", mysql),
    ])
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
    let database = migrated::database().await;
    let database = database.map_err(|error| error.to_string())?;
    let store = open(&database.url()).await?;
    Ok(Fresh {
        store: Arc::new(store),
        keep: Box::new(database),
    })
}

async fn mysql(brand: Brand) -> Result<Fresh, String> {
    let database = used::empty(brand).await?;
    Ok(Fresh {
        store: Arc::new(open(database.url()).await?),
        keep: Box::new(database),
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
