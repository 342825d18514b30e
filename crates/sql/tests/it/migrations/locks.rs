//! Migrations under running servers wait for their tables without making everybody else wait.

use std::time::Duration;

use baton_sql::inside::{POSTGRES, apply_to_postgres};
use baton_testkit::{Postgres, eventually};

use super::first_and;
use crate::databases;

const TIMEOUT: Duration = Duration::from_secs(30);

#[tokio::test]
async fn a_step_whose_table_is_held_lets_others_through_and_is_tried_again() {
    let database = Postgres::shared().database();
    let url = database.url();
    let holder = databases::connect(&url).await;
    let mut client = databases::connect(&url).await;
    super::apply_first_to_postgres(&mut client, POSTGRES.len()).await;
    holder
        .batch_execute("BEGIN; SELECT count(*) FROM jobs;")
        .await
        .unwrap();
    let steps = first_and(
        POSTGRES,
        POSTGRES.len(),
        "ALTER TABLE jobs ADD COLUMN more text;",
    );
    let migrating = tokio::spawn(async move { apply_to_postgres(&mut client, steps).await });
    let watcher = databases::connect(&url).await;
    let waiting = "SELECT count(*) FROM pg_locks WHERE relation = 'jobs'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted";
    let waits = async || databases::number(&watcher, waiting).await == 1;
    eventually("the step waits for its table", TIMEOUT, waits).await;

    // It stands behind the step, until that lets go.
    let read = databases::number(&watcher, "SELECT count(*) FROM jobs").await;
    holder.batch_execute("COMMIT").await.unwrap();

    assert_eq!(read, 0);
    assert_eq!(migrating.await.unwrap().unwrap(), ["9999_more"]);
}

#[tokio::test]
async fn an_index_is_made_beside_the_work_while_others_wait_to_migrate() {
    let database = Postgres::shared().database();
    let url = database.url();
    let mut clients = [
        databases::connect(&url).await,
        databases::connect(&url).await,
    ];
    super::apply_first_to_postgres(&mut clients[0], POSTGRES.len()).await;
    let holder = databases::connect(&url).await;
    holder
        .batch_execute("BEGIN; UPDATE jobs SET kind = kind; SELECT txid_current();")
        .await
        .unwrap();
    let sql = "-- More.\nDROP INDEX CONCURRENTLY IF EXISTS more;\nCREATE INDEX CONCURRENTLY more ON jobs (kind);\n";
    let steps = first_and(POSTGRES, POSTGRES.len(), sql);
    let migrating = clients
        .map(|mut client| tokio::spawn(async move { apply_to_postgres(&mut client, steps).await }));
    let watcher = databases::connect(&url).await;
    let making = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'CREATE INDEX%' AND wait_event_type = 'Lock'";
    let waits = async || databases::number(&watcher, making).await == 1;
    eventually("the index waits for who began before it", TIMEOUT, waits).await;

    // A write goes through meanwhile.
    watcher
        .batch_execute("UPDATE jobs SET kind = kind")
        .await
        .unwrap();
    holder.batch_execute("COMMIT").await.unwrap();

    let mut applied = Vec::new();
    for one in migrating {
        applied.extend(one.await.unwrap().unwrap());
    }
    assert_eq!(applied, ["9999_more"]);
    let valid = "SELECT count(*) FROM pg_index WHERE indexrelid = 'more'::regclass AND indisvalid";
    assert_eq!(databases::number(&watcher, valid).await, 1);
}
