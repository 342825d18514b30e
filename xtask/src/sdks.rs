//! The packages for other languages: built, installed where nothing else is, and tried against the real server.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::apt;
use crate::run::{cargo, output, run, succeeds, target};

/// What builds, installs and tries each package.
const SCRIPTS: [&str; 4] = [
    "sdks/conformance/check.sh",
    "sdks/python/check.sh",
    "sdks/typescript/check.sh",
    "sdks/rust/check.sh",
];
/// The oldest Node that the package for TypeScript runs on.
const OLDEST_NODE: u32 = 20;
/// The Node that is fetched from npm where the machine's own is older, as Debian 12's is.
const NODE: &str = "node@22";

/// Builds the server, and lets each package's own script build, install and try it.
pub fn sdks() -> Result<()> {
    install_what_is_missing()?;
    let path = path_with_node()?;
    run(cargo().args(["build", "--release", "--locked", "-p", "baton"]))?;
    run(cargo().args([
        "build",
        "--locked",
        "-p",
        "baton-testkit",
        "--bin",
        "scratch-postgres",
    ]))?;
    let server = fs::canonicalize(target().join("release/baton"))?;
    let postgres = fs::canonicalize(target().join("debug/scratch-postgres"))?;
    for script in SCRIPTS {
        run(Command::new(Path::new(".").join(script))
            .env("PATH", &path)
            .env("BATON_BIN", &server)
            .env("BATON_SCRATCH_POSTGRES", &postgres)
            .env("BATON_REQUIRE_SERVER", "1"))?;
    }
    Ok(())
}

/// Installs Python and Node where there are none.
pub fn install_what_is_missing() -> Result<()> {
    let has_module = |module| {
        let import = format!("import {module}");
        succeeds(Command::new("python3").args(["-c", &import]))
    };
    let needs = [
        (
            "python3",
            succeeds(Command::new("python3").arg("--version")),
        ),
        ("python3-venv", has_module("venv, ensurepip")),
        ("nodejs", succeeds(Command::new("node").arg("--version"))),
        ("npm", succeeds(Command::new("npm").arg("--version"))),
    ];
    let missing: Vec<_> = needs
        .iter()
        .filter(|(_, is_there)| !is_there)
        .map(|(package, _)| *package)
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    apt::install(&missing)
}

/// The search path, with a Node in front that is new enough.
pub fn path_with_node() -> Result<String> {
    let path = env::var("PATH").context("PATH is not set")?;
    if major(&output(Command::new("node").arg("--version"))?) >= Some(OLDEST_NODE) {
        return Ok(path);
    }
    let folder = target().join("node");
    fs::create_dir_all(&folder)?;
    run(Command::new("npm")
        .args(["install", "--no-audit", "--no-fund", "--prefix"])
        .arg(&folder)
        .arg(NODE))?;
    let bin = fs::canonicalize(bin(&folder))?;
    Ok(format!("{}:{path}", bin.display()))
}

fn bin(folder: &Path) -> PathBuf {
    folder.join("node_modules/.bin")
}

/// The first number of `v20.19.2`.
fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_number_of_nodes_version_says_whether_it_is_new_enough() {
        let debian_12 = major("v18.20.4");
        let debian_13 = major("v20.19.2");

        assert!(debian_12 < Some(OLDEST_NODE));
        assert!(debian_13 >= Some(OLDEST_NODE));
        assert_eq!(major("none"), None);
    }
}
