//! Whoever hangs up leaves no half-done work behind: a unit of work runs to its end without him.

use std::time::Duration;

use baton_domain::job::{JobSpec, NewJob};
use baton_ports::store::{Atomicity, Jobs, Work};
use baton_sql::{SqlStore, inside::Kernel};
use baton_testkit::eventually;
use futures::future::join_all;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::time::timeout;
use tokio_postgres::Client;

use crate::{
    databases,
    hands::{DAWN, job, spec},
};

const HANGUPS: usize = 300;
const BATCH: usize = 20;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_enqueue_that_is_dropped_half_way_is_done_or_not_and_the_pool_stays_clean() {
    let (store, database) = databases::postgres().await;
    let watcher = databases::connect(&database.url()).await;
    let mut chance = StdRng::seed_from_u64(1);

    let mut hung_up = 0;
    for round in 0..HANGUPS {
        let patience = Duration::from_micros(chance.random_range(0..3_000));
        // Where one of them decides for all, the commit waits for what was found.
        let atomicity = [Atomicity::All, Atomicity::Each][round % 2];
        let enqueue = store.enqueue(batch(round), atomicity);
        hung_up += usize::from(timeout(patience, enqueue).await.is_err());
    }

    assert!(hung_up > HANGUPS / 10, "{hung_up} of {HANGUPS} hung up");
    assert_nothing_is_open(&watcher).await;
    assert_all_or_nothing(&watcher).await;
    assert_everybody_is_served(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_node_that_stands_still_has_locked_is_free_again_within_seconds() {
    let (store, database) = databases::postgres().await;
    let due = NewJob {
        run_at: DAWN + Duration::from_secs(1),
        ..job(spec(), DAWN)
    };
    store.enqueue(vec![due], Atomicity::All).await.unwrap();
    let frozen = databases::open(&database.url()).await;
    let Kernel::Postgres(kernel) = frozen.kernel() else {
        unreachable!()
    };
    let session = kernel.queue_client().await.unwrap();
    let lock = "BEGIN; SELECT job_id FROM waiting FOR UPDATE";
    session.batch_execute(lock).await.unwrap();

    let later = DAWN + Duration::from_secs(2);
    let is_released = async || store.release(10, later).await.unwrap().count == 1;

    assert!(!is_released().await);
    eventually("the lock is gone", Duration::from_secs(20), is_released).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_enqueue_that_is_dropped_while_it_waits_for_a_lock_is_done_when_the_lock_is_gone() {
    let (store, database) = databases::postgres().await;
    let watcher = databases::connect(&database.url()).await;
    let holder = databases::connect(&database.url()).await;
    let lock = "BEGIN; INSERT INTO job_keys (key, job_id, content_hash, created_at) VALUES ('0:7', gen_random_uuid(), '', 0)";
    holder.batch_execute(lock).await.unwrap();
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    let waits = async || databases::number(&watcher, waiting).await == 1;

    let enqueue = store.enqueue(batch(0), Atomicity::All);
    tokio::select! {
        _ = enqueue => unreachable!("its key is locked"),
        () = eventually("it waits", Duration::from_secs(10), waits) => {}
    }
    holder.batch_execute("ROLLBACK").await.unwrap();

    let jobs = async || databases::number(&watcher, "SELECT count(*) FROM jobs").await;
    let is_done = async || jobs().await == 20;
    eventually("the unit is done", Duration::from_secs(10), is_done).await;
    assert_nothing_is_open(&watcher).await;
    assert_everybody_is_served(&store).await;
}

/// Jobs with keys: they take more than one statement, and so a transaction of some length.
fn batch(round: usize) -> Vec<NewJob> {
    let one = |i| JobSpec {
        key: Some(format!("{round}:{i}")),
        ..spec()
    };
    (0..BATCH).map(|i| job(one(i), DAWN)).collect()
}

async fn assert_nothing_is_open(watcher: &Client) {
    let open = "SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'baton' AND state <> 'idle'";
    let is_clean = async || databases::number(watcher, open).await == 0;
    eventually(
        "no session is in a transaction",
        Duration::from_secs(10),
        is_clean,
    )
    .await;
}

async fn assert_all_or_nothing(watcher: &Client) {
    let torn = "SELECT count(*) FROM (SELECT split_part(key, ':', 1) FROM jobs GROUP BY 1 HAVING count(*) <> 20) AS torn";
    let placed = "SELECT (SELECT count(*) FROM jobs) - (SELECT count(*) FROM ready)";
    let keyed = "SELECT (SELECT count(*) FROM jobs) - (SELECT count(*) FROM job_keys)";
    let told =
        "SELECT (SELECT count(*) FROM jobs) - (SELECT coalesce(sum(n), 0)::bigint FROM facts)";

    for difference in [torn, placed, keyed, told] {
        assert_eq!(
            databases::number(watcher, difference).await,
            0,
            "{difference}"
        );
    }
}

/// More at once than there are connections: one that were lost or half-done would show.
async fn assert_everybody_is_served(store: &SqlStore) {
    let jobs = |round| store.enqueue(batch(1_000 + round), Atomicity::All);
    let served = join_all((0..50_usize).map(jobs)).await;
    assert!(served.iter().all(Result::is_ok), "{served:?}");
}
