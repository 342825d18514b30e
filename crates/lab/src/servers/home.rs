//! The temporary folder that private servers live and die with.
//!
//! A keeper, a small shell script in a process group of its own, holds the read end of a pipe whose
//! write end only our process has. However that process ends, the pipe closes, and the keeper
//! ends what lives in the home and removes it. The kernel's parent-death signal would not do: it
//! fires when the *thread* that started the server ends, and threads end early.

use std::env;
use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio, id};
use std::sync::atomic::{AtomicU32, Ordering};

use anyhow::{Context, Result, ensure};

const SCRIPT: &str = include_str!("home.sh");
const PREFIX: &str = "baton-home-";

/// A folder that is kept in memory, and how much has to be free there.
const MEMORY: &str = "/dev/shm";
const ENOUGH: u64 = 2 << 30;

/// A temporary folder; every process that works inside it ends with it.
#[derive(Debug)]
pub struct Home {
    path: PathBuf,
    keeper: Child,
}

impl Home {
    /// Makes an empty home whose processes leave in order on `signal`, and removes homes whose
    /// process is gone.
    pub fn create(what: &str, signal: &str) -> Result<Self> {
        Self::create_in(&env::temp_dir(), what, signal)
    }

    /// The same in memory, where that is large enough: for servers that wait for the disk whatever they are told.
    pub fn create_in_memory(what: &str, signal: &str) -> Result<Self> {
        let memory = Path::new(MEMORY);
        let is_enough = rustix::fs::statvfs(memory)
            .is_ok_and(|found| found.f_bavail * found.f_frsize >= ENOUGH);
        let folder = if is_enough {
            memory.to_owned()
        } else {
            env::temp_dir()
        };
        Self::create_in(&folder, what, signal)
    }

    fn create_in(folder: &Path, what: &str, signal: &str) -> Result<Self> {
        remove_stale_homes();
        let path = new_path(folder, what)?;
        DirBuilder::new()
            .mode(0o700)
            .create(&path)
            .with_context(|| format!("the folder {} could not be made", path.display()))?;
        let keeper = script("keep", &path)
            .arg(signal)
            .process_group(0)
            .stdin(Stdio::piped())
            .spawn()
            .context("a shell to keep watch could not be started")?;
        Ok(Self { path, keeper })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Kills every process in the home at once, and returns when none is left.
    pub fn crash(&self) -> Result<()> {
        crash(&self.path)
    }

    /// Ends what lives here and removes the home; what was started here can be waited for
    /// afterwards.
    pub fn end(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        self.end();
    }
}

/// Kills every process in a folder of a home at once, and returns when none is left.
pub(super) fn crash(folder: &Path) -> Result<()> {
    let crashed = script("crash", folder).stdin(Stdio::null()).status()?;
    ensure!(
        crashed.success(),
        "the processes in {} could not be killed",
        folder.display()
    );
    Ok(())
}

/// Best effort: a home of another user stays.
fn remove_stale_homes() {
    let folders = [env::temp_dir(), PathBuf::from(MEMORY)];
    let folders = folders
        .into_iter()
        .filter_map(|folder| fs::read_dir(folder).ok());
    let homes = folders.flatten().flatten();
    for home in homes.filter(|entry| is_stale(&entry.file_name().to_string_lossy())) {
        let _ = script("keep", &home.path())
            .arg("KILL")
            .stdin(Stdio::null())
            .status();
    }
}

/// A home is stale when the process that made it is gone, or its number belongs to another process
/// by now.
fn is_stale(name: &str) -> bool {
    let Some((pid, start)) = name.strip_prefix(PREFIX).and_then(owner) else {
        return false;
    };
    started_at(pid).is_none_or(|actual| actual != start)
}

fn owner(name: &str) -> Option<(u32, u64)> {
    let mut parts = name.split('-');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

/// The name tells the owner from the first moment, so that nobody takes a home in the making for a
/// stale one.
fn new_path(folder: &Path, what: &str) -> Result<PathBuf> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let start = started_at(id())
        .context("/proc does not show this process: private servers need Linux's /proc")?;
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    Ok(folder.join(format!("{PREFIX}{}-{start}-{count}-{what}", id())))
}

/// When a process began, in ticks since the machine started.
fn started_at(pid: u32) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field, the program's name in brackets, may hold anything; after it, the start is
    // the twentieth.
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(19)?.parse().ok()
}

fn script(task: &str, home: &Path) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", SCRIPT, "baton-home", task])
        .arg(home)
        .current_dir("/")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_home_of_a_living_process_is_not_stale() {
        let path = new_path(&env::temp_dir(), "postgres").unwrap();

        let name = path.file_name().unwrap().to_str().unwrap();

        assert!(!is_stale(name));
    }

    #[test]
    fn a_home_whose_process_number_was_given_again_is_stale() {
        let start = started_at(id()).unwrap() + 1;

        let name = format!("{PREFIX}{}-{start}-0-postgres", id());

        assert!(is_stale(&name));
    }

    #[test]
    fn what_is_not_a_home_is_never_stale() {
        let names = [
            "baton-home-",
            "baton-home-data",
            "baton-home-1x-2-0-postgres",
            "other-1-2-0-postgres",
        ];

        let stale = names.into_iter().find(|name| is_stale(name));

        assert_eq!(stale, None);
    }

    #[test]
    fn making_a_home_removes_the_stale_ones() {
        let stale = env::temp_dir().join(format!("{PREFIX}{}-1-0-forgotten", id()));
        fs::create_dir(&stale).unwrap();

        let home = Home::create("new", "TERM").unwrap();

        assert!(!stale.exists());
        assert!(home.path().exists());
    }

    #[test]
    fn a_home_takes_its_processes_along() {
        let home = Home::create("short", "TERM").unwrap();
        let mut lodger = Command::new("sleep")
            .arg("600")
            .current_dir(home.path())
            .spawn()
            .unwrap();

        let path = home.path().to_owned();
        drop(home);

        assert!(!lodger.wait().unwrap().success());
        assert!(!path.exists());
    }
}
