//! One server of the fleet: a process that is killed and started again, behind lines that break.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use baton_lab::{proxy::Proxy, servers::WallClock};
use parking_lot::Mutex;
use tokio::{
    sync::{Mutex as AsyncMutex, MutexGuard},
    time::{Instant, sleep},
};

use crate::{Failure, Server, now_us};

use super::{crew::Duty, versions::Versions};

/// How long a start may be tried in vain: the database may be away, too.
const RETRY_FOR: Duration = Duration::from_mins(1);
/// How long a service manager would wait before it tries again.
const PAUSE: Duration = Duration::from_millis(100);
/// How long a stop may take beyond its grace.
const STOP: Duration = Duration::from_secs(20);

pub struct Node {
    pub name: String,
    pub duty: Duty,
    /// Its line to the database, unless that is a file.
    pub database: Option<Proxy>,
    /// Its line to Redis.
    pub redis: Option<Proxy>,
    /// Its own wall clock, where it can have one.
    pub clock: Option<WallClock>,
    flags: Vec<String>,
    home: PathBuf,
    log: PathBuf,
    versions: Arc<Versions>,
    server: AsyncMutex<Option<Server>>,
    /// Its process was told to stop, and may end at any moment.
    is_leaving: AtomicBool,
    lives: Mutex<Vec<Life>>,
}

/// One process of a node, from its start to its end.
#[derive(Debug, Clone, Copy)]
pub struct Life {
    pub process: u32,
    from_us: i64,
    until_us: i64,
}

/// A node that nobody else may touch now.
pub struct LockedNode<'n> {
    pub node: &'n Node,
    server: MutexGuard<'n, Option<Server>>,
}

impl Node {
    pub fn new(
        name: String,
        duty: Duty,
        lines: (Option<Proxy>, Option<Proxy>),
        clock: Option<WallClock>,
        flags: Vec<String>,
        (home, log): (PathBuf, PathBuf),
        versions: Arc<Versions>,
    ) -> Self {
        let (database, redis) = lines;
        Self {
            name,
            duty,
            database,
            redis,
            clock,
            flags,
            home,
            log,
            versions,
            server: AsyncMutex::default(),
            is_leaving: AtomicBool::new(false),
            lives: Mutex::default(),
        }
    }

    /// The node, unless something is being done to it already.
    pub fn hold(&self) -> Option<LockedNode<'_>> {
        let server = self.server.try_lock().ok()?;
        Some(LockedNode { node: self, server })
    }

    /// The node, once nothing is being done to it any more.
    pub async fn wait(&self) -> LockedNode<'_> {
        let server = self.server.lock().await;
        LockedNode { node: self, server }
    }

    /// The process that it was at this moment.
    pub fn process_at(&self, at_us: i64) -> Option<u32> {
        let lives = self.lives.lock();
        let mut lives = lives.iter().rev();
        let life = lives.find(|life| (life.from_us..=life.until_us).contains(&at_us))?;
        Some(life.process)
    }
}

impl LockedNode<'_> {
    /// Starts it, as often as it takes.
    pub async fn start(&mut self) -> Result<(), Failure> {
        let node = self.node;
        let end = Instant::now() + RETRY_FOR;
        loop {
            let from_us = now_us();
            WallClock::tidy();
            let environment = node.clock.iter().flat_map(WallClock::environment);
            let program = node.versions.next();
            let (home, log) = (&node.home, &node.log);
            match Server::start_program(&program, home, log, &node.flags, environment).await {
                Ok(server) => {
                    node.is_leaving.store(false, Ordering::SeqCst);
                    node.lives.lock().push(Life {
                        process: server.process(),
                        from_us,
                        until_us: i64::MAX,
                    });
                    *self.server = Some(server);
                    return Ok(());
                }
                Err(failure) if Instant::now() > end => {
                    let name = &node.name;
                    return Err(
                        failure.then(format!("{name} could not be started for {RETRY_FOR:?}."))
                    );
                }
                Err(_) => sleep(PAUSE).await,
            }
        }
    }

    pub async fn kill(&mut self) -> Result<(), Failure> {
        let Some(mut server) = self.server.take() else {
            return Ok(());
        };
        let killed = server.kill().await;
        self.died();
        // Who was told to stop may have ended in order a moment before.
        if self.node.is_leaving.load(Ordering::SeqCst) && !server.is_alive() {
            return Ok(());
        }
        killed.map_err(|failure| failure.then(format!("It was {}.", self.node.name)))
    }

    /// Tells it to stop, and waits so long for its end; whether it ended.
    pub async fn stop_within(&mut self, within: Duration) -> Result<bool, Failure> {
        let Some(server) = self.server.as_mut() else {
            return Ok(true);
        };
        self.node.is_leaving.store(true, Ordering::SeqCst);
        server.ask_to_stop().await?;
        if tokio::time::timeout(within, server.ended()).await.is_err() {
            return Ok(false);
        }
        *self.server = None;
        self.died();
        Ok(true)
    }

    /// Stops it in order.
    pub async fn stop(&mut self) -> Result<(), Failure> {
        if self.stop_within(STOP).await? {
            return Ok(());
        }
        let name = &self.node.name;
        Err(Failure::new(format!(
            "{name} was told to stop and had not ended after {STOP:?}"
        )))
    }

    pub fn pause(&self) -> Result<(), Failure> {
        self.server.as_ref().map_or(Ok(()), Server::pause)
    }

    pub fn resume(&self) -> Result<(), Failure> {
        self.server.as_ref().map_or(Ok(()), Server::resume)
    }

    /// Fails when its process has ended by itself.
    pub fn assert_alive(&mut self) -> Result<(), Failure> {
        let Some(server) = self.server.as_mut() else {
            return Ok(());
        };
        if server.is_alive() {
            return Ok(());
        }
        let name = &self.node.name;
        Err(server.dead().then(format!("{name} has ended by itself.")))
    }

    fn died(&self) {
        if let Some(life) = self.node.lives.lock().last_mut() {
            life.until_us = now_us();
        }
    }
}
