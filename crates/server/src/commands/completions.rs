//! `baton completions`: what a shell needs to know.

use clap::CommandFactory;
use clap_complete::Shell;

use crate::{cli::Cli, exit::Exit, output::Output};

pub fn run(shell: Shell, output: &Output) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "baton", &mut script);
    output.line(String::from_utf8_lossy(&script).trim_end());
    Exit::Ok
}
