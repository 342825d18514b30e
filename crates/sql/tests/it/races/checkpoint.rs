//! A checkpoint that is under way, and the end of its attempt: the lock of the lease keeps one from the other.

mod onlooker;

use std::time::Duration;

use baton_domain::{WorkerId, job::State};
use baton_ports::store::{Atomicity, By, Claimed, Jobs, SettleOutcome, Work};
use baton_sql::{
    SqlStore,
    inside::{ALL, ConnectionPool, Script, Statement, Unit, Value},
};
use baton_testkit::{Brand, Mysql, eventually};

use crate::{
    brands::on_each_brand,
    databases,
    hands::{DAWN, LEASE, claim, jobs, success},
};
use onlooker::{Onlooker, STAND_STILL};

const PATIENCE: Duration = Duration::from_secs(10);

on_each_brand!(
    mysql_ends_no_attempt_while_a_checkpoint_of_it_is_under_way,
    on_mysql_a_checkpoint_without_the_lock_of_its_lease_is_found_out,
);

#[tokio::test]
async fn no_attempt_ends_while_a_checkpoint_of_it_is_under_way() {
    let bench = Bench::on_postgres().await;

    ends_no_attempt_amid_a_checkpoint(bench).await;
}

async fn mysql_ends_no_attempt_while_a_checkpoint_of_it_is_under_way(brand: Brand) {
    let bench = Bench::on_mysql(brand).await;

    ends_no_attempt_amid_a_checkpoint(bench).await;
}

#[tokio::test]
async fn a_checkpoint_without_the_lock_of_its_lease_is_found_out() {
    let mut bench = Bench::on_postgres().await;
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

/// There the statement that locks the lease also hands it on, so its lock alone is taken away.
async fn on_mysql_a_checkpoint_without_the_lock_of_its_lease_is_found_out(brand: Brand) {
    let mut bench = Bench::on_mysql(brand).await;
    let (lock, rest) = script().mysql.split_first().unwrap();
    let look = lock.sql.strip_suffix("LOCK IN SHARE MODE").unwrap();
    let words = [(look, lock.params)].into_iter();
    let words = words.chain(rest.iter().map(|one| (one.sql, one.params)));
    let looks: Vec<_> = words
        .map(|(sql, params)| Statement { sql, params })
        .collect();
    let unlocked = Box::leak(Box::new(Script {
        name: "test/unlocked",
        postgres: &[],
        sqlite: &[],
        mysql: looks.leak(),
    }));

    let ended_amid = bench.ends_amid(unlocked).await;

    assert!(ended_amid, "nothing keeps its attempt from ending");
}

async fn ends_no_attempt_amid_a_checkpoint(mut bench: Bench) {
    let ended_amid = bench.ends_amid(script()).await;

    assert!(!ended_amid, "its end waits for the checkpoint");
    let job = bench.store.job(bench.claimed.args.id).await.unwrap();
    assert_eq!(job.unwrap().state, State::Succeeded);
    assert_eq!(bench.cursor().await.as_deref(), Some("1"));
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
    onlooker: Onlooker,
}

impl Bench {
    async fn on_postgres() -> Self {
        let (store, database) = databases::postgres().await;
        Self::new(store, Onlooker::of_postgres(database).await).await
    }

    async fn on_mysql(brand: Brand) -> Self {
        let server = Mysql::start_with(brand, &[]);
        let url = server.database();
        baton_sql::migrate(&url).await.unwrap();
        let store = databases::open(&url).await;
        Self::new(store, Onlooker::of_mysql(server, &url).await).await
    }

    async fn new(store: SqlStore, onlooker: Onlooker) -> Self {
        let worker = WorkerId::new(DAWN);
        store.enqueue(jobs(1, DAWN), Atomicity::All).await.unwrap();
        let claimed = store.claim(&claim(worker, 1, DAWN + LEASE), DAWN).await;
        Self {
            store,
            worker,
            claimed: claimed.unwrap().remove(0),
            onlooker,
        }
    }

    /// Whether the attempt can end while a checkpoint by this script has not; afterwards both have.
    async fn ends_amid(&mut self, script: &'static Script) -> bool {
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
            () = wait_for(&self.onlooker, 1) => {}
        }
        let ended = tokio::select! {
            ended = &mut end => Some(ended),
            () = wait_for(&self.onlooker, 2) => None,
        };
        let ended_amid = ended.is_some();
        self.onlooker.let_go().await;
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

    async fn cursor(&self) -> Option<String> {
        let stands = self.store.checkpoints(&[self.claimed.args.id]).await;
        stands.unwrap().pop().and_then(|one| one.cursor)
    }
}

async fn wait_for(onlooker: &Onlooker, count: i64) {
    let all_wait = async || onlooker.waiting().await == count;
    eventually("so many wait", PATIENCE, all_wait).await;
}
