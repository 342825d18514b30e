//! Data that others on this machine get at is told, with what closes it.

use std::{
    fs::{self, Permissions},
    os::unix::fs::PermissionsExt,
    path::Path,
    process::Command,
};

use crate::support::{Served, run};

const WORDS: &str = "is open to others on this machine";

fn set_mode(place: &Path, mode: u32) {
    fs::set_permissions(place, Permissions::from_mode(mode)).unwrap();
}

fn doctor(folder: &Path) -> String {
    let ran = run(folder, &["doctor", "--listen", "127.0.0.1:0"]);
    assert_eq!(ran.code(), 0, "{}{}", ran.out(), ran.err());
    ran.out()
}

/// The commands that a text names as what closes something.
fn commands(told: &str) -> Vec<&str> {
    let parts = told.split('`').skip(1).step_by(2);
    parts.filter(|part| part.starts_with("chmod ")).collect()
}

#[test]
fn a_fresh_folder_is_closed_and_nothing_is_told_of_it() {
    let served = Served::start(&[]);

    let told = doctor(served.folder.path());
    served.signal("TERM");
    let (_, log) = served.last_words();

    for told in [told, log] {
        assert!(!told.contains(WORDS), "{told}");
    }
}

#[test]
fn a_folder_and_a_file_that_others_get_at_are_told_with_what_closes_them() {
    let served = Served::start(&[]);
    served.signal("TERM");
    let (_, _, folder) = served.ended();
    set_mode(&folder.path().join("baton-data"), 0o755);
    set_mode(&folder.path().join("baton-data/baton.db"), 0o644);

    let before = doctor(folder.path());
    let served = Served::start_in(folder, &[]);
    served.signal("TERM");
    let (_, log) = served.last_words();

    for told in [log, before] {
        for words in [
            "baton-data is open to others on this machine (mode 0755)",
            "`chmod 700 baton-data`",
            "baton-data/baton.db is open to others on this machine (mode 0644)",
            "`chmod 600 baton-data/baton.db`",
        ] {
            assert!(told.contains(words), "no {words:?} in {told}");
        }
    }
}

#[test]
fn what_is_told_closes_the_data_of_a_server_that_runs() {
    let served = Served::start(&[]);
    let here = served.folder.path();
    let files = ["", "/baton.db", "/baton.db-wal", "/baton.db-shm"];
    for file in files {
        let wide = if file.is_empty() { 0o755 } else { 0o664 };
        set_mode(&here.join(format!("baton-data{file}")), wide);
    }

    let told = doctor(here);
    let commands = commands(&told);
    for command in &commands {
        let mut shell = Command::new("sh");
        let ran = shell.current_dir(here).args(["-c", command]).status();
        assert!(ran.unwrap().success(), "{command}");
    }

    assert_eq!(commands.len(), files.len(), "{told}");
    let told = doctor(here);
    assert!(!told.contains(WORDS), "{told}");
}

#[test]
fn of_a_file_elsewhere_the_file_is_told_and_the_folder_is_not_ours_to_judge() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("shared")).unwrap();
    set_mode(&folder.path().join("shared"), 0o755);
    let flags = ["--database", "sqlite://shared/jobs.db"];
    let served = Served::start_in(folder, &flags);
    set_mode(&served.folder.path().join("shared/jobs.db"), 0o640);

    let words = ["doctor", "--listen", "127.0.0.1:0"];
    let ran = run(served.folder.path(), &[&words[..], &flags].concat());

    let told = ran.out();
    assert!(
        told.contains("shared/jobs.db is open to others on this machine (mode 0640)"),
        "{told}"
    );
    assert_eq!(commands(&told).len(), 1, "{told}");
}
