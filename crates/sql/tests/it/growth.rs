//! What grows comes back: history goes by age in small batches, and a drained queue leaves no rows.

use std::time::Duration;

use baton_domain::{
    JobId, Timestamp, WorkerId,
    job::{JobSpec, State},
};
use baton_ports::store::{
    Atomicity, By, Events, Jobs, Pruned, Retention, SettleOutcome, Upkeep, Work,
};
use baton_sql::SqlStore;
use baton_testkit::Brand;

use crate::{
    brands::on_each_brand,
    databases::{self, Sqlite},
    hands::{DAWN, LEASE, claim, job, jobs, spec, success},
};

on_each_brand!(a_drained_mysql_leaves_no_rows_where_jobs_were,);

const DAY: u64 = 24 * 60 * 60;
const HISTORY: i64 = 50_000;
const LIMIT: u32 = 4_000;

/// History old enough to be forgotten.
const POSTGRES: &str = "
INSERT INTO jobs (id, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, delivery, tags, created_at)
SELECT ('018bcfe5-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'mail', 'default', 0, '{}', 1, 4, '{}', 1, 'at_least_once', '[]', 1
FROM generate_series(1, 50000) AS i;
INSERT INTO settlements (worker_id, leases, claimed_at, ended_at) SELECT id, ARRAY[id], ARRAY[1], 1 FROM jobs LIMIT 25;
INSERT INTO successes (job_id, settlement_id, lease, queued_at)
SELECT id, (SELECT min(id) FROM settlements) + row_number() OVER (ORDER BY id) / 1000, 1, 1 FROM jobs ORDER BY id LIMIT 24900;
INSERT INTO success_batches (first, last, n, worker_id, lease_id, claimed_at, ended_at, jobs, queued_ats, started_ats)
SELECT ids[1], ids[1000], 1000, ids[1], ids[1], 1, 1, ids, array_fill(1, ARRAY[1000]), array_fill(1, ARRAY[1000])
FROM (SELECT array_agg(id ORDER BY id) AS ids FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS i FROM jobs) j WHERE i BETWEEN 30000 AND 44999 GROUP BY i / 1000) k;
INSERT INTO finished (job_id, state, finished_at, attempt, tries, losses, run)
SELECT id, 'succeeded', 1, 1, 1, 0, 1 FROM jobs WHERE id NOT IN (SELECT job_id FROM successes) AND id NOT IN (SELECT unnest(jobs) FROM success_batches);
INSERT INTO attempts (job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, ended_at, outcome, state, tries, losses)
SELECT job_id, 1, 1, job_id, job_id, 1, 1, 1, 'succeeded', 'succeeded', 1, 0 FROM finished;
INSERT INTO late_results (job_id, attempt, outcome, at, adopted) SELECT id, 1, 'failed', 1, false FROM jobs LIMIT 1000;
INSERT INTO redrives (job_id, run, at, finished_at) SELECT id, 1, 1, 1 FROM jobs LIMIT 1000;
INSERT INTO job_keys (key, job_id, content_hash, created_at) SELECT id::text, id, '', 1 FROM jobs;
INSERT INTO inboxes (recipient, unread, version) SELECT row_number() OVER (), 1, 1 FROM jobs;
INSERT INTO inbox (recipient, seq, id, category, title, body, created_at) SELECT row_number() OVER (), 1, id, 'a', 't', 'b', 1 FROM jobs;
INSERT INTO notifications (id, key, content_hash, sent, created_at) SELECT id, id::text, '', '[]', 1 FROM jobs;
INSERT INTO facts (last_seq, n, type, at, subject) SELECT i, 1, 'old', 1, 's' FROM generate_series(1, 50000) AS i;
UPDATE stream SET last_seq = 50000;
";

