//! The provider of sign-ins that tests in a browser sign in at: a package of npm, installed beside its script.

use std::{path::Path, process::Command};

use anyhow::Result;

use crate::npm::is_installed;
use crate::run::run;
use crate::sdks;

/// Where its script is, and the names of what it needs.
const FOLDER: &str = "crates/testkit/oidc-provider";

/// Installs it; if that is done, it changes nothing.
pub fn set_up() -> Result<()> {
    sdks::install_what_is_missing()?;
    let path = sdks::path_with_node()?;
    if is_installed(Path::new(FOLDER)) {
        return Ok(());
    }
    run(Command::new("npm")
        .args(["ci", "--no-audit", "--no-fund"])
        .env("PATH", path)
        .current_dir(FOLDER))
}
