//! Formatting and lints, and whether what is outside the workspace still compiles.

use anyhow::Result;

use crate::run::{cargo, run};

/// Checks the formatting, then every target's lints, with warnings as errors, then that the fuzz targets compile.
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
    ]))?;
    fuzz()
}

/// Checks that the fuzz targets compile; running them takes a nightly compiler.
fn fuzz() -> Result<()> {
    let manifest = ["--manifest-path", "fuzz/Cargo.toml", "--locked"];
    run(cargo()
        .args(["check", "--target-dir", "target/fuzz"])
        .args(manifest))
}
