//! The commands, one file each.

mod access;
mod backup;
mod bench;
mod campaigns;
mod completions;
mod copy;
mod dead_letters;
mod demo;
mod doctor;
mod events;
#[cfg(unix)]
pub mod faults;
mod jobs;
mod keys;
mod migrate;
mod nodes;
mod notify;
mod operations;
mod paged;
mod queues;
mod ready;
mod recipients;
mod restore;
mod schedules;
mod serve;
#[cfg(unix)]
mod tell;
mod users;
#[cfg(unix)]
pub mod worker;
mod workers;

use clap::ArgMatches;

use crate::{
    cli::{Cli, Command},
    config,
    exit::{Exit, Failure},
    output::Output,
    remote,
};

/// Runs the command that was asked for.
pub async fn run(cli: Cli, matches: &ArgMatches, output: &Output) -> Result<Exit, Failure> {
    let client = || remote::client(&cli.globals, output);
    let matches = innermost(matches);
    match cli.command {
        Command::Serve(args) => {
            let mut loaded = config::load(&args.settings, matches)?;
            if args.migrate {
                loaded.config.database.migrate = true;
                let flag = config::Origin::Flag("--migrate".to_owned());
                loaded.origins.insert("database.migrate".to_owned(), flag);
            }
            serve::run(loaded, output).await
        }
        Command::Demo(args) => demo::run(args, output).await,
        #[cfg(unix)]
        Command::Faults(args) => faults::run(args, output).await,
        #[cfg(unix)]
        Command::LabProgram { log, worker } => {
            baton_faults::run::program::run(&log, &worker)?;
            Ok(Exit::Ok)
        }
        Command::Bench(args) => bench::run(args, output).await,
        Command::BenchTarget => bench::target(output).await,
        Command::Migrate(args) => {
            migrate::run(&config::load(&args.settings, matches)?, &args, output).await
        }
        Command::Backup(args) => {
            backup::run(&config::load(&args.settings, matches)?, args.file, output).await
        }
        Command::Restore(args) => {
            restore::run(&config::load(&args.settings, matches)?, args, output).await
        }
        Command::Copy(args) => copy::run(args, output).await,
        Command::Doctor(args) if args.defaults => {
            output.line(config::DEFAULT_FILE.trim_end());
            Ok(Exit::Ok)
        }
        Command::Doctor(args) => doctor::run(config::load(&args.settings, matches)?, output).await,
        Command::Ready => ready::run(&client()?, output).await,
        Command::Keys(command) => keys::run(command, matches, output).await,
        Command::Users(command) => users::run(command, matches, output).await,
        Command::Jobs(command) => jobs::run(command, client()?, output).await,
        Command::Queues(command) => queues::run(command, client()?, output).await,
        Command::Recipients(command) => recipients::run(command, client()?, output).await,
        Command::Campaigns(command) => campaigns::run(command, client()?, output).await,
        Command::Notify(args) => notify::run(*args, client()?, output).await,
        Command::Schedules(command) => schedules::run(command, client()?, output).await,
        Command::Events(command) => events::run(command, client()?, output).await,
        Command::DeadLetters(command) => dead_letters::run(command, client()?, output).await,
        Command::Operations(command) => operations::run(command, client()?, output).await,
        Command::Nodes => nodes::run(&client()?, output).await,
        Command::Workers { command } => workers::run(command, client()?, output).await,
        Command::Kinds => workers::kinds(&client()?, output).await,
        #[cfg(unix)]
        Command::Worker(args) => worker::run(*args, &cli.globals, output).await,
        #[cfg(unix)]
        Command::Tell(command) => tell::run(command, output).await,
        Command::Version => {
            let version = env!("CARGO_PKG_VERSION");
            if output.is_json() {
                output.json(&serde_json::json!({"version": version}));
            } else {
                output.line(format!("baton {version}"));
            }
            Ok(Exit::Ok)
        }
        Command::Completions { shell } => Ok(completions::run(shell, output)),
    }
}

/// What was said of the command itself, where the settings are.
fn innermost(matches: &ArgMatches) -> &ArgMatches {
    let inner = matches.subcommand();
    inner.map_or(matches, |(_, inner)| innermost(inner))
}
