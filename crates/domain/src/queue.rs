//! A queue: a named line of jobs that can be paused and limited.

mod wait_targets;

use std::{sync::Arc, time::Duration};

use crate::{CampaignId, Timestamp, notification, words::words};

pub use wait_targets::WaitTargets;

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

/// Which queues may be used: names, or patterns in which `*` stands for any letters. Empty means all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AllowList(Arc<[String]>);

impl AllowList {
    /// These names and patterns.
    #[must_use]
    pub fn of(patterns: &[String]) -> Self {
        Self(patterns.into())
    }

    /// Whether a queue may be used. That of notifications always may.
    #[must_use]
    pub fn allows(&self, queue: &str) -> bool {
        let is_like = |pattern: &String| matches(pattern, queue);
        self.0.is_empty() || queue == notification::QUEUE || self.0.iter().any(is_like)
    }

    /// Whether a name is among them, whatever it is the name of.
    #[must_use]
    pub fn lists(&self, name: &str) -> bool {
        self.0.is_empty() || self.0.iter().any(|pattern| matches(pattern, name))
    }

    /// The patterns, for people.
    #[must_use]
    pub fn told(&self) -> String {
        self.0.join(", ")
    }

    /// Why a queue may not be used, as a sentence that says which may.
    #[must_use]
    pub fn refusal(&self, queue: &str) -> String {
        let allowed = self.0.join(", ");
        format!("{queue:?} is no queue that may be used here; queues.allow says: {allowed}")
    }
}

/// Whether a name is like a pattern: its pieces stand in it in their order, the first and the last at the ends.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    let Some(name) = name
        .strip_prefix(first)
        .and_then(|name| name.strip_suffix(last))
    else {
        return false;
    };
    let mut pieces = middle.split('*');
    pieces
        .try_fold(name, |name, piece| {
            name.split_once(piece).map(|(_, after)| after)
        })
        .is_some()
}

/// Why a queue with such a name is not for clients, as a sentence.
pub const RESERVED: &str =
    "names the line of a campaign; its deliveries come from the campaign, and are ruled by it";

/// The campaign whose line this is.
#[must_use]
pub fn campaign_of(name: &str) -> Option<CampaignId> {
    name.parse().ok()
}

words! {
    /// Who works a queue off.
    #[derive(PartialOrd, Ord)]
    pub enum WorkedBy, or "{text} works no queue off: it is {words}" {
        /// The workers inside the servers, which know the built-in kinds.
        Server = "server",
        /// Remote workers, which say what they know.
        Remote = "remote",
    }
}

/// How far back it is looked how fast jobs end.
const WINDOW: Duration = Duration::from_mins(1);

/// How many jobs end a second, over the last minute or as much of it as they have `run`: all that ended in this minute on the clock, and of
/// those of the minute before, as far as they had begun by then, the share that is no longer ago.
#[must_use]
pub fn per_second(before: u64, since: u64, run: Duration, now: Timestamp) -> f64 {
    let minute = WINDOW.as_secs_f64();
    let elapsed = now.as_micros().rem_euclid(60_000_000) as f64 / 1_000_000.0;
    let ran_before = (run.as_secs_f64() - elapsed).clamp(0.0, minute);
    let share = match ran_before > 0.0 {
        true => ((minute - elapsed) / ran_before).min(1.0),
        false => 1.0,
    };
    let ended = before as f64 * share + since as f64;
    ended / run.clamp(Duration::from_secs(1), WINDOW).as_secs_f64()
}

/// A queue as a store shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Queue {
    /// Its name.
    pub name: String,
    /// Who works it off.
    pub worked_by: WorkedBy,
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
    /// How many at-most-once jobs ended without anybody knowing whether they were done.
    pub uncertain: u64,
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
    fn queues_may_be_used_whose_names_are_like_what_is_allowed() {
        let allow = AllowList::of(&["mail".into(), "tenant-*".into(), "*.high.*-x".into()]);

        for queue in ["mail", "tenant-", "tenant-7", "a.high.b-x", "notifications"] {
            assert!(allow.allows(queue), "{queue}");
        }
        for queue in ["mails", "a-tenant-7", "default", "a.high-x", "high.b-x", ""] {
            assert!(!allow.allows(queue), "{queue}");
        }
        assert!(AllowList::default().allows("anything"));
    }

    #[test]
    fn a_star_takes_nothing_twice() {
        for (pattern, name, is_like) in [
            ("ab*ba", "aba", false),
            ("ab*ba", "abba", true),
            ("*", "x", true),
            ("a*b*b", "ab", false),
            ("a*b*b", "abb", true),
        ] {
            assert_eq!(matches(pattern, name), is_like, "{pattern} {name}");
        }
    }

    #[test]
    fn what_has_just_begun_is_told_at_the_pace_that_it_goes_at() {
        let at = |second: i64| Timestamp::from_micros(second * 1_000_000);
        let pace =
            |before, since, ran, now| per_second(before, since, Duration::from_secs(ran), at(now));

        // One a second from the twentieth second of a minute on.
        assert!((pace(0, 30, 30, 50) - 1.0).abs() < 1e-9);
        assert!((pace(40, 10, 50, 70) - 1.0).abs() < 1e-9);
        assert!((pace(40, 30, 70, 90) - 1.0).abs() < 1e-9);
        assert!((pace(60, 30, 130, 150) - 1.0).abs() < 1e-9);
        // What has run for ever fills the whole minute before.
        assert!((pace(60, 15, u64::MAX, 75) - 1.0).abs() < 1e-9);
        assert!((pace(0, 0, 0, 0)).abs() < 1e-9);
    }

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
