//! A private MariaDB or MySQL: real, empty, and gone with this process.

mod fetched;
mod galera;
mod mariadb;
mod replica;

pub use galera::Galera;
pub use replica::{Confirms, Replicated};

use std::io::Read as _;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::{env, ffi::OsString, fmt};

use anyhow::{Context, Result};

use super::home::Home;
use super::process::{ServerProcess, last_words, on_a_free_port, output};
use super::wall::{Threads, WallClock};

/// Recovery after a kill included, on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);
/// It lies in memory, for it waits for the disk with each table that is made, and tests make tens of thousands.
const SETTINGS: [&str; 6] = [
    "skip-name-resolve",
    "innodb-flush-log-at-trx-commit=0",
    "innodb-buffer-pool-size=256M",
    "max-connections=300",
    "performance-schema=OFF",
    "bind-address=127.0.0.1",
];

/// Who made the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Brand {
    /// MariaDB, as the system has it.
    Mariadb,
    /// MySQL, as `cargo xtask setup` has fetched it.
    Mysql,
}

impl fmt::Display for Brand {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Mariadb => "MariaDB",
            Self::Mysql => "MySQL",
        })
    }
}

impl Brand {
    /// Fills the data folder of a server, in whose home we are.
    fn lay_out(self, home: &Path, data: &Path) -> Result<()> {
        match self {
            Self::Mariadb => mariadb::lay_out(home, data),
            Self::Mysql => fetched::lay_out(data),
        }
    }

    fn server(self) -> Result<Command> {
        match self {
            Self::Mariadb => mariadb::server(),
            Self::Mysql => fetched::server(),
        }
    }

    fn client(self) -> Result<Command> {
        match self {
            Self::Mariadb => mariadb::client(),
            Self::Mysql => fetched::client(),
        }
    }
}

/// A server of this process, on loopback and on a unix socket. Whoever reaches it as `root` may do everything.
#[derive(Debug)]
pub struct Mysql {
    brand: Brand,
    process: ServerProcess,
    port: u16,
    settings: Vec<String>,
    databases: AtomicU32,
    /// Its own, if it is to have one.
    clock: Option<WallClock>,
    home: Home,
}

impl Mysql {
    /// Starts a server with settings such as `"sync-binlog=1"`, which stand above ours.
    pub fn start(brand: Brand, settings: &[&str]) -> Result<Self> {
        let lay_out = |home: &Path, data: &Path| brand.lay_out(home, data);
        Self::make(brand, settings, false, lay_out)
    }

    /// The same with a wall clock of its own, which can be stepped.
    pub fn start_with_a_clock(brand: Brand, settings: &[&str]) -> Result<Self> {
        let lay_out = |home: &Path, data: &Path| brand.lay_out(home, data);
        Self::make(brand, settings, true, lay_out)
    }

    /// Makes one whose data folder is filled by this before it starts.
    fn make(
        brand: Brand,
        settings: &[&str],
        has_clock: bool,
        lay_out: impl Fn(&Path, &Path) -> Result<()>,
    ) -> Result<Self> {
        let settings = SETTINGS.iter().chain(settings);
        let home = Home::create_in_memory("mysql", "TERM")?;
        let clock = match has_clock {
            true => Some(WallClock::create(home.path(), "mysql", Threads::Many)?),
            false => None,
        };
        let mut server = Self {
            brand,
            process: ServerProcess::default(),
            port: 0,
            settings: settings.map(ToString::to_string).collect(),
            databases: AtomicU32::new(0),
            clock,
            home,
        };
        lay_out(server.home.path(), &server.data())?;
        on_a_free_port(|port| {
            server.port = port;
            server.launch()
        })?;
        Ok(server)
    }

    /// The port on 127.0.0.1.
    #[must_use]
    pub const fn port(&self) -> u16 {
        self.port
    }

