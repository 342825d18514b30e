//! Where a story happens: a target, a database, processes, and a log of what was done to them.

use std::{
    fs,
    sync::Mutex,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use baton_client::Client;
use baton_lab::{
    checker::{Fault, FaultKind, History},
    target::{Options, Target},
};
use baton_testkit::{eventually, free_port};
use rand::{SeedableRng, rngs::StdRng};
use tempfile::TempDir;

use crate::{
    history,
    load::{Load, Log},
    process::Process,
    subscriber::Subscriber,
};

/// Short, so that what a dead process had runs again soon.
pub const LEASE: Duration = Duration::from_secs(3);
/// How many calls a worker makes at once.
pub const SLOTS: usize = 20;
/// How long a stop may take.
pub const GRACE: Duration = Duration::from_secs(5);
/// How long a story may wait for anything.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Where a story happens.
pub struct Fixture {
    pub name: &'static str,
    pub seed: u64,
    pub target: Target,
    /// Asks once; what a call was answered is what counts.
    pub client: Client,
    folder: TempDir,
    database: String,
    redis: Option<String>,
    port: u16,
    faults: Mutex<Vec<Fault>>,
}

impl Fixture {
    /// A fixture on a file of its own.
    pub async fn on_a_file(name: &'static str) -> Self {
        Self::build(name, |folder| {
            format!("sqlite://{}", folder.path().join("baton.db").display())
        })
        .await
    }

    /// A fixture on this database.
    pub async fn on(name: &'static str, database: String) -> Self {
        Self::build(name, |_| database).await
    }

    async fn build(name: &'static str, database: impl FnOnce(&TempDir) -> String) -> Self {
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
            faults: Mutex::default(),
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
        StdRng::seed_from_u64(self.seed.wrapping_add(part))
    }

    /// A client that bears with a server that is away.
    pub fn patient(&self) -> Client {
        self.client.clone().with_patience(PATIENCE)
    }

    /// A process in every role.
    pub async fn start_all(&self) -> Process {
        self.start("serve", "api,engine,worker").await
    }

    /// A process in some roles; its log has this name.
    pub async fn start(&self, name: &str, roles: &str) -> Process {
        let port = if roles.contains("api") { self.port } else { 0 };
        self.start_at(port, name, roles).await
    }

    /// A process in some roles that listens on this port.
    pub async fn start_at(&self, port: u16, name: &str, roles: &str) -> Process {
        let listen = format!("127.0.0.1:{port}");
        let (lease, grace) = (LEASE.as_secs(), GRACE.as_secs());
        let flags = format!(
            "--listen {listen} --roles {roles} --lease {lease}s --grace {grace}s --slots {SLOTS} \
             --data-dir . --log-format json --migrate --allow-private-targets \
             --allow-unsafe-durability --database"
        );
        let mut flags: Vec<_> = flags.split_whitespace().map(str::to_owned).collect();
        flags.push(self.database.clone());
        if let Some(redis) = &self.redis {
            flags.extend(["--redis".to_owned(), redis.clone()]);
        }
        Process::start(self.folder.path(), name, &flags).await
    }

    /// The id under which a process works, as its attempts carry it.
    pub async fn worker_of(&self, process: &Process) -> String {
        let suffix = format!(":{}", process.pid);
        let mut id = None;
        eventually("the worker is on the list", PATIENCE, async || {
            let workers = self.client.workers().await.unwrap_or_default();
            let own = workers.into_iter().find(|one| one.name.ends_with(&suffix));
            id = own.map(|worker| worker.id.to_string());
            id.is_some()
        })
        .await;
        id.unwrap()
    }

    /// Kills a process and notes it, as the end of this worker if it is one.
    pub async fn kill(&self, process: Process, worker: Option<String>) {
        let from_us = now_us();
        process.kill().await;
        self.note(FaultKind::Kill, worker, from_us);
    }

    /// Notes a fault that began then and ends now.
    pub fn note(&self, kind: FaultKind, worker: Option<String>, from_us: i64) {
        let until_us = now_us();
        self.note_span(kind, worker, from_us, until_us);
    }

    /// Notes a fault.
    pub fn note_span(&self, kind: FaultKind, worker: Option<String>, from_us: i64, until_us: i64) {
        self.faults.lock().unwrap().push(Fault {
            kind,
            name: String::new(),
            worker,
            from_us,
            until_us,
        });
    }

    /// Waits until the target has seen so many more calls.
    pub async fn more_calls(&self, count: usize) {
        let wanted = self.target.total() + count;
        let what = format!("the target has seen {wanted} calls");
        eventually(&what, PATIENCE, async || self.target.total() >= wanted).await;
    }

    /// Waits until so many calls are on their way at once.
    pub async fn calls_under_way(&self, count: usize) {
        let what = format!("{count} calls are under way");
        eventually(&what, PATIENCE, async || self.open_calls() >= count).await;
    }

    fn open_calls(&self) -> usize {
        let arrivals = self.target.arrivals();
        let open = arrivals.iter().filter(|one| one.ended_us.is_none());
        open.count()
    }

    /// Lets everything come to its end and has it judged; fails with every broken invariant.
    pub async fn judge(&self, load: Load, subscriber: Subscriber) -> History {
        let Log { requests, acts } = load.end().await;
        let client = self.patient();
        history::all_jobs_have_ended(&client).await;
        history::the_feed_tells_all_ends(&client).await;
        let history = history::of(&client).await;
        let last = history.events.last().expect("the feed tells something");
        let last = last.id.parse().unwrap();
        let faults = self.faults.lock().unwrap().clone();
        let history = History {
            requests,
            acts,
            arrivals: self.target.arrivals(),
            faults,
            subscribers: vec![subscriber.end(last).await],
            ..history
        };
        history::assert_clean(self.name, self.seed, &history, self.folder.path());
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

/// The present moment as the target dates it, in microseconds since 1970.
pub fn now_us() -> i64 {
    #[expect(
        clippy::disallowed_methods,
        reason = "the judge observes from outside: it has no store whose clock it could follow"
    )]
    let now = SystemTime::now();
    let since = now.duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(since.as_micros()).unwrap()
}
