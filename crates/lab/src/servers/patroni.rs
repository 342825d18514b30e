//! A private cluster: three PostgreSQL under Patroni, with synchronous replication, and the etcd by which they agree.

mod etcd;
mod http;
mod member;

use std::env;
use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};

use self::etcd::Etcd;
use self::member::Member;
use super::home::Home;
use super::owner::Owner;
use super::postgres::installation;
use super::process::last_words;
use super::wait::until;
use crate::clock::now_us;

/// How long the cluster may take until all is well, on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(2);
const MEMBERS: usize = 3;

/// The primary's part, handed on.
#[derive(Debug, Clone, Copy)]
pub struct Moved {
    /// Who had it before.
    pub from: usize,
    /// When its successor took writes, in microseconds since 1970.
    pub at_us: i64,
}

/// Three PostgreSQL servers of this process under Patroni, on loopback. One is the primary, and a commit is confirmed
/// when a second one has it, too.
#[derive(Debug)]
pub struct Patroni {
    members: Vec<Member>,
    etcd: Etcd,
    home: Home,
}

impl Patroni {
    /// Starts the cluster, and waits until it is whole.
    pub fn start() -> Result<Self> {
        let postgres = installation::find()?;
        let (patroni, etcd) = (find("patroni", "patroni")?, find("etcd", "etcd-server")?);
        // On SIGQUIT PostgreSQL leaves at once but removes its shared memory.
        let home = Home::create("patroni", "QUIT")?;
        let owner = Owner::of(home.path())?;
        let etcd = Etcd::start(&etcd, &home.path().join("etcd"), owner)?;
        let members = (1..=MEMBERS).map(|number| {
            let folder = home.path().join(format!("node-{number}"));
            Member::new((&patroni, &postgres), folder, owner, etcd.port())
        });
        let members = members.collect::<Result<_>>()?;
        let mut cluster = Self {
            members,
            etcd,
            home,
        };
        for member in &mut cluster.members {
            member.start()?;
        }
        cluster.wait_until_whole()?;
        Ok(cluster)
    }

    /// The URL that names every member, and asks for the one that takes writes.
    #[must_use]
    pub fn url(&self) -> String {
        let hosts = self.members.iter();
        let hosts: Vec<_> = hosts
            .map(|member| format!("127.0.0.1:{}", member.port))
            .collect();
        format!(
            "postgres://postgres@{}/postgres?target_session_attrs=read-write",
            hosts.join(",")
        )
    }

    /// Waits until one member is the primary, another its synchronous standby, and all follow the same timeline: only
    /// then the next failover loses nothing.
    pub fn wait_until_whole(&self) -> Result<()> {
        until("the cluster is whole", TIMEOUT, || Ok(self.is_whole())).with_context(|| {
            let logs = self.members.iter();
            let logs: Vec<_> = logs
                .map(|member| format!("{}:\n{}", member.name, last_words(&member.log())))
                .collect();
            format!("the cluster's last words:\n{}", logs.join("\n"))
        })
    }

    /// Kills the primary, as if the power of its machine failed, and waits until another member takes writes.
    pub fn fail_over(&mut self) -> Result<Moved> {
        let old = self.primary().context("the cluster has no primary")?;
        self.members[old].kill()?;
        until("another member takes writes", TIMEOUT, || {
            Ok(self.primary().is_some_and(|primary| primary != old))
        })?;
        Ok(Moved {
            from: old,
            at_us: now_us(),
        })
    }

    /// Brings a member back that was killed.
    pub fn bring_back(&mut self, member: usize) -> Result<()> {
        self.members[member].start()
    }

    /// Hands the primary's part over in order.
    pub fn switch_over(&self) -> Result<Moved> {
        let old = self.primary().context("the cluster has no primary")?;
        let is_next = |member: &&Member| member.told().is_some_and(|told| told.is_synchronous);
        let next = self.members.iter().find(is_next);
        let next = next.context("the cluster has no synchronous standby")?;
        thread::scope(|scope| {
            // It answers some time after the new primary takes writes.
            let asked = scope.spawn(|| next.take_over(&self.members[old].name));
            until("another member takes writes", TIMEOUT, || {
                let is_over = self.primary().is_some_and(|primary| primary != old);
                Ok(is_over || asked.is_finished())
            })?;
            let at_us = now_us();
            let answer = asked.join();
            answer.map_err(|_| anyhow!("the question to Patroni has panicked"))??;
            Ok(Moved { from: old, at_us })
        })
    }

    fn primary(&self) -> Option<usize> {
        let is_primary = |member: &Member| member.told().is_some_and(|told| told.is_primary);
        self.members.iter().position(is_primary)
    }

    fn is_whole(&self) -> bool {
        let told: Vec<_> = self.members.iter().filter_map(Member::told).collect();
        let primaries = told.iter().filter(|one| one.is_primary).count();
        let is_covered = told.iter().any(|one| one.is_synchronous);
        let mut timelines: Vec<_> = told.iter().map(|one| one.timeline).collect();
        timelines.dedup();
        told.len() == self.members.len() && primaries == 1 && is_covered && timelines.len() == 1
    }
}

impl Drop for Patroni {
    fn drop(&mut self) {
        self.home.end();
        self.members.iter_mut().for_each(Member::reap);
        self.etcd.reap();
    }
}

/// Makes a folder that its owner's servers may write.
fn make_folder(folder: &Path, owner: Owner) -> Result<()> {
    DirBuilder::new().mode(0o700).create(folder)?;
    owner.hand(folder)
}

fn find(program: &str, package: &str) -> Result<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&folders)
        .map(|folder| folder.join(program))
        .find(|path| path.exists());
    found.with_context(|| {
        format!(
            "there is no `{program}` on the path. Debian's package is `{package}`; in Baton's own source folder \
             `cargo xtask setup` installs it without starting a server"
        )
    })
}
