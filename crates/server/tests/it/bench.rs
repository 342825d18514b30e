//! The measurements: every one is taken, and nothing is left behind.

use std::{path::Path, process::Stdio, time::Duration};

use baton_testkit::{Postgres, eventually};
use serde_json::Value;

use crate::support::{Ran, baton, run};

const TIMEOUT: Duration = Duration::from_mins(1);
/// Few jobs and little time: whether it measures, not what.
const QUICK: [&str; 6] = ["--jobs", "400", "--history", "1000", "--span", "50ms"];
const WORKLOADS: [&str; 35] = [
    "remote_embedded",
    "remote_drain_500",
    "remote_drain_50",
    "remote_drain_1",
    "remote_wake",
    "remote_cancel",
    "enqueue_bulk",
    "drain",
    "enqueue_then_drain",
    "enqueue_single",
    "commit",
    "latency_idle",
    "latency_other_queue",
    "latency_same_queue",
    "store_claim_settle",
    "drain_snapshot",
    "http_sends",
    "api_single",
    "enqueue_bulk_history",
    "drain_history",
    "expand_bare",
    "expand",
    "expand_first_tenth",
    "expand_last_tenth",
    "expand_memory",
    "campaign_drain",
    "campaign_stop",
    "campaign_last_call",
    "campaign_resume",
    "activity_idle",
    "activity_beside",
    "memory_accept",
    "memory_drain",
    "wal_enqueue",
    "wal_drain",
];

#[test]
fn every_measurement_is_taken_on_sqlite_and_its_files_are_gone() {
    let folder = tempfile::tempdir().unwrap();

    let ran = bench(folder.path(), &["--all", "--json"]);

    assert_eq!(ran.code(), 0, "{}", ran.err());
    let document = ran.json();
    // SQLite does not count what went through its log.
    has_taken(&document, |workload| !workload.starts_with("wal"));
    assert!(document["machine"]["cores"].as_u64().unwrap() > 0);
    assert_eq!(document["settings"]["database"]["synchronous"], "full");
    assert_eq!(document["settings"]["slots"], 50);
    assert!(is_empty(folder.path()));
}

#[test]
fn every_measurement_is_taken_on_postgresql_and_its_databases_are_gone() {
    let folder = tempfile::tempdir().unwrap();
    let postgres = Postgres::start();
    let url = postgres.url();

    let ran = bench(folder.path(), &["--all", "--json", "--database", &url]);

    assert_eq!(ran.code(), 0, "{}", ran.err());
    let document = ran.json();
    has_taken(&document, |_| true);
    assert_eq!(document["settings"]["database"]["fsync"], "off");
    assert!(scratches(&postgres).is_empty());
    assert!(is_empty(folder.path()));
}

#[test]
fn a_fleet_on_sqlite_is_refused() {
    let folder = tempfile::tempdir().unwrap();

    let ran = bench(folder.path(), &["fleet"]);

    assert_eq!(ran.code(), 2, "{}", ran.err());
    assert!(
        ran.err().contains("--database postgres://"),
        "{}",
        ran.err()
    );
}

#[test]
fn a_workload_is_a_line_in_the_form_of_the_other_drivers() {
    let folder = tempfile::tempdir().unwrap();

    let ran = bench(folder.path(), &["drain", "latency", "--lines"]);

    assert_eq!(ran.code(), 0, "{}", ran.err());
    let out = ran.out();
    let lines = out.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    let drain = lines
        .iter()
        .find(|line| line["workload"] == "drain")
        .unwrap();
    let idle = lines.iter().find(|line| line["workload"] == "latency_idle");
    assert_eq!(drain["peer"], "baton");
    assert_eq!(drain["store"], "sqlite");
    assert_eq!(drain["n"], 400);
    let rate = drain["n"].as_f64().unwrap() / drain["seconds"].as_f64().unwrap();
    let told = drain["per_second"].as_f64().unwrap();
    assert!((rate / told - 1.0).abs() < 0.05, "{drain}");
    for quantile in ["p50_ms", "p99_ms", "max_ms"] {
        assert!(idle.unwrap()[quantile].as_f64().unwrap() > 0.0);
    }
}

#[tokio::test]
async fn an_interrupted_measurement_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("baton-data");
    let mut child = baton(folder.path())
        .args(["bench", "drain", "--jobs", "10000000"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();

    eventually("a database is being filled", TIMEOUT, async || {
        data.read_dir()
            .is_ok_and(|mut entries| entries.any(|it| has_database(&it.unwrap().path())))
    })
    .await;
    baton_testkit::signal(child.id(), "INT");
    let status = child.wait().unwrap();

    assert_eq!(status.code(), Some(130));
    assert!(is_empty(folder.path()));
}

#[tokio::test]
async fn an_interrupted_measurement_leaves_no_database() {
    let folder = tempfile::tempdir().unwrap();
    let postgres = Postgres::start();
    let mut child = baton(folder.path())
        .args(["bench", "drain", "--jobs", "10000000"])
        .args(["--database", &postgres.url()])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();

    eventually("a scratch database is there", TIMEOUT, async || {
        !scratches(&postgres).is_empty()
    })
    .await;
    baton_testkit::signal(child.id(), "INT");
    let status = child.wait().unwrap();

    assert_eq!(status.code(), Some(130));
    assert!(scratches(&postgres).is_empty());
}

#[test]
fn a_file_that_exists_is_refused_and_not_touched() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.db");
    std::fs::write(&file, "mine").unwrap();
    let url = format!("sqlite://{}", file.display());

    let ran = bench(folder.path(), &["drain", "--database", &url]);

    assert_eq!(ran.code(), 2);
    assert!(ran.err().contains("exists"), "{}", ran.err());
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
    assert_eq!(folder.path().read_dir().unwrap().count(), 1);
}

