//! A fire: what a schedule has made for one of its times, or that it has not.

use crate::Timestamp;

/// A line in the history of a schedule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fire {
    /// The nominal time; the first of them where several were missed.
    pub at: Timestamp,
    /// When it was written down.
    pub recorded_at: Timestamp,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a nominal time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Something was made.
    Made {
        /// The id of what was made: `job_...`.
        made: String,
        /// Whether a person asked for it, out of turn.
        by_hand: bool,
    },
    /// Nothing was made, for this time and those up to another one.
    Missed {
        /// How many, and up to which.
        run: MissedRun,
        /// Why.
        reason: String,
    },
}

/// Nominal times in a row for which nothing is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MissedRun {
    /// The first of them.
    pub first: Timestamp,
    /// The last of them.
    pub last: Timestamp,
    /// How many; they are counted up to [`MissedRun::MOST`].
    pub count: u32,
}

impl MissedRun {
    /// As far as anybody counts: a schedule of every second misses a million in two weeks.
    pub const MOST: u32 = 1_000;

    /// A single one.
    #[must_use]
    pub const fn one(at: Timestamp) -> Self {
        Self {
            first: at,
            last: at,
            count: 1,
        }
    }
}
