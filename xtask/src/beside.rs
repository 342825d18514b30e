//! A command that runs beside another one, on what that leaves of the processor, and tells what it said when both have ended.

use std::fs::File;
use std::io::{self, Seek};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::run::announce;

/// A command on its way.
pub struct Beside {
    process: Child,
    said: File,
    line: String,
}

impl Beside {
    /// Starts it; what it says is kept.
    pub fn start(command: &mut Command) -> Result<Self> {
        let line = announce(command);
        let said = tempfile::tempfile().context("there is no place for what it says")?;
        let process = command
            .stdin(Stdio::null())
            .stdout(said.try_clone()?)
            .stderr(said.try_clone()?)
            .spawn()
            .with_context(|| format!("`{line}` could not be started"))?;
        Ok(Self {
            process,
            said,
            line,
        })
    }

    /// Waits for its end, says all that it said, and fails when it did.
    pub fn end(mut self) -> Result<()> {
        let status = self.process.wait()?;
        eprintln!("\n$ {}", self.line);
        self.said.rewind()?;
        io::copy(&mut self.said, &mut io::stdout())?;
        if !status.success() {
            bail!("`{}` failed ({status})", self.line);
        }
        Ok(())
    }
}

/// The same command after all others that want the processor.
pub fn politely(command: &Command) -> Command {
    let mut polite = Command::new("nice");
    polite.args(["-n", "19"]).arg(command.get_program());
    polite.args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => polite.env(name, value),
            None => polite.env_remove(name),
        };
    }
    polite
}