const SQLITE: &str = "
CREATE TEMP TABLE numbers AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) SELECT i FROM n;
INSERT INTO jobs (id, kind, queue, priority, payload, run_at, max_attempts, backoff, timeout_us, delivery, tags, created_at)
SELECT printf('018bcfe5-0000-7000-8000-%012x', i), 'mail', 'default', 0, '{}', 1, 4, '{}', 1, 'at_least_once', '[]', 1 FROM numbers;
INSERT INTO settlements (worker_id, leases, claimed_at, ended_at) SELECT id, json_array(id), json_array(1), 1 FROM jobs LIMIT 25;
INSERT INTO successes (job_id, settlement_id, lease, queued_at)
SELECT id, (SELECT min(id) FROM settlements) + row_number() OVER (ORDER BY id) / 1000, 1, 1 FROM jobs ORDER BY id LIMIT 24900;
INSERT INTO finished (job_id, state, finished_at, attempt, tries, losses, run)
SELECT id, 'succeeded', 1, 1, 1, 0, 1 FROM jobs WHERE id NOT IN (SELECT job_id FROM successes);
INSERT INTO attempts (job_id, attempt, run, lease_id, worker_id, queued_at, claimed_at, ended_at, outcome, state, tries, losses)
SELECT job_id, 1, 1, job_id, job_id, 1, 1, 1, 'succeeded', 'succeeded', 1, 0 FROM finished;
INSERT INTO late_results (job_id, attempt, outcome, at, adopted) SELECT id, 1, 'failed', 1, 0 FROM jobs LIMIT 1000;
INSERT INTO redrives (job_id, run, at, finished_at) SELECT id, 1, 1, 1 FROM jobs LIMIT 1000;
INSERT INTO job_keys (key, job_id, content_hash, created_at) SELECT id, id, '', 1 FROM jobs;
INSERT INTO inboxes (recipient, unread, version) SELECT row_number() OVER (), 1, 1 FROM jobs;
INSERT INTO inbox (recipient, seq, id, category, title, body, created_at) SELECT row_number() OVER (), 1, id, 'a', 't', 'b', 1 FROM jobs;
INSERT INTO notifications (id, key, content_hash, sent, created_at) SELECT id, id, '', '[]', 1 FROM jobs;
INSERT INTO facts (last_seq, n, type, at, subject) SELECT i, 1, 'old', 1, 's' FROM numbers;
UPDATE stream SET last_seq = 50000;
";

