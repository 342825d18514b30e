//! A line that breaks on demand: a TCP proxy between a process and what it depends on.
//!
//! It delays, cuts, refuses and falls silent while it runs. Told that the line carries PostgreSQL's
//! protocol, or MySQL's, it also cuts exactly around COMMIT: before the server hears of it, or after the server
//! has committed and before the client hears of that. The second is the case that cannot be told
//! from the first by who is cut off, and the reason for everything that must be safe to repeat. On a line
//! to Redis it cuts behind an element that was moved, before its mover hears of it.

mod faults;
mod line;
mod listener;
mod mysql;
mod postgres;
mod redis;
mod shared;
mod sql;

pub use faults::{Counts, CutCommits, Deed, DirectionFaults, Faults, How, ListenerMode, Moment};

use std::{
    io,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
};

use tokio::{sync::oneshot, task::JoinHandle};

use shared::Shared;

/// What is behind the proxy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Upstream {
    /// A TCP address.
    Tcp(SocketAddr),
    /// A Unix socket.
    Unix(PathBuf),
}

/// What the line carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Protocol {
    /// Bytes.
    #[default]
    Bytes,
    /// PostgreSQL's protocol, version 3, unencrypted. An encrypted session passes as bytes.
    Postgres,
    /// MySQL's and MariaDB's protocol, neither encrypted nor compressed. A session that is passes as bytes.
    Mysql,
    /// Redis's protocol, RESP2 or RESP3, unencrypted.
    Redis,
}

/// How a proxy is set up.
#[derive(Debug, Clone)]
pub struct Options {
    /// What is behind it.
    pub upstream: Upstream,
    /// What the line carries.
    pub protocol: Protocol,
    /// Where chance begins: the same seed draws the same faults.
    pub seed: u64,
}

/// A running proxy. Dropping it stops it.
#[derive(Debug)]
pub struct Proxy {
    addr: SocketAddr,
    shared: Arc<Shared>,
    accepting: JoinHandle<()>,
    stop: oneshot::Sender<()>,
}

impl Proxy {
    /// Starts a proxy on a free port of loopback, without a fault.
    pub async fn start(options: Options) -> io::Result<Self> {
        let reserved = listener::reserve(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)))?;
        let addr = reserved.local_addr()?;
        let listener = listener::open(addr)?;
        let shared = Arc::new(Shared::new(options));
        let (stop, stopped) = oneshot::channel();
        let accepting = tokio::spawn(listener::keep(
            reserved,
            listener,
            Arc::clone(&shared),
            stopped,
        ));
        Ok(Self {
            addr,
            shared,
            accepting,
            stop,
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// The faults of the moment.
    #[must_use]
    pub fn faults(&self) -> Faults {
        self.shared.faults.borrow().clone()
    }

    /// Changes the faults; open connections feel it from their next bytes on.
    pub fn change(&self, change: impl FnOnce(&mut Faults)) {
        self.shared.faults.send_modify(change);
    }

    /// Takes all faults away.
    pub fn heal(&self) {
        self.shared.heal();
    }

    /// Resets every connection there is.
    pub fn cut_all(&self) {
        self.shared.cut_all();
    }

    /// Leads whoever comes from now on to another server; lines that are open stay with the former one.
    pub fn lead_to(&self, upstream: Upstream) {
        *self.shared.upstream.lock() = upstream;
    }

    /// Cuts around coming commits; replaces an earlier plan.
    pub fn cut_commits(&self, plan: CutCommits) {
        self.shared.plan(Some(plan));
    }

    /// Lets so many more messages of PostgreSQL's or MySQL's protocol pass, of either side and on whatever connection. Then
    /// resets every connection and lets nobody in until it is healed: the other side stays away.
    pub fn cut_behind(&self, messages: u32) {
        self.shared.plan_messages(Some(messages));
    }

    /// Cuts behind so many of the coming answers that tell of an element taken from a list of Redis;
    /// replaces an earlier plan.
    pub fn cut_moves(&self, count: u32) {
        self.shared.plan_moves(count);
    }

    /// What it did so far, in numbers.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.shared.counts.lock().clone()
    }

    /// Each connection it broke so far, with its time: the fault log of a history.
    #[must_use]
    pub fn deeds(&self) -> Vec<Deed> {
        self.shared.deeds.lock().clone()
    }

    /// Stops at once: the port is closed and so is every connection.
    pub async fn stop(self) {
        drop(self.stop);
        // It can only have failed by a panic, and then it has stopped, too.
        let _ = self.accepting.await;
    }
}
