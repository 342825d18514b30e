//! Licences, bans and sources of what we depend on.

use anyhow::Result;

use crate::run::{cargo, run, succeeds};

/// The target that `deny.toml` looks at.
const TARGET: &str = "x86_64-unknown-linux-gnu";

/// Checks the dependencies against `deny.toml`, and installs cargo-deny first if it is missing.
pub fn deny() -> Result<()> {
    if !succeeds(cargo().args(["deny", "--version"])) {
        run(cargo().args(["install", "cargo-deny", "--locked"]))?;
    }
    // Asks the network only for what is not on the disk; the check itself never does.
    run(cargo().args(["fetch", "--locked", "--target", TARGET]))?;
    run(cargo()
        .args(["deny", "--offline", "check", "--hide-inclusion-graph"])
        .args(["licenses", "bans", "sources"]))
}
