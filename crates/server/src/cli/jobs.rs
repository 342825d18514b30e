//! What `baton jobs` takes.

use std::time::Duration;

use baton_domain::{
    JobId, Timestamp, duration,
    job::{DeliveryGuarantee, State},
};
use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub enum JobsCommand {
    /// Add a job
    Enqueue(Box<EnqueueArgs>),
    /// List jobs, newest first
    List(ListArgs),
    /// Show a job, its attempts, and why it is where it is
    Show {
        /// The job
        id: JobId,
    },
    /// Cancel jobs
    Cancel {
        /// The jobs
        #[arg(required = true)]
        ids: Vec<JobId>,
        /// Take a running job away from its worker instead of asking it to stop
        #[arg(long)]
        force: bool,
        /// Why, as the job will show it
        #[arg(long)]
        reason: Option<String>,
    },
    /// Run finished jobs again, behind the cursor of those that have one
    Retry {
        /// The jobs
        #[arg(required = true)]
        ids: Vec<JobId>,
        /// Begin anew instead of behind the cursor
        #[arg(long)]
        afresh: bool,
    },
    /// Run waiting jobs now
    RunNow {
        /// The jobs
        #[arg(required = true)]
        ids: Vec<JobId>,
    },
    /// Say how an uncertain job ended
    Resolve {
        /// The job
        id: JobId,
        /// How it ended
        #[arg(long = "as", value_name = "OUTCOME")]
        outcome: ResolveAs,
    },
    /// Follow a job until it ends
    Watch(WatchArgs),
}

#[derive(Debug, Args)]
#[command(
    after_help = "Example: baton jobs enqueue http --payload '{\"url\": \"https://example.com/hook\"}' \
--key order-4711 --wait 60s\n\
A receiver that the configuration names: --payload '{\"destination\": \"shop\", \"path\": \"/orders/7\"}'"
)]
pub struct EnqueueArgs {
    /// The kind: http, baton.walk, simulate, or one of your own workers'
    pub kind: String,
    /// The handler's arguments: JSON, @FILE, or - for stdin
    #[arg(long, short, default_value = "{}", value_name = "JSON|@FILE|-")]
    pub payload: String,
    /// Your own key: the same key with the same content is the same job
    #[arg(long, short)]
    pub key: Option<String>,
    /// The queue [default: default; that of its own name for a kind of your own workers']
    #[arg(long)]
    pub queue: Option<String>,
    /// Smaller is sooner, -100 to 100 [default: 0]
    #[arg(long, allow_negative_numbers = true, value_name = "N")]
    pub priority: Option<i64>,
    /// Not before this moment, such as 2026-01-31T09:00:00Z
    #[arg(long, value_name = "TIME", conflicts_with = "delay")]
    pub run_at: Option<Timestamp>,
    /// Not before this long from now, such as 10m
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    pub delay: Option<Duration>,
    /// How many tries it has [default: 4]
    #[arg(long, value_name = "N")]
    pub max_attempts: Option<i64>,
    /// The wait after the first failed try [default: 5s]
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    pub backoff: Option<Duration>,
    /// The longest wait between tries [default: 15m]
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    pub backoff_cap: Option<Duration>,
    /// How the wait grows: exponential, linear, fixed [default: exponential]
    #[arg(long, value_name = "STRATEGY")]
    pub backoff_strategy: Option<Growth>,
    /// How long one attempt may take [default: 30s]
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    pub timeout: Option<Duration>,
    /// Not after this moment
    #[arg(long, value_name = "TIME")]
    pub expires_at: Option<Timestamp>,
    /// In doubt: at_least_once calls again, at_most_once asks a person [default: at_least_once]
    #[arg(long)]
    pub delivery: Option<DeliveryGuarantee>,
    /// A word to find it by; may be given several times
    #[arg(long = "tag", value_name = "TAG")]
    pub tags: Vec<String>,
    /// The W3C trace it belongs to [default: that of the environment, TRACEPARENT and TRACESTATE]
    #[arg(long, value_name = "TRACEPARENT")]
    pub trace: Option<String>,
    /// Wait until the job has ended, for so long
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    #[arg(num_args = 0..=1, default_missing_value = "60s")]
    pub wait: Option<Duration>,
}

/// How the wait between tries grows.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum Growth {
    Exponential,
    Linear,
    Fixed,
}

#[derive(Debug, Args)]
pub struct ListArgs {
    /// In this state
    #[arg(long)]
    pub state: Option<State>,
    /// Of this kind
    #[arg(long)]
    pub kind: Option<String>,
    /// In this queue
    #[arg(long)]
    pub queue: Option<String>,
    /// With this tag
    #[arg(long)]
    pub tag: Option<String>,
    /// With this key
    #[arg(long)]
    pub key: Option<String>,
    /// How many at most
    #[arg(long, default_value_t = 50, value_name = "N", conflicts_with = "all")]
    pub limit: usize,
    /// All of them
    #[arg(long)]
    pub all: bool,
}

#[derive(Debug, Args)]
pub struct WatchArgs {
    /// The job
    pub id: JobId,
    /// Give up after so long
    #[arg(long, value_name = "DURATION", value_parser = duration::parse)]
    pub timeout: Option<Duration>,
}

/// How an uncertain job ended.
#[derive(Debug, Clone, Copy, ValueEnum)]
pub enum ResolveAs {
    /// The call was made, and did what was asked
    Succeeded,
    /// The call was not made, or did not do what was asked
    Failed,
}
