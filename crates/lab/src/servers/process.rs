//! Server processes: started, signalled, stopped, and what they leave behind.

use std::fs::{File, read_to_string};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use super::port::free_port;
use super::wait::until;

/// A port can be taken between our look and the server's.
const PORTS_TO_TRY: usize = 5;

/// The process of a server, while it runs.
#[derive(Debug, Default)]
pub(super) struct ServerProcess {
    program: String,
    child: Option<Child>,
}

impl ServerProcess {
    /// Starts one that writes what it says to this file.
    pub fn spawn(command: &mut Command, log: &Path) -> Result<Self> {
        let program = command.get_program().display().to_string();
        // Away from our group: Ctrl-C on a terminal would reach the server before its user has ended.
        let child = log_to(command.process_group(0), log)?
            .spawn()
            .with_context(|| format!("`{program}` could not be started"))?;
        Ok(Self {
            program,
            child: Some(child),
        })
    }

    /// Waits until it is ready, which is asked of its number.
    pub fn wait_until_ready(
        &mut self,
        log: &Path,
        within: Duration,
        is_ready: impl Fn(u32) -> bool,
    ) -> Result<()> {
        let program = &self.program;
        let child = self.child.as_mut().context("the server does not run")?;
        until(&format!("`{program}` is ready"), within, || {
            if let Some(status) = child.try_wait()? {
                bail!(
                    "`{program}` ended while starting ({status}); its last words:\n{}",
                    last_words(log)
                );
            }
            Ok(is_ready(child.id()))
        })
    }

    /// Sends a signal.
    pub fn signal(&self, name: &str) -> Result<()> {
        let child = self.child.as_ref().context("the server does not run")?;
        signal(child.id(), name)
    }

    /// Sends a signal on which it stops, if it runs, and waits for that.
    pub fn stop(&mut self, name: &str, within: Duration) -> Result<()> {
        if let Some(child) = &mut self.child {
            signal(child.id(), name)?;
            until(&format!("`{}` has stopped", self.program), within, || {
                Ok(child.try_wait()?.is_some())
            })?;
        }
        self.child = None;
        Ok(())
    }

    /// Waits for its end. It must have been ended.
    pub fn reap(&mut self) -> Result<()> {
        if let Some(mut child) = self.child.take() {
            child.wait()?;
        }
        Ok(())
    }
}

/// Launches on a port that is free, or on another if somebody was faster.
pub(super) fn on_a_free_port(mut launch: impl FnMut(u16) -> Result<()>) -> Result<()> {
    for _ in 1..PORTS_TO_TRY {
        match launch(free_port()?) {
            Err(error) if format!("{error:#}").contains("Address already in use") => {}
            result => return result,
        }
    }
    launch(free_port()?)
}

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
