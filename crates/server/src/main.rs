//! The binary, and the only place where all parts meet.
//!
//! The command line stands in [`cli`], the settings in [`config`], what serves in [`wiring`], each command in a file of
//! [`commands`].
//!
//! What a command finds out goes to stdout; everything else that is said goes to stderr.

#[expect(
    clippy::doc_markdown,
    reason = "the help is these comments, to the letter"
)]
mod cli;
mod commands;
mod config;
mod exit;
mod files;
mod listener;
mod output;
mod redis;
mod remote;
mod rights;
mod shutdown;
mod store;
mod telemetry;
mod watchdog;
mod wiring;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

use cli::Cli;
use exit::{Exit, Failure};
use output::Output;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    #[cfg(unix)]
    if let Some(end) = commands::worker::keeper::play() {
        return end;
    }
    telemetry::tell_panics();
    let matches = Cli::command().get_matches();
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let output = Output::new(&cli.globals);
    baton_providers::init_crypto();
    files::raise();
    let outcome = run(cli, &matches, &output);
    outcome
        .unwrap_or_else(|failure| {
            output.failure(&failure);
            failure.exit
        })
        .into()
}

fn run(cli: Cli, matches: &clap::ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(format!("no threads can be started: {error}")))?;
    let outcome = runtime.block_on(commands::run(cli, matches, output));
    // What still runs is covered: settled work is recorded, the rest has its lease.
    runtime.shutdown_background();
    outcome
}
