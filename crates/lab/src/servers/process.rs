//! Signals to processes and what they leave behind.

use std::fs::{File, read_to_string};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// Sends a signal, such as `"TERM"`, `"STOP"` or `"CONT"`, to a process.
pub fn signal(pid: u32, name: &str) -> Result<()> {
    let sent = Command::new("sh")
        .args(["-c", r#"kill -s "$1" "$2""#, "sh", name, &pid.to_string()])
        .stderr(Stdio::null())
        .status()
        .context("a shell could not be started")?;
    ensure!(
        sent.success(),
        "SIG{name} could not be sent to process {pid}: it is gone or not ours"
    );
    Ok(())
}

/// Runs a command to its end and returns what it printed.
pub(super) fn output(command: &mut Command) -> Result<String> {
    let program = command.get_program().display().to_string();
    let output = command
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("`{program}` could not be started"))?;
    ensure!(
        output.status.success(),
        "`{program}` failed ({}): {}",
        output.status,
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Makes the command write all it says to the end of a file.
pub fn log_to<'c>(command: &'c mut Command, path: &Path) -> Result<&'c mut Command> {
    let log = File::options().create(true).append(true).open(path)?;
    Ok(command
        .stdin(Stdio::null())
        .stderr(log.try_clone()?)
        .stdout(log))
}

/// The last lines of a log, for an error message.
#[must_use]
pub fn last_words(path: &Path) -> String {
    let log = read_to_string(path).unwrap_or_default();
    let lines: Vec<&str> = log.lines().collect();
    lines[lines.len().saturating_sub(10)..].join("\n")
}
