//! A server with nothing to do leaves its database alone.

use std::{
    process::Command,
    time::{Duration, Instant},
};

use baton_testkit::{Postgres, eventually};

use crate::support::{Served, run};

/// How long a server is watched.
const WATCH: Duration = Duration::from_secs(20);
const PATIENCE: Duration = Duration::from_mins(1);
/// How many transactions there may be in a second.
const MOST: f64 = 2.0;

/// How many transactions a database has had, as it counts them.
fn transactions(postgres: &Postgres, database: &str) -> u64 {
    let count = format!(
        "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = '{database}'"
    );
    let mut psql = Command::new(postgres.bin_dir().join("psql"));
    psql.args(["--no-psqlrc", "--tuples-only", "--no-align"]);
    psql.args(["--dbname", &postgres.url(), "--command", &count]);
    let answer = psql.output().unwrap();
    let text = String::from_utf8(answer.stdout).unwrap();
    text.trim().parse().unwrap()
}

#[tokio::test]
async fn an_idle_server_begins_at_most_two_transactions_a_second() {
    // Its own housekeeping counts as well: some thirty transactions a minute that no server of ours has begun.
    let postgres = Postgres::start_with(&["autovacuum=off"]);
    let database = postgres.database();
    let url = database.url();
    let name = url.rsplit('/').next().unwrap().to_owned();
    let flags = ["--database", &url, "--migrate", "--allow-unsafe-durability"];
    let served = Served::start(&flags);
    let ran = served.run(&["jobs", "enqueue", "simulate", "--wait", "20s"]);
    assert_eq!(ran.code(), 0, "{}", ran.err());

    let (mut before, mut began) = (transactions(&postgres, &name), Instant::now());
    let mut rates = Vec::new();
    // What the job left to do is done in the first stretch, or a second one tells.
    eventually("a quiet stretch", PATIENCE, async || {
        if began.elapsed() < WATCH {
            return false;
        }
        let after = transactions(&postgres, &name);
        #[expect(clippy::cast_precision_loss, reason = "a rate")]
        rates.push((after - before) as f64 / began.elapsed().as_secs_f64());
        eprintln!("transactions a second so far: {rates:?}");
        (before, began) = (after, Instant::now());

        rates.last().is_some_and(|rate| *rate <= MOST)
    })
    .await;

    let ran = run(served.folder.path(), &["--url", &served.url, "workers"]);
    assert_eq!(ran.code(), 0, "it is alive: {}", ran.err());
}
