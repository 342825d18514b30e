//! The ways in which a remote worker gives its jobs to a program, and the command of each.

use std::{
    ffi::{OsStr, OsString},
    fs, io,
    path::Path,
};

use baton_lab::checker::{ITEM, WALK};
use tokio::process::Command;

use super::orphans::WORKER;

/// The program that a process for each job is: a script that walks by `baton tell`.
const SCRIPT: &str = include_str!("program.sh");
/// Its file, in the folder where workers work.
const FILE: &str = "program.sh";
/// The variable that tells a program of one's own where it writes down what it sees.
const SIGHTS: &str = "LAB_SIGHTS";

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
    /// None: it is a program that asks for jobs by itself.
    Sdk,
}

impl Way {
    /// How many jobs a worker does at once. To start a process for each costs the machine more.
    const fn slots(self) -> &'static str {
        match self {
            Self::Lines | Self::Http | Self::Sdk => "8",
            Self::Exec => "4",
        }
    }

    /// The command of a worker of this name, which asks these servers. Its programs write down in `log` what they see; whoever has a service
    /// says where it is. `program` is this one, or what stands for itself.
    pub fn command(self, program: &OsStr, urls: &str, name: &str, log: &Path) -> Command {
        match self {
            Self::Sdk => of_ones_own(program, urls, name, log),
            Self::Lines | Self::Exec | Self::Http => self.of_baton(program, urls, name, log),
        }
    }

    fn of_baton(self, program: &OsStr, urls: &str, name: &str, log: &Path) -> Command {
        let mut command = without_settings(program);
        command
            .env(WORKER, name)
            .args(["worker", "--url", urls, "--name", name])
            .args(["--kind", ITEM, "--kind", WALK])
            .args(["--slots", self.slots(), "--grace", "5s"]);
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
            Self::Http | Self::Sdk => &mut command,
        };
        command
    }
}

/// What was given as a command for the shell, which has its place.
fn of_ones_own(command: &OsStr, urls: &str, name: &str, log: &Path) -> Command {
    let mut text = OsString::from("exec ");
    text.push(command);
    let mut shell = without_settings(OsStr::new("sh"));
    shell.arg("-c").arg(text);
    shell
        .env("BATON_URL", urls)
        .env(WORKER, name)
        .env(SIGHTS, log);
    shell
}

/// A command that takes nothing from the settings of whoever plays.
fn without_settings(program: &OsStr) -> Command {
    let mut command = Command::new(program);
    for (variable, _) in std::env::vars_os() {
        if variable.to_string_lossy().starts_with("BATON_") {
            command.env_remove(variable);
        }
    }
    command
}
