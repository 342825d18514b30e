//! What the judge is given: five logs and the rules of the run.

mod campaigns;
mod notifications;
mod walks;

pub use campaigns::{CampaignReading, Campaigns, Command, CommandKind, PostedCampaign, Recipient};
pub use notifications::{InboxItem, Notifications, Notified};
pub use walks::{AcceptedWalk, Did, Drain, ITEM, ObservedAttempt, Orphan, WALK, Walks};

use serde::{Deserialize, Serialize};

use super::wire::{Attempt, Event, Job};
use crate::target::Arrival;

/// Everything that is known of a run.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct History {
    /// Each job that a client posted, each time it did; a batch is one entry per job.
    pub requests: Vec<Request>,
    /// What clients did to jobs afterwards.
    pub acts: Vec<Act>,
    /// What reached the target.
    pub arrivals: Vec<Arrival>,
    /// Every job, as the API showed it at the end.
    pub jobs: Vec<Job>,
    /// Every attempt of every job, as the API showed it at the end.
    pub attempts: Vec<Attempt>,
    /// The whole feed, in the order in which the API gave it.
    pub events: Vec<Event>,
    /// What subscribers saw.
    pub subscribers: Vec<Subscriber>,
    /// What was done to the system.
    pub faults: Vec<Fault>,
    /// How the store's clock was stepped, in order.
    #[serde(default)]
    pub clock_steps: Vec<ClockStep>,
    /// What is known of campaigns.
    #[serde(default)]
    pub campaigns: Campaigns,
    /// What is known of notifications.
    #[serde(default)]
    pub notifications: Notifications,
    /// What is known of the jobs of remote workers.
    #[serde(default)]
    pub walks: Walks,
    /// What the run was to keep to.
    pub rules: Rules,
}

/// A job that was posted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// When it was sent, in microseconds since 1970.
    pub start_us: i64,
    /// When its answer had come, or was given up.
    pub end_us: i64,
    /// Its key.
    pub key: Option<String>,
    /// The script: the path of the URL that the job calls; `None` for a job of another kind.
    pub path: Option<String>,
    /// How many tries it has.
    pub max_attempts: u32,
    /// Not before this moment.
    pub run_at_us: Option<i64>,
    /// How long one attempt may take.
    pub timeout_us: i64,
    /// Whether it must not be called again in doubt.
    pub at_most_once: bool,
    /// What came of it.
    pub answer: Posted,
}

/// What came of a post.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Posted {
    /// It was accepted.
    Ok {
        /// The job's id.
        id: String,
        /// Whether it is new; `false` if the key was known.
        created: bool,
    },
    /// It was answered with an error.
    Refused {
        /// The status.
        status: u16,
        /// The code of the problem in its body, such as `unavailable`; `None` if the body was none.
        problem: Option<String>,
    },
    /// No answer came.
    Unknown,
}

impl Posted {
    /// Whether a job can have come of it.
    pub(super) fn may_have_created(&self) -> bool {
        match self {
            Self::Ok { .. } | Self::Unknown => true,
            Self::Refused { status, problem } => leaves_doubt(*status, problem.as_deref()),
        }
    }
}

/// What a client did to a job.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Act {
    /// What.
    pub kind: ActKind,
    /// To which; `None` for a bulk operation, which may have met any.
    pub job: Option<String>,
    /// When it was sent, in microseconds since 1970.
    pub start_us: i64,
    /// When its answer had come, or was given up.
    pub end_us: i64,
    /// What came of it.
    pub answer: ActAnswer,
}

/// What clients do to jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "the calls of the public contract")]
pub enum ActKind {
    Cancel,
    Retry,
    RunNow,
    Resolve,
}

/// What came of an act.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ActAnswer {
    /// It was done, or at least accepted.
    Done,
    /// It was answered with an error.
    Refused {
        /// The status.
        status: u16,
        /// The code of the problem in its body, such as `unavailable`; `None` if the body was none.
        problem: Option<String>,
    },
    /// No answer came.
    Unknown,
}

impl ActAnswer {
    pub(super) fn may_have_acted(&self) -> bool {
        match self {
            Self::Done | Self::Unknown => true,
            Self::Refused { status, problem } => leaves_doubt(*status, problem.as_deref()),
        }
    }
}

/// Whether what was asked may have been done although an error was the answer. A 4xx is a definite no, and
/// so are the problems whose page says that nothing was done.
fn leaves_doubt(status: u16, problem: Option<&str>) -> bool {
    const NOTHING_WAS_DONE: [&str; 5] =
        ["unavailable", "overloaded", "busy", "draining", "not-ready"];
    status >= 500 && !problem.is_some_and(|code| NOTHING_WAS_DONE.contains(&code))
}

