//! Licences, bans and sources of what we depend on, and what is known against it.

use std::process::Command;

use anyhow::Result;

use crate::run::{cargo, output, run, succeeds};

/// The target that `deny.toml` looks at.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The version of cargo-deny whose rules `deny.toml` is written for.
const VERSION: &str = "0.20.2";

/// Where the advisories come from, which no registry of packages carries.
const ADVISORIES: &str = "https://github.com/rustsec/advisory-db";

/// How long that place may take to answer, in seconds.
const TIMEOUT: &str = "15";

/// Checks the dependencies against `deny.toml`, and installs the cargo-deny of our version first if it is missing.
pub fn deny() -> Result<()> {
    if !is_installed() {
        let version = format!("={VERSION}");
        run(cargo().args(["install", "cargo-deny", "--locked", "--version", &version]))?;
    }
    // Asks the network only for what is not on the disk; the check itself never does.
    run(cargo().args(["fetch", "--locked", "--target", TARGET]))?;
    run(cargo()
        .args(["deny", "--offline", "check", "--hide-inclusion-graph"])
        .args(["licenses", "bans", "sources"]))?;
    advisories()
}

fn is_installed() -> bool {
    let told = output(cargo().args(["deny", "--version"])).unwrap_or_default();
    told.split_whitespace().nth(1) == Some(VERSION)
}

/// Checks the advisories where their database can be had, and says so where it cannot.
fn advisories() -> Result<()> {
    let mut ask = Command::new("timeout");
    ask.args([
        TIMEOUT,
        "git",
        "ls-remote",
        "--exit-code",
        ADVISORIES,
        "HEAD",
    ])
    .env("GIT_TERMINAL_PROMPT", "0");
    if succeeds(&mut ask) {
        return run(cargo()
            .args(["deny", "check", "--hide-inclusion-graph"])
            .arg("advisories"));
    }
    eprintln!(
        "\nADVISORIES WERE NOT CHECKED: {ADVISORIES} did not answer within {TIMEOUT} s. \
         Run `cargo xtask deny` once more where it can be reached."
    );
    Ok(())
}
