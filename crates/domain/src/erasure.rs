//! Erasing a person: where their data can be, by what it is found, and what stands there afterwards.
//!
//! What is theirs alone goes. What others share with them stays, without them: an event keeps its number, a
//! counter its count, a key its digest.

mod broken;
mod person;

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

pub use broken::values_in;
pub use person::Person;

/// The payload of a delivery whose recipient was erased. Nobody's id is empty.
pub const PAYLOAD: &str = r#"{"recipient_id":"","erased":true}"#;
/// What stands where words quoted somebody who was erased.
pub const WORD: &str = "erased";

/// What an erasure looks through, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Schedules, so that none makes anything for the person again.
    Schedules,
    /// Their deliveries: what is not done is canceled, and waited for where it runs.
    Deliveries,
    /// The audiences of campaigns.
    Campaigns,
    /// What became of notifications.
    Notifications,
    /// Facts that have no number yet.
    Facts,
    /// Events.
    Events,
    /// The samples of dead letters.
    DeadLetters,
}

impl Stage {
    /// Every stage, in order.
    pub const ALL: [Self; 7] = [
        Self::Schedules,
        Self::Deliveries,
        Self::Campaigns,
        Self::Notifications,
        Self::Facts,
        Self::Events,
        Self::DeadLetters,
    ];

    /// The word for it, everywhere.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Schedules => "schedules",
            Self::Deliveries => "deliveries",
            Self::Campaigns => "campaigns",
            Self::Notifications => "notifications",
            Self::Facts => "facts",
            Self::Events => "events",
            Self::DeadLetters => "dead_letters",
        }
    }

    /// What comes after it; `None` after the last.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        Self::ALL.into_iter().find(|later| *later > self)
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Stage {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|stage| stage.as_str() == text);
        known.ok_or_else(|| format!("{text:?} is no stage of an erasure"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_stage_comes_once_and_reads_back() {
        let mut stage = Some(Stage::Schedules);
        let mut met = Vec::new();

        while let Some(one) = stage {
            met.push(one);
            stage = one.next();
        }

        assert_eq!(met, Stage::ALL);
        assert!(met.iter().all(|one| one.as_str().parse() == Ok(*one)));
    }
}
