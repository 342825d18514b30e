//! A private PostgreSQL: real, empty, and gone with this process.

mod database;
pub(super) mod installation;
mod server;

use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use anyhow::Result;

pub use self::database::Database;
use self::server::Server;
use super::wait::until;

/// How long a copy may take to recover, on a busy machine.
const TIMEOUT: Duration = Duration::from_mins(1);

/// A PostgreSQL server of this process, on loopback and on a unix socket.
///
/// Commits are synchronous; `fsync` is off, because who starts it kills the server but not the machine.
#[derive(Debug)]
pub struct Postgres {
    server: Server,
    databases: AtomicU32,
}

impl Postgres {
    /// Starts a server with settings such as `"fsync=on"`, which stand above ours.
    pub fn start(settings: &[&str]) -> Result<Self> {
        Ok(Self {
            server: Server::start(settings, false)?,
            databases: AtomicU32::new(0),
        })
    }

    /// Starts a standby: a copy of this server that follows it, for reading only until it is promoted. To the primary
    /// it is called `standby`, as in `synchronous_standby_names=standby`.
    pub fn standby(&self, settings: &[&str]) -> Result<Self> {
        Ok(Self {
            server: Server::follow(self.server.address(), settings)?,
            databases: AtomicU32::new(0),
        })
    }

    /// Starts a copy of this server, made while it runs as backups are (`pg_basebackup`), on a timeline of its own.
    pub fn copy(&self) -> Result<Self> {
        let copy = Self {
            server: Server::copy_of(self.server.address())?,
            databases: AtomicU32::new(0),
        };
        // It lets readers in before.
        until("PostgreSQL has recovered", TIMEOUT, || {
            let is_done = "DO $$ BEGIN ASSERT NOT pg_is_in_recovery(); END $$";
            Ok(copy.execute(is_done).is_ok())
        })?;
        Ok(copy)
    }

    /// The same with a wall clock of its own, which can be stepped.
    pub fn start_with_a_clock(settings: &[&str]) -> Result<Self> {
        Ok(Self {
            server: Server::start(settings, true)?,
            databases: AtomicU32::new(0),
        })
    }

    /// Makes a standby a primary, and returns when it takes writes.
    pub fn promote(&self) -> Result<()> {
        self.execute("DO $$ BEGIN ASSERT pg_promote(), 'not promoted in time'; END $$")
    }

    /// Runs one statement in the server's own database, `postgres`.
    pub fn execute(&self, statement: &str) -> Result<()> {
        self.server.address().execute(statement)
    }

    /// The port on 127.0.0.1.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.server.address().port()
    }

    /// Puts its clock so many seconds ahead of the machine's, or behind it; its sessions see that within two
    /// seconds, and a server that is started later at once.
    pub fn set_clock(&self, ahead_s: i64) -> Result<()> {
        self.server.set_clock(ahead_s)
    }

    /// The URL of the server's own database, `postgres`.
    #[must_use]
    pub fn url(&self) -> String {
        self.server.address().url("postgres")
    }

    /// The folder with the server's own programs, such as `pg_dump`.
    #[must_use]
    pub fn bin_dir(&self) -> &Path {
        self.server.address().programs()
    }

    /// Makes an empty database, dropped when the value is.
    pub fn database(&self) -> Result<Database> {
        self.database_of("template0")
    }

    /// Makes a database with all that is in another one, which nobody may be connected to; dropped when the value is.
    pub fn database_like(&self, template: &Database) -> Result<Database> {
        self.database_of(template.name())
    }

    fn database_of(&self, template: &str) -> Result<Database> {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        Database::create(
            self.server.address().clone(),
            format!("test_{number}"),
            template,
        )
    }

    /// Kills the server and all its children at once, as if the machine's power failed under them.
    pub fn kill(&mut self) -> Result<()> {
        self.server.kill()
    }

    /// Stops the server in order: connections are cut, open transactions roll back.
    pub fn stop(&mut self) -> Result<()> {
        self.server.stop("INT")
    }

    /// Stops the server without a farewell; it recovers from its log when it starts again.
    pub fn stop_immediately(&mut self) -> Result<()> {
        self.server.stop("QUIT")
    }

    /// Starts the server again on the same port with the same data, after stopping it in order if
    /// it still runs.
    pub fn restart(&mut self) -> Result<()> {
        self.server.restart()
    }
}
