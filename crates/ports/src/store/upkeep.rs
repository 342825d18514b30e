//! Upkeep: the store's clock and health, forgetting what is old, reconciling what is counted.

use std::{collections::BTreeMap, time::Duration};

use async_trait::async_trait;
use baton_domain::{Timestamp, campaign, duration};
use serde::{Deserialize, Serialize};

use super::Result;

/// Upkeep: the store's clock and health, forgetting what is old, reconciling what is counted.
#[async_trait]
pub trait Upkeep: Send + Sync {
    /// The word for its kind: `sqlite`, `postgres`, `memory`.
    fn dialect(&self) -> &'static str;

    /// The store's own time.
    async fn time(&self) -> Result<Timestamp>;

    /// How much what is committed can survive.
    async fn durability(&self) -> Result<Durability>;

    /// The secret of the installation, drawn when it is first asked for: the same for every node, and for every copy.
    async fn secret(&self) -> Result<[u8; 32]>;

    /// What an operator should know about the store's settings.
    async fn findings(&self) -> Result<Vec<Finding>>;

    /// How the schema stands to this program, where the store has one.
    async fn schema(&self) -> Result<Option<Schema>>;

    /// The rows that were met lately and could not be read, without asking the database. Each was passed over.
    async fn unreadable(&self) -> Result<Vec<Unreadable>>;

    /// What waits for somebody to turn to it, in one look that costs little however much there is.
    async fn outstanding(&self, now: Timestamp) -> Result<Outstanding>;

    /// How much there is of what is told to the metrics and counted nowhere else, in one look: `limit` facts and groups at most are
    /// counted, however many there are.
    async fn backlog(&self, limit: u32) -> Result<Backlog>;

    /// Forgets what is older than its retention, `limit` rows at most, without long locks. Never a
    /// job that is not terminal, nor one that ended since the oldest lease there is was granted: it
    /// may have been leased in one batch with what still runs. Never a fact without a number. The key of a job
    /// that is forgotten stays for its own time, see [`super::Jobs::forgotten`].
    async fn prune(&self, retention: &Retention, limit: u32, now: Timestamp) -> Result<Pruned>;

    /// Compares the counters of queues with what they count, up to the facts that are numbered, and
    /// repairs what has drifted.
    async fn reconcile(&self, now: Timestamp) -> Result<Vec<Drift>>;
}

/// What waits for somebody to turn to it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outstanding {
    /// Facts have no number yet.
    pub facts: bool,
    /// Jobs wait although they are due.
    pub jobs: bool,
    /// Jobs have expired that did not run.
    pub expired: bool,
    /// An operation is not done.
    pub operations: bool,
    /// A campaign is due, or under way, or canceled and not swept.
    pub campaigns: bool,
    /// A schedule is due.
    pub schedules: bool,
    /// Jobs are staged that nobody has turned to.
    pub staged: bool,
    /// A job stands in line, in whatever queue.
    pub in_line: bool,
    /// A worker holds a job.
    pub held: bool,
    /// The number of the generation of hints that there should be.
    pub hints: i64,
    /// When the next job expires or the next campaign is due.
    pub next: Option<Timestamp>,
}

/// How much there is of what nobody is through with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Facts without a number.
    pub facts: u64,
    /// When the first of them was written.
    pub first_fact_at: Option<Timestamp>,
    /// Groups of dead letters.
    pub failure_groups: u64,
    /// Campaigns that have not ended, by their states; a state that none is in is not among them.
    pub campaigns: BTreeMap<campaign::State, u64>,
}

/// How much what is committed can survive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Durability {
    /// Not even the crash of this machine.
    Unsafe,
    /// The crash of this machine.
    Node,
    /// The loss of this machine.
    Quorum,
}

impl Durability {
    /// The word for it, everywhere.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unsafe => "unsafe",
            Self::Node => "node",
            Self::Quorum => "quorum",
        }
    }
}

/// One thing an operator should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Whether it is as it should be.
    pub is_good: bool,
    /// What was looked at: `version`, `fsync`.
    pub subject: String,
    /// What was found, and what to do about it.
    pub message: String,
}

