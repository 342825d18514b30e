//! The ways in which a remote worker gives its jobs to a program, and the command of each.

use std::{fs, io, path::Path};

use baton_lab::checker::{ITEM, WALK};
use tokio::process::Command;

use super::orphans::WORKER;

/// The program that a process for each job is: a script that walks by `baton tell`.
const SCRIPT: &str = include_str!("program.sh");
/// Its file, in the folder where workers work.
const FILE: &str = "program.sh";

/// Puts the script where workers work.
pub fn put_script(home: &Path) -> io::Result<()> {
    fs::write(home.join(FILE), SCRIPT)
}

/// How a remote worker gives its jobs to a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// As lines of JSON, to processes that stay.
    Lines,
    /// A process for each job.
    Exec,
    /// Each job posted to a service beside it.
    Http,
}

impl Way {
    /// How many jobs a worker does at once. To start a process for each costs the machine more.
    const fn slots(self) -> &'static str {
        match self {
            Self::Lines | Self::Http => "8",
            Self::Exec => "4",
        }
    }

    /// Whether it does walks: the lab's service moves no cursor.
    pub const fn walks(self) -> bool {
        matches!(self, Self::Lines | Self::Exec)
    }

    /// The command of a worker of this name, which asks these servers. Its programs write down in `log` what they see; whoever has a service
    /// says where it is.
    pub fn command(self, program: &Path, urls: &str, name: &str, log: &Path) -> Command {
        let mut command = Command::new(program);
        for (variable, _) in std::env::vars_os() {
            if variable.to_string_lossy().starts_with("BATON_") {
                command.env_remove(variable);
            }
        }
        command
            .env(WORKER, name)
            .args(["worker", "--url", urls, "--name", name])
            .args(["--kind", ITEM, "--slots", self.slots(), "--grace", "5s"]);
        if self.walks() {
            command.args(["--kind", WALK]);
        }
        match self {
            Self::Lines => command
                .args(["--lines", "--"])
                .arg(program)
                .args(["lab-program", "--worker", name, "--log"])
                .arg(log),
            Self::Exec => command
                .args(["--", "sh", FILE])
                .arg(program)
                .arg(log)
                .arg(name),
            Self::Http => &mut command,
        };
        command
    }
}
