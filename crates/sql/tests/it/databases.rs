//! Databases of each dialect, thrown away after use.

use std::path::PathBuf;

use baton_sql::{OpenOptions, SqlStore, inside::Kernel};
use baton_testkit::{Brand, Database, Mysql};
use mysql_async::prelude::Queryable;
use tempfile::TempDir;
use tokio_postgres::NoTls;

use crate::migrated;

/// A migrated SQLite database in a folder of its own.
pub struct Sqlite {
    pub store: SqlStore,
    _folder: TempDir,
}

impl Sqlite {
    /// A connection beside the store's own.
    pub fn connect(&self) -> rusqlite::Connection {
        let Kernel::Sqlite(kernel) = self.store.kernel() else {
            unreachable!("an SQLite database has the kernel of SQLite")
        };
        kernel.connect().unwrap()
    }
}

/// A place for an SQLite database that is not there yet.
pub struct EmptyFolder(TempDir);

impl EmptyFolder {
    pub fn file(&self) -> PathBuf {
        self.0.path().join("baton.db")
    }

    pub fn url(&self) -> String {
        format!("sqlite://{}", self.file().display())
    }

    pub fn connect(&self) -> rusqlite::Connection {
        baton_sql::inside::connect(&self.file(), rusqlite::OpenFlags::default()).unwrap()
    }
}

pub fn empty_folder() -> EmptyFolder {
    EmptyFolder(tempfile::tempdir().unwrap())
}

pub async fn sqlite() -> Sqlite {
    let folder = empty_folder();
    Sqlite {
        store: open(&folder.url()).await,
        _folder: folder.0,
    }
}

/// A migrated PostgreSQL database on the private server of this run.
pub async fn postgres() -> (SqlStore, Database) {
    let database = migrated::database().await.unwrap();
    (open(&database.url()).await, database)
}

/// A migrated database on the private MariaDB or MySQL of this run, and its URL.
pub async fn mysql(brand: Brand) -> (SqlStore, String) {
    let url = Mysql::shared(brand).database();
    baton_sql::migrate(&url).await.unwrap();
    (open(&url).await, url)
}

/// One number that MariaDB or MySQL says.
pub async fn number_of_mysql(url: &str, sql: &str) -> i64 {
    let mut session = mysql_async::Conn::from_url(url).await.unwrap();
    session.query_first(sql).await.unwrap().unwrap()
}

/// Opens a database of the tests: their servers do not flush.
pub async fn open(url: &str) -> SqlStore {
    baton_sql::open(url, &tolerant()).await.unwrap()
}

/// Whatever the database may lose.
pub fn tolerant() -> OpenOptions {
    OpenOptions {
        allow_unsafe: true,
        ..OpenOptions::default()
    }
}

/// A connection to PostgreSQL with no settings of ours.
pub async fn connect(url: &str) -> tokio_postgres::Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

/// One number that PostgreSQL says.
pub async fn number(client: &tokio_postgres::Client, sql: &str) -> i64 {
    client.query_one(sql, &[]).await.unwrap().get(0)
}
