//! The etcd by which the members agree who is the primary: one node, for nobody hurts it.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use super::http;
use crate::servers::owner::Owner;
use crate::servers::port::free_port;
use crate::servers::process::ServerProcess;

const TIMEOUT: Duration = Duration::from_mins(1);

#[derive(Debug)]
pub(super) struct Etcd {
    process: ServerProcess,
    port: u16,
}

impl Etcd {
    /// Starts it in this folder, which is made.
    pub(super) fn start(program: &Path, folder: &Path, owner: Owner) -> Result<Self> {
        super::make_folder(folder, owner)?;
        let (port, peers) = (free_port()?, free_port()?);
        let here = |port: u16| format!("http://127.0.0.1:{port}");
        let mut etcd = Command::new(program);
        etcd.args(["--name", "lab", "--data-dir", "data", "--unsafe-no-fsync"]);
        // A lease is as short as these allow.
        etcd.args(["--heartbeat-interval", "50", "--election-timeout", "500"]);
        for (flag, port) in [
            ("--listen-client-urls", port),
            ("--advertise-client-urls", port),
            ("--listen-peer-urls", peers),
            ("--initial-advertise-peer-urls", peers),
        ] {
            etcd.args([flag, &here(port)]);
        }
        etcd.args(["--initial-cluster", &format!("lab={}", here(peers))]);
        owner.run(&mut etcd);
        let log = folder.join("log");
        let mut process = ServerProcess::spawn(etcd.current_dir(folder), &log)?;
        process.wait_until_ready(&log, TIMEOUT, |_| {
            http::get(port, "/health").is_ok_and(|answer| answer.status == 200)
        })?;
        Ok(Self { process, port })
    }

    pub(super) const fn port(&self) -> u16 {
        self.port
    }

    /// It must have been ended.
    pub(super) fn reap(&mut self) {
        let _ = self.process.reap();
    }
}
