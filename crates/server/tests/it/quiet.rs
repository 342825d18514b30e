//! A server with nothing to do leaves its database alone.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use baton_testkit::{Database, Postgres, Redis, eventually};

use crate::support::{Served, run};

/// How long a server is watched.
const WATCH: Duration = Duration::from_secs(20);
const TIMEOUT: Duration = Duration::from_mins(2);
/// How many transactions there may be in a second.
const MOST: f64 = 2.0;
/// How many stretches it is watched for.
const STRETCHES: usize = 4;

#[tokio::test]
async fn an_idle_server_begins_at_most_two_transactions_a_second() {
    let idle = Idle::start(&[]).await;

    let rates = idle.rates().await;

    idle.is_alive();
    assert!(rates.iter().any(|rate| *rate <= MOST), "{rates:?}");
}

#[tokio::test]
async fn an_idle_server_with_redis_begins_no_more() {
    let redis = Redis::start();
    let idle = Idle::start(&["--redis", &redis.url()]).await;

    let rates = idle.rates().await;

    idle.is_alive();
    assert!(rates.iter().any(|rate| *rate <= MOST), "{rates:?}");
}

/// A server that has run one job and has nothing else to do.
struct Idle {
    postgres: Postgres,
    database: Database,
    served: Served,
}

impl Idle {
    async fn start(flags: &[&str]) -> Self {
        // Its own housekeeping counts as well: some thirty transactions a minute that no server of ours has begun.
        let postgres = Postgres::start_with(&["autovacuum=off"]);
        let database = postgres.database();
        let url = database.url();
        let own = ["--database", &url, "--migrate", "--allow-unsafe-durability"];
        let served = Served::start(&[&own, flags].concat());
        let ran = served.run(&["jobs", "enqueue", "simulate", "--wait", "20s"]);
        assert_eq!(ran.code(), 0, "{}", ran.err());
        Self {
            postgres,
            database,
            served,
        }
    }

    /// How many transactions there were in a second, one stretch after the other, until one is quiet or the last has passed:
    /// what the start and the job left to do is done in the first stretch, or in those after it on a machine that has little time for it.
    async fn rates(&self) -> Vec<f64> {
        let (mut before, mut began) = (self.transactions(), Instant::now());
        let mut rates = Vec::new();
        eventually("some stretches were watched", TIMEOUT, async || {
            if began.elapsed() < WATCH {
                return false;
            }
            let after = self.transactions();
            #[expect(clippy::cast_precision_loss, reason = "a rate")]
            let rate = (after - before) as f64 / began.elapsed().as_secs_f64();
            rates.push(rate);
            (before, began) = (after, Instant::now());
            rate <= MOST || rates.len() == STRETCHES
        })
        .await;
        eprintln!("transactions a second: {rates:?}");
        rates
    }

    /// How many transactions its database has had, as PostgreSQL counts them.
    fn transactions(&self) -> u64 {
        let url = self.database.url();
        let name = url.rsplit('/').next().unwrap();
        let count = format!(
            "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = '{name}'"
        );
        let mut psql = Command::new(self.postgres.bin_dir().join("psql"));
        psql.args(["--no-psqlrc", "--tuples-only", "--no-align"]);
        psql.args(["--dbname", &self.postgres.url(), "--command", &count]);
        let answer = psql.output().unwrap();
        let text = String::from_utf8(answer.stdout).unwrap();
        text.trim().parse().unwrap()
    }

    fn is_alive(&self) {
        let ran = run(
            self.served.folder.path(),
            &["--url", &self.served.url, "workers"],
        );
        assert_eq!(ran.code(), 0, "it is alive: {}", ran.err());
    }
}