#[tokio::test]
async fn history_goes_in_small_batches_from_postgresql_and_live_jobs_stay() {
    let (store, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;
    client.batch_execute(POSTGRES).await.unwrap();
    let live = Live::beside(&store).await;
    let count = async |table: &str| {
        databases::number(&client, &format!("SELECT count(*) FROM {table}")).await
    };

    let pruned = prune(&store, later(8)).await;

    assert_small_and_complete(&pruned);
    live.assert_untouched(&store).await;
    assert_eq!(count("jobs").await, live.count());
    assert_eq!(count("success_batches").await, 1);
    for table in [
        "successes",
        "finished",
        "attempts",
        "late_results",
        "redrives",
        "job_keys",
        "inbox",
        "notifications",
    ] {
        assert_eq!(count(table).await, 0, "{table}");
    }
}

#[tokio::test]
async fn history_goes_in_small_batches_from_sqlite_and_live_jobs_stay() {
    let sqlite = databases::sqlite().await;
    sqlite.connect().execute_batch(SQLITE).unwrap();
    let live = Live::beside(&sqlite.store).await;

    let pruned = prune(&sqlite.store, later(8)).await;

    assert_small_and_complete(&pruned);
    live.assert_untouched(&sqlite.store).await;
    assert_eq!(count(&sqlite, "jobs"), live.count());
    assert_eq!(count(&sqlite, "successes"), 100);
    for table in [
        "finished",
        "attempts",
        "late_results",
        "redrives",
        "job_keys",
        "inbox",
        "notifications",
    ] {
        assert_eq!(count(&sqlite, table), 0, "{table}");
    }
}

#[tokio::test]
async fn a_drained_postgresql_leaves_no_rows_where_jobs_were() {
    let (store, database) = databases::postgres().await;
    let client = databases::connect(&database.url()).await;

    drain(&store).await;

    for table in ["ready", "waiting", "leases", "cancellations"] {
        let rows = format!("SELECT count(*) FROM {table}");
        assert_eq!(databases::number(&client, &rows).await, 0, "{table}");
    }
    prune(&store, later(9)).await;
    for table in [
        "jobs",
        "success_batches",
        "successes",
        "settlements",
        "finished",
        "attempts",
        "facts",
    ] {
        let rows = format!("SELECT count(*) FROM {table}");
        assert_eq!(databases::number(&client, &rows).await, 0, "{table}");
    }
}

#[tokio::test]
async fn a_drained_sqlite_leaves_no_rows_where_jobs_were() {
    let sqlite = databases::sqlite().await;

    drain(&sqlite.store).await;

    for table in ["ready", "waiting", "leases", "leased", "cancellations"] {
        assert_eq!(count(&sqlite, table), 0, "{table}");
    }
    prune(&sqlite.store, later(9)).await;
    for table in [
        "jobs",
        "successes",
        "settlements",
        "finished",
        "attempts",
        "facts",
    ] {
        assert_eq!(count(&sqlite, table), 0, "{table}");
    }
}

async fn a_drained_mysql_leaves_no_rows_where_jobs_were(brand: Brand) {
    let (store, url) = databases::mysql(brand).await;

    drain(&store).await;

    for table in [
        "ready",
        "waiting",
        "leases",
        "leased",
        "leased_blocks",
        "cancellations",
    ] {
        let rows = format!("SELECT count(*) FROM {table}");
        assert_eq!(databases::number_of_mysql(&url, &rows).await, 0, "{table}");
    }
    prune(&store, later(9)).await;
    for table in [
        "jobs",
        "successes",
        "success_blocks",
        "settlements",
        "finished",
        "attempts",
        "facts",
    ] {
        let rows = format!("SELECT count(*) FROM {table}");
        assert_eq!(databases::number_of_mysql(&url, &rows).await, 0, "{table}");
    }
}

/// A hundred jobs in each place, as old as the history beside them.
struct Live(Vec<(State, Vec<JobId>)>);

impl Live {
    async fn beside(store: &SqlStore) -> Self {
        let worker = WorkerId::new(DAWN);
        let month = JobSpec {
            delay: Some(Duration::from_secs(30 * DAY)),
            ..spec()
        };
        let mut places = Vec::new();
        for state in [
            State::Running,
            State::Succeeded,
            State::Queued,
            State::Pending,
        ] {
            let jobs: Vec<_> = match state {
                State::Pending => (0..100).map(|_| job(month.clone(), DAWN)).collect(),
                _ => jobs(100, DAWN),
            };
            places.push((state, jobs.iter().map(|job| job.id).collect()));
            store.enqueue(jobs, Atomicity::All).await.unwrap();
            if state == State::Running || state == State::Succeeded {
                let claimed = store
                    .claim(&claim(worker, 100, DAWN + LEASE), DAWN)
                    .await
                    .unwrap();
                let done = claimed.iter().filter(|_| state == State::Succeeded);
                let done: Vec<_> = done.map(|one| success(one, later(7))).collect();
                store
                    .settle(By::Worker(worker), &done, later(7))
                    .await
                    .unwrap();
            }
        }
        Self(places)
    }

    fn count(&self) -> i64 {
        100 * i64::try_from(self.0.len()).unwrap()
    }

    async fn assert_untouched(&self, store: &SqlStore) {
        for (state, ids) in &self.0 {
            for id in ids {
                let job = store.job(*id).await.unwrap();
                assert_eq!(job.map(|job| job.state), Some(*state), "{id}");
            }
        }
    }
}

/// Turns of the pruner until there is nothing to forget.
async fn prune(store: &SqlStore, now: Timestamp) -> Vec<Pruned> {
    while store.sequence(10_000, now).await.unwrap().count > 0 {}
    let retention = Retention {
        inbox: Duration::from_secs(7 * DAY),
        ..Retention::default()
    };
    let mut turns = Vec::new();
    loop {
        let pruned = store.prune(&retention, LIMIT, now).await.unwrap();
        if pruned.is_empty() {
            return turns;
        }
        turns.push(pruned);
    }
}

fn assert_small_and_complete(turns: &[Pruned]) {
    let sizes = turns.iter().flat_map(|turn| {
        let Pruned {
            jobs,
            events,
            keys,
            items,
            notifications,
            ..
        } = *turn;
        [jobs, events, keys, items, notifications]
    });
    assert!(sizes.max() <= Some(LIMIT), "{turns:?}");
    let jobs: u32 = turns.iter().map(|turn| turn.jobs).sum();
    assert_eq!(i64::from(jobs), HISTORY);
    let needed = HISTORY.unsigned_abs().div_ceil(LIMIT.into());
    assert!(turns.len() as u64 <= needed + 1, "{} turns", turns.len());
}

/// Takes a backlog from the first job to the last.
async fn drain(store: &SqlStore) {
    let worker = WorkerId::new(DAWN);
    let soon = JobSpec {
        delay: Some(Duration::from_mins(1)),
        ..spec()
    };
    let delayed = (0..500).map(|_| job(soon.clone(), DAWN)).collect();
    store
        .enqueue(jobs(1_500, DAWN), Atomicity::All)
        .await
        .unwrap();
    store.enqueue(delayed, Atomicity::All).await.unwrap();
    while store.release(200, later(1)).await.unwrap().count > 0 {}
    loop {
        let claimed = store
            .claim(&claim(worker, 150, later(2)), later(1))
            .await
            .unwrap();
        if claimed.is_empty() {
            break;
        }
        let done: Vec<_> = claimed.iter().map(|one| success(one, later(1))).collect();
        let settled = store
            .settle(By::Worker(worker), &done, later(1))
            .await
            .unwrap();
        assert!(
            settled
                .iter()
                .all(|settled| *settled == SettleOutcome::Recorded)
        );
    }
}

fn later(days: u64) -> Timestamp {
    DAWN + Duration::from_secs(days * DAY)
}

fn count(sqlite: &Sqlite, table: &str) -> i64 {
    let sql = format!("SELECT count(*) FROM {table}");
    sqlite
        .connect()
        .query_row(&sql, [], |row| row.get(0))
        .unwrap()
}
