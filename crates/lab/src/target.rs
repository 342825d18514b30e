//! The far end of a call: a small HTTP server on loopback that answers as its URLs ask.
//!
//! What a request gets is written in its path ([`Script`]), so a job carries its own script and the
//! target needs no set-up. Every arrival is written down before it is answered ([`Arrival`]), in
//! memory and, if asked, in a file that outlives a killed process.
//!
//! To add a script: a variant of [`Script`], its word in `Script::parse`, its answers in
//! `Script::answer`.

mod http;
mod record;
mod script;
mod server;

pub use record::{Answer, Arrival, RequestInfo, read_log};
pub use script::{Reply, Script};

use std::{
    collections::BTreeMap,
    io,
    net::{Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::Arc,
};

use tokio::{net::TcpListener, sync::oneshot, task::JoinHandle};

use record::Record;

/// Where a target listens and what it keeps.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where to listen.
    pub listen: SocketAddr,
    /// A file, begun anew, that gets a line for each arrival and each answer.
    pub log: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: SocketAddr::from((Ipv4Addr::LOCALHOST, 0)),
            log: None,
        }
    }
}

/// A running target. Dropping it stops it.
#[derive(Debug)]
pub struct Target {
    addr: SocketAddr,
    record: Arc<Record>,
    server: JoinHandle<()>,
    stop: oneshot::Sender<()>,
}

impl Target {
    /// Starts a target; it answers from the moment this returns.
    pub async fn start(options: Options) -> io::Result<Self> {
        let record = Arc::new(Record::open(options.log.as_deref())?);
        let listener = TcpListener::bind(options.listen).await?;
        let addr = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel();
        let server = tokio::spawn(server::serve(listener, Arc::clone(&record), stopped));
        Ok(Self {
            addr,
            record,
            server,
            stop,
        })
    }

    /// Where it listens.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// The address of a script: `target.url("/flaky/2")`.
    #[must_use]
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.addr)
    }

    /// Everything that arrived so far, in order of arrival.
    #[must_use]
    pub fn arrivals(&self) -> Vec<Arrival> {
        self.record.arrivals()
    }

    /// How much arrived so far.
    #[must_use]
    pub fn total(&self) -> usize {
        self.record.total()
    }

    /// How often a key arrived so far.
    #[must_use]
    pub fn arrivals_of(&self, key: &str) -> u32 {
        self.record.arrivals_of(key)
    }

    /// How much arrived so far, by path without its query.
    #[must_use]
    pub fn by_path(&self) -> BTreeMap<String, u64> {
        self.record.by_path()
    }

    /// Stops at once: open connections are closed, what was not answered stays so, and all of it is
    /// written down when this returns.
    pub async fn stop(self) -> Vec<Arrival> {
        drop(self.stop);
        // It can only have failed by a panic, and what was written down before stands.
        let _ = self.server.await;
        self.record.arrivals()
    }
}
