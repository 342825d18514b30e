//! The server process: started, killed, started again.

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use super::connection::{Connection, Reply};
use crate::servers::home::Home;
use crate::servers::process::{ServerProcess, on_a_free_port};

const PROGRAM: &str = "redis-server";
const TIMEOUT: Duration = Duration::from_secs(30);

/// Nothing is written to disk by itself; what is dumped lies in the home.
const SETTINGS: [&str; 6] = [
    "bind=127.0.0.1",
    "save=",
    "appendonly=no",
    "dbfilename=dump.rdb",
    "enable-debug-command=yes",
    "tcp-backlog=128",
];

#[derive(Debug)]
pub(super) struct Server {
    process: ServerProcess,
    program: PathBuf,
    port: u16,
    settings: Vec<String>,
    home: Home,
}

impl Server {
    pub(super) fn start(settings: &[&str]) -> Result<Self> {
        let program = find()?;
        let mut server = Self {
            process: ServerProcess::default(),
            program,
            port: 0,
            settings: SETTINGS
                .iter()
                .chain(settings)
                .map(ToString::to_string)
                .collect(),
            // There is nothing to save.
            home: Home::create("redis", "KILL")?,
        };
        on_a_free_port(|port| {
            server.port = port;
            server.launch(None)
        })?;
        Ok(server)
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn url(&self) -> String {
        match self.password() {
            Some(password) => format!("redis://:{password}@127.0.0.1:{}", self.port),
            None => format!("redis://127.0.0.1:{}", self.port),
        }
    }

    pub(super) fn password(&self) -> Option<&str> {
        let mut settings = self.settings.iter().rev();
        settings.find_map(|setting| setting.strip_prefix("requirepass="))
    }

    pub(super) fn dump_file(&self) -> PathBuf {
        self.home.path().join("dump.rdb")
    }

    pub(super) fn signal(&self, name: &str) -> Result<()> {
        self.process.signal(name)
    }

    pub(super) fn kill(&mut self) -> Result<()> {
        self.process.stop("KILL", TIMEOUT)
    }

    pub(super) fn stop(&mut self) -> Result<()> {
        self.process.stop("TERM", TIMEOUT)
    }

    /// Starts the process with what a dump holds, or empty, and waits until it answers.
    pub(super) fn launch(&mut self, dump: Option<&Path>) -> Result<()> {
        self.put_in_place(dump)?;
        let mut redis = Command::new(&self.program);
        redis.args(["--port", &self.port.to_string(), "--dir", "."]);
        for setting in &self.settings {
            let (name, value) = setting.split_once('=').with_context(|| {
                format!("`{setting}` is no setting of Redis: one looks like maxmemory=2mb")
            })?;
            redis.args([&format!("--{name}"), value]);
        }
        redis.current_dir(self.home.path());
        let log = self.home.path().join("log");
        self.process = ServerProcess::spawn(&mut redis, &log)?;
        self.process
            .wait_until_ready(&log, TIMEOUT, |_| is_ready(self.port))
    }

    fn put_in_place(&self, dump: Option<&Path>) -> Result<()> {
        let place = self.dump_file();
        match dump {
            Some(dump) => fs::copy(dump, &place)
                .map(|_| ())
                .with_context(|| format!("the dump {} cannot be read", dump.display())),
            None => match fs::remove_file(&place) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    Err(error).context("an old dump of Redis could not be removed")
                }
                _ => Ok(()),
            },
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.home.end();
        let _ = self.kill();
    }
}

fn find() -> Result<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&folders)
        .map(|folder| folder.join(PROGRAM))
        .find(|path| path.exists())
        .with_context(|| {
            format!(
                "Redis is not installed: there is no `{PROGRAM}` on the path. Debian's package is \
                 `redis-server`; in Baton's own source folder `cargo xtask setup` installs it \
                 without starting a server"
            )
        })
}

/// While it reads a dump it answers with an error; a password does not keep it from answering.
fn is_ready(port: u16) -> bool {
    let Ok(mut line) = Connection::open(port) else {
        return false;
    };
    match line.ask(&["PING"]) {
        Ok(reply) => reply == Reply::Text("PONG".to_owned()),
        Err(error) => format!("{error:#}").contains("NOAUTH"),
    }
}
