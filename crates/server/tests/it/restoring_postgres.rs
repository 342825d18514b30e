//! The same on PostgreSQL, whose own programs do the work.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use baton_testkit::{Postgres, free_port};
use tempfile::TempDir;

use crate::{
    restoring::{enqueue, last_event},
    support::{Ran, Served, baton, run},
};

/// The first of two hosts is away.
fn of_two_hosts(url: &str) -> String {
    let (user, place) = url.split_once('@').unwrap();
    format!("{user}@127.0.0.1:{},{place}", free_port())
}

/// The same server's database of this name.
fn named(url: &str, name: &str) -> String {
    format!("{}/{name}", url.rsplit_once('/').unwrap().0)
}

fn served(url: &str) -> Served {
    Served::start(&["--database", url, "--migrate", "--allow-unsafe-durability"])
}

fn jobs(served: &Served) -> String {
    served
        .run(&["jobs", "list", "--limit", "100", "--json"])
        .out()
}

fn backup(folder: &Path, url: &str) -> Ran {
    run(
        folder,
        &["backup", "copy.dump", "--json", "--database", url],
    )
}

fn restore(folder: &Path, url: &str, more: &[&str]) -> Ran {
    let words = ["restore", "copy.dump", "--json", "--database", url];
    run(folder, &[&words, more].concat())
}

fn killed(served: Served) {
    served.signal("KILL");
    served.ended();
}

/// A migrated database with one job in it, and a copy of it.
fn copied(folder: &Path) -> (baton_testkit::Database, PathBuf) {
    let database = Postgres::shared().database();
    let ran = run(folder, &["migrate", "--database", &database.url()]);
    assert_eq!(ran.code(), 0, "{}", ran.err());
    let ran = backup(folder, &database.url());
    assert_eq!(ran.code(), 0, "{}", ran.err());
    (database, folder.join("copy.dump"))
}

#[test]
fn a_copy_comes_back_in_an_empty_database_and_in_the_place_of_one() {
    let folder = tempfile::tempdir().unwrap();
    let postgres = Postgres::start();
    postgres.execute("CREATE DATABASE jobs");
    postgres.execute("CREATE DATABASE \"it's empty\"");
    let url = named(&of_two_hosts(&postgres.url()), "jobs");
    let empty = named(&url, "it's%20empty");
    let server = served(&url);
    enqueue(&server, "done", &["--wait", "30s"]);
    server.run(&["queues", "pause", "default"]);
    enqueue(&server, "waits", &[]);
    let copied = backup(folder.path(), &url);
    server.run(&["queues", "resume", "default"]);
    for i in 0..5 {
        enqueue(&server, &format!("later-{i}"), &["--wait", "30s"]);
    }
    let seen = last_event(&server);

    let beside = restore(folder.path(), &empty, &[]);
    let full = restore(folder.path(), &url, &[]);
    let in_use = restore(folder.path(), &url, &["--replace"]);
    killed(server);
    let replaced = restore(folder.path(), &url, &["--replace"]);
    let server = served(&url);
    server.run(&["queues", "resume", "default"]);
    enqueue(&server, "waits", &["--wait", "30s"]);
    let replayed = server.run(&["events", "tail", "--after", &seen, "--no-follow"]);

    assert_eq!(copied.code(), 0, "{}", copied.err());
    assert_eq!(copied.json()["jobs"], 2);
    assert_eq!(copied.json()["unfinished"], 1);
    assert_eq!(beside.code(), 0, "{}", beside.err());
    assert_eq!(beside.json()["before"], serde_json::Value::Null);
    assert_eq!((full.code(), in_use.code()), (5, 5));
    assert!(full.err().contains("--replace"), "{}", full.err());
    assert!(in_use.err().contains("connected"), "{}", in_use.err());
    assert_eq!(replaced.code(), 0, "{}", replaced.err());
    assert_ne!(replaced.json()["epoch"], beside.json()["epoch"]);
    assert!(!jobs(&server).contains("later-"), "{}", jobs(&server));
    assert_eq!(replayed.code(), 3, "{}{}", replayed.out(), replayed.err());
    let kept = replaced.json()["before"].as_str().unwrap().to_owned();
    let former = served(&named(&url, &kept));
    assert!(jobs(&former).contains("later-4"), "{}", jobs(&former));
}

#[test]
fn a_copy_can_be_put_back_twice_and_each_time_begins_another_history() {
    let folder = tempfile::tempdir().unwrap();
    let (database, _copy) = copied(folder.path());
    let url = Postgres::shared().database().url();
    let own = Postgres::start();
    own.execute("CREATE DATABASE jobs");
    let place = named(&own.url(), "jobs");

    let first = restore(folder.path(), &place, &[]);
    let second = restore(folder.path(), &place, &["--replace"]);
    let gone = restore(folder.path(), &url, &[]);

    drop(database);
    assert_eq!(first.code(), 0, "{}", first.err());
    assert_eq!(second.code(), 0, "{}", second.err());
    assert!(first.json()["epoch"].as_i64() < second.json()["epoch"].as_i64());
    assert_eq!(gone.code(), 7, "no database of this name: {}", gone.err());
}

