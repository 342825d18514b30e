//! The command line: what can be asked, in which words.

mod access;
mod bench;
mod campaigns;
mod copy;
#[cfg(unix)]
mod faults;
mod jobs;
mod notify;
mod operations;
mod recipients;
mod remote;
mod schedules;
mod serving;
#[cfg(unix)]
mod worker;
mod workers;

pub use access::{
    AddUserArgs, CreateKeyArgs, KeysCommand, PasswordArgs, RoleArgs, UserArgs, UsersCommand,
};
pub use bench::{BenchArgs, Measurement, NamedWorker};
pub use campaigns::{CampaignArgs, CampaignsCommand, CommandArgs, RestArgs};
pub use copy::CopyArgs;
#[cfg(unix)]
pub use faults::FaultsArgs;
pub use jobs::{EnqueueArgs, Growth, JobsCommand, ListArgs, ResolveAs};
pub use notify::NotifyArgs;
pub use operations::OperationsCommand;
pub use recipients::{CountArgs, FileFormat, ImportArgs, PutArgs, RecipientsCommand};
pub use remote::{
    Begin, DeadLettersCommand, DiscardOrRetry, EventsCommand, Limit, QueuesCommand, TailArgs,
};
pub use schedules::{CreateArgs, SchedulesCommand};
pub use serving::{
    BackupArgs, DemoArgs, DoctorArgs, MigrateArgs, RestoreArgs, ServeArgs, Settings,
};
pub use workers::WorkersCommand;

#[cfg(unix)]
pub use worker::{TellCommand, WorkerArgs};

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

/// Durable jobs and notifications: at least once, on time, and under an operator's hand.
#[derive(Debug, Parser)]
#[command(
    name = "baton",
    version,
    propagate_version = true,
    max_term_width = 100
)]
#[command(
    after_help = "Begin with `baton demo`, then `baton serve --dev`. A server that asks who calls is shown an API key, from the \
file that --key-file names or from BATON_KEY. Exit codes: 0 ok, 1 failure, 2 usage, \
3 not found, 5 conflict, 6 not accepted, or not allowed with this key, 7 unreachable, 10 the awaited job did not succeed, 124 the wait \
timed out, 130 interrupted."
)]
pub struct Cli {
    #[command(flatten)]
    pub globals: Globals,
    #[command(subcommand)]
    pub command: Command,
}

/// What every command takes.
#[derive(Debug, Args)]
pub struct Globals {
    /// The server to talk to
    #[arg(long, global = true, env = "BATON_URL", value_name = "URL")]
    #[arg(
        default_value = "http://127.0.0.1:7878",
        help_heading = "Global options"
    )]
    pub url: String,
    /// A file that holds the API key to show to the server; BATON_KEY can hold the key itself
    #[arg(long, global = true, env = "BATON_KEY_FILE", value_name = "FILE")]
    #[arg(help_heading = "Global options")]
    pub key_file: Option<PathBuf>,
    /// A file with the authority that issued the server's certificate, where no public one did
    #[arg(long, global = true, env = "BATON_CA", value_name = "FILE")]
    #[arg(help_heading = "Global options")]
    pub ca: Option<PathBuf>,
    /// Why this is done, for the audit log
    #[arg(long, global = true, env = "BATON_BECAUSE", value_name = "TEXT")]
    #[arg(help_heading = "Global options")]
    pub because: Option<String>,
    /// Write JSON: one value, or one line for each item of a list or stream
    #[arg(long, global = true, help_heading = "Global options")]
    pub json: bool,
    /// Write without colours (also: NO_COLOR)
    #[arg(long, global = true, help_heading = "Global options")]
    pub no_color: bool,
    /// Say nothing on stderr but errors
    #[arg(long, short, global = true, help_heading = "Global options")]
    pub quiet: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run the server
    Serve(ServeArgs),
    /// Watch real jobs survive a killed server
    Demo(DemoArgs),
    /// Kill, freeze, wipe and cut a fleet of real servers, and judge what comes of it
    #[cfg(unix)]
    Faults(FaultsArgs),
    /// What remote workers of the fault lab give their jobs to
    #[cfg(unix)]
    #[command(hide = true)]
    LabProgram {
        /// Where it writes down what it saw
        #[arg(long)]
        log: PathBuf,
        /// The name of its worker
        #[arg(long)]
        worker: String,
    },
    /// Measure this machine and database: throughput, latency, memory
    Bench(BenchArgs),
    /// A target for the HTTP calls of a measurement
    #[command(hide = true)]
    BenchTarget,
    /// Bring a database to the schema of this version
    Migrate(MigrateArgs),
    /// Copy the database to a file, while a server runs
    Backup(BackupArgs),
    /// Put a backup back, while no server runs
    Restore(RestoreArgs),
    /// Move an installation to another database, while no server runs
    Copy(CopyArgs),
    /// Look for what would keep a server from working
    Doctor(DoctorArgs),
    /// Ask a server whether it can do its work: 0 if so, 1 if not, 7 if nothing answers
    Ready,
    /// Make, list and revoke API keys, with which programs call the server
    #[command(subcommand)]
    Keys(KeysCommand),
    /// Add, list and change those who sign in at /admin
    #[command(subcommand)]
    Users(UsersCommand),
    /// Enqueue, look at and control jobs
    #[command(subcommand)]
    Jobs(JobsCommand),
    /// Look at, pause and limit queues
    #[command(subcommand)]
    Queues(QueuesCommand),
    /// Write down, import and look at those who are reached
    #[command(subcommand)]
    Recipients(RecipientsCommand),
    /// Create, watch, stop and resume bulk sends
    #[command(subcommand)]
    Campaigns(CampaignsCommand),
    /// Tell one or a few recipients something at once
    Notify(Box<NotifyArgs>),
    /// Make jobs again and again, by a cron line in a time zone
    #[command(subcommand)]
    Schedules(SchedulesCommand),
    /// Follow what happens
    #[command(subcommand)]
    Events(EventsCommand),
    /// Look at failed jobs by cause, and act on many at once
    #[command(subcommand)]
    DeadLetters(DeadLettersCommand),
    /// Look at and stop what is done to many at once
    #[command(subcommand)]
    Operations(OperationsCommand),
    /// List the processes of the installation
    Nodes,
    /// List the workers, or have one take nothing new
    Workers {
        #[command(subcommand)]
        command: Option<WorkersCommand>,
    },
    /// List the kinds of jobs, and who handles them
    Kinds,
    /// Do jobs of your own kinds, by a command or a service beside it
    #[cfg(unix)]
    Worker(Box<WorkerArgs>),
    /// Say something to the worker whose command this is
    #[cfg(unix)]
    #[command(subcommand)]
    Tell(TellCommand),
    /// Print the version
    Version,
    /// Print the completions of a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn global_options_stand_before_or_behind_the_command() {
        for words in [
            ["baton", "--json", "queues", "list"],
            ["baton", "queues", "list", "--json"],
        ] {
            assert!(Cli::parse_from(words).globals.json, "{words:?}");
        }
    }
}
