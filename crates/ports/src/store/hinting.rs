//! What the store knows of hints: their generation, and what there is to hint at.

use async_trait::async_trait;
use baton_domain::{JobId, Timestamp};
use uuid::Uuid;

use super::Result;
use crate::hints::Hint;

/// What the store knows of hints.
#[async_trait]
pub trait Hinting: Send + Sync {
    /// Which generation of hints there should be.
    async fn generation(&self) -> Result<Generation>;

    /// Begins the generation after `seen`, for this incarnation of the far end, and tells why as a
    /// fact (`hints.lost`). `None`: another node has begun it.
    async fn begin_generation(
        &self,
        seen: i64,
        incarnation: &str,
        why: &str,
        now: Timestamp,
    ) -> Result<Option<i64>>;

    /// Jobs that could have been claimed since before `before`, by queue and turn, and where the next
    /// page begins. Queues that are paused or limited and jobs that can wait are left out: a page
    /// looks at `limit` jobs, so it can be short and yet have a next one.
    async fn claimable(
        &self,
        after: Option<&Turn>,
        before: Timestamp,
        limit: u32,
    ) -> Result<Claimable>;
}

/// A generation of hints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Generation {
    /// This installation: the same for all who share the database, and for nobody else.
    pub installation: Uuid,
    /// Its number; 0 before the first one.
    pub number: i64,
    /// The incarnation of the far end that it was built for.
    pub incarnation: String,
}

/// A page of what can be claimed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Claimable {
    /// What there is to hint at.
    pub hints: Vec<Hint>,
    /// Where the next page begins; `None` after the last one.
    pub next: Option<Turn>,
}

/// A job's turn among all that can be claimed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn {
    /// Its queue.
    pub queue: String,
    /// Smaller is sooner.
    pub priority: i16,
    /// When it was due.
    pub run_at: Timestamp,
    /// The job.
    pub job: JobId,
}

impl Turn {
    /// Before every turn in a queue; of the queue without a name, before every turn.
    #[must_use]
    pub fn before_all_in(queue: &str) -> Self {
        Self {
            queue: queue.to_owned(),
            priority: i16::MIN,
            run_at: Timestamp::from_micros(i64::MIN),
            job: JobId::from_uuid(Uuid::nil()),
        }
    }
}
