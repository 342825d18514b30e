//! A private PostgreSQL: real, empty, and gone with the test.

mod database;
mod installation;
mod server;

use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

pub use self::database::Database;
use self::server::Server;

/// A PostgreSQL server of this test process, on loopback and on a unix socket.
///
/// Commits are synchronous; `fsync` is off, because tests kill the server but not the machine.
pub struct Postgres {
    server: Server,
    databases: AtomicU32,
}

impl Postgres {
    /// Starts a server.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts a server with settings such as `"fsync=on"`, which go before ours.
    pub fn start_with(settings: &[&str]) -> Self {
        let server = Server::start(settings).unwrap_or_else(|error| panic!("{error:#}"));
        let databases = AtomicU32::new(0);
        Self { server, databases }
    }

    /// The server that all tests of this process share; it cannot be stopped or killed.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Postgres> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// The URL of the server's own database, `postgres`.
    pub fn url(&self) -> String {
        self.server.address().url("postgres")
    }

    /// The folder with the server's own programs, such as `pg_dump`.
    pub fn bin_dir(&self) -> &Path {
        self.server.address().programs()
    }

    /// Makes an empty database, dropped when the value is.
    pub fn database(&self) -> Database {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        Database::create(self.server.address().clone(), format!("test_{number}"))
            .unwrap_or_else(|error| panic!("{error:#}"))
    }

    /// Kills the server and all its children at once, as if the machine's power failed under them.
    pub fn kill(&mut self) {
        self.server
            .kill()
            .unwrap_or_else(|error| panic!("{error:#}"));
    }

    /// Stops the server in order: connections are cut, open transactions roll back.
    pub fn stop(&mut self) {
        self.server
            .stop()
            .unwrap_or_else(|error| panic!("{error:#}"));
    }

    /// Starts the server again on the same port with the same data, after stopping it in order if
    /// it still runs.
    pub fn restart(&mut self) {
        self.server
            .restart()
            .unwrap_or_else(|error| panic!("{error:#}"));
    }
}
