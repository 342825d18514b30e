//! The nodes: who is there, with a worker or without.

use async_trait::async_trait;
use baton_domain::{
    Timestamp, WorkerId,
    node::{Node, SeenNode},
    time::{ClockDrift, SignedDuration},
};
use baton_ports::store::{Nodes, Result};

use super::{
    SqlStore,
    fleet::{micros, span},
    upkeep::told_time,
};
use crate::{
    kernel::ConnectionPool,
    row::{Cells, Row},
    statement as sql,
    value::params,
};

#[async_trait]
impl Nodes for SqlStore {
    async fn beat_node(
        &self,
        node: &Node,
        clock: Option<ClockDrift>,
        now: Timestamp,
    ) -> Result<Timestamp> {
        let params = params! {
            id: node.id.uuid(), name: node.name.clone(), address: node.address.clone(), version: node.version.clone(),
            roles: serde_json::to_string(&node.roles).unwrap_or_default(), started_at: node.started_at, now: now,
            clock_ahead: clock.map(|clock| ahead(clock.ahead)), clock_bound: clock.map(|clock| micros(clock.bound)),
        };
        // As a worker's beat, it waits for no disk and no standby: the clock is read with it.
        let told = self
            .kernel
            .write(ConnectionPool::Claim, &sql::nodes::BEAT, params);
        told_time(told.await?)
    }

    async fn remove_node(&self, node: WorkerId) -> Result<()> {
        let params = params! { id: node.uuid() };
        self.write(&sql::nodes::REMOVE, params).await.map(drop)
    }

    async fn nodes(&self, since: Timestamp) -> Result<Vec<SeenNode>> {
        let rows = self
            .read(&sql::nodes::LIST, params! { since: since })
            .await?;
        Ok(self.readable("nodes", rows, node))
    }
}

fn node(row: Row) -> Result<SeenNode> {
    let mut cells = row.cells("nodes");
    let cells = &mut cells;
    Ok(SeenNode {
        node: Node {
            id: WorkerId::from_uuid(cells.uuid("id")?),
            name: cells.text("name")?,
            address: cells.maybe_text("address")?,
            version: cells.text("version")?,
            roles: cells.json("roles")?,
            started_at: cells.time("started_at")?,
        },
        clock: clock(cells)?,
        seen_at: cells.time("seen_at")?,
    })
}

fn clock(cells: &mut Cells) -> Result<Option<ClockDrift>> {
    let ahead = cells.maybe_int("clock_ahead_us")?;
    let bound = cells.maybe_int("clock_bound_us")?;
    Ok(ahead.zip(bound).map(|(ahead, bound)| ClockDrift {
        ahead: SignedDuration::from_micros(ahead),
        bound: span(bound),
    }))
}

fn ahead(span: SignedDuration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}