/// How a schema stands to this program. A generation is the number of a step: of the last one that was applied, or
/// that a program knows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Schema {
    /// The generation of the schema.
    pub generation: u32,
    /// The generation of the oldest program that may run on it.
    pub oldest: u32,
    /// The generation of this program.
    pub program: u32,
    /// The steps that are not used in full before they are finalized, as an older program may still come back.
    pub unfinalized: Vec<String>,
    /// The steps this program knows and the schema lacks.
    pub pending: Vec<String>,
    /// The steps the schema has and this program does not know.
    pub newer: Vec<String>,
}

impl Schema {
    /// Whether this program may run on it.
    #[must_use]
    pub const fn is_fit(&self) -> bool {
        self.pending.is_empty() && self.oldest <= self.program
    }
}

/// A row that cannot be read: damaged, or written by a newer version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// The table.
    pub table: &'static str,
    /// What the row is called by: its id, mostly.
    pub row: String,
    /// The column that cannot be read.
    pub column: &'static str,
}

impl Unreadable {
    /// How many there are of each table, in words.
    #[must_use]
    pub fn by_table(rows: &[Self]) -> String {
        let mut counts = BTreeMap::<_, usize>::new();
        for row in rows {
            *counts.entry(row.table).or_default() += 1;
        }
        let counts: Vec<_> = counts
            .iter()
            .map(|(table, n)| format!("{n} of {table}"))
            .collect();
        counts.join(", ")
    }
}

/// How long history is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Retention {
    /// Terminal jobs and their attempts, after they finished.
    #[serde(with = "duration")]
    pub jobs: Duration,
    /// Events.
    #[serde(with = "duration")]
    pub events: Duration,
    /// Keys of jobs and notifications: how long the same key means the same thing.
    #[serde(with = "duration")]
    pub keys: Duration,
    /// Workers that left or went silent.
    #[serde(with = "duration")]
    pub workers: Duration,
    /// Items of inboxes, after they came, read or not.
    #[serde(with = "duration")]
    pub inbox: Duration,
    /// What schedules have made, as their histories show it.
    #[serde(with = "duration")]
    pub fires: Duration,
    /// Campaigns with their lines and books, after their last delivery ended; never before their deliveries and
    /// their keys are forgotten.
    #[serde(with = "duration")]
    pub campaigns: Duration,
    /// Operations, after they ended.
    #[serde(with = "duration")]
    pub operations: Duration,
    /// Queues that nobody has set anything for, after a job ended in them last; never before their jobs are
    /// forgotten.
    #[serde(with = "duration")]
    pub queues: Duration,
    /// Entries of the audit log.
    #[serde(with = "duration")]
    pub audit: Duration,
}

impl Default for Retention {
    fn default() -> Self {
        const DAY: Duration = Duration::from_hours(24);
        Self {
            jobs: 7 * DAY,
            events: 3 * DAY,
            keys: 7 * DAY,
            workers: DAY,
            inbox: 90 * DAY,
            fires: 90 * DAY,
            campaigns: 365 * DAY,
            operations: 90 * DAY,
            queues: 90 * DAY,
            audit: 365 * DAY,
        }
    }
}

/// What a turn of the pruner forgot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Jobs, with their attempts.
    pub jobs: u32,
    /// Rows of events.
    pub events: u32,
    /// Keys.
    pub keys: u32,
    /// Workers.
    pub workers: u32,
    /// Items of inboxes.
    pub items: u32,
    /// Notifications, with their keys.
    pub notifications: u32,
    /// Lines in the histories of schedules.
    pub fires: u32,
    /// Campaigns, with their lines.
    pub campaigns: u32,
    /// Operations.
    pub operations: u32,
    /// Queues that were not used.
    pub queues: u32,
    /// Entries of the audit log.
    pub audit: u32,
    /// Sessions that had ended, and set-up tokens past their end.
    pub sessions: u32,
    /// Rows of rollups.
    pub rollups: u32,
    /// Staged jobs that were refused.
    pub staged: u32,
}

impl Pruned {
    /// Whether there was nothing to forget.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A counter that did not agree with what it counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drift {
    /// The queue.
    pub queue: String,
    /// The state.
    pub state: String,
    /// What the counter said.
    pub counted: i64,
    /// What there is.
    pub found: i64,
}