    /// The URL of a database.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        format!("mysql://root@127.0.0.1:{}/{database}", self.port)
    }

    /// Makes an empty database, whose name begins with `baton`.
    pub fn database(&self) -> Result<String> {
        let count = self.databases.fetch_add(1, Ordering::Relaxed);
        let name = format!("baton_{count}");
        self.execute(&format!("CREATE DATABASE {name}"))?;
        Ok(self.url(&name))
    }

    /// What the server answers to some statements: a row a line.
    pub fn execute(&self, statements: &str) -> Result<String> {
        let mut client = self.brand.client()?;
        client.args(["--skip-column-names", "--batch", "--user=root", "--socket"]);
        output(client.arg(self.socket()).args(["--execute", statements]))
    }

    /// Puts its clock so many seconds ahead of the machine's, or behind it; its sessions see that at once.
    pub fn set_clock(&self, ahead_s: i64) -> Result<()> {
        let clock = self.clock.as_ref();
        clock
            .context("this server has no clock of its own")?
            .set(ahead_s)
    }

    /// Kills the server at once, as if the machine's power failed under it.
    pub fn kill(&mut self) -> Result<()> {
        self.home.crash()?;
        self.process.reap()
    }

    /// Stops the server in order: connections are cut, open transactions roll back.
    pub fn stop(&mut self) -> Result<()> {
        self.process.stop("TERM", TIMEOUT)
    }

    /// Starts the server again on the same port with the same data, after stopping it in order if it still runs.
    pub fn restart(&mut self) -> Result<()> {
        self.stop()?;
        self.launch()
    }

    fn launch(&mut self) -> Result<()> {
        let mut server = self.brand.server()?;
        server.arg(format!("--user={}", user()));
        server.arg(format!("--datadir={}", self.data().display()));
        server.arg(format!("--socket={}", self.socket().display()));
        server.arg(format!("--port={}", self.port));
        server.args(self.settings.iter().map(|setting| format!("--{setting}")));
        server.current_dir(self.home.path());
        // A server that starts removes what it takes for its own leftovers there, those of any other that runs included.
        server.env("TMPDIR", self.home.path());
        server.env("PATH", self.path()?);
        if let Some(clock) = &self.clock {
            WallClock::tidy();
            clock.give_to(&mut server);
        }
        let log = self.home.path().join("log");
        self.process = ServerProcess::spawn(&mut server, &log)?;
        self.process
            .wait_until_ready(&log, TIMEOUT, |_| greets(self.port))
    }

    /// Where the server finds programs: first its own, if it has any.
    fn path(&self) -> Result<OsString> {
        let all = env::var_os("PATH").unwrap_or_default();
        let own = [programs(self.home.path())].into_iter();
        Ok(env::join_paths(own.chain(env::split_paths(&all)))?)
    }

    fn last_words(&self) -> String {
        last_words(&self.home.path().join("log"))
    }

    fn data(&self) -> PathBuf {
        self.home.path().join("data")
    }

    fn socket(&self) -> PathBuf {
        self.home.path().join("sock")
    }
}

impl Drop for Mysql {
    fn drop(&mut self) {
        self.home.end();
        let _ = self.process.reap();
        if self.clock.is_some() {
            WallClock::tidy();
        }
    }
}

/// Where a server's own programs lie in its home.
fn programs(home: &Path) -> PathBuf {
    home.join("bin")
}

/// Whether it says the first word. Its port is open before, and a signal to stop would be lost then.
fn greets(port: u16) -> bool {
    let Ok(mut line) = TcpStream::connect(("127.0.0.1", port)) else {
        return false;
    };
    let is_patient = line.set_read_timeout(Some(Duration::from_secs(1)));
    is_patient.is_ok() && line.read_exact(&mut [0]).is_ok()
}

/// Whose server it is: it refuses to be root's unless that is said.
fn user() -> String {
    env::var("USER").unwrap_or_else(|_| "root".to_owned())
}
