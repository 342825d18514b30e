//! Formatting and lints, and whether what is outside the workspace still compiles.

use anyhow::Result;

use crate::run::{cargo, run, target};

/// Checks the formatting, then every target's lints, with warnings as errors, the links of the documentation, and that the fuzz targets compile.
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
    documentation()?;
    fuzz()
}

/// Checks that the links of the documentation lead somewhere, those between private items as well.
fn documentation() -> Result<()> {
    run(cargo()
        .args([
            "doc",
            "--workspace",
            "--no-deps",
            "--locked",
            "--document-private-items",
        ])
        // Pages of a crate's own may lead to what is private: nobody reads them anywhere else.
        .env(
            "RUSTDOCFLAGS",
            "-D warnings -A rustdoc::private_intra_doc_links",
        ))
}

/// Checks that the fuzz targets compile; running them takes a nightly compiler.
fn fuzz() -> Result<()> {
    let manifest = ["--manifest-path", "fuzz/Cargo.toml", "--locked"];
    run(cargo()
        .args(["check", "--target-dir"])
        .arg(target().join("fuzz"))
        .args(manifest))
}
