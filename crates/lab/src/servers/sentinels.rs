//! A private Redis with a replica, and three Sentinels that promote it.

use std::fs;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use super::home::Home;
use super::port::free_port;
use super::process::ServerProcess;
use super::redis::{Redis, Reply, ask};
use super::wait::until;

/// The name by which the Sentinels know the service.
const SERVICE: &str = "lab";
const SENTINELS: usize = 3;
/// How many have to miss the primary.
const QUORUM: usize = 2;
const TIMEOUT: Duration = Duration::from_mins(1);

/// A Redis, its replica and three Sentinels of this process, on loopback.
#[derive(Debug)]
pub struct Sentinels {
    servers: [Redis; 2],
    ports: Vec<u16>,
    processes: Vec<ServerProcess>,
    home: Home,
}

impl Sentinels {
    /// Starts them, and waits until the replica would be promoted.
    pub fn start() -> Result<Self> {
        let primary = Redis::start(&[])?;
        let of = format!("replicaof=127.0.0.1 {}", primary.port());
        let replica = Redis::start(&[&of])?;
        let mut sentinels = Self {
            servers: [primary, replica],
            ports: Vec::new(),
            processes: Vec::new(),
            home: Home::create("sentinels", "KILL")?,
        };
        for _ in 0..SENTINELS {
            sentinels.start_one()?;
        }
        sentinels.wait_until_whole()?;
        Ok(sentinels)
    }

    /// The URL that names the Sentinels and the service.
    #[must_use]
    pub fn url(&self) -> String {
        let hosts = self.ports.iter().map(|port| format!("127.0.0.1:{port}"));
        let hosts: Vec<_> = hosts.collect();
        format!("redis+sentinel://{}/{SERVICE}", hosts.join(","))
    }

    /// Kills the primary, waits until the Sentinels name the other one, brings the killed one back, and waits until it
    /// would be promoted.
    pub fn fail_over(&mut self) -> Result<()> {
        let old = self.primary().context("the Sentinels name no primary")?;
        self.servers[old].kill()?;
        until("the Sentinels name another primary", TIMEOUT, || {
            Ok(self.primary().is_some_and(|primary| primary != old))
        })?;
        self.servers[old].restart()?;
        self.wait_until_whole()
    }

    fn start_one(&mut self) -> Result<()> {
        let port = free_port()?;
        let folder = self.home.path().join(format!("sentinel-{port}"));
        fs::create_dir(&folder)?;
        let primary = self.servers[0].port();
        let text = format!(
            "port {port}\nbind 127.0.0.1\nsentinel monitor {SERVICE} 127.0.0.1 {primary} {QUORUM}\n\
             sentinel down-after-milliseconds {SERVICE} 1000\nsentinel failover-timeout {SERVICE} 3000\n"
        );
        fs::write(folder.join("sentinel.conf"), text)?;
        let mut sentinel = Command::new("redis-sentinel");
        sentinel.arg("sentinel.conf").current_dir(&folder);
        let process = ServerProcess::spawn(&mut sentinel, &folder.join("log")).context(
            "Debian's package is `redis-sentinel`; in Baton's own source folder `cargo xtask setup` installs it without \
             starting a server",
        )?;
        self.processes.push(process);
        self.ports.push(port);
        Ok(())
    }

    fn wait_until_whole(&self) -> Result<()> {
        until(
            "the Sentinels know each other and a replica",
            TIMEOUT,
            || Ok(self.ports.iter().all(|port| is_whole(*port))),
        )
    }

    /// The one that all Sentinels name.
    fn primary(&self) -> Option<usize> {
        let named = self.ports.iter().map(|port| named_by(*port));
        let named: Vec<u16> = named.collect::<Option<_>>()?;
        let port = named
            .first()
            .filter(|one| named.iter().all(|other| other == *one))?;
        self.servers
            .iter()
            .position(|server| server.port() == *port)
    }
}

impl Drop for Sentinels {
    fn drop(&mut self) {
        self.home.end();
        for process in &mut self.processes {
            let _ = process.reap();
        }
    }
}

fn named_by(port: u16) -> Option<u16> {
    let Ok(Reply::List(words)) = say(port, &["SENTINEL", "get-master-addr-by-name", SERVICE])
    else {
        return None;
    };
    match words.get(1)? {
        Reply::Text(port) => port.parse().ok(),
        _ => None,
    }
}

/// Whether it has met the other Sentinels, the primary, and a replica that can follow it.
fn is_whole(port: u16) -> bool {
    let is = |words: &[Reply], name: &str, is_good: &dyn Fn(&str) -> bool| {
        let mut pairs = words.chunks(2);
        pairs.any(|pair| matches!(pair, [Reply::Text(key), Reply::Text(value)] if key == name && is_good(value)))
    };
    let Ok(Reply::List(primary)) = say(port, &["SENTINEL", "master", SERVICE]) else {
        return false;
    };
    let Ok(Reply::List(replicas)) = say(port, &["SENTINEL", "replicas", SERVICE]) else {
        return false;
    };
    let others = (SENTINELS - 1).to_string();
    let knows_others = is(&primary, "num-other-sentinels", &|count| count == others);
    let is_up = |words: &[Reply]| {
        is(words, "flags", &|flags| {
            !flags.contains("down") && !flags.contains("disconnected")
        })
    };
    let follows =
        |words: &[Reply]| is_up(words) && is(words, "master-link-status", &|status| status == "ok");
    let has_replica = replicas
        .iter()
        .any(|one| matches!(one, Reply::List(words) if follows(words)));
    knows_others && is_up(&primary) && has_replica
}

fn say(port: u16, words: &[&str]) -> Result<Reply> {
    ask(([127, 0, 0, 1], port).into(), &[words.to_vec()])
}
