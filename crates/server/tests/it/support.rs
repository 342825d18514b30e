//! A server of one's own, and commands that speak to it.

use std::{
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command, ExitStatus, Output, Stdio},
    thread::JoinHandle,
};

use serde_json::Value;
use tempfile::TempDir;

/// This program, in this folder.
pub fn baton(folder: &Path) -> Command {
    uninfluenced(Command::new(env!("CARGO_BIN_EXE_baton")), folder)
}

/// A command in this folder, told nothing by the environment of the test.
pub fn uninfluenced(mut command: Command, folder: &Path) -> Command {
    for (name, _) in std::env::vars_os() {
        let said = name.to_string_lossy();
        if said.starts_with("BATON_") || said.starts_with("OTEL_") {
            command.env_remove(&name);
        }
    }
    command.current_dir(folder).stdin(Stdio::null());
    command
}

/// Runs a command to its end.
pub fn run(folder: &Path, words: &[&str]) -> Ran {
    Ran(baton(folder).args(words).output().unwrap())
}

/// A command that has ended.
pub struct Ran(Output);

impl Ran {
    pub fn of(output: Output) -> Self {
        Self(output)
    }

    pub fn code(&self) -> i32 {
        self.0.status.code().unwrap()
    }

    pub fn out(&self) -> String {
        String::from_utf8(self.0.stdout.clone()).unwrap()
    }

    pub fn err(&self) -> String {
        String::from_utf8(self.0.stderr.clone()).unwrap()
    }

    /// The first line of stdout, as JSON.
    pub fn json(&self) -> Value {
        let out = self.out();
        serde_json::from_str(out.lines().next().unwrap_or_default())
            .unwrap_or_else(|error| panic!("{error}: {out:?}, {:?}", self.err()))
    }
}

/// Where it leaves what it says on stderr.
const LOG: &str = "stderr.log";

/// A server that is killed when the test ends.
pub struct Served {
    child: Child,
    out: BufReader<std::process::ChildStdout>,
    listening: Option<JoinHandle<()>>,
    pub folder: TempDir,
    pub url: String,
}

impl Served {
    pub fn start(flags: &[&str]) -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), flags)
    }

    pub fn start_in(folder: TempDir, flags: &[&str]) -> Self {
        let command = baton(folder.path());
        Self::start_as(command, folder, flags)
    }

    /// Starts it by a command that stands for the program.
    pub fn start_as(command: Command, folder: TempDir, flags: &[&str]) -> Self {
        Self::start_guarded_as(command, folder, &[&["--dev"], flags].concat())
    }

    /// Starts one that asks everybody for a credential.
    pub fn start_guarded(folder: TempDir, flags: &[&str]) -> Self {
        let command = baton(folder.path());
        Self::start_guarded_as(command, folder, flags)
    }

    fn start_guarded_as(mut command: Command, folder: TempDir, flags: &[&str]) -> Self {
        let any_port = ["--listen", "127.0.0.1:0"];
        let is_told = flags.contains(&"--listen");
        let mut child = command
            .args(["serve", "--allow-private-targets"])
            .args(any_port.iter().filter(|_| !is_told))
            .args(flags)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        out.read_line(&mut line).unwrap();
        let Some(url) = line.trim().strip_prefix("baton is ready on ") else {
            let mut err = String::new();
            let mut stderr = child.stderr.take().unwrap();
            stderr.read_to_string(&mut err).unwrap();
            panic!("the server did not start: {line:?} {err}");
        };
        // Whoever does not read it would hold the server up.
        let mut stderr = child.stderr.take().unwrap();
        let mut log = std::fs::File::create(folder.path().join(LOG)).unwrap();
        let listening = std::thread::spawn(move || {
            std::io::copy(&mut stderr, &mut log).unwrap();
        });
        Self {
            url: url.to_owned(),
            child,
            out,
            listening: Some(listening),
            folder,
        }
    }

    /// Runs a command against it.
    pub fn run(&self, words: &[&str]) -> Ran {
        let words: Vec<_> = ["--url", &self.url].iter().chain(words).copied().collect();
        run(self.folder.path(), &words)
    }

    /// What it has said on stderr so far.
    pub fn log(&self) -> String {
        let log = std::fs::read(self.folder.path().join(LOG)).unwrap();
        String::from_utf8_lossy(&log).into_owned()
    }

    /// The most memory it ever had, in KiB.
    #[cfg(target_os = "linux")]
    pub fn peak_memory(&self) -> u64 {
        let status = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(status).unwrap();
        let peak = status.lines().find(|line| line.starts_with("VmHWM"));
        let peak = peak.unwrap().split_whitespace().nth(1).unwrap();
        peak.parse().unwrap()
    }

    /// How many files it may have open, as the system tells.
    #[cfg(target_os = "linux")]
    pub fn file_limits(&self) -> Vec<u64> {
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", self.child.id())).unwrap();
        let files = limits
            .lines()
            .find(|line| line.starts_with("Max open files"));
        let numbers = files.unwrap().split_whitespace();
        numbers.filter_map(|word| word.parse().ok()).collect()
    }

    pub fn signal(&self, name: &str) {
        baton_testkit::signal(self.child.id(), name);
    }

    /// Waits for its end: how it ended, and all that it said on stderr.
    pub fn last_words(mut self) -> (ExitStatus, String) {
        let status = self.child.wait().unwrap();
        self.listening.take().unwrap().join().unwrap();
        (status, self.log())
    }

    /// Waits for its end: how it ended, and what else it said on stdout.
    pub fn ended(mut self) -> (ExitStatus, String, TempDir) {
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).unwrap();
        let status = self.child.wait().unwrap();
        let folder = std::mem::replace(&mut self.folder, tempfile::tempdir().unwrap());
        (status, rest, folder)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
