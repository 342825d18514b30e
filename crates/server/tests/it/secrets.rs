//! Canaries in everything that is secret, and all output read for them.

use std::{fs, process::Command};

use baton_testkit::{Postgres, Redis};

use crate::support::{Served, run};

#[test]
fn credentials_in_the_headers_of_a_job_are_told_nowhere() {
    let served = Served::start(&["--log", "trace"]);

    keeps_quiet(&served);
}

#[test]
fn credentials_in_the_headers_of_a_job_are_told_nowhere_on_postgresql() {
    let database = Postgres::shared().database();
    let url = database.url();
    let words = ["--migrate", "--allow-unsafe-durability", "--log", "trace"];
    let served = Served::start(&[&words[..], &["--database", &url]].concat());

    keeps_quiet(&served);
}

/// Has a job and a schedule with credentials in their headers, and reads everything that tells of them.
fn keeps_quiet(served: &Served) {
    let payload = r#"{"url": "http://127.0.0.1:9/", "headers": {"Authorization": "Bearer canary", "X-Api-Key": "canary", "X-Tenant": "seven"}, "body": {}}"#;
    let add = [
        "jobs",
        "enqueue",
        "http",
        "--max-attempts",
        "1",
        "--payload",
        payload,
        "--json",
    ];
    let added = served.run(&add);
    let job = added.json()["id"].as_str().unwrap().to_owned();
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
    let watched = served.run(&["jobs", "watch", &job, "--timeout", "30s"]);

    let mut told = everything(served, &job);
    told += &[&added, &schedule, &watched]
        .map(|ran| ran.out() + &ran.err())
        .concat();
    let id = schedule.json()["id"].as_str().unwrap().to_owned();
    told += &got(served, &format!("/admin/schedules/{id}"));
    assert!(
        told.contains("(hidden)") && told.contains("seven"),
        "{told}"
    );
    assert_eq!(told.lines().find(|line| line.contains("canary")), None);
}

#[test]
fn no_secret_of_the_settings_is_told_anywhere() {
    let folder = tempfile::tempdir().unwrap();
    let database = Postgres::shared().database();
    let (scheme, rest) = database.url().split_once("://").map(owned).unwrap();
    let (user, place) = rest
        .split_once('@')
        .map_or(("postgres".to_owned(), rest.clone()), owned);
    let user = user.split(':').next().unwrap().to_owned();
    let url = format!("{scheme}://{user}:canary@{place}");
    fs::write(folder.path().join("url"), url).unwrap();
    fs::write(folder.path().join("token"), "canary-in-a-file").unwrap();
    let receiver = format!(
        "url = \"http://127.0.0.1:9/canary\"\nheaders = {{ A = \"canary-header\", B = {{ file = {:?} }} }}\nsecret = \"whsec_{SIGNING}\"\n",
        folder.path().join("token")
    );
    let file = format!(
        "[database]\nurl = {{ file = {:?} }}\n[providers.push]\nkind = \"http\"\n{receiver}[destinations.shop]\nallow_private = true\n{receiver}",
        folder.path().join("url")
    );
    fs::write(folder.path().join("baton.toml"), file).unwrap();
    let flags = ["--migrate", "--allow-unsafe-durability", "--log", "trace"];
    let served = Served::start_in(folder, &flags);
    let here = served.folder.path();

    let put = [
        "recipients",
        "put",
        "user-1",
        "--platform",
        "ios",
        "--address",
        "push=token",
    ];
    let mut told = served.run(&put).err();
    let notify = [
        "notify", "user-1", "--title", "Hi", "--body", "news", "--json",
    ];
    told += &served.run(&notify).out();
    let payload = r#"{"destination": "shop", "path": "/orders/7"}"#;
    let add = [
        "jobs",
        "enqueue",
        "http",
        "--max-attempts",
        "1",
        "--payload",
        payload,
        "--json",
    ];
    let job = served.run(&add).json()["id"].as_str().unwrap().to_owned();
    told += &served
        .run(&["jobs", "watch", &job, "--timeout", "30s"])
        .out();
    told += &everything(&served, &job);
    let broken = r#"{"destination": "shop", "path": "/../orders"}"#;
    told += &served
        .run(&["jobs", "enqueue", "http", "--payload", broken])
        .err();
    for words in [
        &["doctor", "--redis", "redis://:canary@127.0.0.1:1/0"][..],
        &[
            "doctor",
            "--json",
            "--redis",
            "redis://:canary@127.0.0.1:1/0",
        ],
        &["doctor", "--database", "postgres://me:canary@127.0.0.1:1/x"],
        &[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--database",
            "mysql://me:canary@h/x",
        ],
        &[
            "serve",
            "--listen",
            "127.0.0.1:0",
            "--redis",
            "http://:canary@h",
        ],
    ] {
        let ran = run(here, words);
        told += &(ran.out() + &ran.err());
    }

    assert!(told.contains("(hidden)"), "{told}");
    let secret = |line: &&str| line.contains("canary") || line.contains(SIGNING);
    assert_eq!(told.lines().find(secret), None);
    assert_eq!(path_of_the_build(&told), None);
}

