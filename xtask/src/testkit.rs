//! What tests in a browser need of npm: a provider of sign-ins, and the rules of accessible pages.

use std::{path::Path, process::Command};

use anyhow::Result;

use crate::npm::is_installed;
use crate::run::run;
use crate::sdks;

/// Where the names of the packages are, and where they are installed.
const FOLDERS: [&str; 2] = ["crates/testkit/oidc-provider", "crates/testkit/axe-core"];

/// Installs them; if that is done, it changes nothing.
pub fn set_up() -> Result<()> {
    sdks::install_what_is_missing()?;
    let path = sdks::path_with_node()?;
    let missing = FOLDERS
        .into_iter()
        .filter(|folder| !is_installed(Path::new(folder)));
    for folder in missing {
        run(Command::new("npm")
            .args(["ci", "--no-audit", "--no-fund"])
            .env("PATH", &path)
            .current_dir(folder))?;
    }
    Ok(())
}
