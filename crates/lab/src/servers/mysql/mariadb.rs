//! MariaDB, as the system has it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::user;
use crate::servers::process::output;

const SETTINGS: [&str; 3] = [
    "--no-defaults",
    "--skip-grant-tables",
    "--innodb-log-file-size=64M",
];

/// Fills a data folder.
pub fn lay_out(home: &Path, data: &Path) -> Result<()> {
    let mut init = Command::new(find("mariadb-install-db")?);
    init.args([
        "--no-defaults",
        "--skip-test-db",
        "--auth-root-authentication-method=normal",
    ]);
    init.current_dir(home).env("TMPDIR", home);
    init.arg(format!("--datadir={}", data.display()));
    output(init.arg(format!("--user={}", user())))
        .context("MariaDB's data folder could not be made")?;
    Ok(())
}

/// The server, before it is told where.
pub fn server() -> Result<Command> {
    let mut server = Command::new(find("mariadbd")?);
    server.args(SETTINGS);
    Ok(server)
}

/// The program that asks it.
pub fn client() -> Result<Command> {
    let mut client = Command::new(find("mariadb")?);
    client.arg("--no-defaults");
    Ok(client)
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
