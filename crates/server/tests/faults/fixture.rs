//! Where a story happens: a target, a database, processes, and a journal of what was done to them.

use std::{fs, path::Path, time::Duration};

use baton_client::Client;
use baton_faults::{
    Load, Log, Server, Subscriber, chance, evidence, now_us,
    run::{Journal, Scenario, Whom},
};
use baton_lab::{
    checker::{FaultKind, History},
    target::{Options, Target},
};
use baton_testkit::{eventually, free_port};
use rand::rngs::StdRng;
use tempfile::TempDir;

use crate::history;

/// Short, so that what a dead process had runs again soon.
pub const LEASE: Duration = Duration::from_secs(3);
/// How many calls a worker makes at once.
const SLOTS: usize = 20;
/// How long a stop may take.
const GRACE: Duration = Duration::from_secs(5);
/// How many jobs clients ask for in a second.
const RATE: u32 = 170;
/// How long a story may wait for anything.
pub const TIMEOUT: Duration = Duration::from_mins(1);

/// Where a story happens.
pub struct Fixture {
    pub name: String,
    pub seed: u64,
    pub target: Target,
    /// Asks once; what a call was answered is what counts.
    pub client: Client,
    folder: TempDir,
    database: String,
    redis: Option<String>,
    port: u16,
    pub journal: Journal,
}

impl Fixture {
    /// A fixture on a file of its own.
    pub async fn on_a_file(name: impl Into<String>) -> Self {
        Self::build(name.into(), |folder| {
            format!("sqlite://{}", folder.path().join("baton.db").display())
        })
        .await
    }

    /// A fixture on this database.
    pub async fn on(name: impl Into<String>, database: String) -> Self {
        Self::build(name.into(), |_| database).await
    }

    async fn build(name: String, database: impl FnOnce(&TempDir) -> String) -> Self {
        let seed = seed();
        eprintln!("{name}: FAULTS_SEED={seed}");
        let folder = tempfile::Builder::new()
            .prefix(&format!("baton-faults-{name}-"))
            .tempdir()
            .unwrap();
        let port = free_port();
        Self {
            name,
            seed,
            target: Target::start(Options::default()).await.unwrap(),
            client: Client::new(&format!("http://127.0.0.1:{port}")).unwrap(),
            database: database(&folder),
            redis: None,
            folder,
            port,
            journal: Journal::default(),
        }
    }

    /// Where its processes listen unless they are told otherwise.
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The same fixture, whose processes are told of this Redis from now on.
    pub fn told_of(mut self, redis: &str) -> Self {
        self.redis = Some(redis.to_owned());
        self
    }

    /// The same fixture, whose processes started from now on deliver to its target.
    pub fn with_a_provider(self) -> Self {
        let url = self.target.url("/ok");
        let file = format!("[providers.push]\nkind = \"http\"\nurl = \"{url}\"\n");
        fs::write(self.folder.path().join("baton.toml"), file).unwrap();
        self
    }

    /// Chance of its own for each part of the story.
    pub fn chance(&self, part: u64) -> StdRng {
        chance(self.seed, part)
    }

    /// A client that bears with a server that is away.
    pub fn retrying(&self) -> Client {
        self.client.clone().retrying_for(TIMEOUT)
    }

    /// A process in every role.
    pub async fn start_all(&self) -> Server {
        self.start("serve", "api,engine,worker").await
    }

    /// A process in some roles; its log has this name.
    pub async fn start(&self, name: &str, roles: &str) -> Server {
        let port = if roles.contains("api") { self.port } else { 0 };
        self.start_at(port, name, roles).await
    }

    /// A process in some roles that listens on this port.
    pub async fn start_at(&self, port: u16, name: &str, roles: &str) -> Server {
        let (lease, grace) = (LEASE.as_secs(), GRACE.as_secs());
        let flags = format!(
            "--listen 127.0.0.1:{port} --roles {roles} --lease {lease}s --grace {grace}s --slots {SLOTS}"
        );
        let mut flags: Vec<_> = flags.split(' ').collect();
        flags.extend(["--database", &self.database]);
        if let Some(redis) = &self.redis {
            flags.extend(["--redis", redis]);
        }
        let folder = self.folder.path();
        let log = folder.join(format!("{name}.log"));
        let started = Server::start_program(program(), folder, &log, flags, []).await;
        started.unwrap()
    }

