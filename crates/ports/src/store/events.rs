//! Events: facts, numbered densely in an order that is safe to follow.

use async_trait::async_trait;
use baton_domain::{JobId, Timestamp, event::Event};

use super::Result;

/// Events: facts, numbered densely in an order that is safe to follow.
#[async_trait]
pub trait Events: Send + Sync {
    /// Numbers facts that have no number yet, in an order safe to follow: a fact that commits later
    /// gets a later number. Folds them into the counters in the same transaction. At most about
    /// `limit` facts; two sequencers at once are as good as one.
    async fn sequence(&self, limit: u32, now: Timestamp) -> Result<Sequenced>;

    /// Events numbered above `after`, in order, `limit` at most. With a filter, a call looks at a
    /// bounded number of events; the second answer is the number up to which it has looked.
    async fn events(
        &self,
        after: i64,
        limit: u32,
        filter: &EventFilter,
    ) -> Result<(Vec<Event>, i64)>;

    /// The events of one job, in order. Of those that tell of its checkpoints the last at least.
    async fn job_events(&self, job: JobId) -> Result<Vec<Event>>;

    /// What the system did by itself, newest first, of the events below a number: those of `limit` transactions at most. A
    /// call looks at a bounded number of them; the second answer is where to go on, if there may be older ones.
    async fn recoveries(&self, before: i64, limit: u32) -> Result<(Vec<Event>, Option<i64>)>;

    /// Which events there are.
    async fn bounds(&self) -> Result<EventBounds>;

    /// Writes a fact about something other than a job's move.
    async fn note(&self, note: &NewEvent, now: Timestamp) -> Result<()>;
}

/// What a turn of the sequencer did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sequenced {
    /// How many events it numbered.
    pub count: u32,
    /// The last number given out, now or before.
    pub last: i64,
}

/// Which events there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventBounds {
    /// Which history.
    pub epoch: i64,
    /// The first number that is still kept; `last + 1` if none is.
    pub first: i64,
    /// The last number given out.
    pub last: i64,
}

/// Which events a reader wants; what is `None` does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventFilter {
    /// Of these types; a type that ends in `.` stands for all that begin so (`job.`).
    pub types: Vec<String>,
    /// Of this subject.
    pub subject: Option<String>,
    /// Of this queue.
    pub queue: Option<String>,
}

/// A fact about something other than a job's move.
#[derive(Debug, Clone, PartialEq)]
pub struct NewEvent {
    /// What happened: `leader.changed`, `counters.repaired`.
    pub kind: String,
    /// To whom.
    pub subject: String,
    /// The particulars, an object.
    pub data: serde_json::Value,
}
