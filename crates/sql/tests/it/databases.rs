//! Empty databases of each dialect, thrown away after use.

use baton_sql::{OpenOptions, SqlStore};
use baton_testkit::{Database, Postgres};
use tempfile::TempDir;

/// A migrated SQLite database in a folder of its own.
pub struct Sqlite {
    pub store: SqlStore,
    _folder: TempDir,
}

pub async fn sqlite() -> Sqlite {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite://{}", folder.path().join("baton.db").display());
    let store = baton_sql::open(&url, &OpenOptions::default())
        .await
        .unwrap();
    Sqlite {
        store,
        _folder: folder,
    }
}

/// A migrated PostgreSQL database on the private server of this run.
pub async fn postgres() -> (SqlStore, Database) {
    let database = Postgres::shared().database();
    baton_sql::migrate(&database.url()).await.unwrap();
    let options = OpenOptions {
        allow_unsafe: true,
        ..OpenOptions::default()
    };
    (
        baton_sql::open(&database.url(), &options).await.unwrap(),
        database,
    )
}
