//! A node: a process of Baton, in whatever roles, as the other nodes see it.

use std::time::Duration;

use crate::{Timestamp, WorkerId, time::ClockDrift, words::words};

/// How often a node writes that it is there.
pub const BEAT: Duration = Duration::from_secs(15);
/// A node that was not seen for longer has gone: it has missed two beats, and the third is late.
pub const GONE_AFTER: Duration = Duration::from_secs(45);
/// How long a node that has gone is remembered.
pub const REMEMBERED: Duration = Duration::from_hours(1);

/// A node as it presents itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// This incarnation of the process; its worker has the same id.
    pub id: WorkerId,
    /// The machine it runs on, and its process id there: `host:4711`.
    pub name: String,
    /// Where it listens.
    pub address: Option<String>,
    /// Baton's version.
    pub version: String,
    /// What it does: `api`, `engine`, `worker`.
    pub roles: Vec<String>,
    /// When it started.
    pub started_at: Timestamp,
}

/// A node as a store shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenNode {
    /// What it says of itself.
    pub node: Node,
    /// How far its machine's clock was from the store's then, if that had been measured.
    pub clock: Option<ClockDrift>,
    /// When it last wrote that it is there.
    pub seen_at: Timestamp,
}

words! {
    /// How a node is.
    pub enum NodeState {
        /// It beats.
        Live = "live",
        /// It has not been seen for three beats, and did not say that it stops.
        Gone = "gone",
    }
}

impl SeenNode {
    /// How the node is. What it wrote at a moment that is to come, it wrote by a clock that was put back since; if it is there, it
    /// writes again.
    #[must_use]
    pub fn state(&self, now: Timestamp) -> NodeState {
        let off = now.since(self.seen_at).max(self.seen_at.since(now));
        if off > GONE_AFTER {
            NodeState::Gone
        } else {
            NodeState::Live
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn seen_at(seen_at: Timestamp) -> SeenNode {
        let node = Node {
            id: WorkerId::new(seen_at),
            name: "host:1".to_owned(),
            address: None,
            version: "0.1.0".to_owned(),
            roles: Vec::new(),
            started_at: seen_at,
        };
        SeenNode {
            node,
            clock: None,
            seen_at,
        }
    }

    #[test]
    fn a_node_that_misses_two_beats_is_live_and_one_that_misses_the_third_has_gone() {
        let began = Timestamp::from_micros(1_000_000_000);
        let node = seen_at(began);

        let third = node.state(began + 3 * BEAT);
        let later = node.state(began + 3 * BEAT + SECOND);

        assert_eq!((third, later), (NodeState::Live, NodeState::Gone));
    }

    #[test]
    fn a_node_that_was_seen_long_after_now_has_gone() {
        let began = Timestamp::from_micros(1_000_000_000);
        let node = seen_at(began + GONE_AFTER + SECOND);

        let before = node.state(began);
        let soon = node.state(began + SECOND);

        assert_eq!((before, soon), (NodeState::Gone, NodeState::Live));
    }
}
