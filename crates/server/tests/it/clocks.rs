//! A PostgreSQL whose clock is wrong, and is put right.

use std::time::{Duration, Instant};

use baton_lab::servers::Postgres;
use baton_testkit::eventually;
use serde_json::Value;

use crate::support::{Served, run};

const HOUR: i64 = 3_600;
const TIMEOUT: Duration = Duration::from_secs(30);

/// What `doctor` says of the clock of a PostgreSQL that is so many seconds ahead.
fn of_a_clock(ahead_s: i64) -> Value {
    let folder = tempfile::tempdir().unwrap();
    let mut postgres = Postgres::start_with_a_clock(&[]).unwrap();
    // One that is started later goes by it at once.
    postgres.set_clock(ahead_s).unwrap();
    postgres.restart().unwrap();

    let url = postgres.url();
    let migrated = run(folder.path(), &["migrate", "--database", &url]);
    assert_eq!(migrated.code(), 0, "{}", migrated.err());

    let words = ["doctor", "--json", "--database", &url];
    let ran = run(folder.path(), &words);

    let out = ran.out();
    let findings = out.lines().map(serde_json::from_str::<Value>);
    let mut findings = findings.map(Result::unwrap);
    findings.find(|one| one["subject"] == "clock").unwrap()
}

#[test]
fn doctor_says_how_far_the_clocks_are_apart_and_what_to_do() {
    let (right, ahead, behind) = (of_a_clock(0), of_a_clock(HOUR), of_a_clock(-HOUR));

    assert_eq!(right["mark"], "good", "{right}");
    for wrong in [ahead, behind] {
        let said = wrong["message"].as_str().unwrap();
        let offset = said.split_once(" ms apart").unwrap().0;
        let offset: i64 = offset.rsplit(' ').next().unwrap().parse().unwrap();
        assert_eq!(wrong["mark"], "odd", "{wrong}");
        assert!((offset - HOUR * 1_000).abs() < 10_000, "{said}");
        assert!(said.ends_with("synchronise both"), "{said}");
        assert!(said.contains("follow a step of it"), "{said}");
    }
}

#[tokio::test]
async fn a_job_with_a_delay_is_on_time_after_the_clock_was_put_back() {
    let mut postgres = Postgres::start_with_a_clock(&[]).unwrap();
    postgres.set_clock(HOUR).unwrap();
    postgres.restart().unwrap();
    let url = postgres.url();
    let flags = ["--database", &url, "--migrate", "--allow-unsafe-durability"];
    let served = Served::start(&flags);
    let before = served.run(&["jobs", "enqueue", "simulate", "--wait", "20s"]);

    postgres.set_clock(0).unwrap();
    let is_noticed = async || served.log().contains("was put back");
    eventually("the step is noticed", TIMEOUT, is_noticed).await;
    let asked = Instant::now();
    let words = [
        "jobs", "enqueue", "simulate", "--delay", "2s", "--wait", "60s",
    ];
    let after = served.run(&words);

    let took = asked.elapsed();
    assert_eq!((before.code(), after.code()), (0, 0), "{}", after.err());
    assert!(took >= Duration::from_secs(2), "{took:?}");
    assert!(took < Duration::from_secs(20), "{took:?}");
}

#[tokio::test]
async fn doctor_tells_the_steps_of_the_clock_that_a_running_server_has_noticed() {
    let mut postgres = Postgres::start_with_a_clock(&[]).unwrap();
    postgres.set_clock(HOUR).unwrap();
    postgres.restart().unwrap();
    let url = postgres.url();
    let flags = ["--database", &url, "--migrate", "--allow-unsafe-durability"];
    let served = Served::start(&flags);
    let address = served.url.trim_start_matches("http://").to_owned();
    let steps = || {
        let words = ["doctor", "--json", "--database", &url, "--listen", &address];
        let out = run(served.folder.path(), &words).out();
        let findings = out.lines().map(serde_json::from_str::<Value>);
        let mut findings = findings.map(Result::unwrap);
        findings
            .find(|one| one["subject"] == "clock steps")
            .unwrap()
    };
    let none = steps();

    postgres.set_clock(0).unwrap();
    let is_noticed = async || served.log().contains("was put back");
    eventually("the step is noticed", TIMEOUT, is_noticed).await;
    let one = steps();

    let said = |finding: &Value| finding["message"].as_str().unwrap().to_owned();
    assert_eq!(
        (&none["mark"], &one["mark"]),
        (&"good".into(), &"odd".into())
    );
    assert!(said(&none).contains("noticed no step"), "{none}");
    assert!(said(&one).contains("noticed 1 step of"), "{one}");
    assert!(said(&one).contains(&address), "{one}");
}
