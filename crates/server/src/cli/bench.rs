//! What `baton bench` takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Measures this machine and database, in databases made for it and dropped afterwards.
#[derive(Debug, Clone, Args)]
#[command(
    after_help = "Without names: drain, batch, single, latency, store, snapshot, http and api, in about \
two minutes. With --all also history, campaigns, memory and remote, which take tens of minutes and up to 20 GB of disk. \
fleet is measured by name only: it needs PostgreSQL and the program redis-server, and takes a quarter of an hour."
)]
pub struct BenchArgs {
    /// What to measure [default: all but history, campaigns, memory, remote and fleet]
    #[arg(value_name = "MEASUREMENT")]
    pub measurements: Vec<Measurement>,
    /// A server to make a scratch database on, postgres://... or mysql://..., or an SQLite file that is not there yet
    /// [default: a file in the data folder]
    #[arg(long, value_name = "URL", hide_env_values = true)]
    pub database: Option<String>,
    /// Connect to a database on another machine although nothing proves that it is the one, or that
    /// nobody listens
    #[arg(long, env = "BATON_ALLOW_UNVERIFIED_DATABASE")]
    pub allow_unverified_database: bool,
    /// The folder to measure SQLite in; its disk decides what a commit costs
    #[arg(long, value_name = "DIR", default_value = "baton-data")]
    pub data_dir: PathBuf,
    /// How many jobs or recipients go through [default: 100000; memory 1000000, campaigns and remote 200000, http 20000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(100..=100_000_000))]
    pub jobs: Option<u32>,
    /// How many jobs run at once, in each queue [default: as `serve` has it; http 128]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub slots: Option<u32>,
    /// With how many finished jobs present `history` measures, beside none [default: 1000000, with
    /// --all also 10000000]
    #[arg(long, value_name = "N,N", value_delimiter = ',')]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=50_000_000))]
    pub history: Vec<u32>,
    /// How long each timed measurement lasts
    #[arg(long, value_name = "DURATION", default_value = "3s", value_parser = baton_domain::duration::parse)]
    pub span: std::time::Duration,
    /// Where `http` sends to [default: a target of its own in another process]
    #[arg(long, value_name = "URL")]
    pub target: Option<String>,
    /// What `remote` measures instead of a worker of its own: a command that handles the kind `bench` of the server
    /// at BATON_URL with BATON_SLOTS slots
    #[arg(long, value_name = "NAME=COMMAND", value_parser = named_worker)]
    pub worker: Option<NamedWorker>,
    /// Measure everything but fleet
    #[arg(long)]
    pub all: bool,
    /// Write one line of JSON for each workload, as it is measured
    #[arg(long)]
    pub lines: bool,
}

/// A worker that a command starts, and what its figure is called by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedWorker {
    pub name: String,
    pub command: String,
}

fn named_worker(text: &str) -> Result<NamedWorker, String> {
    let wanted = "must be a word and a command: python='python3 worker.py'";
    let (name, command) = text.split_once('=').ok_or(wanted)?;
    let is_word = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase());
    if !is_word || command.is_empty() {
        return Err(wanted.to_owned());
    }
    Ok(NamedWorker {
        name: name.to_owned(),
        command: command.to_owned(),
    })
}

/// What can be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Measurement {
    /// Enqueue in batches, then claim, run and record no-op jobs until all have succeeded
    Drain,
    /// Enqueue a thousand jobs a call, by 1 and 4 callers
    Batch,
    /// Enqueue one job a call, by 1, 8, 32 and 256 callers, inside the process
    Single,
    /// From enqueue to the handler, idle and under load, beside the price of a commit
    Latency,
    /// Claim and record a thousand at a time, straight on the store
    Store,
    /// The drain with a snapshot held open
    Snapshot,
    /// Jobs that make one HTTP call each
    Http,
    /// Enqueue one job a call over HTTP, by 1, 8, 32 and 256 callers
    Api,
    /// The drain and the batches with finished jobs present
    History,
    /// Expand a campaign beside the bare INSERT ... SELECT, send it, stop it, and be quick beside it
    Campaigns,
    /// Peak memory of a server that accepts, and of one that drains
    Memory,
    /// Claim and record over HTTP, by 500, 50 and 1; how soon jobs and wishes arrive; a thousand idle workers
    Remote,
    /// Four worker processes with a Redis and without, and what its loss costs
    Fleet,
}

impl BenchArgs {
    /// What is to be measured, in the order in which it is.
    pub fn chosen(&self) -> Vec<Measurement> {
        let all = Measurement::value_variants().iter().copied();
        let is_long = |it: &Measurement| {
            matches!(
                it,
                Measurement::History
                    | Measurement::Campaigns
                    | Measurement::Memory
                    | Measurement::Remote
            )
        };
        let named = |it: &Measurement| match &*self.measurements {
            // A fleet needs more than a database, and minutes of rest to be counted.
            [] if *it == Measurement::Fleet => false,
            [] => self.all || !is_long(it),
            names => names.contains(it),
        };
        all.filter(named).collect()
    }

    /// With how many finished jobs present `history` measures.
    pub fn histories(&self) -> Vec<u32> {
        match (&*self.history, self.all) {
            ([], false) => vec![1_000_000],
            ([], true) => vec![1_000_000, 10_000_000],
            (asked, _) => asked.to_vec(),
        }
    }
}

impl Measurement {
    /// The word for it on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Drain => "drain",
            Self::Batch => "batch",
            Self::Single => "single",
            Self::Latency => "latency",
            Self::Store => "store",
            Self::Snapshot => "snapshot",
            Self::Http => "http",
            Self::Api => "api",
            Self::History => "history",
            Self::Campaigns => "campaigns",
            Self::Memory => "memory",
            Self::Remote => "remote",
            Self::Fleet => "fleet",
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: BenchArgs,
    }

    fn args(words: &[&str]) -> BenchArgs {
        Line::parse_from([&["bench"], words].concat()).args
    }

    #[test]
    fn what_takes_long_is_measured_by_name_or_with_all() {
        let quick = args(&[]).chosen();
        let all = args(&["--all"]).chosen();
        let named = args(&["memory", "drain"]).chosen();

        assert_eq!(quick.len(), 8);
        assert!(!quick.contains(&Measurement::History));
        assert_eq!(all.len(), 12);
        assert!(!all.contains(&Measurement::Fleet));
        assert_eq!(named, [Measurement::Drain, Measurement::Memory]);
    }

    #[test]
    fn a_worker_is_named_by_a_word() {
        let named = args(&["remote", "--worker", "python=python3 w.py --slots=5"]).worker;

        let command = "python3 w.py --slots=5".to_owned();
        let name = "python".to_owned();
        assert_eq!(named, Some(NamedWorker { name, command }));
        assert!(named_worker("python3 w.py").is_err());
    }

    #[test]
    fn ten_million_finished_jobs_are_written_only_when_everything_is_asked_for() {
        assert_eq!(args(&[]).histories(), [1_000_000]);
        assert_eq!(args(&["--all"]).histories(), [1_000_000, 10_000_000]);
        assert_eq!(args(&["--history", "5,7"]).histories(), [5, 7]);
    }
}
