//! Erasing a person: where their data can be, by what it is found, and what stands there afterwards.
//!
//! What is theirs alone goes. What others share with them stays, without them: an event keeps its number, a
//! counter its count, a key its digest.

mod broken;
mod person;

pub use broken::values_in;
pub use person::Person;

use crate::words::words;

/// The payload of a delivery whose recipient was erased. Nobody's id is empty.
pub const PAYLOAD: &str = r#"{"recipient_id":"","erased":true}"#;
/// What stands where words quoted somebody who was erased.
pub const WORD: &str = "erased";

words! {
    /// What an erasure looks through.
    #[derive(PartialOrd, Ord)]
    pub enum Stage, or "\"{text}\" is no stage of an erasure" {
        /// Schedules, so that none makes anything for the person again.
        Schedules = "schedules",
        /// Their deliveries: what is not done is canceled, and waited for where it runs.
        Deliveries = "deliveries",
        /// The audiences of campaigns.
        Campaigns = "campaigns",
        /// What became of notifications.
        Notifications = "notifications",
        /// Facts that have no number yet.
        Facts = "facts",
        /// Events.
        Events = "events",
        /// The samples of dead letters.
        DeadLetters = "dead_letters",
    }
}

impl Stage {
    /// What comes after it; `None` after the last.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        Self::ALL.into_iter().find(|later| *later > self)
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
