//! A wall clock of its own for a process, by Debian's `libfaketime`.
//!
//! Only the wall clock is stepped: the monotonic one goes on, as it does when a machine's time is set.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

/// Debian keeps libraries in a folder for each kind of machine.
const LIBRARIES: &str = "/usr/lib";
/// Where the library leaves what its processes share.
const SHARED_MEMORY: &str = "/dev/shm";

/// What the process is, whose clock it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    /// One thread, which may ask for the time while a signal is handled: its sessions see a step within
    /// a second. The library reads its file only so often, since reading allocates, and an allocation that a
    /// signal interrupts must not be followed by another.
    One,
    /// Many threads, which see a step at once.
    Many,
}

/// The wall clock of a process and its children, which can be stepped while they run.
#[derive(Debug, Clone)]
pub struct WallClock {
    library: PathBuf,
    file: PathBuf,
    threads: Threads,
}

impl WallClock {
    /// Whether a process can be given a clock of its own here.
    #[must_use]
    pub fn is_possible() -> bool {
        [Threads::One, Threads::Many]
            .into_iter()
            .all(|threads| find(Path::new(LIBRARIES), threads).is_some())
    }

    /// A clock that is right so far; its hand is a file in this folder.
    pub fn create(folder: &Path, name: &str, threads: Threads) -> Result<Self> {
        let library = find(Path::new(LIBRARIES), threads).with_context(missing)?;
        let clock = Self {
            library,
            file: folder.join(format!("{name}.clock")),
            threads,
        };
        clock.set(0)?;
        Ok(clock)
    }

    /// Puts it so many seconds ahead of the machine's, or behind it (below zero).
    pub fn set(&self, ahead_s: i64) -> Result<()> {
        // In one go: a process reads the old one or the new one.
        let new = self.file.with_extension("new");
        fs::write(&new, format!("{ahead_s:+}\n"))?;
        fs::rename(&new, &self.file)
            .with_context(|| format!("{} cannot be written", self.file.display()))
    }

    /// Makes a process go by this clock.
    pub fn give_to(&self, command: &mut Command) {
        command.envs(self.environment());
    }

    /// What a process that goes by this clock has to find in its environment.
    #[must_use]
    pub fn environment(&self) -> [(&'static str, PathBuf); 5] {
        let cache = match self.threads {
            Threads::One => ("FAKETIME_CACHE_DURATION", "1".into()),
            Threads::Many => ("FAKETIME_NO_CACHE", "1".into()),
        };
        [
            ("LD_PRELOAD", self.library.clone()),
            ("FAKETIME_TIMESTAMP_FILE", self.file.clone()),
            ("FAKETIME_DONT_FAKE_MONOTONIC", "1".into()),
            ("NO_FAKE_STAT", "1".into()),
            cache,
        ]
    }

    /// Removes what the library has left behind for processes that are gone: the next one of the same number
    /// could not start.
    pub fn tidy() {
        let left = fs::read_dir(SHARED_MEMORY).into_iter().flatten().flatten();
        for one in left.filter(|one| is_left(&one.file_name().to_string_lossy())) {
            // Another user's stays.
            let _ = fs::remove_file(one.path());
        }
    }
}

/// Whether a file of shared memory is the library's, and that of a process that is gone.
fn is_left(name: &str) -> bool {
    let process = name
        .strip_prefix("faketime_shm_")
        .or_else(|| name.strip_prefix("sem.faketime_sem_"));
    let process = process.and_then(|number| number.parse::<u32>().ok());
    process.is_some_and(|process| !Path::new("/proc").join(process.to_string()).exists())
}

fn missing() -> &'static str {
    "no process can be given a clock of its own: libfaketime is not installed. Debian's package is `libfaketime`; \
     in Baton's own source folder `cargo xtask setup` installs it"
}

fn find(root: &Path, threads: Threads) -> Option<PathBuf> {
    let name = match threads {
        Threads::One => "faketime/libfaketime.so.1",
        Threads::Many => "faketime/libfaketimeMT.so.1",
    };
    let machines = fs::read_dir(root).into_iter().flatten().flatten();
    let mut folders = machines
        .map(|machine| machine.path())
        .chain([root.to_owned()]);
    folders.find_map(|folder| Some(folder.join(name)).filter(|library| library.exists()))
}

#[cfg(test)]
mod tests {
    use std::process::Stdio;

    use super::*;
    use crate::clock::now_us;
    use crate::servers::home::Home;

    /// How far ahead of ours a process sees its clock, in seconds.
    fn ahead_s(clock: &WallClock) -> i64 {
        let mut date = Command::new("date");
        clock.give_to(date.arg("+%s").stdout(Stdio::piped()));
        let said = date.spawn().unwrap().wait_with_output().unwrap().stdout;
        let shown: i64 = String::from_utf8(said).unwrap().trim().parse().unwrap();
        shown - now_us() / 1_000_000
    }

    #[test]
    fn a_process_goes_by_a_clock_that_is_put_forward_and_back() {
        let home = Home::create("clock", "TERM").unwrap();

        for threads in [Threads::One, Threads::Many] {
            let clock = WallClock::create(home.path(), "process", threads).unwrap();
            for hand in [0, 3_600, -3_600, 0] {
                clock.set(hand).unwrap();

                let seen = ahead_s(&clock);

                assert!(
                    (seen - hand).abs() <= 5,
                    "{threads:?}: {seen} is not {hand}"
                );
            }
        }
        WallClock::tidy();
    }

    #[test]
    fn what_the_library_leaves_of_the_living_and_what_is_another_programs_is_not_removed() {
        let own = std::process::id();

        assert!(is_left("faketime_shm_4000000000"));
        assert!(is_left("sem.faketime_sem_4000000000"));
        assert!(!is_left(&format!("faketime_shm_{own}")));
        assert!(!is_left("faketime_shm_x"));
        assert!(!is_left("PostgreSQL.123"));
    }

    #[test]
    fn a_machine_without_the_library_has_no_clock_to_give() {
        let home = Home::create("no-library", "TERM").unwrap();

        assert_eq!(find(home.path(), Threads::One), None);
    }
}
