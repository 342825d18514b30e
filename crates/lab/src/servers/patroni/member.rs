//! A PostgreSQL of the cluster and the Patroni that minds it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};
use serde_json::{Value, json};

use super::http;
use crate::servers::home;
use crate::servers::owner::Owner;
use crate::servers::port::free_port;
use crate::servers::process::ServerProcess;

const CONFIGURATION: &str = include_str!("patroni.yml");

/// A PostgreSQL of the cluster and the Patroni that minds it.
#[derive(Debug)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) port: u16,
    rest: u16,
    folder: PathBuf,
    owner: Owner,
    program: PathBuf,
    process: ServerProcess,
}

/// What Patroni says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MemberStatus {
    pub(super) is_primary: bool,
    pub(super) is_synchronous: bool,
    pub(super) timeline: u64,
}

impl Member {
    /// Prepares a member in this folder, which is made.
    pub(super) fn new(
        (patroni, postgres): (&Path, &Path),
        folder: PathBuf,
        owner: Owner,
        etcd: u16,
    ) -> Result<Self> {
        super::make_folder(&folder, owner)?;
        let name = folder
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let (port, rest) = (free_port()?, free_port()?);
        let text = CONFIGURATION
            .replace("NAME", &name)
            .replace("REST", &rest.to_string())
            .replace("ETCD", &etcd.to_string())
            .replace("PORT", &port.to_string())
            .replace("PROGRAMS", &postgres.display().to_string())
            .replace("HOME", &folder.display().to_string());
        fs::write(folder.join("patroni.yml"), text)?;
        Ok(Self {
            name,
            port,
            rest,
            folder,
            owner,
            program: patroni.to_owned(),
            process: ServerProcess::default(),
        })
    }

    pub(super) fn start(&mut self) -> Result<()> {
        let mut patroni = Command::new(&self.program);
        patroni.arg("patroni.yml").current_dir(&self.folder);
        self.owner.run(&mut patroni);
        self.process = ServerProcess::spawn(&mut patroni, &self.log())?;
        Ok(())
    }

    /// Kills Patroni, the PostgreSQL and all its children at once.
    pub(super) fn kill(&mut self) -> Result<()> {
        home::crash(&self.folder)?;
        self.reap();
        Ok(())
    }

    /// It must have been ended.
    pub(super) fn reap(&mut self) {
        let _ = self.process.reap();
    }

    /// What it says of itself; nothing while its PostgreSQL does not run.
    pub(super) fn told(&self) -> Option<MemberStatus> {
        read(&http::get(self.rest, "/patroni").ok()?.json().ok()?)
    }

    /// Asks it for the part of the primary of this name, and waits until it has it.
    pub(super) fn take_over(&self, from: &str) -> Result<()> {
        let wish = json!({"leader": from, "candidate": self.name});
        let answer = http::post(self.rest, "/switchover", &wish)?;
        ensure!(
            answer.status == 200,
            "Patroni did not switch over ({}): {}",
            answer.status,
            answer.text.trim()
        );
        Ok(())
    }

    pub(super) fn log(&self) -> PathBuf {
        self.folder.join("log")
    }
}

/// The role is what PostgreSQL itself answers at that moment: a primary is one that takes writes.
fn read(status: &Value) -> Option<MemberStatus> {
    let timeline = match &status["timeline"] {
        Value::Null => &status["replication_state_timeline"],
        timeline => timeline,
    };
    (status["state"] == "running").then(|| MemberStatus {
        is_primary: status["role"] == "master" || status["role"] == "primary",
        is_synchronous: status["sync_standby"] == true,
        timeline: timeline.as_u64().unwrap_or(0),
    })
}