    /// Clients that enqueue, and one that cancels, retries and resolves.
    pub fn load(&self) -> Load {
        self.load_through(vec![self.client.clone()])
    }

    /// The same, shared out over several servers.
    pub fn load_through(&self, endpoints: Vec<Client>) -> Load {
        Load::start(endpoints, self.target.addr(), RATE, self.seed)
    }

    /// A reader of the feed.
    pub async fn subscriber(&self) -> Subscriber {
        let started = Subscriber::start("the event stream", &self.client).await;
        started.unwrap()
    }

    /// The id under which a process works, as its attempts carry it.
    pub async fn worker_of(&self, process: &Server) -> String {
        let suffix = format!(":{}", process.process());
        let mut id = None;
        eventually("the worker is on the list", TIMEOUT, async || {
            let workers = self.client.workers().await.unwrap_or_default();
            let own = workers.into_iter().find(|one| one.name.ends_with(&suffix));
            id = own.map(|worker| worker.id.to_string());
            id.is_some()
        })
        .await;
        id.unwrap()
    }

    /// Kills a process and notes it.
    pub async fn kill(&self, mut process: Server) {
        let from_us = now_us();
        process.kill().await.unwrap();
        let whom = whom(&process);
        self.note(FaultKind::Kill, Scenario::KillWorker, whom, from_us);
    }

    /// Notes a fault that began then and ends now.
    pub fn note(&self, kind: FaultKind, scenario: Scenario, whom: Whom, from_us: i64) {
        self.journal.note(kind, scenario, whom, from_us);
    }

    /// Waits until the target has seen so many more calls.
    pub async fn more_calls(&self, count: usize) {
        let wanted = self.target.total() + count;
        let what = format!("the target has seen {wanted} calls");
        eventually(&what, TIMEOUT, async || self.target.total() >= wanted).await;
    }

    /// Waits until so many calls are on their way at once.
    pub async fn calls_under_way(&self, count: usize) {
        let what = format!("{count} calls are under way");
        eventually(&what, TIMEOUT, async || self.open_calls() >= count).await;
    }

    fn open_calls(&self) -> usize {
        let arrivals = self.target.arrivals();
        let open = arrivals.iter().filter(|one| one.ended_us.is_none());
        open.count()
    }

    /// Lets everything come to its end and has it judged; fails with every broken invariant.
    pub async fn judge(&self, load: Load, subscriber: Subscriber) -> History {
        let Log { requests, acts } = load.end().await.unwrap();
        let client = self.retrying();
        history::all_jobs_have_ended(&client).await;
        history::the_feed_tells_all_ends(&client).await;
        let history = evidence::of(&client).await.unwrap();
        assert!(!history.events.is_empty(), "the feed tells something");
        let history = History {
            requests,
            acts,
            arrivals: self.target.arrivals(),
            faults: self.journal.faults(&[], &client.workers().await.unwrap()),
            subscribers: vec![subscriber.end_with(&history).await.unwrap()],
            rules: evidence::rules(LEASE, SLOTS * 3),
            ..history
        };
        history::assert_clean(&self.name, self.seed, &history, self.folder.path());
        history
    }
}

impl Drop for Fixture {
    fn drop(&mut self) {
        if std::thread::panicking() || std::env::var_os("FAULTS_KEEP").is_some() {
            self.folder.disable_cleanup(true);
            eprintln!(
                "{}: FAULTS_SEED={}, logs in {}",
                self.name,
                self.seed,
                self.folder.path().display()
            );
        }
    }
}

fn seed() -> u64 {
    match std::env::var("FAULTS_SEED") {
        Ok(text) => text.parse().expect("FAULTS_SEED is a number"),
        Err(_) => rand::random::<u32>().into(),
    }
}

/// The program under test.
pub fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_baton"))
}

/// A process, as a fault meets it.
pub fn whom(process: &Server) -> Whom {
    Whom::One {
        node: String::new(),
        works: true,
        process: process.process(),
    }
}
