//! Claims beside those of others, on MySQL: what stands together leaves the line together, and nobody waits for whoever has the next.

use std::time::Duration;

use baton_domain::WorkerId;
use baton_ports::store::{Atomicity, Jobs, Work};
use baton_sql::{SqlStore, inside::Kernel};
use baton_testkit::Brand;
use mysql_async::{Conn, prelude::Queryable};
use tokio::time::timeout;

use crate::{
    brands::on_each_brand,
    databases,
    hands::{DAWN, LEASE, claim, jobs},
};

on_each_brand!(
    a_claim_takes_what_stands_on_both_sides_of_what_somebody_else_has,
    a_claim_does_not_wait_for_whoever_has_the_next,
);

async fn a_claim_takes_what_stands_on_both_sides_of_what_somebody_else_has(brand: Brand) {
    let (store, _url) = databases::mysql(brand).await;
    store.enqueue(jobs(5, DAWN), Atomicity::All).await.unwrap();
    let mut other = connect(&store).await;
    let line = line(&mut other).await;
    lock(&mut other, &line[2]).await;

    let claimed = claimed(&store, 3).await;
    other.query_drop("ROLLBACK").await.unwrap();

    assert_eq!(claimed, [&line[..2], &line[3..4]].concat());
    assert_eq!(
        self::line(&mut other).await,
        [&line[2..3], &line[4..]].concat()
    );
}

async fn a_claim_does_not_wait_for_whoever_has_the_next(brand: Brand) {
    let (store, _url) = databases::mysql(brand).await;
    store.enqueue(jobs(6, DAWN), Atomicity::All).await.unwrap();
    let mut other = connect(&store).await;
    let line = line(&mut other).await;
    lock(&mut other, &line[0]).await;
    lock(&mut other, &line[4]).await;

    let claimed = timeout(Duration::from_secs(5), claimed(&store, 3)).await;
    other.query_drop("ROLLBACK").await.unwrap();

    assert_eq!(claimed.expect("nobody is waited for"), line[1..4]);
    assert_eq!(
        self::line(&mut other).await,
        [&line[..1], &line[4..]].concat()
    );
}

async fn claimed(store: &SqlStore, limit: u32) -> Vec<String> {
    let claim = claim(WorkerId::new(DAWN), limit, DAWN + LEASE);
    let claimed = store.claim(&claim, DAWN).await.unwrap();
    claimed
        .iter()
        .map(|one| one.args.id.uuid().to_string())
        .collect()
}

/// A connection beside the store's own.
async fn connect(store: &SqlStore) -> Conn {
    let Kernel::Mysql(mysql) = store.kernel() else {
        unreachable!()
    };
    mysql.connect().await.unwrap()
}

async fn line(session: &mut Conn) -> Vec<String> {
    let line = "SELECT job_id FROM ready ORDER BY queue, priority, run_at, job_id";
    session.query(line).await.unwrap()
}

/// Has a job in hand, as a claim does that is not over.
async fn lock(session: &mut Conn, job: &str) {
    let begin = "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED; SET autocommit = 0";
    session.query_drop(begin).await.unwrap();
    let place = format!("SELECT queue, priority, run_at FROM ready WHERE job_id = '{job}'");
    let (queue, priority, at): (String, i64, i64) =
        session.query_first(place).await.unwrap().unwrap();
    let lock = format!(
        "SELECT job_id FROM ready WHERE queue = '{queue}' AND priority = {priority} AND run_at = {at} AND job_id = '{job}' FOR UPDATE"
    );
    session.query_drop(lock).await.unwrap();
}
