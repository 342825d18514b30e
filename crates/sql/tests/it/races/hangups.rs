//! Whoever hangs up leaves no half-done work behind: a unit of work runs to its end without him.

use std::time::Duration;

use baton_domain::job::{JobSpec, NewJob};
use baton_ports::store::{Atomicity, Jobs, Work};
use baton_sql::{SqlStore, inside::Kernel};
use baton_testkit::{Brand, eventually};
use futures::future::join_all;
use mysql_async::prelude::Queryable;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::time::timeout;

use crate::{
    databases,
    hands::{DAWN, job, spec},
    races::onlooker::Onlooker,
};

on_each_server!(
    an_enqueue_that_is_dropped_half_way_is_done_or_not_and_the_pool_stays_clean,
    an_enqueue_that_is_dropped_while_it_waits_for_a_lock_is_done_when_the_lock_is_gone,
);

const HANGUPS: usize = 300;
const BATCH: usize = 20;
const TIMEOUT: Duration = Duration::from_secs(20);

async fn an_enqueue_that_is_dropped_half_way_is_done_or_not_and_the_pool_stays_clean(
    store: SqlStore,
    onlooker: Onlooker,
) {
    let mut chance = StdRng::seed_from_u64(1);

    let mut hung_up = 0;
    for round in 0..HANGUPS {
        let limit = Duration::from_micros(chance.random_range(0..3_000));
        // Where one of them decides for all, the commit waits for what was found.
        let atomicity = [Atomicity::All, Atomicity::Each][round % 2];
        let enqueue = store.enqueue(batch(round), atomicity);
        hung_up += usize::from(timeout(limit, enqueue).await.is_err());
    }

    assert!(hung_up > HANGUPS / 10, "{hung_up} of {HANGUPS} hung up");
    assert_nothing_is_open(&onlooker).await;
    assert_all_or_nothing(&onlooker).await;
    assert_everybody_is_served(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_node_that_stands_still_has_locked_is_free_again_within_seconds() {
    let (store, database) = databases::postgres().await;
    wait_for_its_time(&store).await;
    let frozen = databases::open(&database.url()).await;
    let Kernel::Postgres(kernel) = frozen.kernel() else {
        unreachable!()
    };
    let session = kernel.queue_client().await.unwrap();
    session.batch_execute(LOCK).await.unwrap();

    is_free_again(&store).await;
}

/// MySQL has no such limit.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_node_that_stands_still_has_locked_on_mariadb_is_free_again_within_seconds() {
    let (store, url) = databases::mysql(Brand::Mariadb).await;
    wait_for_its_time(&store).await;
    let frozen = databases::open(&url).await;
    let Kernel::Mysql(kernel) = frozen.kernel() else {
        unreachable!()
    };
    let mut session = kernel.session().await.unwrap();
    session.query_drop(LOCK).await.unwrap();

    is_free_again(&store).await;
}

const LOCK: &str = "BEGIN; SELECT job_id FROM waiting FOR UPDATE";

async fn wait_for_its_time(store: &SqlStore) {
    let due = NewJob {
        run_at: DAWN + Duration::from_secs(1),
        ..job(spec(), DAWN)
    };
    store.enqueue(vec![due], Atomicity::All).await.unwrap();
}

async fn is_free_again(store: &SqlStore) {
    let later = DAWN + Duration::from_secs(2);
    let is_released = async || store.release(10, later).await.unwrap().count == 1;

    assert!(!is_released().await);
    eventually("the lock is gone", TIMEOUT, is_released).await;
}

async fn an_enqueue_that_is_dropped_while_it_waits_for_a_lock_is_done_when_the_lock_is_gone(
    store: SqlStore,
    onlooker: Onlooker,
) {
    let taken = match onlooker {
        Onlooker::Postgres { .. } => {
            "BEGIN; INSERT INTO job_keys (key, job_id, content_hash, created_at) VALUES ('0:7', gen_random_uuid(), '', 0)"
        }
        Onlooker::Mysql { .. } => {
            "BEGIN; INSERT INTO job_keys (`key`, job_id, content_hash, created_at) VALUES ('0:7', uuid(), '', 0)"
        }
    };
    onlooker.say(taken).await;

    let enqueue = store.enqueue(batch(0), Atomicity::All);
    tokio::select! {
        _ = enqueue => unreachable!("its key is locked"),
        () = onlooker.wait_for(1) => {}
    }
    onlooker.say("ROLLBACK").await;

    let is_done = async || onlooker.count("jobs").await == 20;
    eventually("the unit is done", TIMEOUT, is_done).await;
    assert_nothing_is_open(&onlooker).await;
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

async fn assert_nothing_is_open(onlooker: &Onlooker) {
    let open = match onlooker {
        Onlooker::Postgres { .. } => {
            "SELECT count(*) FROM pg_stat_activity
             WHERE datname = current_database() AND application_name = 'baton' AND state <> 'idle'"
        }
        Onlooker::Mysql { .. } => {
            "SELECT count(*) FROM information_schema.innodb_trx WHERE trx_mysql_thread_id <> connection_id()"
        }
    };
    let is_clean = async || {
        onlooker.let_it_look_anew().await;
        onlooker.number(open).await == 0
    };
    eventually("no session is in a transaction", TIMEOUT, is_clean).await;
}

async fn assert_all_or_nothing(onlooker: &Onlooker) {
    let (round, whole) = match onlooker {
        Onlooker::Postgres { .. } => ("split_part(key, ':', 1)", "bigint"),
        Onlooker::Mysql { .. } => ("substring_index(`key`, ':', 1)", "signed"),
    };
    let torn = format!(
        "SELECT count(*) FROM (SELECT {round} FROM jobs GROUP BY 1 HAVING count(*) <> {BATCH}) AS torn"
    );
    let placed = "SELECT (SELECT count(*) FROM jobs) - (SELECT count(*) FROM ready)";
    let keyed = "SELECT (SELECT count(*) FROM jobs) - (SELECT count(*) FROM job_keys)";
    let told = format!(
        "SELECT (SELECT count(*) FROM jobs) - (SELECT CAST(coalesce(sum(n), 0) AS {whole}) FROM facts)"
    );

    for difference in [&torn, placed, keyed, &told] {
        assert_eq!(onlooker.number(difference).await, 0, "{difference}");
    }
}

/// More at once than there are connections: one that were lost or half-done would show.
async fn assert_everybody_is_served(store: &SqlStore) {
    let jobs = |round| store.enqueue(batch(1_000 + round), Atomicity::All);
    let served = join_all((0..50_usize).map(jobs)).await;
    assert!(served.iter().all(Result::is_ok), "{served:?}");
}
