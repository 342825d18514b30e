//! Rollups: how many jobs came to each state and went from it, span by span, and what happened meanwhile; what pictures are drawn from.

use std::time::Duration;

use crate::{Timestamp, job::State, words::words};

words! {
    /// How long the spans of a rollup are.
    #[derive(PartialOrd, Ord)]
    pub enum Resolution, or "{text} is no resolution: it is {words}" {
        /// A minute; kept of each queue, and of all together.
        Minute = "minute",
        /// An hour; kept of all queues together.
        Hour = "hour",
    }
}

impl Resolution {
    /// How long one span is.
    #[must_use]
    pub const fn length(self) -> Duration {
        match self {
            Self::Minute => Duration::from_mins(1),
            Self::Hour => Duration::from_hours(1),
        }
    }

    /// How long rollups are kept: what is shown at the most, and a little more.
    #[must_use]
    pub const fn kept(self) -> Duration {
        match self {
            Self::Minute => Duration::from_hours(25),
            Self::Hour => Duration::from_hours(8 * 24),
        }
    }

    /// The number of the span that a moment lies in.
    #[must_use]
    pub fn number(self, at: Timestamp) -> i64 {
        let length = i64::try_from(self.length().as_micros()).unwrap_or(i64::MAX);
        at.as_micros().div_euclid(length)
    }

    /// When the span of this number begins.
    #[must_use]
    pub fn start(self, number: i64) -> Timestamp {
        let length = i64::try_from(self.length().as_micros()).unwrap_or(i64::MAX);
        Timestamp::from_micros(number.saturating_mul(length))
    }
}

/// How many jobs came to a state and went from it, in some spans side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rollup {
    /// When the first of the spans begins.
    pub start: Timestamp,
    /// The state.
    pub state: State,
    /// How many came to it.
    pub came: u64,
    /// How many went from it.
    pub went: u64,
}

/// Something that pictures are marked with, in some minutes side by side.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    /// When the first of the minutes begins.
    pub start: Timestamp,
    /// What happened: the type of an event, or [`Marker::LOST`].
    pub kind: String,
    /// How often.
    pub n: u64,
    /// To whom, at one of these times; nobody if it is about jobs.
    pub subject: Option<String>,
    /// The version that a node came with.
    pub version: Option<String>,
}

impl Marker {
    /// Attempts were lost with their worker.
    pub const LOST: &str = "attempt.lost";

    /// The types of events that mark a picture whatever they tell. A node that joins does too; a remote worker does not.
    pub const EVENTS: [&str; 11] = [
        "campaign.canceled",
        "campaign.resumed",
        "campaign.stopped",
        "hints.away",
        "hints.back",
        "hints.lost",
        "hints.rebuilt",
        "leader.changed",
        "queue.paused",
        "queue.resumed",
        "schedule.missed",
    ];

    /// How long markers are kept.
    pub const KEPT: Duration = Resolution::Hour.kept();
}
