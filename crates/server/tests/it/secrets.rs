//! Canaries in everything that is secret, and all output read for them.

mod refused;
mod settings;
mod told;
mod viewer;

use std::fs;

use baton_testkit::{Postgres, Redis};
use tempfile::TempDir;

use self::told::{everything, stock};
use crate::support::{Served, run};

/// A canary, and a signing secret in base64.
const CANARIES: [&str; 2] = ["canary", "Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5"];

/// The line that tells a secret.
fn canary(told: &str) -> Option<&str> {
    let is_one = |line: &&str| CANARIES.iter().any(|canary| line.contains(canary));
    told.lines().find(is_one)
}

#[test]
fn credentials_in_the_headers_of_a_job_are_told_nowhere() {
    let served = Served::start_in(with_a_provider(), &["--log", "trace"]);

    keeps_quiet(&served);
}

#[test]
fn credentials_in_the_headers_of_a_job_are_told_nowhere_on_postgresql() {
    let database = Postgres::shared().database();
    let url = database.url();
    let words = ["--migrate", "--allow-unsafe-durability", "--log", "trace"];
    let served = Served::start_in(
        with_a_provider(),
        &[&words[..], &["--database", &url]].concat(),
    );

    keeps_quiet(&served);
}

fn with_a_provider() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let file = "[providers.push]\nkind = \"log\"\n[simulate]\nallow_crash = true\n";
    fs::write(folder.path().join("baton.toml"), file).unwrap();
    folder
}

/// Has a job and a schedule with credentials in their headers, and reads everything that tells of them.
fn keeps_quiet(served: &Served) {
    let payload = r#"{"url": "http://127.0.0.1:9/", "headers": {"Authorization": "Bearer canary", "X-Api-Key": "canary", "X-Tenant": "seven"}, "body": {}}"#;
    let (job, mut told) = enqueue(served, "http", payload);
    let schedule = [
        "schedules",
        "create",
        "nightly",
        "--cron",
        "0 3 * * *",
        "--kind",
        "http",
        "--payload",
        payload,
        "--json",
    ];
    let schedule = served.run(&schedule);
    told += &(schedule.out() + &schedule.err());
    told += &stock(served);

    told += &everything(served, &job);

    assert!(
        told.contains("(hidden)") && told.contains("seven"),
        "{told}"
    );
    assert_eq!(canary(&told), None);
}

/// A job that has ended, and what was said of it.
fn enqueue(served: &Served, kind: &str, payload: &str) -> (String, String) {
    let words = ["jobs", "enqueue", kind, "--max-attempts", "1", "--payload"];
    let added = served.run(&[&words[..], &[payload, "--json"]].concat());
    let job = added.json()["id"].as_str().unwrap().to_owned();
    let watched = served.run(&["jobs", "watch", &job, "--timeout", "30s"]);
    let told = [added, watched].map(|ran| ran.out() + &ran.err()).concat();
    (job, told)
}

#[test]
fn the_password_of_a_redis_is_told_nowhere_even_when_it_is_gone_or_refuses_us() {
    let mut redis = Redis::start_with(&["requirepass=canary"]);
    let flags = ["--log", "trace", "--redis", &redis.url()];
    let served = Served::start_in(with_a_provider(), &flags);
    let mut told = stock(&served);
    let (job, words) = enqueue(&served, "simulate", "{}");
    told += &(words + &everything(&served, &job));

    redis.command(&["CONFIG", "SET", "requirepass", "another"]);
    let (panicked, words) = enqueue(&served, "simulate", r#"{"error": "panic"}"#);
    told += &(words + &everything(&served, &panicked));
    redis.kill();
    let (without, words) = enqueue(&served, "simulate", "{}");
    told += &(words + &everything(&served, &without));
    told += &run(served.folder.path(), &["doctor", "--redis", &redis.url()]).out();

    assert_eq!(canary(&told), None);
    assert_eq!(path_of_the_build(&told), None);
}

/// A line that names a file of the machine that built the program: of ours, of a library, or of the toolchain.
fn path_of_the_build(told: &str) -> Option<&str> {
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let ours = fs::canonicalize(ours).unwrap().display().to_string();
    let paths = [
        &ours,
        "/registry/src/",
        "/rustc/",
        "/rustlib/",
        "crates/server/",
        "/src/lib.rs",
    ];
    let is_one = |line: &&str| paths.iter().any(|path| line.contains(path));
    told.lines().find(is_one)
}
