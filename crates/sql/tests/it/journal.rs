//! The journal of SQLite: copied beside the writer, and begun anew.

use std::{fs, path::Path, time::Duration};

use baton_ports::store::{Error, Upkeep};
use baton_sql::{
    SqlStore,
    inside::{ConnectionPool, Script, Statement},
};
use baton_testkit::eventually;

use crate::databases;

const TABLE: &str = "CREATE TABLE ballast (bytes blob)";
const MEGABYTE: u64 = 1_000_000;
static WRITE: Script = Script {
    name: "test/write",
    postgres: &[],
    sqlite: &[Statement {
        sql: "INSERT INTO ballast VALUES (randomblob(1000000))",
        params: &[],
    }],
    mysql: &[],
};

#[tokio::test]
async fn the_journal_begins_anew_however_much_is_written() {
    let folder = databases::empty_folder();
    let store = databases::open(&folder.url()).await;
    folder.connect().execute_batch(TABLE).unwrap();

    write(&store, 200).await;

    let journal = folder.file().with_extension("db-wal");
    assert!(size(&journal) < 120 * MEGABYTE, "{}", size(&journal));
}

#[tokio::test]
async fn what_is_committed_is_copied_beside_the_writer() {
    let folder = databases::empty_folder();
    let store = databases::open(&folder.url()).await;
    folder.connect().execute_batch(TABLE).unwrap();

    write(&store, 10).await;
    assert!(
        size(&folder.file()) < 5 * MEGABYTE,
        "not before it is worth it"
    );
    write(&store, 10).await;

    eventually(
        "most of it lies in the database",
        Duration::from_secs(30),
        async || size(&folder.file()) > 16 * MEGABYTE,
    )
    .await;
}

#[tokio::test]
async fn a_database_that_was_closed_is_one_file_with_everything_in_it() {
    let folder = databases::empty_folder();
    let store = databases::open(&folder.url()).await;
    folder.connect().execute_batch(TABLE).unwrap();
    write(&store, 3).await;
    store.time().await.unwrap();

    store.close().await;

    let journal = folder.file().with_extension("db-wal");
    assert!(!journal.exists(), "{} bytes", size(&journal));
    assert!(size(&folder.file()) > 3 * MEGABYTE);
}

#[tokio::test]
async fn what_stood_in_line_is_written_before_a_database_closes_and_nothing_after() {
    let folder = databases::empty_folder();
    let store = databases::open(&folder.url()).await;
    folder.connect().execute_batch(TABLE).unwrap();

    let ((), (), ()) = tokio::join!(biased; write(&store, 1), write(&store, 1), store.close());
    let late = store
        .kernel()
        .write(ConnectionPool::Queue, &WRITE, Vec::new())
        .await;
    let look = store.time().await;

    assert!(matches!(late, Err(Error::Unavailable(_))), "{late:?}");
    assert!(matches!(look, Err(Error::Unavailable(_))), "{look:?}");
    let count = folder
        .connect()
        .query_row("SELECT count(*) FROM ballast", [], |row| row.get(0));
    assert_eq!(count, Ok(2));
}

async fn write(store: &SqlStore, megabytes: usize) {
    for _ in 0..megabytes {
        let written = store
            .kernel()
            .write(ConnectionPool::Queue, &WRITE, Vec::new())
            .await;
        written.unwrap();
    }
}

fn size(file: &Path) -> u64 {
    fs::metadata(file).unwrap().len()
}
