//! Remote workers: processes that work over HTTP, behind lines that lose answers.

mod orphans;
pub mod program;
mod service;
mod walkers;
mod way;
mod wire;

use std::{
    ffi::OsString,
    fs::{self, File},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use baton_client::Client;
use baton_lab::checker::{Drain, ObservedAttempt, Orphan, Walks};
use parking_lot::Mutex;
use tokio::{
    process::Child,
    sync::{Mutex as AsyncMutex, MutexGuard},
    time::{sleep, timeout},
};

use crate::{Failure, now_us, run::options::Options, server::this_program};

use service::Service;

pub use walkers::Walkers;
pub use way::Way;
pub use wire::CALLS;

/// How long a stop may take.
const STOP: Duration = Duration::from_secs(20);
/// How soon after a killed worker its programs are dead.
const ORPHAN: Duration = Duration::from_secs(1);

/// The remote workers of a run.
#[derive(Default)]
pub struct Remotes {
    pub each: Vec<Remote>,
    log: PathBuf,
    drains: Mutex<Vec<Drain>>,
    orphans: Mutex<Vec<Orphan>>,
}

/// A remote worker.
pub struct Remote {
    pub node: String,
    way: Way,
    pub lost_answers: wire::Shared,
    service: Option<Service>,
    urls: String,
    program: OsString,
    /// Where it works; who is given as a command works where we do.
    home: PathBuf,
    log: PathBuf,
    sights: PathBuf,
    life: AsyncMutex<Life>,
}

/// Its process, of which there is one after the other.
#[derive(Default)]
struct Life {
    child: Option<Child>,
    number: u32,
}

/// A remote worker that nobody else may touch now.
pub struct LockedWorker<'r> {
    pub remote: &'r Remote,
    life: MutexGuard<'r, Life>,
}

impl Remotes {
    /// Those of these options, each with a line to each of these servers.
    pub async fn new(
        args: &Options,
        servers: &[SocketAddr],
        home: &Path,
        folder: &Path,
    ) -> Result<Self, Failure> {
        let sights = folder.join("sights.ndjson");
        way::put_script(home).map_err(|error| {
            Failure::new(format!("the lab's script cannot be written: {error}"))
        })?;
        let mut of_sdks = args.sdk_workers.iter().cycle();
        let mut each = Vec::new();
        for (way, node) in args.remotes() {
            let lost_answers = wire::Shared::default();
            let mut urls = Vec::new();
            for server in servers {
                let line = wire::open(*server, lost_answers.clone()).await;
                let line = line.map_err(|error| {
                    Failure::new(format!("a line to a server cannot be opened: {error}"))
                })?;
                urls.push(format!("http://{line}"));
            }
            let service = match way {
                Way::Http => Some(Service::start().await?),
                Way::Lines | Way::Exec | Way::Sdk => None,
            };
            let (program, home) = match way {
                Way::Sdk => (of_sdks.next().map(OsString::from), Path::new(".")),
                Way::Lines | Way::Exec | Way::Http => (Some(this_program()?.into()), home),
            };
            each.push(Remote {
                log: folder.join(format!("{node}.log")),
                node,
                way,
                lost_answers,
                service,
                urls: urls.join(","),
                program: program.unwrap_or_default(),
                home: home.to_owned(),
                sights: sights.clone(),
                life: AsyncMutex::default(),
            });
        }
        Ok(Self {
            each,
            log: sights,
            ..Self::default()
        })
    }

    /// Starts those that do not run.
    pub async fn start(&self) -> Result<(), Failure> {
        for remote in &self.each {
            remote.wait().await.start()?;
        }
        Ok(())
    }

    /// Tells all to stop, and kills who does not.
    pub async fn strike(&self) {
        for remote in &self.each {
            remote.wait().await.stop().await;
        }
    }

    /// How many answers were lost.
    pub fn cuts(&self) -> u64 {
        self.each
            .iter()
            .map(|one| one.lost_answers.lock().cut)
            .sum()
    }

    /// Notes that a worker was told to take nothing new from then until now.
    pub fn drained(&self, worker: String, from_us: i64) {
        let until_us = now_us();
        self.drains.lock().push(Drain {
            worker,
            from_us,
            until_us,
        });
    }

    /// A second after a worker was killed: which programs of it are left.
    pub async fn look_for_orphans(&self, worker: &str) {
        sleep(ORPHAN).await;
        let left = orphans::programs_of(worker).into_iter();
        self.orphans.lock().extend(left.map(|program| Orphan {
            worker: worker.to_owned(),
            program,
        }));
    }

