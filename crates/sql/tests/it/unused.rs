//! A queue that is forgotten at the very moment a job comes to it is made again by the next look for lines.

use baton_domain::WorkerId;
use baton_ports::store::{Atomicity, Jobs, Queues, Upkeep, Work};
use baton_sql::SqlStore;
use baton_testkit::Brand;
use mysql_async::prelude::Queryable;

use crate::{
    brands::on_each_brand,
    databases,
    hands::{DAWN, LEASE, claim, jobs},
};

on_each_brand!(a_job_whose_queue_was_forgotten_meanwhile_is_claimed_from_mysql,);

const FORGET: &str = "DELETE FROM queues WHERE name = 'default'";

#[tokio::test]
async fn a_job_whose_queue_was_forgotten_meanwhile_is_claimed_from_postgresql() {
    let (store, database) = databases::postgres().await;
    store.enqueue(jobs(1, DAWN), Atomicity::All).await.unwrap();
    let client = databases::connect(&database.url()).await;
    client.batch_execute(FORGET).await.unwrap();

    assert_claimed(&store).await;
}

#[tokio::test]
async fn a_job_whose_queue_was_forgotten_meanwhile_is_claimed_from_sqlite() {
    let sqlite = databases::sqlite().await;
    sqlite
        .store
        .enqueue(jobs(1, DAWN), Atomicity::All)
        .await
        .unwrap();
    sqlite.connect().execute_batch(FORGET).unwrap();

    assert_claimed(&sqlite.store).await;
}

async fn a_job_whose_queue_was_forgotten_meanwhile_is_claimed_from_mysql(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;
    store.enqueue(jobs(1, DAWN), Atomicity::All).await.unwrap();
    let mut session = mysql_async::Conn::from_url(&url).await.unwrap();
    session.query_drop(FORGET).await.unwrap();

    assert_claimed(&store).await;
}

async fn assert_claimed(store: &SqlStore) {
    let lines = store.ready_queues().await.unwrap();

    let claim = claim(WorkerId::new(DAWN), 1, DAWN + LEASE);
    let claimed = store.claim(&claim, DAWN).await.unwrap();

    let names: Vec<_> = lines.iter().map(|queue| queue.name.as_str()).collect();
    assert_eq!((names, claimed.len()), (vec!["default"], 1));
    assert_eq!(store.queues(DAWN).await.unwrap().len(), 1);
    assert_eq!(store.reconcile(DAWN).await.unwrap(), []);
}
