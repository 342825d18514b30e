//! A checkpoint that is under way, and the end of its attempt: the lock of the lease keeps one from the other.

use std::time::Duration;

use baton_domain::{WorkerId, job::State};
use baton_ports::store::{Atomicity, By, Claimed, Jobs, SettleOutcome, Work};
use baton_sql::{
    SqlStore,
    inside::{ALL, ConnectionPool, Script, Statement, Unit, Value},
};
use baton_testkit::{Database, eventually};
use tokio_postgres::Client;

use crate::{
    databases,
    hands::{DAWN, LEASE, claim, jobs, success},
};

/// What a checkpoint stands still at, once it has moved the cursor and before its commit.
static STAND_STILL: Script = Script {
    name: "test/stand_still",
    postgres: &[Statement {
        sql: "SELECT count(*) FROM pg_advisory_xact_lock(4711)",
        params: &[],
    }],
    sqlite: &[],
    mysql: &[],
};
const PATIENCE: Duration = Duration::from_secs(10);

#[tokio::test]
async fn no_attempt_ends_while_a_checkpoint_of_it_is_under_way() {
    let bench = Bench::new().await;

    let ended_amid = bench.ends_amid(script()).await;

    assert!(!ended_amid, "its end waits for the checkpoint");
    let job = bench.store.job(bench.claimed.args.id).await.unwrap();
    assert_eq!(job.unwrap().state, State::Succeeded);
    assert_eq!(bench.cursor().await.as_deref(), Some("1"));
}

#[tokio::test]
async fn a_checkpoint_without_the_lock_of_its_lease_is_found_out() {
    let bench = Bench::new().await;
    let (lock, rest) = script().postgres.split_first().unwrap();
    let unlocked = Box::leak(Box::new(Script {
        name: "test/unlocked",
        postgres: rest,
        sqlite: &[],
        mysql: &[],
    }));

    let ended_amid = bench.ends_amid(unlocked).await;

    assert!(lock.sql.contains("FOR SHARE"), "{}", lock.sql);
    assert!(ended_amid, "nothing keeps its attempt from ending");
}

/// What a checkpoint says to the database.
fn script() -> &'static Script {
    let mut all = ALL.iter();
    all.find(|script| script.name == "work/checkpoint").unwrap()
}

/// A store, a job that somebody has, and somebody who has what checkpoints stand still at.
struct Bench {
    store: SqlStore,
    worker: WorkerId,
    claimed: Claimed,
    holder: Client,
    watcher: Client,
    _database: Database,
}

impl Bench {
    async fn new() -> Self {
        let (store, database) = databases::postgres().await;
        let worker = WorkerId::new(DAWN);
        store.enqueue(jobs(1, DAWN), Atomicity::All).await.unwrap();
        let claimed = store.claim(&claim(worker, 1, DAWN + LEASE), DAWN).await;
        let holder = databases::connect(&database.url()).await;
        let hold = "SELECT pg_advisory_lock(4711)";
        holder.batch_execute(hold).await.unwrap();
        Self {
            store,
            worker,
            claimed: claimed.unwrap().remove(0),
            holder,
            watcher: databases::connect(&database.url()).await,
            _database: database,
        }
    }

    /// Whether the attempt can end while a checkpoint by this script has not; afterwards both have.
    async fn ends_amid(&self, script: &'static Script) -> bool {
        let unit = Unit {
            scripts: vec![(script, self.step()), (&STAND_STILL, Vec::new())],
            keep: None,
        };
        let kernel = self.store.kernel();
        let mut checkpoint = Box::pin(kernel.transact(ConnectionPool::Queue, unit));
        let results = [success(&self.claimed, DAWN)];
        let by = By::Worker(self.worker);
        let mut end = Box::pin(self.store.settle(by, &results, DAWN));

        tokio::select! {
            _ = &mut checkpoint => unreachable!("what it stands still at is held"),
            () = self.wait_for(1) => {}
        }
        let ended = tokio::select! {
            ended = &mut end => Some(ended),
            () = self.wait_for(2) => None,
        };
        let ended_amid = ended.is_some();
        let let_go = "SELECT pg_advisory_unlock(4711)";
        self.holder.batch_execute(let_go).await.unwrap();
        checkpoint.await.unwrap();
        let ended = match ended {
            Some(ended) => ended,
            None => end.await,
        };
        assert_eq!(ended.unwrap(), [SettleOutcome::Recorded]);
        ended_amid
    }

    /// The first step of the attempt.
    fn step(&self) -> Vec<(&'static str, Value)> {
        let claimed = &self.claimed;
        vec![
            ("worker", self.worker.uuid().into()),
            ("lease", claimed.lease.uuid().into()),
            ("job", claimed.args.id.uuid().into()),
            ("attempt", claimed.counters.attempt.into()),
            ("seq", Value::Int(1)),
            ("cursor", "1".into()),
            ("progress", Value::Null),
            ("now", DAWN.into()),
            ("told", r#"[{"seq": 1}]"#.into()),
        ]
    }

    async fn wait_for(&self, count: i64) {
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let all_wait = async || databases::number(&self.watcher, waiting).await == count;
        eventually("so many wait", PATIENCE, all_wait).await;
    }

    async fn cursor(&self) -> Option<String> {
        let stands = self.store.checkpoints(&[self.claimed.args.id]).await;
        stands.unwrap().pop().and_then(|one| one.cursor)
    }
}
