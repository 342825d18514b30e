//! A queue: a named line of jobs that can be paused and limited.

use crate::{CampaignId, Timestamp};

/// The queue of a job that names none.
pub const DEFAULT: &str = "default";

/// What a queue, a kind or a tag may be called, as a sentence.
pub const NAME_RULE: &str =
    "must be 1 to 64 letters, digits, '.', '_', ':' or '-', starting with a letter or digit";

/// Whether a text can name a queue, a kind or a tag.
#[must_use]
pub fn is_name(text: &str) -> bool {
    (1..=64).contains(&text.len())
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "._:-".contains(c))
}

/// Why a queue with such a name is not for clients, as a sentence.
pub const RESERVED: &str =
    "names the line of a campaign; its deliveries come from the campaign, and are ruled by it";

/// The campaign whose line this is.
#[must_use]
pub fn campaign_of(name: &str) -> Option<CampaignId> {
    name.parse().ok()
}

/// A queue as a store shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Queue {
    /// Its name.
    pub name: String,
    /// Whether nothing is claimed from it.
    pub paused: bool,
    /// How many of its jobs may run at once, in the whole fleet.
    pub max_running: Option<u32>,
    /// How many of its jobs may start each second, in the whole fleet.
    pub rate: Option<f64>,
    /// How many jobs wait for their time.
    pub pending: u64,
    /// How many jobs any worker may claim.
    pub queued: u64,
    /// How many jobs run.
    pub running: u64,
    /// How many jobs wait for their next attempt.
    pub retry_wait: u64,
    /// How many jobs are dead letters, discarded ones included.
    pub failed: u64,
    /// How many jobs succeeded, pruned ones included.
    pub succeeded: u64,
    /// Since when the longest waiting claimable job has been due.
    pub oldest_queued_at: Option<Timestamp>,
    /// Jobs finished a second, over the last whole minute.
    pub per_second: f64,
}

/// A change to a queue; what is `None` stays.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct QueueChange {
    /// Pauses or resumes it.
    pub paused: Option<bool>,
    /// Limits how many run at once; `Some(None)` lifts the limit.
    pub max_running: Option<Option<u32>>,
    /// Limits how many start each second; `Some(None)` lifts the limit.
    pub rate: Option<Option<f64>>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_words() {
        for name in ["default", "email.high", "a", "report:monthly", "9-lives"] {
            assert!(is_name(name), "{name}");
        }
        for name in [
            "",
            ".hidden",
            "two words",
            "naïve",
            &"x".repeat(65),
            "a/b",
            "a\0b",
        ] {
            assert!(!is_name(name), "{name}");
        }
    }
}
