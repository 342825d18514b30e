//! The nodes: who is there, with a worker or without.

use async_trait::async_trait;
use baton_domain::{
    Timestamp, WorkerId,
    node::{Node, SeenNode},
    time::ClockDrift,
};

use super::Result;

/// The nodes: who is there, with a worker or without.
#[async_trait]
pub trait Nodes: Send + Sync {
    /// Writes that a node is there, and how far its machine's clock is from the store's. Answers the store's own time, as
    /// [`super::Upkeep::time`] does: whoever asks for it anyway writes this beside, and no transaction more is made.
    async fn beat_node(
        &self,
        node: &Node,
        clock: Option<ClockDrift>,
        now: Timestamp,
    ) -> Result<Timestamp>;

    /// A node stops in order: it is listed no more.
    async fn remove_node(&self, node: WorkerId) -> Result<()>;

    /// Nodes seen since `since`, by name.
    async fn nodes(&self, since: Timestamp) -> Result<Vec<SeenNode>>;
}
