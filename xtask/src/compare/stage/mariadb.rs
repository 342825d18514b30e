//! A durable MariaDB, sized to the machine.

use std::path::Path;
use std::process::Command;

use anyhow::Result;

use super::{Server, free_port};
use crate::compare::machine;
use crate::run::output;

pub struct Mariadb {
    url: String,
    settings: Vec<String>,
    _server: Server,
}

impl Mariadb {
    pub fn start(folder: &Path) -> Result<Self> {
        let data = format!("--datadir={}", folder.join("mariadb").display());
        let mut fill = Command::new("mariadb-install-db");
        fill.args(["--no-defaults", "--skip-test-db", "--user=root", &data]);
        output(fill.arg("--auth-root-authentication-method=normal"))?;

        let port = free_port()?;
        let port_setting = format!("--port={port}");
        let socket = format!("--socket={}", folder.join("mariadb.sock").display());
        let settings = settings(machine::memory_megabytes()?);
        let told: Vec<String> = settings.iter().map(|one| format!("--{one}")).collect();
        // Whoever reaches it may do everything: it listens on loopback, and lives as long as the comparison.
        let mut command = vec![
            "mariadbd",
            "--no-defaults",
            "--user=root",
            "--skip-grant-tables",
        ];
        command.extend([&*data, &*port_setting, &*socket, "--bind-address=127.0.0.1"]);
        command.extend(told.iter().map(String::as_str));
        Ok(Self {
            _server: Server::start(&command, folder, "mariadb.log", port)?,
            url: format!("mysql://root@127.0.0.1:{port}/mysql"),
            settings,
        })
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn settings(&self) -> &[String] {
        &self.settings
    }
}

/// As PostgreSQL is set beside it: a sixth of the memory for its cache, a log that no measurement fills, and every commit on the disk.
fn settings(memory_megabytes: u64) -> Vec<String> {
    let cache = (memory_megabytes / 6).clamp(128, 8192);
    [
        "innodb-flush-log-at-trx-commit=1",
        "innodb-doublewrite=ON",
        "innodb-log-file-size=2G",
        "max-connections=200",
        "skip-name-resolve",
    ]
    .map(str::to_owned)
    .into_iter()
    .chain([format!("innodb-buffer-pool-size={cache}M")])
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_commit_reaches_the_disk() {
        let settings = settings(24_000);

        assert!(settings.contains(&"innodb-flush-log-at-trx-commit=1".to_owned()));
        assert!(settings.contains(&"innodb-doublewrite=ON".to_owned()));
    }
}
