//! A private MariaDB: real, empty, and gone with this process.

use std::env;
use std::io::Read as _;
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::home::Home;
use super::port::free_port;
use super::process::{last_words, log_to, output, signal};
use super::wait::until;
use super::wall::{Threads, WallClock};

/// Recovery after a kill included, on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);
/// A port can be taken between our look and the server's.
const PORTS_TO_TRY: usize = 5;

/// Whoever reaches it may do everything: it listens on loopback, and lives as long as a test. It lies in memory, for it waits for the
/// disk with each table that is made, and tests make tens of thousands.
const SETTINGS: [&str; 8] = [
    "skip-grant-tables",
    "skip-name-resolve",
    "innodb-flush-log-at-trx-commit=0",
    "innodb-buffer-pool-size=256M",
    "innodb-log-file-size=64M",
    "max-connections=300",
    "performance-schema=OFF",
    "bind-address=127.0.0.1",
];

/// A MariaDB server of this process, on loopback and on a unix socket.
#[derive(Debug)]
pub struct Mariadb {
    process: Option<Child>,
    server: PathBuf,
    port: u16,
    settings: Vec<String>,
    databases: AtomicU32,
    /// Its own, if it is to have one.
    clock: Option<WallClock>,
    home: Home,
}

impl Mariadb {
    /// Starts a server with settings such as `"sync-binlog=1"`, which stand above ours.
    ///
    /// # Errors
    /// When MariaDB is not installed or does not start.
    pub fn start(settings: &[&str]) -> Result<Self> {
        Self::make(settings, false)
    }

    /// The same with a wall clock of its own, which can be stepped.
    ///
    /// # Errors
    /// When MariaDB or libfaketime is not installed, or the server does not start.
    pub fn start_with_a_clock(settings: &[&str]) -> Result<Self> {
        Self::make(settings, true)
    }

    fn make(settings: &[&str], has_clock: bool) -> Result<Self> {
        let home = Home::create_in_memory("mariadb", "TERM")?;
        let clock = match has_clock {
            true => Some(WallClock::create(home.path(), "mariadb", Threads::Many)?),
            false => None,
        };
        let mut server = Self {
            process: None,
            server: find("mariadbd")?,
            port: 0,
            settings: SETTINGS
                .iter()
                .chain(settings)
                .map(ToString::to_string)
                .collect(),
            databases: AtomicU32::new(0),
            clock,
            home,
        };
        server.init()?;
        server.launch_on_a_free_port()?;
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
    ///
    /// # Errors
    /// When the server does not take it.
    pub fn database(&self) -> Result<String> {
        let count = self.databases.fetch_add(1, Ordering::Relaxed);
        let name = format!("baton_{count}");
        self.execute(&format!("CREATE DATABASE {name}"))?;
        Ok(self.url(&name))
    }

    /// What the server answers to some statements: a row a line.
    ///
    /// # Errors
    /// When it does not take them.
    pub fn execute(&self, statements: &str) -> Result<String> {
        let mut client = Command::new(find("mariadb")?);
        client.args([
            "--no-defaults",
            "--skip-column-names",
            "--batch",
            "--user=root",
            "--socket",
        ]);
        output(client.arg(self.socket()).args(["--execute", statements]))
    }

    /// Puts its clock so many seconds ahead of the machine's, or behind it; its sessions see that at once.
    ///
    /// # Errors
    /// When it has no clock of its own.
    pub fn set_clock(&self, ahead_s: i64) -> Result<()> {
        let clock = self.clock.as_ref();
        clock
            .context("this MariaDB has no clock of its own")?
            .set(ahead_s)
    }

    /// Kills the server at once, as if the machine's power failed under it.
    ///
    /// # Errors
    /// When its process cannot be killed.
    pub fn kill(&mut self) -> Result<()> {
        self.home.crash()?;
        self.reap()
    }

    /// Stops the server in order: connections are cut, open transactions roll back.
    ///
    /// # Errors
    /// When it does not end.
    pub fn stop(&mut self) -> Result<()> {
        if let Some(process) = &mut self.process {
            signal(process.id(), "TERM")?;
            until("MariaDB has stopped", PATIENCE, || {
                Ok(process.try_wait()?.is_some())
            })?;
        }
        self.reap()
    }

    /// Starts the server again on the same port with the same data, after stopping it in order if it still runs.
    ///
    /// # Errors
    /// When it does not start.
    pub fn restart(&mut self) -> Result<()> {
        self.stop()?;
        self.launch()
    }

    fn init(&self) -> Result<()> {
        let mut init = Command::new(find("mariadb-install-db")?);
        init.args([
            "--no-defaults",
            "--skip-test-db",
            "--auth-root-authentication-method=normal",
        ]);
        init.current_dir(self.home.path());
        init.env("TMPDIR", self.home.path());
        init.arg(format!("--datadir={}", self.data().display()));
        output(init.arg(format!("--user={}", user())))
            .context("MariaDB's data folder could not be made")?;
        Ok(())
    }

    fn launch_on_a_free_port(&mut self) -> Result<()> {
        for _ in 1..PORTS_TO_TRY {
            self.port = free_port()?;
            match self.launch() {
                Err(error) if format!("{error:#}").contains("Address already in use") => {}
                result => return result,
            }
        }
        self.launch()
    }

    fn launch(&mut self) -> Result<()> {
        let mut server = Command::new(&self.server);
        server
            .arg("--no-defaults")
            .arg(format!("--user={}", user()));
        server.arg(format!("--datadir={}", self.data().display()));
        server.arg(format!("--socket={}", self.socket().display()));
        server.arg(format!("--port={}", self.port));
        server.args(self.settings.iter().map(|setting| format!("--{setting}")));
        server.current_dir(self.home.path());
        // A server that starts removes what it takes for its own leftovers there, those of any other that runs included.
        server.env("TMPDIR", self.home.path());
        if let Some(clock) = &self.clock {
            WallClock::tidy();
            clock.give_to(&mut server);
        }
        let log = self.home.path().join("log");
        // Away from our group: Ctrl-C on a terminal would reach the server before its user has ended.
        let process = log_to(server.process_group(0), &log)?
            .spawn()
            .context("MariaDB could not be started")?;
        let process = self.process.insert(process);
        let port = self.port;
        until("MariaDB is ready", PATIENCE, || {
            if let Some(status) = process.try_wait()? {
                bail!(
                    "MariaDB ended while starting ({status}); its last words:\n{}",
                    last_words(&log)
                );
            }
            Ok(greets(port))
        })
    }

    fn reap(&mut self) -> Result<()> {
        if let Some(mut process) = self.process.take() {
            process.wait()?;
        }
        Ok(())
    }

    fn data(&self) -> PathBuf {
        self.home.path().join("data")
    }

    fn socket(&self) -> PathBuf {
        self.home.path().join("sock")
    }
}

impl Drop for Mariadb {
    fn drop(&mut self) {
        self.home.end();
        let _ = self.reap();
        if self.clock.is_some() {
            WallClock::tidy();
        }
    }
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

fn find(program: &str) -> Result<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let folders = env::split_paths(&folders).chain([PathBuf::from("/usr/sbin")]);
    folders
        .map(|folder: PathBuf| folder.join(program))
        .find(|path: &PathBuf| Path::exists(path))
        .with_context(|| {
            format!(
                "MariaDB is not installed: there is no `{program}` on the path. Debian's package is `mariadb-server`; \
                 in Baton's own source folder `cargo xtask setup` installs it without starting a server"
            )
        })
}
