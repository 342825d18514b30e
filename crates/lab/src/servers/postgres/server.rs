//! The server process: made, started, killed, started again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use super::installation;
use crate::servers::home::Home;
use crate::servers::owner::Owner;
use crate::servers::process::{ServerProcess, on_a_free_port, output};
use crate::servers::wall::{Threads, WallClock};

/// Recovery after a kill included, on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);

/// Shared memory as files of the home: segments of a killed server would otherwise stay on the
/// machine.
const SETTINGS: [&str; 5] = [
    "fsync=off",
    "synchronous_commit=on",
    "max_connections=200",
    "dynamic_shared_memory_type=mmap",
    "log_min_messages=warning",
];

#[derive(Debug)]
pub(super) struct Server {
    process: ServerProcess,
    address: Address,
    settings: Vec<String>,
    owner: Owner,
    /// Its own, if it is to have one.
    clock: Option<WallClock>,
    home: Home,
}

impl Server {
    pub(super) fn start(settings: &[&str], has_clock: bool) -> Result<Self> {
        Self::make(settings, has_clock, Self::init)
    }

    /// Starts a standby of this server.
    pub(super) fn follow(primary: &Address, settings: &[&str]) -> Result<Self> {
        Self::make(settings, false, |server| {
            server.copy(primary, &["--write-recovery-conf"])
        })
    }

    /// Starts a copy of this server, of the moment at which its making ended, on a timeline of its own.
    pub(super) fn copy_of(original: &Address) -> Result<Self> {
        // It has all of the log it needs; whoever recovers has to say where more would be.
        Self::make(&["restore_command=false"], false, |server| {
            server.copy(original, &[])?;
            let signal = server.data().join("recovery.signal");
            fs::write(&signal, "")?;
            server.owner.hand(&signal)
        })
    }

    fn make(
        settings: &[&str],
        has_clock: bool,
        fill: impl FnOnce(&Self) -> Result<()>,
    ) -> Result<Self> {
        let programs = installation::find()?;
        // On SIGQUIT the server leaves at once but removes its shared memory.
        let home = Home::create("postgres", "QUIT")?;
        let owner = Owner::of(home.path())?;
        let clock = match has_clock {
            true => Some(WallClock::create(home.path(), "postgres", Threads::One)?),
            false => None,
        };
        let mut server = Self {
            process: ServerProcess::default(),
            address: Address {
                programs,
                socket: home.path().to_owned(),
                port: 0,
            },
            settings: SETTINGS
                .iter()
                .chain(settings)
                .map(ToString::to_string)
                .collect(),
            owner,
            clock,
            home,
        };
        fill(&server)?;
        on_a_free_port(|port| {
            server.address.port = port;
            server.launch()
        })?;
        Ok(server)
    }

    pub(super) fn address(&self) -> &Address {
        &self.address
    }

    pub(super) fn set_clock(&self, ahead_s: i64) -> Result<()> {
        let clock = self.clock.as_ref();
        clock
            .context("this PostgreSQL has no clock of its own")?
            .set(ahead_s)
    }

    pub(super) fn kill(&mut self) -> Result<()> {
        self.home.crash()?;
        self.process.reap()
    }

    pub(super) fn stop(&mut self, how: &str) -> Result<()> {
        self.process.stop(how, TIMEOUT)
    }

    pub(super) fn restart(&mut self) -> Result<()> {
        self.stop("INT")?;
        self.launch()
    }

    fn init(&self) -> Result<()> {
        let mut initdb = self.program("initdb");
        initdb.args([
            "--username=postgres",
            "--auth=trust",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--no-sync",
        ]);
        output(initdb.arg("--pgdata").arg(self.data()))
            .context("PostgreSQL's data folder could not be made")?;
        Ok(())
    }

    /// Copies a running server, with the part of its log that was written meanwhile.
    fn copy(&self, primary: &Address, more: &[&str]) -> Result<()> {
        let from = format!(
            "host=127.0.0.1 port={} user=postgres application_name=standby",
            primary.port
        );
        let mut copy = self.program("pg_basebackup");
        copy.args(more).args(["--checkpoint=fast", "--no-sync"]);
        copy.args(["--wal-method=stream", "--dbname", &from]);
        output(copy.arg("--pgdata").arg(self.data()))
            .context("PostgreSQL's data folder could not be copied")?;
        Ok(())
    }

    fn launch(&mut self) -> Result<()> {
        let mut postgres = self.program("postgres");
        postgres
            .arg("-D")
            .arg(self.data())
            .arg("-k")
            .arg(self.home.path());
        postgres.args(["-h", "127.0.0.1", "-p", &self.address.port.to_string()]);
        postgres.args(self.settings.iter().flat_map(|setting| ["-c", setting]));
        if let Some(clock) = &self.clock {
            WallClock::tidy();
            clock.give_to(&mut postgres);
        }
        let (log, status_file) = (self.log(), self.data().join("postmaster.pid"));
        self.process = ServerProcess::spawn(&mut postgres, &log)?;
        self.process.wait_until_ready(&log, TIMEOUT, |pid| {
            is_ready(&status_file, &pid.to_string())
        })
    }

    fn program(&self, name: &str) -> Command {
        let mut command = Command::new(self.address.programs.join(name));
        command.current_dir(self.home.path());
        self.owner.run(&mut command);
        command
    }

    fn data(&self) -> PathBuf {
        self.home.path().join("data")
    }

    fn log(&self) -> PathBuf {
        self.home.path().join("log")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.home.end();
        let _ = self.process.reap();
        if self.clock.is_some() {
            WallClock::tidy();
        }
    }
}

/// The first line of the status file names the server, its eighth says how far it is; a killed one
/// leaves both behind.
fn is_ready(status_file: &Path, pid: &str) -> bool {
    let status = fs::read_to_string(status_file).unwrap_or_default();
    let mut lines = status.lines().map(str::trim);
    lines.next() == Some(pid) && matches!(lines.nth(6), Some("ready" | "standby"))
}

/// Where the server is, and the programs that speak with it.
#[derive(Debug, Clone)]
pub(super) struct Address {
    programs: PathBuf,
    socket: PathBuf,
    port: u16,
}

impl Address {
    pub(super) fn programs(&self) -> &Path {
        &self.programs
    }

    pub(super) fn url(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn execute(&self, statement: &str) -> Result<()> {
        let place = format!(
            "host={} port={} user=postgres dbname=postgres connect_timeout=10",
            self.socket.display(),
            self.port
        );
        let mut psql = Command::new(self.programs.join("psql"));
        output(psql.args([
            "--no-psqlrc",
            "--quiet",
            "--dbname",
            &place,
            "--command",
            statement,
        ]))?;
        Ok(())
    }
}
