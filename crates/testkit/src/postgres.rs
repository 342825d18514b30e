//! A private PostgreSQL for tests: the lab's, and what goes wrong fails the test.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use baton_lab::servers::{self, Database, PgBouncer};

use crate::or_fail;

/// A PostgreSQL server of this test process, on loopback and on a unix socket.
///
/// Commits are synchronous; `fsync` is off, because tests kill the server but not the machine.
pub struct Postgres(servers::Postgres);

impl Postgres {
    /// Starts a server.
    #[must_use]
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    /// Starts a server with settings such as `"fsync=on"`, which stand above ours.
    #[must_use]
    pub fn start_with(settings: &[&str]) -> Self {
        Self(or_fail(servers::Postgres::start(settings)))
    }

    /// The server that all tests of this process share; it cannot be stopped or killed.
    pub fn shared() -> &'static Self {
        static SHARED: OnceLock<Postgres> = OnceLock::new();
        SHARED.get_or_init(Self::start)
    }

    /// Starts a standby: a copy of this server that follows it, for reading only until it is promoted. To the primary
    /// it is called `standby`, as in `synchronous_standby_names=standby`.
    #[must_use]
    pub fn standby(&self, settings: &[&str]) -> Self {
        Self(or_fail(self.0.standby(settings)))
    }

    /// Starts a copy of this server, made while it runs as backups are (`pg_basebackup`), on a timeline of its own.
    #[must_use]
    pub fn copy(&self) -> Self {
        Self(or_fail(self.0.copy()))
    }

    /// Makes a standby a primary, and returns when it takes writes.
    pub fn promote(&self) {
        or_fail(self.0.promote());
    }

    /// Runs one statement in the server's own database, `postgres`.
    pub fn execute(&self, statement: &str) {
        or_fail(self.0.execute(statement));
    }

    /// What `psql` says to some statements in the database of this URL: a row a line, `|` between the columns.
    pub fn psql(&self, url: &str, statements: &str) -> String {
        let mut psql = Command::new(self.bin_dir().join("psql"));
        psql.args(["--no-psqlrc", "--tuples-only", "--no-align", "--quiet"]);
        let ran = psql.args(["--dbname", url, "--command", statements]);
        let ran = ran.output().expect("psql starts");
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.success(), "{said}");
        String::from_utf8_lossy(&ran.stdout).trim().to_owned()
    }

    /// The port on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.0.port()
    }

    /// The URL of the server's own database, `postgres`.
    pub fn url(&self) -> String {
        self.0.url()
    }

    /// The folder with the server's own programs, such as `pg_dump`.
    pub fn bin_dir(&self) -> &Path {
        self.0.bin_dir()
    }

    /// Makes an empty database, dropped when the value is.
    pub fn database(&self) -> Database {
        or_fail(self.0.database())
    }

    /// Makes a database with all that is in another one, whose connections have to be closed; dropped when the value is.
    pub fn database_like(&self, template: &Database) -> Database {
        or_fail(self.0.database_like(template))
    }

    /// Starts a PgBouncer before this server that pools in this way: `"session"`, `"transaction"`.
    pub fn pooler(&self, pool_mode: &str) -> PgBouncer {
        or_fail(PgBouncer::start(&self.0, pool_mode))
    }

    /// Kills the server and all its children at once, as if the machine's power failed under them.
    pub fn kill(&mut self) {
        or_fail(self.0.kill());
    }

    /// Stops the server in order: connections are cut, open transactions roll back.
    pub fn stop(&mut self) {
        or_fail(self.0.stop());
    }

    /// Starts the server again on the same port with the same data, after stopping it in order if
    /// it still runs.
    pub fn restart(&mut self) {
        or_fail(self.0.restart());
    }
}
