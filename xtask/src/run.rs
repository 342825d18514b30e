//! Running other programs, in the open.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// Goes to the root of the workspace, wherever the command was given.
pub fn enter_workspace() -> Result<()> {
    let here = env::var_os("CARGO_MANIFEST_DIR").context("start this as `cargo xtask`")?;
    let root = Path::new(&here)
        .parent()
        .context("xtask lies in the workspace")?;
    env::set_current_dir(root).with_context(|| format!("{} cannot be entered", root.display()))
}

/// The cargo that runs us, without what it told us of our own package: build scripts that look at such variables
/// would run again, and half of the dependencies with them, each time a build is not started by us.
pub fn cargo() -> Command {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    for (name, _) in env::vars_os() {
        if is_of_a_package(&name.to_string_lossy()) {
            cargo.env_remove(name);
        }
    }
    cargo
}

/// Where this version is built.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from)
}

fn is_of_a_package(variable: &str) -> bool {
    variable.starts_with("CARGO_PKG_") || variable.starts_with("CARGO_MANIFEST_")
}

/// Says the command, runs it with our own output and no input, and fails when it does.
pub fn run(command: &mut Command) -> Result<()> {
    let line = announce(command);
    let status = command
        .stdin(Stdio::null())
        .status()
        .with_context(|| format!("`{line}` could not be started"))?;
    if !status.success() {
        bail!("`{line}` failed ({status})");
    }
    Ok(())
}

/// Says the command as one would type it.
pub fn announce(command: &Command) -> String {
    let line = line(command);
    eprintln!("\n$ {line}");
    line
}

/// Whether the command succeeds; what it says is not shown.
pub fn succeeds(command: &mut Command) -> bool {
    let quiet = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}

/// Runs the command to its end, and answers what it printed, trimmed.
pub fn output(command: &mut Command) -> Result<String> {
    let line = line(command);
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("`{line}` could not be started"))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        bail!("`{line}` failed ({}): {}", output.status, words.trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The command as one would type it.
fn line(command: &Command) -> String {
    let program = Path::new(command.get_program())
        .file_name()
        .unwrap_or_default();
    let words = [program].into_iter().chain(command.get_args());
    words
        .map(|word| word.to_string_lossy())
        .collect::<Vec<_>>()
        .join(" ")
}
