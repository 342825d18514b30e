//! `baton worker` and `baton tell`, as processes against a real server.

mod endings;
mod groups;
mod keys;
mod listening;
mod stopping;
mod walks;
mod ways;

use std::{
    fs::File,
    io::{BufRead, BufReader},
    path::{Path, PathBuf},
    process::{Child, ExitStatus, Stdio},
    time::Duration,
};

use baton_testkit::eventually;
use serde_json::Value;

use crate::support::{Served, baton};

/// How long anything here may take: the machine may be busy.
const TIMEOUT: Duration = Duration::from_mins(2);

/// A server that leases for so long, and nobody but remote workers to do custom kinds.
fn served(lease: &str) -> Served {
    Served::start(&["--lease", lease])
}

/// A worker of a server, killed when the test ends.
struct Working {
    child: Child,
    log: PathBuf,
}

impl Working {
    fn start(served: &Served, words: &[&str]) -> Self {
        Self::start_with(served, words, &[])
    }

    fn start_with(served: &Served, words: &[&str], environment: &[(&str, &str)]) -> Self {
        let (_, log) = tempfile::Builder::new()
            .tempfile_in(served.folder.path())
            .unwrap()
            .keep()
            .unwrap();
        let mut child = baton(served.folder.path())
            .args(["--url", &served.url, "worker"])
            .args(words)
            .envs(environment.iter().copied())
            .stdout(Stdio::piped())
            .stderr(File::create(&log).unwrap())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        assert!(line.contains("is ready for"), "{line} {}", read(&log));
        Self { child, log }
    }

    fn log(&self) -> String {
        read(&self.log)
    }

    fn signal(&self, name: &str) {
        baton_testkit::signal(self.child.id(), name);
    }

    /// Ends it as the kernel does when memory is short.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    async fn ended(&mut self) -> ExitStatus {
        let mut status = None;
        eventually("the worker has ended", TIMEOUT, async || {
            status = self.child.try_wait().unwrap();
            status.is_some()
        })
        .await;
        status.unwrap()
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn read(path: &Path) -> String {
    String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned()
}

/// Adds a job; says its id.
fn enqueue(served: &Served, kind: &str, words: &[&str]) -> String {
    let words = [&["jobs", "enqueue", kind, "--json"], words].concat();
    let id = served.run(&words).json()["id"].clone();
    id.as_str().unwrap().to_owned()
}

fn job(served: &Served, id: &str) -> Value {
    served.run(&["jobs", "show", id, "--json"]).json()["job"].clone()
}

/// Waits until a job is as it should be; says how it is then.
async fn until(served: &Served, id: &str, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    let mut seen = Value::Null;
    eventually(what, TIMEOUT, async || {
        seen = job(served, id);
        is_so(&seen)
    })
    .await;
    seen
}

async fn until_state(served: &Served, id: &str, state: &str) -> Value {
    let what = format!("{id} is {state}");
    until(served, id, &what, |job| job["state"] == state).await
}

/// Waits until a file is there.
async fn until_there(path: &Path) {
    let what = format!("{} is there", path.display());
    eventually(&what, TIMEOUT, async || path.exists()).await;
}

/// How many processes have this word in their command line.
fn processes(word: &str) -> usize {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = all.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    let is_one = |line: &Vec<u8>| {
        // The words of a command line end with NUL.
        line.split(|byte| *byte == 0)
            .any(|part| part == word.as_bytes())
    };
    lines.filter(is_one).count()
}

async fn until_gone(word: &str) {
    eventually("no process of it is left", TIMEOUT, async || {
        processes(word) == 0
    })
    .await;
}
