//! The same on PostgreSQL, whose schema nobody changes unasked.

use std::time::Duration;

use baton_testkit::{Postgres, eventually};

use crate::support::{Served, run};

const TIMEOUT: Duration = Duration::from_secs(30);

#[test]
fn an_old_schema_is_refused_with_the_command_that_mends_it() {
    let folder = tempfile::tempdir().unwrap();
    let database = Postgres::shared().database();
    let url = database.url();
    let serve = ["serve", "--listen", "127.0.0.1:0", "--database", &url];

    let refused = run(folder.path(), &serve);
    let pending = run(folder.path(), &["migrate", "--status", "--database", &url]);
    let migrated = run(folder.path(), &["migrate", "--database", &url]);

    assert_eq!(refused.code(), 5, "{}", refused.err());
    assert!(refused.err().contains("baton migrate"), "{}", refused.err());
    assert_eq!(pending.out().replace("pending", "applied"), migrated.out());
    assert!(!migrated.out().is_empty());
    let served = Served::start(&["--database", &url, "--allow-unsafe-durability"]);
    let ran = served.run(&["jobs", "enqueue", "simulate", "--wait", "20s"]);
    assert_eq!(ran.code(), 0, "{}", ran.err());
}

#[test]
fn a_database_that_may_lose_what_it_confirmed_is_refused_unless_that_is_accepted() {
    let folder = tempfile::tempdir().unwrap();
    // The server of the tests runs without fsync.
    let database = Postgres::shared().database();
    let url = database.url();

    let words = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--migrate",
        "--database",
        &url,
    ];
    let refused = run(folder.path(), &words);
    let found = run(folder.path(), &["doctor", "--database", &url]);

    assert_eq!(refused.code(), 1);
    assert!(
        refused.err().contains("--allow-unsafe-durability"),
        "{}",
        refused.err()
    );
    assert_eq!(found.code(), 1);
    assert!(found.out().contains("BAD  durability"), "{}", found.out());
    let told_once = found.out().matches(" durability: ").count();
    assert_eq!(told_once, 1, "{}", found.out());
}

#[test]
fn the_demonstration_runs_on_it_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let database = Postgres::shared().database();

    let words = [
        "demo",
        "--jobs",
        "300",
        "--json",
        "--database",
        &database.url(),
    ];
    let ran = run(folder.path(), &words);

    assert_eq!(ran.code(), 0, "{}{}", ran.out(), ran.err());
    assert_eq!(ran.json()["accepted"], 300);
}

#[tokio::test]
async fn a_database_that_goes_away_and_comes_back_is_waited_for() {
    let mut postgres = Postgres::start();
    let url = postgres.url();
    let flags = ["--database", &url, "--migrate", "--allow-unsafe-durability"];
    let served = Served::start(&flags);

    postgres.kill();
    eventually(
        "the server says that it is not ready",
        TIMEOUT,
        async || served.run(&["queues", "list"]).code() == 7,
    )
    .await;
    postgres.restart();

    eventually("jobs are accepted again", TIMEOUT, async || {
        served
            .run(&["jobs", "enqueue", "simulate", "--key", "k"])
            .code()
            == 0
    })
    .await;
    let ran = served.run(&["jobs", "enqueue", "simulate", "--key", "k", "--wait", "30s"]);
    assert_eq!(ran.code(), 0, "{}", ran.err());
}

#[test]
fn a_remark_of_the_database_is_no_news_and_no_line_names_a_file_of_the_build() {
    let database = Postgres::shared().database();
    let words = ["--migrate", "--allow-unsafe-durability", "--log", "trace"];

    let served = Served::start(&[&words[..], &["--database", &database.url()]].concat());

    let log = served.log();
    assert!(!log.contains("NOTICE"), "{log}");
    let path = |line: &&str| line.contains("log.file") || line.contains(".cargo");
    assert_eq!(log.lines().find(path), None);
}
