//! What an operator and a newcomer type, with a MariaDB or MySQL as the database.

use baton_testkit::{Brand, Mysql};
use serde_json::Value;

use crate::support::{Served, run};

#[test]
fn every_command_that_takes_a_database_takes_one_of_mariadb() {
    every_command_works(Brand::Mariadb);
}

#[test]
fn every_command_that_takes_a_database_takes_one_on_mysql() {
    every_command_works(Brand::Mysql);
}

fn every_command_works(brand: Brand) {
    let server = Mysql::shared(brand);
    a_database_is_made_looked_at_and_served(&server.database());
    it_is_measured(&server.database());
    the_demonstration_loses_nothing(&server.database());
}

fn a_database_is_made_looked_at_and_served(url: &str) {
    let folder = tempfile::tempdir().unwrap();
    let on = |words: &[&str]| run(folder.path(), &[words, &["--database", url]].concat());

    let migrated = on(&["migrate"]);
    let seen = on(&["doctor", "--json", "--listen", "127.0.0.1:0"]);
    let served = Served::start(&["--database", url, "--allow-unsafe-durability"]);
    let words = ["jobs", "enqueue", "simulate", "--wait", "20s"];
    let ran = served.run(&words);
    let added = on(&["keys", "create", "reader", "--allow", "jobs:read", "--json"]);

    assert_eq!(migrated.code(), 0, "{}", migrated.err());
    // The tests' server does not flush, and the doctor says so.
    let findings = seen.out();
    assert!(
        findings.contains("innodb_flush_log_at_trx_commit"),
        "{findings}{}",
        seen.err()
    );
    assert_eq!(added.code(), 0, "{}", added.err());
    assert_eq!(ran.code(), 0, "{}", ran.err());
}

fn it_is_measured(url: &str) {
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "bench",
        "drain",
        "batch",
        "campaigns",
        "--json",
        "--database",
        url,
    ];
    let quick = ["--jobs", "400", "--span", "50ms"];

    let measured = run(folder.path(), &[&words[..], &quick].concat());

    assert_eq!(measured.code(), 0, "{}", measured.err());
    let document: Value = measured.json();
    let text = document.to_string();
    for workload in ["drain", "enqueue_bulk", "expand", "campaign_drain"] {
        assert!(
            text.contains(&format!("\"{workload}\"")),
            "{workload}: {document}"
        );
    }
}

fn the_demonstration_loses_nothing(url: &str) {
    let folder = tempfile::tempdir().unwrap();
    let words = [
        "demo",
        "--jobs",
        "300",
        "--recipients",
        "1000",
        "--json",
        "--database",
        url,
    ];

    let ran = run(folder.path(), &words);

    assert_eq!(ran.code(), 0, "{}{}", ran.out(), ran.err());
    let summary = ran.json();
    assert_eq!(summary["accepted"], 300);
    assert_eq!(summary["lost"], serde_json::json!([]));
    assert_eq!(summary["disagreements"], serde_json::json!([]));
}
