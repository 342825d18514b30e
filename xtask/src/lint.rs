//! Formatting and lints.

use anyhow::Result;

use crate::run::{cargo, run};

/// Checks the formatting, then every target's lints, with warnings as errors.
pub fn lint() -> Result<()> {
    run(cargo().args(["fmt", "--all", "--check"]))?;
    run(cargo().args([
        "clippy",
        "--workspace",
        "--all-targets",
        "--locked",
        "--",
        "-D",
        "warnings",
    ]))
}
