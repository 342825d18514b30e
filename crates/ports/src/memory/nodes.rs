//! The nodes: who is there, with a worker or without.

use async_trait::async_trait;
use baton_domain::{
    Timestamp, WorkerId,
    node::{Node, SeenNode},
    time::ClockDrift,
};

use super::{MemoryStore, Tables};
use crate::store::{Nodes, Result};

#[async_trait]
impl Nodes for MemoryStore {
    async fn beat_node(
        &self,
        node: &Node,
        clock: Option<ClockDrift>,
        now: Timestamp,
    ) -> Result<Timestamp> {
        self.tables().beat_node(node, clock, now);
        Ok(self.clock.now())
    }

    async fn remove_node(&self, node: WorkerId) -> Result<()> {
        self.tables().nodes.remove(&node);
        Ok(())
    }

    async fn nodes(&self, since: Timestamp) -> Result<Vec<SeenNode>> {
        let tables = self.tables();
        let seen = tables.nodes.values();
        let mut nodes: Vec<_> = seen.filter(|seen| seen.seen_at >= since).cloned().collect();
        nodes.sort_by(|a, b| a.node.name.cmp(&b.node.name));
        Ok(nodes)
    }
}

impl Tables {
    fn beat_node(&mut self, node: &Node, clock: Option<ClockDrift>, now: Timestamp) {
        let seen = self.nodes.entry(node.id).or_insert_with(|| SeenNode {
            node: node.clone(),
            clock,
            seen_at: now,
        });
        (seen.clock, seen.seen_at) = (clock, now);
    }

    pub(super) fn prune_nodes(&mut self, cutoff: Timestamp) {
        self.nodes.retain(|_, seen| seen.seen_at >= cutoff);
    }
}
