//! Events: facts, as the feed tells them.

use baton_domain::{
    Timestamp,
    event::{self, EventId},
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

/// One fact.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Event {
    /// Its number: the epoch of the history, a dash, and `seq`.
    #[schema(value_type = String, example = "1-4711")]
    pub id: EventId,
    /// Its place in the history: 1, 2, 3 without a gap.
    pub seq: i64,
    /// What happened.
    #[serde(rename = "type")]
    #[schema(example = "job.succeeded")]
    pub kind: String,
    /// To whom: a prefixed id, or a queue's name.
    pub subject: String,
    /// When.
    pub at: Timestamp,
    /// The particulars. A job's move says `queue`, `from` and `to`.
    #[schema(value_type = Object)]
    pub data: Value,
}

impl From<event::Event> for Event {
    fn from(event: event::Event) -> Self {
        Self {
            id: event.id,
            seq: event.id.seq,
            kind: event.kind,
            subject: event.subject,
            at: event.at,
            data: event.data,
        }
    }
}

/// A page of the feed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct EventPage {
    /// The events, in order.
    pub items: Vec<Event>,
    /// Give it as `after` to go on at once; null when the feed has been read to its end. A page can
    /// be short, even empty, and still have a next one.
    pub next: Option<String>,
    /// How far this page has looked. At the end of the feed, give it as `after` to go on later.
    #[schema(value_type = String, example = "1-4711")]
    pub position: EventId,
}

/// Which events a page shows; what is not given does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// Of these types, with commas between; one that ends in a dot stands for all that begin so
    /// (`job.`).
    #[param(example = "job.failed,queue.")]
    pub types: Option<String>,
    /// About this job, queue or worker.
    pub subject: Option<String>,
    /// Of this queue.
    pub queue: Option<String>,
    /// How many events at most.
    #[param(minimum = 1, maximum = 500, default = 50)]
    pub limit: Option<u32>,
    /// After this event; from the first that is kept if none is given.
    pub after: Option<String>,
}

/// Which events the stream shows; what is not given does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StreamQuery {
    /// Of these types, with commas between; one that ends in a dot stands for all that begin so
    /// (`job.`).
    #[param(example = "job.failed,queue.")]
    pub types: Option<String>,
    /// About this job, queue or worker.
    pub subject: Option<String>,
    /// Of this queue.
    pub queue: Option<String>,
    /// After this event, where no `Last-Event-ID` header says it; from now if neither does.
    pub after: Option<String>,
}

/// What the stream says, as the event `reset`, when it cannot go on where the reader was: read the
/// present state, then follow what comes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Reset {
    /// Why.
    pub reason: String,
    /// The first event that is still kept; its number is one above `last` if none is.
    #[schema(value_type = String)]
    pub first: EventId,
    /// The last event there is: the stream goes on after it.
    #[schema(value_type = String)]
    pub last: EventId,
}
