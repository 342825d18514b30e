//! The drills of the page on backups, followed as they stand.

use std::{os::unix::fs::symlink, path::Path, process::Command};

use baton_testkit::Postgres;

use crate::{
    readme::shell_blocks,
    restoring::{enqueue, killed},
    support::{Ran, Served, uninfluenced},
};

const PAGE: &str = include_str!("../../../../docs/operations/backup-and-restore.md");
/// What stands on the page for the server of the reader.
const SOMEWHERE: &str = "postgres://...";

/// What stands under a heading of the page.
fn section(heading: &str) -> &'static str {
    let mut sections = PAGE.split("\n## ");
    let section = sections.find(|section| section.lines().next() == Some(heading));
    section.unwrap()
}

#[test]
fn the_drill_of_the_page_can_be_followed_as_it_stands_on_sqlite() {
    let served = Served::start(&[]);
    served.run(&["queues", "pause", "default"]);
    enqueue(&served, "kept", &[]);
    let path = path_with_baton(served.folder.path(), &[]);
    let blocks: Vec<_> = shell_blocks(section("SQLite")).collect();
    let [backup, restore, serve, go_on] = *blocks else {
        panic!("the drill has four steps: {blocks:?}");
    };

    let backed_up = shell(served.folder.path(), &path, &[], backup);
    enqueue(&served, "lost", &[]);
    let folder = killed(served);
    let put_back = shell(folder.path(), &path, &[], restore);
    assert_eq!(serve.trim(), "baton serve");
    let served = Served::start_in(folder, &[]);
    let shown = shell(
        served.folder.path(),
        &path,
        &[("BATON_URL", &served.url)],
        go_on,
    );

    for ran in [&backed_up, &put_back, &shown] {
        assert_eq!(ran.code(), 0, "{}{}", ran.out(), ran.err());
    }
    enqueue(&served, "kept", &["--wait", "30s"]);
    let listed = served.run(&["jobs", "list", "--json"]).out();
    assert!(!listed.contains("lost"), "{listed}");
}

#[test]
fn the_drill_of_the_page_can_be_followed_as_it_stands_on_postgresql() {
    let postgres = Postgres::start();
    postgres.execute("CREATE DATABASE baton");
    let here = format!("postgres://postgres@127.0.0.1:{}", postgres.port());
    let served = serve_on(&format!("{here}/baton"));
    served.run(&["queues", "pause", "default"]);
    enqueue(&served, "kept", &[]);
    let blocks = shell_blocks(section("PostgreSQL"));
    let blocks: Vec<_> = blocks
        .map(|block| block.replace(SOMEWHERE, &here))
        .collect();
    let [backup, restore, go_on] = &*blocks else {
        panic!("the drill has three steps: {blocks:?}");
    };
    let port = postgres.port().to_string();
    let place = [
        ("PGHOST", "127.0.0.1"),
        ("PGPORT", &port),
        ("PGUSER", "postgres"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = path_with_baton(folder.path(), &[postgres.bin_dir()]);

    let backed_up = shell(folder.path(), &path, &place, backup);
    enqueue(&served, "lost", &[]);
    killed(served);
    let put_back = shell(folder.path(), &path, &place, restore);
    let served = serve_on(&format!("{here}/baton_restored"));
    let shown = shell(folder.path(), &path, &[("BATON_URL", &served.url)], go_on);

    for ran in [&backed_up, &put_back, &shown] {
        assert_eq!(ran.code(), 0, "{}{}", ran.out(), ran.err());
    }
    enqueue(&served, "kept", &["--wait", "30s"]);
    let listed = served.run(&["jobs", "list", "--json"]).out();
    assert!(
        listed.contains("kept") && !listed.contains("lost"),
        "{listed}"
    );
}

fn serve_on(url: &str) -> Served {
    Served::start(&["--database", url, "--migrate", "--allow-unsafe-durability"])
}

/// A path on which `baton` is this program, and what is in these folders goes before what the machine has.
fn path_with_baton(folder: &Path, before: &[&Path]) -> String {
    let bin = folder.join("bin");
    std::fs::create_dir(&bin).unwrap();
    symlink(env!("CARGO_BIN_EXE_baton"), bin.join("baton")).unwrap();
    let folders = [&*bin].into_iter().chain(before.iter().copied());
    let folders: Vec<_> = folders.map(|folder| folder.display().to_string()).collect();
    format!("{}:{}", folders.join(":"), std::env::var("PATH").unwrap())
}

fn shell(folder: &Path, path: &str, variables: &[(&str, &str)], block: &str) -> Ran {
    let mut shell = uninfluenced(Command::new("sh"), folder);
    shell.args(["-e", "-c", block]).env("PATH", path);
    shell.envs(variables.iter().copied());
    Ran::of(shell.output().unwrap())
}
