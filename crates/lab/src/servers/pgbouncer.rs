//! A private PgBouncer in front of a private PostgreSQL.

use std::fs;
use std::net::TcpStream;
use std::os::unix::fs::MetadataExt;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context, Result};

use super::home::Home;
use super::port::free_port;
use super::postgres::Postgres;
use super::process::ServerProcess;

const TIMEOUT: Duration = Duration::from_secs(20);

/// A PgBouncer on loopback.
#[derive(Debug)]
pub struct PgBouncer {
    process: ServerProcess,
    port: u16,
    home: Home,
}

impl PgBouncer {
    /// Starts one that pools in this way: `"session"`, `"transaction"` or `"statement"`.
    pub fn start(postgres: &Postgres, pool_mode: &str) -> Result<Self> {
        let home = Home::create("pgbouncer", "INT")?;
        let port = free_port()?;
        let (file, log) = (home.path().join("pgbouncer.ini"), home.path().join("log"));
        fs::write(&file, settings(postgres.port(), port, pool_mode))?;
        // Debian keeps it where only root looks.
        let debians = "/usr/sbin/pgbouncer";
        let is_debians = fs::exists(debians).unwrap_or(false);
        let mut pgbouncer = Command::new(if is_debians { debians } else { "pgbouncer" });
        if fs::metadata(home.path())?.uid() == 0 {
            pgbouncer.args(["-u", "postgres"]);
        }
        pgbouncer.arg(&file).current_dir(home.path());
        let mut process = ServerProcess::spawn(&mut pgbouncer, &log)
            .context("Debian's package is `pgbouncer`")?;
        process.wait_until_ready(&log, TIMEOUT, |_| {
            TcpStream::connect(("127.0.0.1", port)).is_ok()
        })?;
        Ok(Self {
            process,
            port,
            home,
        })
    }

    /// The URL of this database through it.
    #[must_use]
    pub fn url(&self, database: &str) -> String {
        format!("postgres://postgres@127.0.0.1:{}/{database}", self.port)
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        self.home.end();
        let _ = self.process.reap();
    }
}

fn settings(server: u16, port: u16, pool_mode: &str) -> String {
    format!(
        "[databases]\n\
         * = host=127.0.0.1 port={server} user=postgres\n\
         [pgbouncer]\n\
         listen_addr = 127.0.0.1\n\
         listen_port = {port}\n\
         unix_socket_dir =\n\
         auth_type = any\n\
         pool_mode = {pool_mode}\n\
         default_pool_size = 40\n"
    )
}
