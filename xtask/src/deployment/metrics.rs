//! The metrics of a server that runs, as Prometheus would read them.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::run::{run, target};

/// What the line begins with by which a server says that it is ready.
const READY: &str = "baton is ready on ";

/// Starts a server, and lets promtool judge what it tells.
pub fn check(program: &Path) -> Result<()> {
    let folder = target().join("deployment/server");
    let _ = fs::remove_dir_all(&folder);
    let server = Server::start(program, &folder)?;
    let told = folder.with_extension("metrics");
    run(Command::new("curl")
        .args(["--silent", "--fail", "--retry", "3", "--output"])
        .arg(&told)
        .arg(format!("{}/metrics", server.address)))?;
    drop(server);
    eprintln!("\n$ promtool check metrics");
    let status = Command::new("promtool")
        .args(["check", "metrics"])
        .stdin(File::open(&told)?)
        .status()?;
    if !status.success() {
        bail!(
            "promtool does not like the metrics of {}",
            program.display()
        );
    }
    Ok(())
}

struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(program: &Path, folder: &Path) -> Result<Self> {
        let mut process = Command::new(program)
            .args([
                "serve",
                "--dev",
                "--listen",
                "127.0.0.1:0",
                "--log",
                "error",
            ])
            .arg("--data-dir")
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} could not be started", program.display()))?;
        let mut line = String::new();
        if let Some(out) = process.stdout.take() {
            BufReader::new(out).read_line(&mut line)?;
        }
        let address = line
            .trim()
            .strip_prefix(READY)
            .unwrap_or_default()
            .to_owned();
        let server = Self { process, address };
        if server.address.is_empty() {
            bail!("the server did not become ready: {line}");
        }
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
