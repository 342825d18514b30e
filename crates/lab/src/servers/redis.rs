//! A private Redis: real, empty, and gone with this process.

mod connection;
mod server;

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use self::connection::Connection;
pub use self::connection::Reply;
use self::server::Server;

/// Says several things to a Redis that is not ours, on a connection of its own, and returns what it
/// answers to the last: `AUTH` first, where it wants that.
pub fn ask(addr: SocketAddr, sentences: &[Vec<&str>]) -> Result<Reply> {
    let mut line = Connection::to(addr)?;
    let mut answer = Reply::Nil;
    for words in sentences {
        answer = line.ask(words)?;
    }
    Ok(answer)
}

/// A Redis server of this process, on loopback. It keeps nothing on disk unless it is asked to.
#[derive(Debug)]
pub struct Redis {
    server: Server,
    dumps: u32,
}

impl Redis {
    /// Starts a server with settings such as `"maxmemory=2mb"` or `"requirepass=secret"`, which stand
    /// above ours.
    pub fn start(settings: &[&str]) -> Result<Self> {
        Ok(Self {
            server: Server::start(settings)?,
            dumps: 0,
        })
    }

    /// Its URL, with the password if it has one.
    #[must_use]
    pub fn url(&self) -> String {
        self.server.url()
    }

    /// The port it listens on.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.server.port()
    }

    /// Sends it a command on a connection of its own and returns what it answers:
    /// `redis.command(&["FLUSHALL"])`.
    pub fn command(&self, words: &[&str]) -> Result<Reply> {
        let mut line = Connection::open(self.port())?;
        if let Some(password) = self.server.password() {
            line.ask(&["AUTH", password])?;
        }
        line.ask(words)
    }

    /// Kills it at once: what it held is gone.
    pub fn kill(&mut self) -> Result<()> {
        self.server.kill()
    }

    /// Stops it in order; what it held is gone all the same.
    pub fn stop(&mut self) -> Result<()> {
        self.server.stop()
    }

    /// Starts it again, empty and on the same port, after killing it if it still runs.
    pub fn restart(&mut self) -> Result<()> {
        self.server.kill()?;
        self.server.launch(None)
    }

    /// Writes what it holds to a file that [`restart_from`](Self::restart_from) takes.
    pub fn dump(&mut self) -> Result<PathBuf> {
        self.command(&["SAVE"])?;
        self.dumps += 1;
        let name = format!("dump-{}.rdb", self.dumps);
        let dump = self.server.dump_file().with_file_name(name);
        std::fs::copy(self.server.dump_file(), &dump)
            .with_context(|| format!("Redis's dump could not be kept as {}", dump.display()))?;
        Ok(dump)
    }

    /// Starts it again on the same port with what it held when the dump was written, after killing it
    /// if it still runs.
    pub fn restart_from(&mut self, dump: &Path) -> Result<()> {
        self.server.kill()?;
        self.server.launch(Some(dump))
    }

    /// Freezes it: connections stay, nothing answers.
    pub fn pause(&self) -> Result<()> {
        self.server.signal("STOP")
    }

    /// Lets a frozen one go on.
    pub fn resume(&self) -> Result<()> {
        self.server.signal("CONT")
    }
}
