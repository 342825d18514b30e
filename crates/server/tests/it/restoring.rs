//! A backup that is made while a server works, and put back after it was killed.

use std::{fs, os::unix::fs::PermissionsExt, path::Path};

use baton_testkit::Postgres;
use tempfile::TempDir;

use crate::support::{Ran, Served, run};

const DATA: [&str; 2] = ["--data-dir", "data"];

#[test]
fn what_is_in_a_backup_comes_back_and_a_reader_of_what_came_after_is_told() {
    let served = Served::start(&DATA);
    enqueue(&served, "done", &["--wait", "30s"]);
    served.run(&["queues", "pause", "default"]);
    enqueue(&served, "waits", &[]);
    let copied = served.run(&["backup", "copy.db", "--json", "--data-dir", "data"]);
    served.run(&["queues", "resume", "default"]);
    for i in 0..5 {
        enqueue(&served, &format!("later-{i}"), &["--wait", "30s"]);
    }
    let seen = last_event(&served);

    let in_use = restore(served.folder.path(), &["--replace"]);
    let folder = killed(served);
    let full = restore(folder.path(), &[]);
    let restored = restore(folder.path(), &["--replace"]);
    let served = Served::start_in(folder, &DATA);
    // It was paused when the copy was made.
    served.run(&["queues", "resume", "default"]);
    enqueue(&served, "waits", &["--wait", "30s"]);
    for i in 0..12 {
        enqueue(&served, &format!("anew-{i}"), &["--wait", "30s"]);
    }
    let listed = served
        .run(&["jobs", "list", "--limit", "100", "--json"])
        .out();
    let replayed = served.run(&["events", "tail", "--after", &seen, "--no-follow"]);

    assert_eq!(copied.code(), 0, "{}", copied.err());
    assert_eq!(copied.json()["jobs"], 2);
    assert_eq!(copied.json()["unfinished"], 1);
    assert_eq!(
        (in_use.code(), full.code()),
        (5, 5),
        "{}{}",
        in_use.err(),
        full.err()
    );
    assert!(full.err().contains("--replace"), "{}", full.err());
    assert_eq!(restored.code(), 0, "{}", restored.err());
    assert_eq!(restored.json()["unfinished"], 1);
    let before = restored.json()["before"].as_str().unwrap().to_owned();
    assert!(
        fs::metadata(served.folder.path().join(before))
            .unwrap()
            .len()
            > 0
    );
    assert!(
        listed.contains("\"done\"") && listed.contains("\"waits\""),
        "{listed}"
    );
    assert!(!listed.contains("later-"), "{listed}");
    let number = |id: &str| id.split_once('-').unwrap().1.parse::<i64>().unwrap();
    assert!(
        number(&last_event(&served)) > number(&seen),
        "its number is there again"
    );
    assert_eq!(replayed.code(), 3, "{}{}", replayed.out(), replayed.err());
}

#[test]
fn a_copy_is_put_back_again_at_once_and_both_that_were_there_are_kept() {
    let served = Served::start(&DATA);
    served.run(&["backup", "copy.db", "--data-dir", "data"]);
    let folder = killed(served);

    let restored = [0; 3].map(|_| restore(folder.path(), &["--replace"]));

    let kept = |ran: &Ran| ran.json()["before"].as_str().unwrap().to_owned();
    let mut all: Vec<_> = restored.iter().map(kept).collect();
    assert!(
        all.iter().all(|one| folder.path().join(one).exists()),
        "{all:?}"
    );
    all.dedup();
    assert_eq!(all.len(), 3);
}

#[test]
fn a_backup_is_for_its_owner_alone_and_overwrites_nothing() {
    let served = Served::start(&DATA);
    let copy = served.folder.path().join("copy.db");

    let first = served.run(&["backup", "copy.db", "--data-dir", "data"]);
    let second = served.run(&["backup", "copy.db", "--data-dir", "data"]);
    fs::write(served.folder.path().join("text.db"), "not a database").unwrap();
    let strange = run(
        served.folder.path(),
        &["restore", "text.db", "--data-dir", "elsewhere"],
    );

    assert_eq!(first.code(), 0, "{}", first.err());
    assert_eq!(
        fs::metadata(&copy).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(second.code(), 2, "{}", second.err());
    assert_eq!(strange.code(), 2, "{}", strange.err());
    let names = fs::read_dir(served.folder.path()).unwrap();
    let names = names.map(|entry| entry.unwrap().file_name());
    assert!(
        !names
            .into_iter()
            .any(|name| name.to_string_lossy().contains(".part"))
    );
}

#[test]
fn a_held_copy_runs_nothing_until_it_is_resumed_and_then_goes_on() {
    let postgres = Postgres::shared();
    let (database, restored) = (postgres.database(), postgres.database());
    let flags = |url| ["--database", url, "--migrate", "--allow-unsafe-durability"];
    let (from, to) = (database.url(), restored.url());

    for (from, to) in [
        (flags("sqlite://a.db"), flags("sqlite://b.db")),
        (flags(&from), flags(&to)),
    ] {
        let served = Served::start(&from);
        enqueue(&served, "waits", &["--delay", "1s"]);
        let copied = served.run(&["backup", "copy.db", from[0], from[1]]);
        let folder = killed(served);
        let words = ["restore", "copy.db", "--hold", to[0], to[1]];
        let put_back = run(folder.path(), &words);
        let served = Served::start_in(folder, &to);
        // It ends after the other one could have.
        let later = ["--queue", "other", "--delay", "2s", "--wait", "30s"];
        enqueue(&served, "later", &later);
        let held = served.run(&["jobs", "list", "--json"]).out();
        served.run(&["queues", "resume", "default"]);
        enqueue(&served, "waits", &["--delay", "1s", "--wait", "30s"]);

        assert_eq!(copied.code(), 0, "{}", copied.err());
        assert_eq!(put_back.code(), 0, "{}", put_back.err());
        assert!(put_back.err().contains("resume"), "{}", put_back.err());
        let ended = held.matches("\"succeeded\"").count();
        assert_eq!(ended, 1, "only what was accepted since has run: {held}");
    }
}

pub fn enqueue(served: &Served, key: &str, more: &[&str]) {
    let words = [&["jobs", "enqueue", "simulate", "--key", key], more].concat();
    let ran = served.run(&words);
    assert_eq!(ran.code(), 0, "{}", ran.err());
}

fn restore(folder: &Path, more: &[&str]) -> Ran {
    let words = ["restore", "copy.db", "--json", "--data-dir", "data"];
    run(folder, &[&words, more].concat())
}

/// The id of the last event there is.
pub fn last_event(served: &Served) -> String {
    let words = [
        "events",
        "tail",
        "--after",
        "start",
        "--no-follow",
        "--json",
    ];
    let told = served.run(&words).out();
    let last: serde_json::Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
    last["id"].as_str().unwrap().to_owned()
}

pub fn killed(served: Served) -> TempDir {
    served.signal("KILL");
    served.ended().2
}
