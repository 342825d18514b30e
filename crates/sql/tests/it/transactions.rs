//! Transactions of several statements on PostgreSQL: sent in one go with their commit, and all of it or nothing.

use baton_sql::{
    SqlStore,
    inside::{ConnectionPool, Script, Statement, Unit, Value},
};
use tokio_postgres::Client;

use crate::databases;

/// Writes a small number down; larger ones cannot even be sent.
static WRITE: Script = Script {
    name: "test/write",
    postgres: &[Statement {
        sql: "INSERT INTO numbers (n) VALUES ($1)",
        params: &["n"],
    }],
    sqlite: &[],
    mysql: &[],
};
const TABLE: &str = "CREATE TABLE numbers (n smallint CHECK (n > 0))";
const TOO_LARGE: i64 = 70_000;
const FORBIDDEN: i64 = -1;

#[tokio::test]
async fn a_transaction_without_a_condition_is_committed_with_its_statements() {
    let (store, database) = databases::postgres().await;
    let watcher = databases::connect(&database.url()).await;
    watcher.batch_execute(TABLE).await.unwrap();

    write(&store, &[1, 2, 3]).await.unwrap();

    assert_eq!(written(&watcher).await, [1, 2, 3]);
}

#[tokio::test]
async fn one_statement_that_fails_takes_the_others_back_and_its_connection_goes_on() {
    let (store, database) = databases::postgres().await;
    let watcher = databases::connect(&database.url()).await;
    watcher.batch_execute(TABLE).await.unwrap();

    for wrong in [FORBIDDEN, TOO_LARGE] {
        for numbers in [[wrong, 1, 2], [1, wrong, 2], [1, 2, wrong]] {
            assert!(write(&store, &numbers).await.is_err(), "{numbers:?}");
        }
    }
    write(&store, &[7, 8]).await.unwrap();

    assert_eq!(written(&watcher).await, [7, 8]);
}

async fn write(store: &SqlStore, numbers: &[i64]) -> Result<(), baton_ports::store::Error> {
    let scripts = numbers
        .iter()
        .map(|n| (&WRITE, vec![("n", Value::Int(*n))]));
    let unit = Unit {
        scripts: scripts.collect(),
        keep: None,
    };
    store
        .kernel()
        .transact(ConnectionPool::Queue, unit)
        .await
        .map(drop)
}

async fn written(watcher: &Client) -> Vec<i16> {
    let rows = watcher.query("SELECT n FROM numbers ORDER BY n", &[]).await;
    rows.unwrap().iter().map(|row| row.get(0)).collect()
}
