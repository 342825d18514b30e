//! The reconciler holds nobody up: it waits for no lock, takes none to look, and repairs one counter at a time.

use std::time::Duration;

use baton_ports::store::{Atomicity, Drift, Events, Jobs, Upkeep};
use baton_sql::SqlStore;
use baton_testkit::Brand;
use mysql_async::{Conn, prelude::Queryable};
use tokio::time::timeout;

use crate::{
    brands::on_each_brand,
    databases,
    hands::{DAWN, jobs},
};

on_each_brand!(
    the_reconciler_waits_for_nobody_who_numbers_facts_of_mysql,
    two_reconcilers_at_once_repair_a_counter_of_mysql_once,
);

/// Longer than a look at a few rows takes, and shorter than anybody waits for a lock.
const AT_ONCE: Duration = Duration::from_secs(5);
const WRONG: &str =
    "UPDATE queue_counts SET n = n + 7 WHERE queue = 'default' AND state = 'queued'";
/// Counters of uncertain jobs that are there no more.
const LEFT_OVER: &str = "INSERT INTO queue_counts (queue, state, n) VALUES ('default', 'uncertain', 1), ('cmp_1', 'uncertain', 1)";

#[tokio::test]
async fn the_reconciler_waits_for_nobody_who_numbers_facts() {
    let (store, database) = databases::postgres().await;
    store.enqueue(jobs(3, DAWN), Atomicity::All).await.unwrap();
    let client = databases::connect(&database.url()).await;
    client
        .batch_execute("BEGIN; SELECT 1 FROM stream WHERE id = 1 FOR UPDATE")
        .await
        .unwrap();

    let drifts = timeout(AT_ONCE, store.reconcile(DAWN)).await;

    assert_eq!(drifts.expect("it waits for a lock").unwrap(), []);
}

#[tokio::test]
async fn the_reconciler_waits_for_nobody_who_writes_to_sqlite() {
    let sqlite = databases::sqlite().await;
    sqlite
        .store
        .enqueue(jobs(3, DAWN), Atomicity::All)
        .await
        .unwrap();
    let writer = sqlite.connect();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();

    let drifts = timeout(AT_ONCE, sqlite.store.reconcile(DAWN)).await;

    assert_eq!(drifts.expect("it waits for the writer").unwrap(), []);
}

async fn the_reconciler_waits_for_nobody_who_numbers_facts_of_mysql(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    store.enqueue(jobs(3, DAWN), Atomicity::All).await.unwrap();
    let mut session = Conn::from_url(&url).await.unwrap();
    let lock = "BEGIN; SELECT 1 FROM stream WHERE id = 1 FOR UPDATE";
    session.query_drop(lock).await.unwrap();

    let drifts = timeout(AT_ONCE, store.reconcile(DAWN)).await;

    assert_eq!(drifts.expect("it waits for a lock").unwrap(), []);
}

async fn two_reconcilers_at_once_repair_a_counter_of_mysql_once(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    counted(&store).await;
    let mut session = Conn::from_url(&url).await.unwrap();
    session.query_drop(WRONG).await.unwrap();

    let repaired = reconcile_twice(&store).await;

    assert_eq!(repaired, [drift()]);
    assert_eq!(store.reconcile(DAWN).await.unwrap(), []);
    let n = "SELECT n FROM queue_counts WHERE queue = 'default' AND state = 'queued'";
    assert_eq!(databases::number_of_mysql(&url, n).await, 3);
}

#[tokio::test]
async fn two_reconcilers_at_once_repair_a_counter_of_postgresql_once() {
    let (store, database) = databases::postgres().await;
    counted(&store).await;
    let client = databases::connect(&database.url()).await;
    client.batch_execute(WRONG).await.unwrap();

    let repaired = reconcile_twice(&store).await;

    assert_eq!(repaired, [drift()]);
    assert_eq!(store.reconcile(DAWN).await.unwrap(), []);
    let n = "SELECT n FROM queue_counts WHERE queue = 'default' AND state = 'queued'";
    assert_eq!(databases::number(&client, n).await, 3);
}

#[tokio::test]
async fn two_reconcilers_at_once_repair_a_counter_of_sqlite_once() {
    let sqlite = databases::sqlite().await;
    counted(&sqlite.store).await;
    sqlite.connect().execute_batch(WRONG).unwrap();

    let repaired = reconcile_twice(&sqlite.store).await;

    assert_eq!(repaired, [drift()]);
    assert_eq!(sqlite.store.reconcile(DAWN).await.unwrap(), []);
}

#[tokio::test]
async fn jobs_that_an_older_program_forgot_without_a_word_are_uncertain_no_more() {
    let (store, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;
    client.batch_execute(LEFT_OVER).await.unwrap();
    let sqlite = databases::sqlite().await;
    sqlite.connect().execute_batch(LEFT_OVER).unwrap();

    for store in [&store, &sqlite.store] {
        let repaired = store.reconcile(DAWN).await.unwrap();

        let drift = Drift {
            queue: "default".to_owned(),
            state: "uncertain".to_owned(),
            counted: 1,
            found: 0,
        };
        assert_eq!(repaired, [drift], "the books of a campaign keep theirs");
    }
}

/// Three jobs in line, numbered.
async fn counted(store: &SqlStore) {
    store.enqueue(jobs(3, DAWN), Atomicity::All).await.unwrap();
    store.sequence(1_000, DAWN).await.unwrap();
}

fn drift() -> Drift {
    Drift {
        queue: "default".to_owned(),
        state: "queued".to_owned(),
        counted: 10,
        found: 3,
    }
}

/// What two reconcilers have repaired that have both looked before either repairs.
async fn reconcile_twice(store: &SqlStore) -> Vec<Drift> {
    let looks = [
        store.look_for_drift().await.unwrap(),
        store.look_for_drift().await.unwrap(),
    ];
    let mut repaired = Vec::new();
    for look in looks {
        repaired.extend(store.repair_drift(look, DAWN).await.unwrap());
    }
    repaired
}
