//! What `baton worker` and `baton tell` take.

use std::{net::SocketAddr, path::PathBuf, time::Duration};

use baton_domain::duration;
use clap::{Args, Subcommand};

#[derive(Debug, Args)]
#[command(group(clap::ArgGroup::new("work").required(true).args(["command", "exec", "http"])))]
#[command(
    after_help = "Examples:\n  baton worker --kind resize --slots 8 -- ./resize.sh\n  \
baton worker --kind resize --exec 'convert - -resize 50% out/$BATON_JOB_ID.png'\n  \
baton worker --kind score --lines -- python score.py\n  \
baton worker --kind mail --http http://127.0.0.1:9000/work\n\n\
A command gets the payload on its stdin and says by its exit code how it went: 0 done, 65 it will never work, 75 later, \
78 misconfigured, 99 nothing to do, anything else: again. `baton tell` says more."
)]
pub struct WorkerArgs {
    /// A kind of job that it does (repeatable); it claims from the queue of that name
    #[arg(long = "kind", required = true, value_name = "KIND")]
    pub kinds: Vec<String>,
    /// A queue that it claims from besides (repeatable)
    #[arg(long = "queue", value_name = "QUEUE")]
    pub queues: Vec<String>,
    /// How many jobs it does at once
    #[arg(long, default_value_t = 4, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub slots: u32,
    /// What is run for each job, without a shell
    #[arg(last = true, value_name = "COMMAND")]
    pub command: Vec<String>,
    /// What a shell is given for each job, instead of a command
    #[arg(long, value_name = "TEXT")]
    pub exec: Option<String>,
    /// Start the command once for each slot, and give it jobs as lines of JSON
    #[arg(long, requires = "command")]
    pub lines: bool,
    /// With --lines: start the command anew after so many jobs
    #[arg(long, requires = "lines", value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub recycle: Option<u32>,
    /// Where each job is posted to, instead of a command
    #[arg(long, value_name = "URL")]
    pub http: Option<String>,
    /// How long what runs may take to end after a signal
    #[arg(long, default_value = "30s", value_name = "SPAN", value_parser = duration::parse)]
    pub grace: Duration,
    /// How long after TERM a command is killed
    #[arg(long, default_value = "10s", value_name = "SPAN", value_parser = duration::parse)]
    pub kill_after: Duration,
    /// What it is called [default: the machine's name and its process id]
    #[arg(long)]
    pub name: Option<String>,
    /// A word of yours, shown with it (repeatable)
    #[arg(long = "label", value_name = "NAME=VALUE", value_parser = label)]
    pub labels: Vec<(String, String)>,
    /// Where it answers /healthz and /metrics [default: nowhere]
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,
    /// End after so many jobs
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub once: Option<u32>,
    /// End when there is nothing left to do
    #[arg(long)]
    pub until_empty: bool,
}

fn label(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE".to_owned()),
    }
}

#[derive(Debug, Subcommand)]
pub enum TellCommand {
    /// Move the job's cursor: its next attempt begins there, whatever dies
    Checkpoint {
        /// Where the job is: any JSON
        cursor: String,
        /// Jobs to be made with it, all or none: a file with a job a line
        #[arg(long, value_name = "FILE")]
        jobs: Option<PathBuf>,
        /// How far it is, such as 5/10
        #[arg(long, value_name = "DONE[/TOTAL]", value_parser = share)]
        progress: Option<(u64, Option<u64>)>,
    },
    /// Tell people how far the job is
    Progress {
        /// Such as 5/10
        #[arg(value_name = "DONE[/TOTAL]", value_parser = share)]
        progress: (u64, Option<u64>),
        /// A word about it
        #[arg(long)]
        note: Option<String>,
    },
    /// Have the job tried again after so long; it counts no try
    RetryAfter {
        /// How long
        #[arg(value_name = "SPAN", value_parser = duration::parse)]
        after: Duration,
    },
    /// Say that there is nothing to do
    Skip {
        /// Why
        why: String,
    },
    /// Say that the job has failed and will never work as asked
    Fail {
        /// A stable word for it
        code: String,
        /// What happened
        message: String,
    },
}

fn share(text: &str) -> Result<(u64, Option<u64>), String> {
    let wrong = |_| "expected numbers such as 5/10, or 5".to_owned();
    match text.split_once('/') {
        Some((done, total)) => Ok((
            done.parse().map_err(wrong)?,
            Some(total.parse().map_err(wrong)?),
        )),
        None => Ok((text.parse().map_err(wrong)?, None)),
    }
}