#[test]
fn the_password_of_a_redis_is_told_nowhere_even_when_it_is_gone_or_refuses_us() {
    let folder = tempfile::tempdir().unwrap();
    let settings = "[simulate]\nallow_crash = true\n";
    fs::write(folder.path().join("baton.toml"), settings).unwrap();
    let mut redis = Redis::start_with(&["requirepass=canary"]);
    let flags = ["--log", "trace", "--redis", &redis.url()];
    let served = Served::start_in(folder, &flags);
    let add = |payload| {
        let words = [
            "jobs",
            "enqueue",
            "simulate",
            "--max-attempts",
            "1",
            "--payload",
            payload,
            "--json",
        ];
        let job = served.run(&words).json()["id"].as_str().unwrap().to_owned();
        let watched = served.run(&["jobs", "watch", &job, "--timeout", "30s"]);
        (job, watched.out() + &watched.err())
    };
    let (job, mut told) = add("{}");
    told += &everything(&served, &job);

    redis.command(&["CONFIG", "SET", "requirepass", "another"]);
    let (panicked, words) = add(r#"{"error": "panic"}"#);
    told += &(words + &everything(&served, &panicked));
    redis.kill();
    let (without, words) = add("{}");
    told += &(words + &everything(&served, &without));
    told += &run(served.folder.path(), &["doctor", "--redis", &redis.url()]).out();

    assert_eq!(told.lines().find(|line| line.contains("canary")), None);
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

/// A signing secret in base64.
const SIGNING: &str = "Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5Y2FuYXJ5";

fn owned((a, b): (&str, &str)) -> (String, String) {
    (a.to_owned(), b.to_owned())
}

/// What commands, answers, pages, metrics and the log tell of a server and of one of its jobs.
fn everything(served: &Served, job: &str) -> String {
    let mut told = String::new();
    for words in [
        &["jobs", "show", job, "--json"][..],
        &["jobs", "show", job],
        &["jobs", "list", "--json"],
        &["schedules", "list", "--json"],
        &[
            "events",
            "tail",
            "--after",
            "start",
            "--no-follow",
            "--json",
        ],
        &["dead-letters", "list", "--json"],
        &["workers"],
    ] {
        let ran = served.run(words);
        assert_eq!(ran.code(), 0, "{words:?}: {}", ran.err());
        told += &(ran.out() + &ran.err());
    }
    for path in [
        &format!("/v1/jobs/{job}"),
        &format!("/v1/jobs/{job}/events"),
        &format!("/v1/jobs/{job}/attempts"),
        &format!("/v1/jobs/{job}/explain"),
        "/v1/jobs",
        "/v1/schedules",
        "/v1/events",
        "/readyz",
        "/admin",
        "/admin/jobs",
        &format!("/admin/jobs/{job}"),
        "/admin/dead-letters",
        "/metrics",
    ] {
        told += &got(served, path);
    }
    told + &served.log()
}

fn got(served: &Served, path: &str) -> String {
    let curl = Command::new("curl")
        .args(["-sSf", "--max-time", "20"])
        .arg(format!("{}{path}", served.url))
        .output()
        .unwrap();
    assert!(curl.status.success(), "{path}");
    String::from_utf8_lossy(&curl.stdout).into_owned()
}