/// What one subscriber saw of the feed, over all its reconnections.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Subscriber {
    /// Its name, for the findings.
    pub name: String,
    /// What it saw, in order.
    pub seen: Vec<FeedItem>,
    /// Whether it listened to the end, and so should have seen everything.
    pub stayed: bool,
}

/// Something a subscriber saw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeedItem {
    /// An event.
    Event(Event),
    /// It was told that its place is gone and that it has to start over.
    Reset,
}

/// What was done to the system.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// What.
    pub kind: FaultKind,
    /// What exactly, in a word for people: `kill a worker`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The worker's id as its attempts carry it; `None` if it met everybody.
    pub worker: Option<String>,
    /// From when, in microseconds since 1970.
    pub from_us: i64,
    /// Until when; the same moment for a kill.
    pub until_us: i64,
}

/// A step of the store's clock: every moment the store tells is by that clock, and everything that was seen
/// from outside by the lab's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockStep {
    /// When it was stepped, by the lab's clock, in microseconds since 1970.
    pub at_us: i64,
    /// How far it is ahead of the lab's clock from then on, in microseconds; below zero it is behind.
    pub ahead_us: i64,
}

/// Kinds of faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// A process was killed.
    Kill,
    /// A process was paused.
    Pause,
    /// A line to the database was cut.
    Cut,
    /// The database was killed or restarted.
    Database,
    /// Another PostgreSQL became the primary, after the one before was killed or in order; it ends when that one takes
    /// writes.
    Failover,
    /// A line to the database was slow or silent.
    Slow,
    /// Redis was killed, wiped, cut off or spoilt. It holds hints only, so this excuses nothing.
    Redis,
    /// A wall clock was stepped. Nothing is excused by that.
    Clock,
}

impl FaultKind {
    /// How a sentence names it.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Kill => "a kill",
            Self::Pause => "a pause",
            Self::Cut => "a cut line",
            Self::Database => "a restart of the database",
            Self::Failover => "another primary of the database",
            Self::Slow => "a slow line to the database",
            Self::Redis => "trouble with Redis",
            Self::Clock => "a step of a clock",
        }
    }

    /// Whether the database may have forgotten claims with it.
    pub(super) fn forgets_claims(self) -> bool {
        matches!(self, Self::Database | Self::Failover)
    }

    /// Whether it can be the reason of a call that is made again.
    pub(super) fn excuses(self) -> bool {
        !matches!(self, Self::Redis | Self::Clock)
    }
}

/// What the run was to keep to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// When the final state was read, in microseconds since 1970.
    pub ended_us: i64,
    /// How far the clocks of the client, the target and the database can be apart.
    pub clock_us: i64,
    /// How long a statement may take after it was given its moment: of two that race, the one that
    /// was dated first can come second.
    pub statement_us: i64,
    /// How long a lease lasts.
    pub lease_us: i64,
    /// How often expired leases are looked for, at the latest.
    pub sweep_us: i64,
    /// How long after the last fault a due job may still be under way.
    pub heal_us: i64,
    /// How long after its answer a result may wait to be recorded.
    pub recording_us: i64,
    /// How many calls a worker may have in doubt at once: slots and unrecorded results.
    pub in_doubt: usize,
    /// How long the store may be silent before a worker that has so many in doubt begins no more.
    #[serde(default = "unnoticed_us")]
    pub unnoticed_us: i64,
    /// How many losses are the last.
    pub max_losses: u32,
    /// How long after the answer to a stop a call may still start.
    #[serde(default = "stop_us")]
    pub stop_us: i64,
    /// How soon after another PostgreSQL became the primary there is service again.
    #[serde(default = "service_us")]
    pub service_us: i64,
    /// The number of the first event that is kept.
    pub first_seq: i64,
    /// Queues that were paused at the end.
    pub paused_queues: Vec<String>,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            ended_us: i64::MAX,
            clock_us: 50_000,
            statement_us: 2_000_000,
            lease_us: 30_000_000,
            sweep_us: 5_000_000,
            heal_us: 30_000_000,
            recording_us: 2_000_000,
            in_doubt: 150,
            unnoticed_us: unnoticed_us(),
            max_losses: 3,
            stop_us: stop_us(),
            service_us: service_us(),
            first_seq: 1,
            paused_queues: Vec::new(),
        }
    }
}

/// 100 ms that a result may wait, and what it takes to gather a flush and to look.
fn unnoticed_us() -> i64 {
    125_000
}

fn stop_us() -> i64 {
    2_000_000
}

fn service_us() -> i64 {
    5_000_000
}