#[test]
fn an_ordinary_user_may_replace_a_database_if_it_may_create_one() {
    let folder = tempfile::tempdir().unwrap();
    let own = Postgres::start();
    own.execute("CREATE ROLE plain LOGIN");
    own.execute("CREATE DATABASE mine OWNER plain");
    let url = named(&own.url(), "mine").replacen("postgres@", "plain@", 1);
    let migrated = run(folder.path(), &["migrate", "--database", &url]);
    let copied = backup(folder.path(), &url);

    let refused = restore(folder.path(), &url, &["--replace"]);
    own.execute("ALTER ROLE plain CREATEDB");
    let replaced = restore(folder.path(), &url, &["--replace"]);

    assert_eq!((migrated.code(), copied.code()), (0, 0), "{}", copied.err());
    assert_eq!(refused.code(), 1);
    assert!(refused.err().contains("CREATEDB"), "{}", refused.err());
    assert_eq!(replaced.code(), 0, "{}", replaced.err());
    let again = run(folder.path(), &["migrate", "--status", "--database", &url]);
    assert_eq!(again.code(), 0, "{}", again.err());
}

#[test]
fn a_file_that_is_no_whole_copy_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (_database, copy) = copied(folder.path());
    let target = Postgres::shared().database();
    let whole = fs::read(&copy).unwrap();

    for part in [&whole[..whole.len() / 2], &whole[..40], b"", b"SELECT 1;\n"] {
        fs::write(&copy, part).unwrap();
        let refused = restore(folder.path(), &target.url(), &[]);

        assert_eq!(refused.code(), 2, "{} bytes: {}", part.len(), refused.err());
        assert!(refused.err().contains("copy.dump"), "{}", refused.err());
    }

    fs::write(&copy, &whole).unwrap();
    let taken = restore(folder.path(), &target.url(), &[]);
    assert_eq!(taken.code(), 0, "it is still empty: {}", taken.err());
}

#[test]
fn a_backup_is_for_its_owner_alone_and_overwrites_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (database, copy) = copied(folder.path());

    let again = backup(folder.path(), &database.url());
    let nothing = Postgres::shared().database();
    let empty = run(
        folder.path(),
        &["backup", "other.dump", "--database", &nothing.url()],
    );

    let mode = fs::metadata(&copy).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!((again.code(), empty.code()), (2, 2), "{}", empty.err());
    assert_eq!(names(folder.path()), ["copy.dump"]);
}

/// A folder of programs that stand before those of PostgreSQL, or in their place.
struct Programs(TempDir);

impl Programs {
    fn with(script: &str) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for name in ["pg_dump", "pg_restore"] {
            let path = folder.0.path().join(name);
            fs::write(&path, format!("#!/bin/sh\nname={name}\n{script}\n")).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        folder
    }

    fn backup(&self, folder: &Path, url: &str) -> Ran {
        let mut command = baton(folder);
        command.args(["backup", "copy.dump", "--database", url]);
        command.env("PATH", format!("{}:/bin", self.0.path().display()));
        Ran::of(command.output().unwrap())
    }
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_program_that_is_missing_too_old_or_fails_is_named_and_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let target = tempfile::tempdir().unwrap();
    let (database, _copy) = copied(folder.path());
    let nothing = tempfile::tempdir().unwrap();
    let mut without = baton(target.path());
    without.args(["backup", "copy.dump", "--database", &database.url()]);
    without.env("PATH", nothing.path());
    let breaks = "case \"$1\" in --version) echo \"$name (PostgreSQL) 99.1\";; *) echo 'no space left' >&2; exit 1;; esac";

    let missing = Ran::of(without.output().unwrap());
    let old = Programs::with("echo \"$name (PostgreSQL) 9.6.24\"");
    let old = old.backup(target.path(), &database.url());
    let fails = Programs::with(breaks).backup(target.path(), &database.url());

    for (ran, word) in [
        (&missing, "postgresql-client-"),
        (&old, "only as of version 9"),
        (&fails, "no space left"),
    ] {
        assert_eq!(ran.code(), 1, "{}", ran.err());
        assert!(ran.err().contains(word), "{}", ran.err());
    }
    assert_eq!(names(target.path()), [""; 0]);
}

#[test]
fn a_password_stands_on_no_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let (database, _copy) = copied(folder.path());
    let target = tempfile::tempdir().unwrap();
    let notes = target.path().join("notes");
    let bin = Postgres::shared().bin_dir().display().to_string();
    let script = format!(
        "echo \"$name $* password=$PGPASSWORD\" >> {}; exec {bin}/$name \"$@\"",
        notes.display()
    );
    let url = database
        .url()
        .replacen("postgres@", "postgres:s%20ecret@", 1);

    let ran = Programs::with(&script).backup(target.path(), &url);

    assert_eq!(ran.code(), 0, "{}", ran.err());
    let notes = fs::read_to_string(notes).unwrap();
    for line in notes.lines() {
        let (words, password) = line.split_once(" password=").unwrap();
        assert!(!words.contains("ecret"), "{line}");
        assert_eq!(password, "s ecret");
    }
    assert!(notes.contains("pg_dump --format=custom"), "{notes}");
}
