//! MySQL, as `cargo xtask setup` has fetched it: in a folder of its own, with the libraries it was built for, which are newer than the
//! system's.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::servers::process::output;

/// Where it was laid out; `xtask/src/mysql.rs` says what lies there.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../target/mysql");
const LOADER: &str = "usr/lib64/ld-linux-x86-64.so.2";
const LIBRARIES: &str = "usr/lib/x86_64-linux-gnu";

/// Nobody may come in from elsewhere, and nothing is kept that no test reads.
const SETTINGS: [&str; 5] = [
    "--no-defaults",
    "--mysqlx=OFF",
    "--skip-log-bin",
    "--secure-file-priv=NULL",
    "--innodb-redo-log-capacity=128M",
];

/// Copies the data folder that lies there, filled: to fill one takes seconds.
pub fn lay_out(data: &Path) -> Result<()> {
    let mut copy = Command::new("cp");
    copy.args(["--recursive", "--sparse=always"]);
    copy.arg(folder()?.join("data")).arg(data);
    output(&mut copy).context("MySQL's data folder could not be made")?;
    Ok(())
}

/// The server, before it is told where.
pub fn server() -> Result<Command> {
    let folder = folder()?;
    let mut server = loaded("usr/sbin/mysqld")?;
    server.args(SETTINGS);
    server.arg(format!("--basedir={}", folder.join("usr").display()));
    let messages = folder.join("usr/share/mysql");
    server.arg(format!("--lc-messages-dir={}", messages.display()));
    Ok(server)
}

/// The program that asks it.
pub fn client() -> Result<Command> {
    let mut client = loaded("usr/bin/mysql")?;
    client.arg("--no-defaults");
    Ok(client)
}

/// A program with its own loader: that of the system knows too little.
fn loaded(program: &str) -> Result<Command> {
    let folder = folder()?;
    let mut command = Command::new(folder.join(LOADER));
    command.arg("--library-path").arg(folder.join(LIBRARIES));
    command.arg(folder.join(program));
    Ok(command)
}

fn folder() -> Result<PathBuf> {
    let folder = PathBuf::from(FOLDER);
    ensure!(
        folder.join("data").exists(),
        "MySQL is not there: `cargo xtask setup` in Baton's own source folder fetches it, or says why it cannot be had; \
         `cargo xtask test` leaves its tests out then"
    );
    Ok(folder.canonicalize()?)
}
