//! A checkpoint that is under way, and the end of its attempt: the lock of the lease keeps one from the other.

use baton_domain::{WorkerId, job::State};
use baton_ports::store::{Atomicity, By, Claimed, Jobs, SettleOutcome, Work};
use baton_sql::{
    SqlStore,
    inside::{ALL, ConnectionPool, Script, Statement, Unit, Value},
};
use baton_testkit::Brand;

use crate::{
    brands::on_each_brand,
    hands::{DAWN, LEASE, claim, jobs, success},
    races::onlooker::{self, Onlooker},
};

/// What a checkpoint stands still at, once it has moved the cursor and before its commit.
static STAND_STILL: Script = Script {
    name: "test/stand_still",
    postgres: &[Statement {
        sql: "SELECT count(*) FROM pg_advisory_xact_lock(4711)",
        params: &[],
    }],
    sqlite: &[],
    mysql: &[
        Statement {
            sql: "SELECT get_lock(concat(database(), ' stands still'), 20) INTO @got",
            params: &[],
        },
        Statement {
            sql: "DO release_lock(concat(database(), ' stands still'))",
            params: &[],
        },
    ],
};

on_each_server!(no_attempt_ends_while_a_checkpoint_of_it_is_under_way);
on_each_brand!(on_mysql_a_checkpoint_without_the_lock_of_its_lease_is_found_out);

async fn no_attempt_ends_while_a_checkpoint_of_it_is_under_way(
    store: SqlStore,
    onlooker: Onlooker,
) {
    let bench = Bench::new(store, onlooker).await;

    let ended_amid = bench.ends_amid(script()).await;

    assert!(!ended_amid, "its end waits for the checkpoint");
    let job = bench.store.job(bench.claimed.args.id).await.unwrap();
    assert_eq!(job.unwrap().state, State::Succeeded);
    assert_eq!(bench.cursor().await.as_deref(), Some("1"));
}

#[tokio::test]
async fn a_checkpoint_without_the_lock_of_its_lease_is_found_out() {
    let (store, onlooker) = onlooker::on_postgres().await;
    let bench = Bench::new(store, onlooker).await;
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
    let (store, onlooker) = onlooker::on_mysql(brand).await;
    let bench = Bench::new(store, onlooker).await;
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
    /// How it lets go.
    let_go: &'static str,
}

impl Bench {
    async fn new(store: SqlStore, onlooker: Onlooker) -> Self {
        let (hold, let_go) = match onlooker {
            Onlooker::Postgres { .. } => (
                "SELECT pg_advisory_lock(4711)",
                "SELECT pg_advisory_unlock(4711)",
            ),
            Onlooker::Mysql { .. } => (
                "DO get_lock(concat(database(), ' stands still'), 0)",
                "DO release_lock(concat(database(), ' stands still'))",
            ),
        };
        onlooker.say(hold).await;
        let worker = WorkerId::new(DAWN);
        store.enqueue(jobs(1, DAWN), Atomicity::All).await.unwrap();
        let claimed = store.claim(&claim(worker, 1, DAWN + LEASE), DAWN).await;
        Self {
            store,
            worker,
            claimed: claimed.unwrap().remove(0),
            onlooker,
            let_go,
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
            () = self.onlooker.wait_for(1) => {}
        }
        let ended = tokio::select! {
            ended = &mut end => Some(ended),
            () = self.onlooker.wait_for(2) => None,
        };
        let ended_amid = ended.is_some();
        self.onlooker.say(self.let_go).await;
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
