//! What a run is told by the options of `baton faults`.

use std::{path::PathBuf, time::Duration};

use baton_domain::duration;
use clap::Args;

use super::{crew::Crew, remote::Way, scenario::Scenario};

/// What a run is told.
#[derive(Debug, Args)]
pub struct Options {
    /// How long to go on, at least
    #[arg(long = "for", value_name = "DURATION", value_parser = duration::parse)]
    #[arg(default_value = "60s")]
    pub span: Duration,
    /// Go on until so many processes were killed
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Goals")]
    pub kills: u64,
    /// Go on until Redis was killed or wiped so often
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Goals")]
    pub redis_kills: u64,
    /// Go on until the database was killed so often
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Goals")]
    pub database_kills: u64,
    /// Go on until the primary of the cluster was killed, and followed by another, so often
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Goals")]
    pub failovers: u64,
    /// Go on until the primary's part was handed over in order so often
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Goals")]
    pub switch_overs: u64,
    /// Go on until so many connections were cut
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Goals")]
    pub cuts: u64,
    /// Go on until so many of them were cut around a COMMIT
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Goals")]
    pub commit_cuts: u64,
    /// Go on until clocks were stepped so often
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Goals")]
    pub clock_steps: u64,
    /// Go on until so many jobs were accepted
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Goals")]
    pub jobs: u64,
    /// Go on until remote workers were killed so often
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Goals")]
    pub remote_kills: u64,
    /// Go on until remote workers were frozen past their leases so often
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Goals")]
    pub remote_freezes: u64,
    /// Go on until so many answers to remote workers were lost, of what a server had done
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Goals")]
    pub answer_cuts: u64,
    /// Give up, as a failure, when the goals are not reached by then
    #[arg(long, value_name = "DURATION", default_value = "1h", value_parser = duration::parse, help_heading = "Goals")]
    pub at_most: Duration,
    /// Decides what is drawn [default: another each time]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Play only these
    #[arg(long, value_name = "SCENARIO,...", value_delimiter = ',')]
    pub only: Vec<Scenario>,
    /// Leave Redis out
    #[arg(long, value_name = "PART")]
    pub without: Option<Part>,
    /// What the servers keep all in
    #[arg(long, value_name = "STORE", default_value = "postgres", conflicts_with_all = ["database", "redis"])]
    pub store: DatabaseKind,
    /// The servers by their roles; `all` has every role, `remote` is a worker over HTTP, `remote-exec` one that starts a process for each job, `remote-http` one that posts each to a service, `remote-sdk` a program of one's own [default: api=2,engine=2,worker=3,all=1, or all=1 on SQLite]
    #[arg(long, value_name = "ROLE=N,...")]
    pub nodes: Option<Crew>,
    /// How long a claimed job is a worker's own without a word from it
    #[arg(long, value_name = "DURATION", default_value = "5s", value_parser = duration::parse)]
    pub lease: Duration,
    /// How many jobs clients ask for in a second
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub rate: u32,
    /// How many campaigns go on at once; 0 leaves them out
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=20), help_heading = "Campaigns")]
    pub campaigns: u32,
    /// How many recipients there are
    #[arg(long, value_name = "N", default_value_t = 3_000, value_parser = clap::value_parser!(u32).range(10..=5_000_000), help_heading = "Campaigns")]
    pub recipients: u32,
    /// How many walks of remote workers go on at once
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=100), help_heading = "Remote workers")]
    pub walks: u32,
    /// Over how many items each walks
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000), help_heading = "Remote workers")]
    pub walk_items: u64,
    /// What `remote-sdk` runs, a command for the shell; of several each such worker gets the next. Its environment has `BATON_URL`, and
    /// in `LAB_WORKER` and `LAB_SIGHTS` its name and the file in which it writes down what it sees
    #[arg(
        long = "sdk-worker",
        value_name = "COMMAND",
        help_heading = "Remote workers"
    )]
    pub sdk_workers: Vec<String>,
    /// The program of the version before: the run begins with it, upgrades the servers under load, lets both work
    /// side by side, rolls back, and upgrades again
    #[arg(long, value_name = "FILE")]
    pub previous: Option<PathBuf>,
    /// An empty database of PostgreSQL or MySQL to use instead of a private one; it is not killed, only cut off
    #[arg(
        long,
        value_name = "URL",
        hide_env_values = true,
        requires = "yes_wipe"
    )]
    pub database: Option<String>,
    /// A Redis to use instead of a private one; it is wiped and cut off, but not killed
    #[arg(
        long,
        value_name = "URL",
        hide_env_values = true,
        requires = "yes_wipe",
        conflicts_with = "without"
    )]
    pub redis: Option<String>,
    /// The database given may be filled with the jobs of this run, and all that the Redis given holds be
    /// deleted
    #[arg(long)]
    pub yes_wipe: bool,
}

impl Options {
    /// Whether there are remote workers.
    #[must_use]
    pub fn has_remotes(&self) -> bool {
        !self.remotes().is_empty()
    }

    /// Each remote worker's way and name.
    pub(super) fn remotes(&self) -> Vec<(Way, String)> {
        self.nodes.iter().flat_map(Crew::remotes).collect()
    }

    /// Whether the servers have a Redis and a replica under Sentinels.
    #[must_use]
    pub fn has_sentinels(&self) -> bool {
        self.without != Some(Part::Redis) && self.store == DatabaseKind::Patroni
    }

    /// Whether the servers have a Redis of which there is one.
    #[must_use]
    pub fn has_redis(&self) -> bool {
        self.without != Some(Part::Redis) && self.store.is_one_server()
    }
}

/// What the servers keep all in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum DatabaseKind {
    /// A private PostgreSQL
    Postgres,
    /// A private MariaDB
    #[value(alias = "mariadb")]
    Mysql,
    /// Three of them under Patroni, with etcd and synchronous replication, and Redis under Sentinels
    Patroni,
    /// A file, which one server has to itself
    Sqlite,
}

impl DatabaseKind {
    /// Whether it is one server, which can be killed, behind lines, which can be cut.
    #[must_use]
    pub fn is_one_server(self) -> bool {
        matches!(self, Self::Postgres | Self::Mysql)
    }
}

/// What can be left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Part {
    /// The servers run without Redis
    Redis,
}
