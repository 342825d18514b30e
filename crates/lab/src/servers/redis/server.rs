//! The server process: started, killed, started again.

use std::env;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use super::connection::{Connection, Reply};
use crate::servers::home::Home;
use crate::servers::port::free_port;
use crate::servers::process::{last_words, log_to, signal};
use crate::servers::wait::until;

const PROGRAM: &str = "redis-server";
const TIMEOUT: Duration = Duration::from_secs(30);

/// A port can be taken between our look and the server's.
const PORTS_TO_TRY: usize = 5;

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
    process: Option<Child>,
    program: PathBuf,
    port: u16,
    settings: Vec<String>,
    home: Home,
}

impl Server {
    pub(super) fn start(settings: &[&str]) -> Result<Self> {
        let program = find()?;
        let mut server = Self {
            process: None,
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
        server.launch_on_a_free_port()?;
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
        let process = self.process.as_ref().context("Redis does not run")?;
        signal(process.id(), name)
    }

    pub(super) fn kill(&mut self) -> Result<()> {
        if let Some(mut process) = self.process.take() {
            process.kill().context("Redis could not be killed")?;
            process.wait()?;
        }
        Ok(())
    }

    pub(super) fn stop(&mut self) -> Result<()> {
        if let Some(process) = &mut self.process {
            signal(process.id(), "TERM")?;
            until("Redis has stopped", TIMEOUT, || {
                Ok(process.try_wait()?.is_some())
            })?;
        }
        self.process = None;
        Ok(())
    }

    fn launch_on_a_free_port(&mut self) -> Result<()> {
        for _ in 1..PORTS_TO_TRY {
            self.port = free_port()?;
            match self.launch(None) {
                Err(error) if format!("{error:#}").contains("Address already in use") => {}
                result => return result,
            }
        }
        self.launch(None)
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
        // Away from our group: Ctrl-C on a terminal would reach the server before its user has ended.
        let process = log_to(redis.process_group(0), &log)?
            .spawn()
            .context("Redis could not be started")?;
        let process = self.process.insert(process);
        let port = self.port;
        until("Redis is ready", TIMEOUT, || {
            if let Some(status) = process.try_wait()? {
                bail!(
                    "Redis ended while starting ({status}); its last words:\n{}",
                    last_words(&log)
                );
            }
            Ok(is_ready(port))
        })
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
