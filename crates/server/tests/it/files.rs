//! How many files may be open at once.

use std::{path::Path, process::Command};

use tempfile::TempDir;

use crate::support::{Ran, Served, uninfluenced};

/// The program under a limit, set the way a shell does.
fn limited(folder: &Path, limit: &str) -> Command {
    let mut shell = Command::new("sh");
    let script = format!("ulimit {limit}; exec \"$0\" \"$@\"");
    shell.args(["-c", &script, env!("CARGO_BIN_EXE_baton")]);
    uninfluenced(shell, folder)
}

fn served(limit: &str, flags: &[&str]) -> Served {
    let folder = TempDir::new().unwrap();
    let command = limited(folder.path(), limit);
    Served::start_as(command, folder, flags)
}

#[test]
#[cfg(target_os = "linux")]
fn a_soft_limit_that_is_too_low_is_raised_to_the_hard_one() {
    let served = served("-S -n 256", &[]);

    let limits = served.file_limits();

    assert!(limits.len() < 2 || limits[0] == limits[1], "{limits:?}");
    assert_ne!(limits.first(), Some(&256));
    assert!(!served.log().contains("files open"), "{}", served.log());
}

#[test]
fn a_hard_limit_that_is_too_low_is_told_with_what_to_set() {
    let served = served("-n 600", &[]);
    let doctor = limited(served.folder.path(), "-n 600")
        .args(["doctor", "--listen", "127.0.0.1:0"])
        .output();
    let doctor = Ran::of(doctor.unwrap());

    for told in [served.log(), doctor.out()] {
        assert!(told.contains("600 files open"), "{told}");
        assert!(told.contains("LimitNOFILE="), "{told}");
        assert!(told.contains("worker.max_running"), "{told}");
    }
    assert_eq!(doctor.code(), 0, "it is odd, not bad: {}", doctor.out());
}
