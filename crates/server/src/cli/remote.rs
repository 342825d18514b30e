//! What `baton queues`, `baton events` and `baton dead-letters` take.

use std::str::FromStr;

use baton_domain::{event::EventId, operation::DeadLetterFilter};
use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub enum QueuesCommand {
    /// List the queues
    List,
    /// Claim nothing more from a queue; what runs goes on
    Pause {
        /// The queue
        name: String,
    },
    /// Claim from a queue again
    Resume {
        /// The queue
        name: String,
    },
    /// Limit a queue, over the whole fleet
    #[command(arg_required_else_help = true)]
    Set {
        /// The queue
        name: String,
        /// How many of its jobs may run at once: a number, or none
        #[arg(long, value_name = "N|none", required_unless_present = "rate")]
        max_running: Option<Limit<i64>>,
        /// How many of its jobs may start each second: a number, or none
        #[arg(long, value_name = "N|none")]
        rate: Option<Limit<f64>>,
    },
}

/// A limit, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit<T>(pub Option<T>);

impl<T: FromStr> FromStr for Limit<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "none" {
            return Ok(Self(None));
        }
        let number = text.parse();
        number
            .map(|number| Self(Some(number)))
            .map_err(|_| "expected a number, or none".to_owned())
    }
}

#[derive(Debug, Subcommand)]
pub enum EventsCommand {
    /// Print events as they happen
    Tail(TailArgs),
}

#[derive(Debug, Args)]
pub struct TailArgs {
    /// Of these types, with commas between; one that ends in a dot stands for all that begin so
    #[arg(long = "type", value_name = "TYPES")]
    pub types: Option<String>,
    /// About this job, queue or worker
    #[arg(long)]
    pub subject: Option<String>,
    /// Of this queue
    #[arg(long)]
    pub queue: Option<String>,
    /// Begin after this event instead of now; `start` for the first that is kept
    #[arg(long, value_name = "ID|start")]
    pub after: Option<Begin>,
    /// Stop at the end of the feed instead of waiting for more
    #[arg(long)]
    pub no_follow: bool,
}

/// Where a tail begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// With the first event that is kept.
    Start,
    /// After this one.
    After(EventId),
}

impl FromStr for Begin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "start" {
            return Ok(Self::Start);
        }
        text.parse()
            .map(Self::After)
            .map_err(|error: baton_domain::event::ParseEventIdError| error.to_string())
    }
}

#[derive(Debug, Subcommand)]
pub enum DeadLettersCommand {
    /// List failed jobs by cause
    List {
        /// How many groups at most
        #[arg(long, default_value_t = 50, value_name = "N")]
        limit: u32,
    },
    /// Run dead letters again
    Retry(DiscardOrRetry),
    /// Take dead letters off the list; they stay failed
    Discard(DiscardOrRetry),
}

#[derive(Debug, Args)]
#[group(id = "selection", required = true, multiple = true)]
pub struct DiscardOrRetry {
    /// Of this group
    #[arg(value_name = "FINGERPRINT", group = "selection")]
    pub fingerprint: Option<String>,
    /// Of this kind
    #[arg(long, group = "selection")]
    pub kind: Option<String>,
    /// Of this queue
    #[arg(long, group = "selection")]
    pub queue: Option<String>,
    /// Failed for this reason
    #[arg(long, group = "selection")]
    pub reason: Option<String>,
    /// All of them
    #[arg(long, group = "selection")]
    pub all: bool,
    /// Do not wait for the end
    #[arg(long)]
    pub no_wait: bool,
}

impl DiscardOrRetry {
    /// Which dead letters are meant.
    pub fn filter(&self) -> DeadLetterFilter {
        DeadLetterFilter {
            fingerprint: self.fingerprint.clone(),
            kind: self.kind.clone(),
            queue: self.queue.clone(),
            reason: self.reason.clone(),
        }
    }
}
