//! A durable PostgreSQL, sized to the machine, kept by the workshop's own `scratch-postgres`.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::compare::machine;

pub struct Postgres {
    url: String,
    settings: Vec<String>,
    keeper: Child,
}

impl Postgres {
    pub fn start(scratch_postgres: &Path, folder: &Path) -> Result<Self> {
        let settings = settings(machine::memory_megabytes()?);
        let mut keeper = Command::new(scratch_postgres)
            .args(&settings)
            .env("TMPDIR", folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("{} could not be started", scratch_postgres.display()))?;
        let url = first_line(&mut keeper)?;
        if url.is_empty() {
            let _ = keeper.wait();
            bail!(
                "PostgreSQL could not be started in {}; if it may not enter that folder, set CARGO_TARGET_DIR to one \
                 that the user `postgres` may",
                folder.display()
            );
        }
        Ok(Self {
            url,
            settings,
            keeper,
        })
    }

    pub fn url(&self) -> &str {
        &self.url
    }

    pub fn settings(&self) -> &[String] {
        &self.settings
    }
}

impl Drop for Postgres {
    /// The end of its input ends the keeper, and with it the server and its data.
    fn drop(&mut self) {
        drop(self.keeper.stdin.take());
        let _ = self.keeper.wait();
    }
}

/// As a database of this size is usually set: a sixth of the memory for its cache, checkpoints rare enough to fall
/// between measurements, and every safety of the defaults.
fn settings(memory_megabytes: u64) -> Vec<String> {
    let shared_buffers = (memory_megabytes / 6).clamp(128, 8192);
    let effective_cache_size = (memory_megabytes / 2).max(256);
    [
        "fsync=on",
        "synchronous_commit=on",
        "full_page_writes=on",
        "wal_compression=off",
        "max_connections=200",
        "work_mem=16MB",
        "maintenance_work_mem=512MB",
        "max_wal_size=8GB",
        "checkpoint_timeout=15min",
        "autovacuum_naptime=10s",
        "jit=off",
        "dynamic_shared_memory_type=posix",
    ]
    .map(str::to_owned)
    .into_iter()
    .chain([
        format!("shared_buffers={shared_buffers}MB"),
        format!("effective_cache_size={effective_cache_size}MB"),
    ])
    .collect()
}

fn first_line(keeper: &mut Child) -> Result<String> {
    let stdout = keeper.stdout.take().context("its output is ours")?;
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line)?;
    Ok(line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cache_grows_with_the_machine_within_bounds() {
        let caches = [512, 24_000, 1_000_000].map(|memory| settings(memory)[12].clone());

        assert_eq!(
            caches,
            [
                "shared_buffers=128MB",
                "shared_buffers=4000MB",
                "shared_buffers=8192MB"
            ]
        );
    }

    #[test]
    fn every_commit_reaches_the_disk() {
        let settings = settings(24_000);

        assert!(settings.contains(&"fsync=on".to_owned()));
        assert!(settings.contains(&"synchronous_commit=on".to_owned()));
    }
}
