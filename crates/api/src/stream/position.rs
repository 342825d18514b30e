//! Where a reader is in the history, and whether it can go on from there.

use baton_domain::event::{EventId, ParseEventIdError};
use baton_ports::store::EventBounds;

/// Where a reader is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Position {
    /// It has seen everything up to this number.
    At(i64),
    /// What it gave is no event id.
    Unreadable(ParseEventIdError),
    /// It cannot go on without a gap, and why.
    Lost(String),
}

impl Position {
    /// Reads the id of the last event a reader saw.
    pub fn read(id: &str, bounds: &EventBounds) -> Self {
        match id.parse::<EventId>() {
            Err(error) => Self::Unreadable(error),
            Ok(EventId { epoch, seq }) => match lost(epoch, seq, bounds) {
                Some(why) => Self::Lost(why),
                None => Self::At(seq),
            },
        }
    }
}

/// Why a reader at this place cannot go on without a gap, if it cannot.
pub fn lost(epoch: i64, seq: i64, bounds: &EventBounds) -> Option<String> {
    if epoch != bounds.epoch {
        Some(format!(
            "This place is in history {epoch}, and the present one is {}: the database was restored or replaced.",
            bounds.epoch
        ))
    } else if seq > bounds.last {
        Some(format!(
            "This place lies in the future: the last event is number {}.",
            bounds.last
        ))
    } else if seq + 1 < bounds.first {
        Some(format!(
            "The events after this place are not all kept any more: the first that is kept is number {}.",
            bounds.first
        ))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: EventBounds = EventBounds {
        epoch: 2,
        first: 10,
        last: 20,
    };

    #[test]
    fn a_reader_goes_on_from_any_place_that_leaves_no_gap() {
        for seq in [9, 10, 19, 20] {
            assert_eq!(
                Position::read(&format!("2-{seq}"), &BOUNDS),
                Position::At(seq)
            );
        }
    }

    #[test]
    fn a_reader_is_lost_before_the_first_event_after_the_last_and_in_another_history() {
        for id in ["2-8", "2-21", "1-15", "3-15", "2-9223372036854775807"] {
            assert!(
                matches!(Position::read(id, &BOUNDS), Position::Lost(_)),
                "{id}"
            );
        }
    }
}
