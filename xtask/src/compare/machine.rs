//! The machine, as a line beside the measurements.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::available_parallelism;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::options::Options;
use super::stage::Stage;
use crate::run::output;

/// What one has to know to judge the figures.
pub fn line(options: &Options, stage: &Stage) -> Result<Value> {
    Ok(json!({"machine": {
        "processor": processor(),
        "cores": cores(),
        "memory_megabytes": memory_megabytes()?,
        "kernel": output(Command::new("uname").arg("-sr"))?,
        "file_system": file_system(stage.folder())?,
        "postgres": output(Command::new("psql").args(["-XAtq", stage.postgres(), "-c", "SHOW server_version"]))?,
        "postgres_settings": stage.postgres_settings(),
        "mariadb": output(Command::new("mariadbd").arg("--version"))?,
        "mariadb_settings": stage.mariadb_settings(),
        "redis": output(Command::new("redis-server").arg("--version"))?,
        "redis_settings": ["appendonly=yes", "appendfsync=everysec", "save="],
        "revision": output(Command::new("git").args(["describe", "--always", "--dirty"])).unwrap_or_default(),
        "at": output(Command::new("date").args(["-u", "+%Y-%m-%dT%H:%M:%SZ"]))?,
        "jobs": options.jobs,
        "rounds": options.rounds,
    }}))
}

pub fn cores() -> usize {
    available_parallelism().map_or(1, usize::from)
}

pub fn memory_megabytes() -> Result<u64> {
    let text = fs::read_to_string("/proc/meminfo").context("/proc is not there")?;
    let kilobytes = text.lines().find_map(|line| {
        let amount = line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB")?;
        amount.parse::<u64>().ok()
    });
    Ok(kilobytes.context("/proc/meminfo does not tell the memory")? / 1024)
}

/// The kind of file system the folder lies on, such as `ext2/ext3`.
pub fn file_system(folder: &Path) -> Result<String> {
    output(
        Command::new("stat")
            .args(["--file-system", "--format=%T"])
            .arg(folder),
    )
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == "model name").then(|| value.trim().to_owned())
    });
    name.unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}