#[test]
fn a_missing_right_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let postgres = Postgres::start();
    postgres.execute("CREATE ROLE poor LOGIN");
    let url = as_user(&postgres.url(), "poor");

    let ran = bench(folder.path(), &["drain", "--database", &url]);

    assert_eq!(ran.code(), 1);
    assert!(
        ran.err().contains("ALTER ROLE poor CREATEDB"),
        "{}",
        ran.err()
    );
}

#[test]
fn a_user_who_may_not_checkpoint_is_warned_and_measured() {
    let folder = tempfile::tempdir().unwrap();
    let postgres = Postgres::start();
    postgres.execute("CREATE ROLE modest LOGIN CREATEDB");
    let url = as_user(&postgres.url(), "modest");

    let ran = bench(folder.path(), &["drain", "--json", "--database", &url]);

    assert_eq!(ran.code(), 0, "{}", ran.err());
    let warnings = ran.json()["warnings"].to_string();
    assert!(warnings.contains("pg_checkpoint"), "{warnings}");
    assert!(scratches(&postgres).is_empty());
}

#[test]
fn a_database_that_nothing_proves_is_not_connected_to() {
    let folder = tempfile::tempdir().unwrap();
    let remote = "postgres://somebody:secret@192.0.2.1/postgres";

    let ran = bench(folder.path(), &["drain", "--database", remote]);

    assert_eq!(ran.code(), 1);
    assert!(
        ran.err().contains("--allow-unverified-database"),
        "{}",
        ran.err()
    );
}

#[test]
fn what_makes_no_sense_is_refused_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |words: &[&str], why: &str| {
        let ran = bench(folder.path(), words);
        assert_eq!(ran.code(), 2, "{words:?}: {}", ran.err());
        assert!(ran.err().contains(why), "{words:?}: {}", ran.err());
    };

    refused(&["speed"], "possible values: drain");
    refused(&["drain", "--jobs", "1"], "100..=");
    refused(&["drain", "--lines", "--json"], "two forms");
    refused(
        &["drain", "--database", "oracle://db/x"],
        "is not a database URL",
    );
    assert!(is_empty(folder.path()));
}

#[test]
fn a_target_that_refuses_calls_ends_the_measurement() {
    let folder = tempfile::tempdir().unwrap();
    // A server answers 404 there, whoever it is.
    let served = crate::support::Served::start(&[]);
    let target = format!("{}/nothing", served.url);

    let ran = bench(folder.path(), &["http", "--target", &target]);

    assert_eq!(ran.code(), 1);
    assert!(
        ran.err().contains("the target took 0 of 400"),
        "{}",
        ran.err()
    );
}

fn bench(folder: &Path, words: &[&str]) -> Ran {
    // What a test names itself goes before what is quick.
    let is_named = |flag: &str| words.contains(&flag);
    let quick = QUICK.chunks(2).filter(|pair| !is_named(pair[0]));
    let quick: Vec<_> = quick.flatten().copied().collect();
    run(folder, &[&["bench"], words, &quick].concat())
}

/// Whether every workload was taken, and every number is one.
fn has_taken(document: &Value, is_expected: impl Fn(&str) -> bool) {
    let figures = document["measurements"].as_array().unwrap();
    for workload in WORKLOADS
        .into_iter()
        .filter(|workload| is_expected(workload))
    {
        let taken: Vec<_> = figures
            .iter()
            .filter(|it| it["workload"] == workload)
            .collect();
        assert!(!taken.is_empty(), "{workload} is missing: {document}");
        for figure in taken {
            let numbers = ["per_second", "p50_ms", "value"].map(|name| figure[name].as_f64());
            let numbers: Vec<_> = numbers.into_iter().flatten().collect();
            assert!(!numbers.is_empty(), "{figure}");
            // After a stop there may be no call at all: the least that it can be is nothing.
            let is_sound = |number: &f64| *number > 0.0 || workload == "campaign_last_call";
            assert!(numbers.iter().all(is_sound), "{figure}");
        }
    }
}

fn is_empty(folder: &Path) -> bool {
    folder.read_dir().unwrap().next().is_none()
}

fn has_database(folder: &Path) -> bool {
    let mut entries = folder.read_dir().into_iter().flatten();
    entries
        .any(|entry| entry.is_ok_and(|it| it.file_name().to_string_lossy().starts_with("bench.db")))
}

fn scratches(postgres: &Postgres) -> Vec<String> {
    let found = postgres.psql(
        &postgres.url(),
        "SELECT datname FROM pg_database WHERE datname LIKE 'baton_bench_%'",
    );
    found.lines().map(str::to_owned).collect()
}

fn as_user(url: &str, user: &str) -> String {
    let (scheme, rest) = url.split_once("://").unwrap();
    let host = rest.split_once('@').map_or(rest, |(_, host)| host);
    format!("{scheme}://{user}@{host}")
}
