//! Doors for tests of users, which `serve --dev` alone has. They are no part of the API: its description leaves them out.

use std::time::Duration;

use baton_domain::{Timestamp, duration};
use serde::{Deserialize, Serialize};

/// By how much the clock of a server is put ahead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AdvanceClock {
    /// The span; ten years in all at the most.
    #[serde(with = "duration")]
    pub advance: Duration,
}

/// What the clock of a server shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockShows {
    /// The moment.
    pub now: Timestamp,
}

/// How many jobs have lost their leases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeasesLost {
    /// So many.
    pub lost: u32,
}

/// How many connections were cut.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectionsCut {
    /// So many; the one that asked for it is none of them.
    pub cut: usize,
}

/// How long to wait until nothing is due and nothing runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuietQuery {
    /// Answers after this span at the latest, and 25s at the most.
    #[serde(default, with = "duration::option")]
    pub wait: Option<Duration>,
}

/// Whether a server is quiet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quiet {
    /// Whether nothing is due and nothing runs.
    pub quiet: bool,
    /// What is, in words; not all of it.
    pub busy: Vec<String>,
}
