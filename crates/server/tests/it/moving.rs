//! An installation moves to another database by the binary, in the middle of its work, and goes on there.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::Stdio,
    time::Duration,
};

use baton_lab::target::{Options, Target};
use baton_testkit::{Brand, Database, Mysql, Postgres, eventually};
use tempfile::TempDir;

use crate::{
    campaigns::{calls, create, done, folder},
    restoring::last_event,
    support::{Ran, Served, baton, run},
};

const TIMEOUT: Duration = Duration::from_mins(1);
const DIALECTS: [&str; 3] = ["sqlite", "postgres", "mysql"];

/// An empty database for a server in a folder, as long as what is kept is kept.
fn database(dialect: &str, file: &str) -> (String, Option<Database>) {
    match dialect {
        "sqlite" => (format!("sqlite://{file}"), None),
        "postgres" => {
            let database = Postgres::shared().database();
            (database.url(), Some(database))
        }
        _ => (Mysql::shared(Brand::Mariadb).database(), None),
    }
}

fn serve(folder: TempDir, url: &str) -> Served {
    let flags = ["--database", url, "--migrate", "--allow-unsafe-durability"];
    Served::start_in(folder, &flags)
}

/// Ends a server in order.
fn stopped(served: Served) -> TempDir {
    served.signal("TERM");
    served.ended().2
}

fn copy(folder: &Path, from: &str, to: &str) -> Ran {
    run(folder, &["copy", "--from", from, "--to", to, "--json"])
}

#[tokio::test(flavor = "multi_thread")]
async fn a_campaign_stopped_half_way_is_resumed_on_the_other_database_and_each_is_called_once() {
    for from in DIALECTS {
        for to in DIALECTS.into_iter().filter(|to| *to != from) {
            let gateway = Target::start(Options::default()).await.unwrap();
            let (old, _kept) = database(from, "old.db");
            let (new, _kept) = database(to, "new.db");
            let served = serve(folder(&gateway, 600), &old);
            let id = create(&served, &["--rate", "300"]);
            eventually("calls arrive", TIMEOUT, async || gateway.total() > 100).await;
            assert_eq!(served.run(&["campaigns", "stop", &id]).code(), 0);
            let seen = last_event(&served);
            let folder = stopped(served);
            let half = calls(&gateway).len();

            let copied = copy(folder.path(), &old, &new);
            let refused = run(
                folder.path(),
                &[
                    "serve",
                    "--listen",
                    "127.0.0.1:0",
                    "--allow-unsafe-durability",
                    "--database",
                    &old,
                ],
            );
            let served = serve(folder, &new);
            let reset = served.run(&["events", "tail", "--after", &seen, "--no-follow"]);
            assert_eq!(served.run(&["campaigns", "rate", &id, "none"]).code(), 0);
            assert_eq!(served.run(&["campaigns", "resume", &id]).code(), 0);
            let campaign = done(&served, &id).await;

            assert_eq!(copied.code(), 0, "{from} to {to}: {}", copied.err());
            assert_eq!(refused.code(), 5, "{from} to {to}: {}", refused.err());
            assert!(refused.err().contains("has moved to"), "{}", refused.err());
            assert_eq!(
                reset.code(),
                3,
                "{from} to {to}: {}{}",
                reset.out(),
                reset.err()
            );
            assert!(half < 540, "it was stopped on its way");
            let counts = &campaign["progress"]["counts"];
            assert_eq!(
                (&counts["succeeded"], &counts["skipped"]),
                (&540.into(), &60.into())
            );
            let calls = calls(&gateway);
            assert_eq!(calls.len(), 540, "{from} to {to}");
            assert!(calls.values().all(|count| *count == 1), "{from} to {to}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_copy_that_is_killed_goes_on_and_neither_side_is_served_meanwhile() {
    let gateway = Target::start(Options::default()).await.unwrap();
    let (old, _kept) = database("postgres", "old.db");
    let (new, _kept) = database("mysql", "new.db");
    let served = serve(folder(&gateway, 5_000), &old);
    let id = create(&served, &[]);
    done(&served, &id).await;
    let folder = stopped(served);

    for line in [
        "copied jobs",
        "copied successes",
        "copied recipients",
        "verified jobs",
    ] {
        killed_at(line, folder.path(), &old, &new);
        for url in [&old, &new] {
            let served = run(
                folder.path(),
                &[
                    "serve",
                    "--listen",
                    "127.0.0.1:0",
                    "--allow-unsafe-durability",
                    "--database",
                    url,
                ],
            );
            assert_eq!(served.code(), 5, "{line}: {}", served.err());
        }
    }
    let copied = copy(folder.path(), &old, &new);
    let again = copy(folder.path(), &old, &new);

    assert_eq!(copied.code(), 0, "{}", copied.err());
    let jobs = &copied.json()["tables"][0];
    assert_eq!(
        (&jobs["table"], &jobs["rows"]),
        (&"jobs".into(), &5_000.into())
    );
    assert_eq!(
        (again.code(), &again.json()["epoch"]),
        (0, &serde_json::Value::Null)
    );
    let served = serve(folder, &new);
    assert_eq!(
        done(&served, &id).await["progress"]["counts"]["succeeded"],
        4_500
    );
    assert_eq!(gateway.total(), 4_500);
}

/// Kills a copy as soon as it has said a line that begins so.
fn killed_at(line: &str, folder: &Path, from: &str, to: &str) {
    let mut copying = baton(folder)
        .args(["copy", "--from", from, "--to", to])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let said = BufReader::new(copying.stderr.take().unwrap());
    let mut all = Vec::new();
    let found = said.lines().map(Result::unwrap).find(|said| {
        all.push(said.clone());
        said.starts_with(line)
    });
    copying.kill().unwrap();
    copying.wait().unwrap();
    assert!(found.is_some(), "it never said {line}: {all:?}");
}

#[test]
fn a_copy_under_a_server_is_refused_and_one_that_is_given_up_leaves_the_server_its_database() {
    let (old, _kept) = database("postgres", "old.db");
    let served = serve(tempfile::tempdir().unwrap(), &old);

    let in_use = copy(served.folder.path(), &old, "sqlite://new.db");
    let folder = stopped(served);
    killed_at("copied jobs", folder.path(), &old, "sqlite://new.db");
    let reopened = run(
        folder.path(),
        &["copy", "--from", &old, "--reopen", "--force"],
    );
    let served = serve(folder, &old);
    let works = served.run(&["jobs", "enqueue", "simulate", "--wait", "30s"]);

    assert_eq!(in_use.code(), 5, "{}", in_use.err());
    assert!(in_use.err().contains("in use"), "{}", in_use.err());
    assert_eq!(reopened.code(), 0, "{}", reopened.err());
    assert_eq!(works.code(), 0, "{}", works.err());
}

#[test]
fn a_password_in_a_url_is_told_to_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let urls = [
        "postgres://me:hunter2@127.0.0.1:1/x",
        "mysql://me:hunter2@127.0.0.1:1/x",
        "oracle://me:hunter2@h/x",
    ];

    for from in urls {
        let refused = copy(folder.path(), from, "sqlite://new.db");

        assert_ne!(refused.code(), 0);
        assert!(!refused.err().contains("hunter2"), "{}", refused.err());
    }
}
