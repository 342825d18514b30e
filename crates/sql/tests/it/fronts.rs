//! Claims beside those of others, on MySQL: what stands together leaves the line together, and nobody waits for whoever has the next.

use std::{collections::BTreeSet, time::Duration};

use baton_domain::{JobId, WorkerId};
use baton_ports::store::{Atomicity, By, Jobs, SettleOutcome, Work};
use baton_sql::{SqlStore, inside::Kernel};
use baton_testkit::{Brand, Mysql};
use futures::future::join_all;
use mysql_async::{Conn, prelude::Queryable};
use tokio::time::timeout;

use crate::{
    brands::on_each_brand,
    databases,
    hands::{DAWN, LEASE, claim, jobs, success},
};

on_each_brand!(
    a_claim_takes_what_stands_on_both_sides_of_what_somebody_else_has,
    a_claim_does_not_wait_for_whoever_has_the_next,
    a_crowd_of_nodes_claims_and_settles_each_job_once_and_without_a_deadlock,
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

async fn a_crowd_of_nodes_claims_and_settles_each_job_once_and_without_a_deadlock(brand: Brand) {
    let server = Mysql::start_with(brand, &[]);
    let url = server.database();
    baton_sql::migrate(&url).await.unwrap();
    let stores = join_all((0..8).map(|_| databases::open(&url))).await;
    for _ in 0..JOBS / BATCH {
        let batch = jobs(BATCH, DAWN);
        stores[0].enqueue(batch, Atomicity::All).await.unwrap();
    }

    let done = join_all(stores.iter().map(work_off)).await.concat();

    assert_eq!(done.len(), JOBS);
    assert_eq!(done.iter().collect::<BTreeSet<_>>().len(), JOBS);
    let database = url.rsplit('/').next().unwrap();
    for (place, left) in [
        ("ready", 0),
        ("leased", 0),
        ("leased_blocks", 0),
        ("leases", 0),
        ("results", JOBS),
    ] {
        let count = server.execute(&format!("SELECT count(*) FROM {database}.{place}"));
        assert_eq!(count.trim(), left.to_string(), "{place}");
    }
    let deadlocks =
        "SELECT count FROM information_schema.innodb_metrics WHERE name = 'lock_deadlocks'";
    let last = server.execute("SHOW ENGINE INNODB STATUS");
    assert_eq!(server.execute(deadlocks).trim(), "0", "{last}");
}

const JOBS: usize = 4_000;
const BATCH: usize = 500;

/// Claims and settles, in two halves at once, until nothing is left; says what has succeeded.
async fn work_off(store: &SqlStore) -> Vec<JobId> {
    let worker = WorkerId::new(DAWN);
    let mut done = Vec::new();
    loop {
        let wish = claim(worker, 40, DAWN + LEASE);
        let claimed = store.claim(&wish, DAWN).await.unwrap();
        if claimed.is_empty() {
            return done;
        }
        let results: Vec<_> = claimed.iter().map(|one| success(one, DAWN)).collect();
        let (some, others) = results.split_at(results.len() / 2);
        let (first, second) = tokio::join!(
            store.settle(By::Worker(worker), some, DAWN),
            store.settle(By::Worker(worker), others, DAWN)
        );
        let answers = [first.unwrap(), second.unwrap()].concat();
        assert!(
            answers
                .iter()
                .all(|answer| *answer == SettleOutcome::Recorded)
        );
        done.extend(claimed.iter().map(|one| one.args.id));
    }
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
