//! The servers that all are measured on: PostgreSQL, MariaDB, Redis and an HTTP target, ours alone, on ports of their own.

mod http_target;
mod mariadb;
mod postgres;
mod redis;

use std::fs;
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use self::http_target::HttpTarget;
use self::mariadb::Mariadb;
use self::postgres::Postgres;
use self::redis::Redis;
use super::build::Programs;
use super::machine;

const TIMEOUT: Duration = Duration::from_secs(30);

/// Kept until dropped. Fields end in order, the folder last.
pub struct Stage {
    target: HttpTarget,
    redis: Redis,
    mariadb: Mariadb,
    postgres: Postgres,
    folder: Folder,
}

impl Stage {
    pub fn set_up(programs: &Programs) -> Result<Self> {
        let folder = Folder::make(&programs.servers)?;
        Ok(Self {
            postgres: Postgres::start(&programs.scratch_postgres, &folder.0)?,
            mariadb: Mariadb::start(&folder.0)?,
            redis: Redis::start(&folder.0)?,
            target: HttpTarget::start(&folder.0)?,
            folder,
        })
    }

    /// The URL of PostgreSQL's own database.
    pub fn postgres(&self) -> &str {
        self.postgres.url()
    }

    /// The settings of PostgreSQL that are not its defaults.
    pub fn postgres_settings(&self) -> &[String] {
        self.postgres.settings()
    }

    /// The URL of MariaDB's own database.
    pub fn mariadb(&self) -> &str {
        self.mariadb.url()
    }

    /// The settings of MariaDB that are not its defaults, or that its safety lies in.
    pub fn mariadb_settings(&self) -> &[String] {
        self.mariadb.settings()
    }

    pub fn redis(&self) -> &str {
        self.redis.url()
    }

    /// The URL that answers 200 to everything.
    pub fn target(&self) -> &str {
        self.target.url()
    }

    /// On the disk that is measured.
    pub fn folder(&self) -> &Path {
        &self.folder.0
    }
}

/// Where the servers keep their data; gone with the stage.
struct Folder(PathBuf);

impl Folder {
    fn make(path: &Path) -> Result<Self> {
        // What a killed run left behind.
        let _ = fs::remove_dir_all(path);
        fs::create_dir_all(path).with_context(|| format!("{} cannot be made", path.display()))?;
        let folder = Self(path.to_owned());
        if machine::file_system(path)?.contains("tmpfs") {
            bail!(
                "{} lies in memory, where a commit costs nothing: set CARGO_TARGET_DIR to a folder on a disk",
                path.display()
            );
        }
        Ok(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A server that ends with us, however we end.
struct Server(Child);

impl Server {
    /// Starts it, its words into a log, and waits until its port answers.
    fn start(command: &[&str], folder: &Path, log: &str, port: u16) -> Result<Self> {
        let log = folder.join(log);
        let file = fs::File::create(&log)?;
        let mut server = Self(
            Command::new("setpriv")
                .args(["--pdeathsig", "TERM"])
                .args(command)
                .current_dir(folder)
                .stdin(Stdio::null())
                .stdout(file.try_clone()?)
                .stderr(file)
                .spawn()
                .with_context(|| format!("`{}` could not be started", command.join(" ")))?,
        );
        let start = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            if server.0.try_wait()?.is_some() || start.elapsed() > TIMEOUT {
                let words = fs::read_to_string(&log).unwrap_or_default();
                bail!("`{}` does not answer:\n{words}", command.join(" "));
            }
            sleep(Duration::from_millis(20));
        }
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let pid = self.0.id().to_string();
        let asked = Command::new("kill").args(["-s", "TERM", &pid]).status();
        if !asked.is_ok_and(|status| status.success()) {
            let _ = self.0.kill();
        }
        let _ = self.0.wait();
    }
}

fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no port is free")?;
    Ok(listener.local_addr()?.port())
}
