//! Broken half-way: nothing of a step is left, and the next migration goes on from there.

use std::time::Duration;

use baton_sql::inside::{POSTGRES, SQLITE, apply_to_postgres, apply_to_sqlite};
use baton_testkit::{Postgres, eventually};

use super::{all, first_and};
use crate::databases;

#[tokio::test]
async fn a_step_that_fails_in_postgresql_leaves_nothing_of_itself() {
    let database = Postgres::shared().database();
    let mut client = databases::connect(&database.url()).await;
    let steps = first_and(POSTGRES, 1, "CREATE TABLE half (id integer); SELECT 1 / 0;");

    let error = apply_to_postgres(&mut client, steps).await.unwrap_err();

    assert!(error.to_string().contains("division by zero"), "{error}");
    let halves = "SELECT count(*) FROM pg_tables WHERE tablename = 'half'";
    assert_eq!(databases::number(&client, halves).await, 0);
    drop(client);
    let rest = baton_sql::migrate(&database.url()).await.unwrap();
    assert_eq!(rest, all(&POSTGRES[1..]));
}

#[tokio::test]
async fn a_step_that_fails_in_sqlite_leaves_nothing_of_the_whole_migration() {
    let folder = databases::empty_folder();
    let mut connection = folder.connect();
    let steps = first_and(
        SQLITE,
        1,
        "CREATE TABLE half (id integer); SELECT nonsense;",
    );

    let error = apply_to_sqlite(&mut connection, steps).unwrap_err();

    assert!(error.to_string().contains("nonsense"), "{error}");
    let tables = "SELECT count(*) FROM sqlite_master";
    let tables: i64 = connection.query_row(tables, [], |row| row.get(0)).unwrap();
    assert_eq!(tables, 0);
    let rest = baton_sql::migrate(&folder.url()).await.unwrap();
    assert_eq!(rest, all(SQLITE));
}

#[tokio::test]
async fn a_migration_that_is_killed_in_the_middle_of_a_step_is_gone_on_with_by_the_one_that_waits()
{
    let database = Postgres::shared().database();
    let url = database.url();
    let watcher = databases::connect(&url).await;
    let mut client = databases::connect(&url).await;
    let steps = first_and(
        POSTGRES,
        1,
        "CREATE TABLE half (id integer); SELECT pg_sleep(600);",
    );
    let killed = tokio::spawn(async move { apply_to_postgres(&mut client, steps).await });
    let asleep = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
    let is_asleep = async || databases::number(&watcher, asleep).await == 1;
    eventually("the step sleeps", Duration::from_secs(20), is_asleep).await;
    let waiting = tokio::spawn(async move { baton_sql::migrate(&url).await });
    let locked = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%pg_try_advisory_lock%' AND pid <> pg_backend_pid()";
    let waits = async || databases::number(&watcher, locked).await == 1;
    eventually("the other one waits", Duration::from_secs(20), waits).await;

    let kill = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'";
    databases::number(&watcher, kill).await;

    assert!(killed.await.unwrap().is_err());
    assert_eq!(waiting.await.unwrap().unwrap(), all(&POSTGRES[1..]));
    let halves = "SELECT count(*) FROM pg_tables WHERE tablename = 'half'";
    assert_eq!(databases::number(&watcher, halves).await, 0);
}
