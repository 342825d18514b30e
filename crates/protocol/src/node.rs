//! Nodes, as they last wrote that they are there.

use baton_domain::{Timestamp, WorkerId, node, time::ClockDrift};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A node: one incarnation of a process of Baton, with a worker or without.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Node {
    /// Its id; a restart is another node. A worker inside it has the same one.
    #[schema(value_type = String)]
    pub id: WorkerId,
    /// The machine it runs on, and its process id there.
    #[schema(example = "host:4711")]
    pub name: String,
    /// Where it listens, if it has said so.
    #[schema(example = "http://10.0.0.7:7700")]
    pub address: Option<String>,
    /// Baton's version.
    pub version: String,
    /// What it does: `api`, `engine`, `worker`.
    pub roles: Vec<String>,
    /// How it is.
    #[schema(value_type = node::NodeState)]
    pub state: String,
    /// Whether it leads.
    pub leads: bool,
    /// When it started.
    pub started_at: Timestamp,
    /// When it last wrote that it is there.
    pub seen_at: Timestamp,
    /// How far its machine's clock was from the database's then; null before that was measured.
    pub clock: Option<NodeClock>,
}

/// How far a machine's clock is from the database's, which is the one that is followed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NodeClock {
    /// How many seconds the database's clock is ahead of the machine's; behind, if below zero.
    pub offset_seconds: f64,
    /// How many seconds that can be wrong by.
    pub bound_seconds: f64,
}

impl Node {
    /// A node as it looks at `now`, while `leader` leads.
    #[must_use]
    pub fn at(seen: node::SeenNode, now: Timestamp, leader: Option<WorkerId>) -> Self {
        Self {
            state: seen.state(now).as_str().to_owned(),
            leads: leader == Some(seen.node.id),
            id: seen.node.id,
            name: seen.node.name,
            address: seen.node.address,
            version: seen.node.version,
            roles: seen.node.roles,
            started_at: seen.node.started_at,
            seen_at: seen.seen_at,
            clock: seen.clock.map(NodeClock::from),
        }
    }
}

impl From<ClockDrift> for NodeClock {
    fn from(drift: ClockDrift) -> Self {
        Self {
            offset_seconds: drift.ahead.as_secs_f64(),
            bound_seconds: drift.bound.as_secs_f64(),
        }
    }
}