    /// What is known of their jobs, beside which walks were asked for.
    pub fn known(&self) -> Result<Walks, Failure> {
        let text = match fs::read_to_string(&self.log) {
            Ok(text) => text,
            // Services keep what they saw to themselves.
            Err(_) if self.each.iter().all(|one| one.service.is_some()) => String::new(),
            Err(error) => {
                let log = self.log.display();
                return Err(Failure::new(format!("{log} cannot be read: {error}")));
            }
        };
        let sights = text.lines().map(serde_json::from_str::<ObservedAttempt>);
        let mut sights = sights
            .collect::<Result<Vec<_>, _>>()
            .map_err(|error| Failure::new(format!("a program's log cannot be read: {error}")))?;
        let services = self.each.iter().filter_map(|one| one.service.as_ref());
        sights.extend(services.flat_map(Service::sights));
        Ok(Walks {
            asked: Vec::new(),
            sights,
            drains: self.drains.lock().clone(),
            orphans: self.orphans.lock().clone(),
        })
    }
}

impl Remote {
    /// The worker, unless something is being done to it already.
    pub fn hold(&self) -> Option<LockedWorker<'_>> {
        let life = self.life.try_lock().ok()?;
        Some(LockedWorker { remote: self, life })
    }

    /// The worker, once nothing is being done to it any more.
    pub async fn wait(&self) -> LockedWorker<'_> {
        let life = self.life.lock().await;
        LockedWorker { remote: self, life }
    }
}

impl LockedWorker<'_> {
    /// What its process is called.
    pub fn name(&self) -> String {
        format!("{}.{}", self.remote.node, self.life.number)
    }

    /// Starts it, unless it runs. A restart is another worker.
    pub fn start(&mut self) -> Result<(), Failure> {
        if self.life.child.is_some() {
            return Ok(());
        }
        self.life.number += 1;
        let name = self.name();
        let cannot = |error| Failure::new(format!("{name} cannot be started: {error}"));
        let log = File::options()
            .create(true)
            .append(true)
            .open(&self.remote.log)
            .map_err(cannot)?;
        let Remote {
            way,
            urls,
            program,
            sights,
            ..
        } = self.remote;
        let mut command = way.command(program, urls, &name, sights);
        if let Some(service) = &self.remote.service {
            command.args(["--http", &service.url(&name)]);
        }
        let child = command
            .current_dir(&self.remote.home)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .process_group(0)
            .kill_on_drop(true)
            .spawn()
            .map_err(cannot)?;
        self.life.child = Some(child);
        Ok(())
    }

    /// Its process.
    pub fn process(&self) -> u32 {
        let child = self.life.child.as_ref();
        child.and_then(Child::id).unwrap_or_default()
    }

    pub async fn kill(&mut self) -> Result<(), Failure> {
        let Some(mut child) = self.life.child.take() else {
            return Ok(());
        };
        if let Ok(Some(status)) = child.try_wait() {
            let (name, log) = (self.name(), self.remote.log.display());
            return Err(Failure::new(format!(
                "{name} had ended by itself: {status}; its log is {log}"
            )));
        }
        let killed = child.kill().await;
        killed.map_err(|error| Failure::new(format!("{} cannot be killed: {error}", self.name())))
    }

    pub async fn stop(&mut self) {
        self.signal(rustix::process::Signal::TERM);
        if let Some(mut child) = self.life.child.take()
            && timeout(STOP, child.wait()).await.is_err()
        {
            let _ = child.kill().await;
        }
    }

    pub fn signal(&self, signal: rustix::process::Signal) {
        use rustix::process::{Pid, kill_process};
        let process = i32::try_from(self.process()).ok().and_then(Pid::from_raw);
        // One that has ended by itself is named when it is killed.
        let _ = process.map(|process| kill_process(process, signal));
    }

    /// Has it take nothing new, or again; whether that was answered.
    pub async fn drain(&self, clients: &[Client], drain: bool) -> bool {
        let name = self.name();
        for client in clients {
            let workers = client.workers().await.unwrap_or_default();
            if let Some(worker) = workers.iter().find(|worker| worker.name == name)
                && client.drain_worker(worker.id, drain).await.is_ok()
            {
                return true;
            }
        }
        false
    }
}
