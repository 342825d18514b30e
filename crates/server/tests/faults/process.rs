//! One process of the real binary.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{ExitStatus, Stdio},
    time::Duration,
};

use tokio::{
    io::{AsyncBufReadExt, BufReader},
    process::{Child, Command},
    time::timeout,
};

/// How long a start may take, on a machine that is busy with the other stories.
const START: Duration = Duration::from_secs(60);
/// How much of a log a failure shows.
const LAST_LINES: usize = 12;

/// A process of Baton, killed when it is dropped.
pub struct Process {
    child: Child,
    pub pid: u32,
    log: PathBuf,
}

impl Process {
    /// Starts `baton serve` and waits until it says that it is ready.
    pub async fn start(folder: &Path, name: &str, flags: &[String]) -> Self {
        let log = folder.join(format!("{name}.log"));
        let mut child = command(folder, flags, &log).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let line = timeout(START, lines.next_line()).await;
        let line = line.ok().and_then(Result::unwrap).unwrap_or_default();
        assert!(
            line.starts_with("baton is ready"),
            "{name} did not start: {line:?}; it last said\n{}",
            last_words(&log)
        );
        Self {
            pid: child.id().unwrap(),
            child,
            log,
        }
    }

    /// Sends a signal: `"STOP"`, `"CONT"`, `"TERM"`.
    pub fn signal(&self, name: &str) {
        baton_testkit::signal(self.pid, name);
    }

    /// Kills it with the signal that cannot be caught, and returns when it is gone.
    pub async fn kill(mut self) {
        self.assert_alive();
        self.child.kill().await.unwrap();
    }

    /// Fails when it has ended by itself.
    pub fn assert_alive(&mut self) {
        if let Some(status) = self.child.try_wait().unwrap() {
            panic!(
                "process {} has ended by itself: {status}; it last said\n{}",
                self.pid,
                last_words(&self.log)
            );
        }
    }

    /// Waits for its end.
    pub async fn ended(mut self, within: Duration) -> ExitStatus {
        let ended = timeout(within, self.child.wait()).await;
        ended
            .unwrap_or_else(|_| {
                panic!(
                    "process {} did not end within {within:?}; it last said\n{}",
                    self.pid,
                    last_words(&self.log)
                )
            })
            .unwrap()
    }
}

fn command(folder: &Path, flags: &[String], log: &Path) -> Command {
    let log = File::options().create(true).append(true).open(log).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_baton"));
    // What the caller's own server is told must not reach this one.
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("BATON_") {
            command.env_remove(name);
        }
    }
    command
        .arg("serve")
        .args(flags)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log)
        .kill_on_drop(true);
    command
}

fn last_words(log: &Path) -> String {
    let text = fs::read_to_string(log).unwrap_or_default();
    let lines: Vec<_> = text.lines().collect();
    lines[lines.len().saturating_sub(LAST_LINES)..].join("\n")
}
