//! An event: a fact about a change, numbered densely, never taken back.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize, de};
use serde_json::Value;

use crate::{Timestamp, job::Class};

/// The type of what stands in the place of an event that cannot be read: damaged, or written by a newer version.
pub const UNREADABLE: &str = "event.unreadable";

/// The number of an event, as clients see it: `epoch-seq`.
///
/// The epoch changes when history may have been lost (a restore, a failover to a lagging copy), so
/// that a client knows its place is no longer a place in this history. Which of two histories is the later one cannot be
/// told from their epochs: the clock that gave them may have been wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EventId {
    /// Which history.
    pub epoch: i64,
    /// Which event of it: 1, 2, 3 without a gap.
    pub seq: i64,
}

impl EventId {
    /// Whether whoever stands here has come as far as there, in the same history.
    #[must_use]
    pub const fn has_reached(self, there: Self) -> bool {
        self.epoch == there.epoch && self.seq >= there.seq
    }

    /// Whether it comes after that one, in the same history.
    #[must_use]
    pub const fn is_after(self, other: Self) -> bool {
        self.epoch == other.epoch && self.seq > other.seq
    }
}

impl fmt::Display for EventId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.epoch, self.seq)
    }
}

/// A text that is no event id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected an event id such as 1-4711 (epoch, dash, number)")]
pub struct ParseEventIdError;

impl FromStr for EventId {
    type Err = ParseEventIdError;

    fn from_str(text: &str) -> Result<Self, ParseEventIdError> {
        let (epoch, seq) = text.split_once('-').ok_or(ParseEventIdError)?;
        let number = |text: &str| {
            text.parse::<i64>()
                .ok()
                .filter(|n| *n >= 0)
                .ok_or(ParseEventIdError)
        };
        Ok(Self {
            epoch: number(epoch)?,
            seq: number(seq)?,
        })
    }
}

impl Serialize for EventId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for EventId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}

/// One fact, numbered.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its number.
    pub id: EventId,
    /// What happened: `job.succeeded`, `queue.paused`.
    pub kind: String,
    /// To whom: a prefixed id, or a queue's name.
    pub subject: String,
    /// When.
    pub at: Timestamp,
    /// The particulars, an object. A job's move says `queue`, `from` and `to`.
    pub data: Value,
}

impl Event {
    /// Whether it tells what the system did by itself, to mend something or to keep it from harm.
    #[must_use]
    pub fn is_recovery(&self) -> bool {
        match self.kind.as_str() {
            "leader.changed" | "schedule.missed" => true,
            "campaign.stopped" => self.data["why"].as_str().is_some_and(is_own_reason),
            kind if kind.starts_with("hints.") => true,
            kind if kind.starts_with("job.") => {
                self.data["class"] == Class::Lost.as_str() || self.data["late"] == true
            }
            _ => false,
        }
    }
}

/// Whether a campaign says that it was stopped by nobody.
fn is_own_reason(why: &str) -> bool {
    why.starts_with("stopped by itself: ")
        || why.contains(" nodes were lost, one after the other, ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_id_reads_back_as_it_was_written() {
        let id = EventId {
            epoch: 3,
            seq: 4_711,
        };

        assert_eq!(id.to_string(), "3-4711");
        assert_eq!("3-4711".parse(), Ok(id));
    }

    #[test]
    fn what_is_no_event_id_is_refused() {
        for text in ["", "5", "a-b", "1--5", "1-", "-1", "1-99999999999999999999"] {
            assert_eq!(text.parse::<EventId>(), Err(ParseEventIdError), "{text}");
        }
    }
}
