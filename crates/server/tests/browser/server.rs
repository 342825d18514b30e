//! A server of one's own that can be killed and started again at the same address.

use std::{
    io::{BufRead, BufReader},
    process::{Child, Command, Stdio},
    time::Duration,
};

use baton_client::{ChangeQueue, Client, Job};
use baton_domain::{JobId, job::State};
use baton_lab::target::{Options, Target};
use baton_testkit::{eventually, free_port, signal};
use serde_json::{Value, json};
use tempfile::TempDir;

pub const TIMEOUT: Duration = Duration::from_secs(30);

/// A served fixture, a target that it calls and that its provider speaks to, and the API.
pub struct Server {
    pub api: Client,
    pub target: Target,
    port: u16,
    flags: &'static [&'static str],
    folder: TempDir,
    child: Child,
}

impl Server {
    pub async fn start() -> Self {
        Self::start_with(&["--dev"]).await
    }

    /// One that asks who one is; nobody can say so yet.
    pub async fn start_guarded() -> Self {
        Self::start_with(&[]).await
    }

    /// One with more settings.
    pub async fn start_with_settings(settings: &str) -> Self {
        Self::start_at(free_port(), &["--dev"], settings).await
    }

    /// One at this port with more settings, which asks who one is.
    pub async fn start_guarded_at(port: u16, settings: &str) -> Self {
        Self::start_at(port, &[], settings).await
    }

    async fn start_with(flags: &'static [&'static str]) -> Self {
        Self::start_at(free_port(), flags, "").await
    }

    async fn start_at(port: u16, flags: &'static [&'static str], settings: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let target = Target::start(Options::default()).await.unwrap();
        let url = target.url("/ok");
        let file = format!("[providers.push]\nkind = \"http\"\nurl = \"{url}\"\n{settings}");
        std::fs::write(folder.path().join("baton.toml"), file).unwrap();
        Self {
            child: serve(&folder, port, flags),
            flags,
            api: Client::new(&format!("http://127.0.0.1:{port}")).unwrap(),
            target,
            port,
            folder,
        }
    }

    /// Its end, with no chance to say a word.
    pub fn kill(&mut self) {
        signal(self.child.id(), "KILL");
        self.child.wait().unwrap();
    }

    /// Starts it again on what the killed one has left.
    pub fn restart(&mut self) {
        self.child = serve(&self.folder, self.port, self.flags);
    }

    /// The token that the first user is added with.
    pub fn set_up_token(&self) -> String {
        let token = std::fs::read_to_string(self.folder.path().join("set-up-token"));
        token.unwrap().trim().to_owned()
    }

    /// Starts `baton worker` with these words, a process of its own that is killed when it is dropped.
    pub fn start_worker(&self, words: &[&str]) -> Worker {
        let worker = uninfluenced(&self.folder)
            .args(["--url", self.api.address(), "worker"])
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(std::fs::File::create(self.folder.path().join("worker")).unwrap())
            .spawn();
        Worker(worker.unwrap())
    }

    pub fn admin(&self, path: &str) -> String {
        format!("{}/admin{path}", self.api.address())
    }

    /// Enqueues by the API; what is not given is short: a wait of two seconds between tries.
    pub async fn enqueue(&self, kind: &str, payload: Value, more: Value) -> JobId {
        let mut job = json!({
            "kind": kind,
            "payload": payload,
            "backoff": {"strategy": "fixed", "base": "2s", "jitter": "none"},
        });
        let (fields, more) = (job.as_object_mut().unwrap(), more.as_object().unwrap());
        fields.extend(more.clone());
        let job = serde_json::from_str(&job.to_string()).unwrap();
        self.api.enqueue(&job).await.unwrap().job.id
    }

    /// Enqueues a call of the target.
    pub async fn enqueue_call(&self, script: &str, more: Value) -> JobId {
        let payload = json!({ "url": self.target.url(script) });
        self.enqueue("http", payload, more).await
    }

    pub async fn pause(&self, queue: &str, paused: bool) {
        let change = ChangeQueue {
            paused: Some(paused),
            ..ChangeQueue::default()
        };
        self.api.change_queue(queue, &change).await.unwrap();
    }

    pub async fn job(&self, id: JobId) -> Job {
        self.api.job(id).await.unwrap()
    }

    pub async fn until(&self, id: JobId, state: State) {
        let what = format!("{id} is {state}");
        eventually(&what, TIMEOUT, async || self.job(id).await.state == state).await;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A test may have killed it already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A remote worker.
pub struct Worker(Child);

impl Worker {
    /// Its end, with no chance to say a word.
    pub fn kill(&mut self) {
        signal(self.0.id(), "KILL");
        self.0.wait().unwrap();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // A test may have killed it already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// This program in this folder, told nothing by the environment of the test.
fn uninfluenced(folder: &TempDir) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_baton"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("BATON_") {
            command.env_remove(name);
        }
    }
    command.current_dir(folder.path());
    command
}

fn serve(folder: &TempDir, port: u16, flags: &[&str]) -> Child {
    let mut child = uninfluenced(folder)
        .arg("serve")
        .args(flags)
        .args(["--listen", &format!("127.0.0.1:{port}")])
        .args(["--data-dir", ".", "--lease", "2s"])
        .arg("--allow-private-targets")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(std::fs::File::create(folder.path().join("stderr")).unwrap())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    assert!(
        line.starts_with("baton is ready on "),
        "the server did not start: {line:?} {}",
        std::fs::read_to_string(folder.path().join("stderr")).unwrap()
    );
    child
}
