//! Rollups: what pictures are drawn from.

use async_trait::async_trait;
use baton_domain::{
    Timestamp,
    rollup::{Resolution, Rollup},
};
use baton_ports::store::{Result, RollupRequest, Rollups};

use super::SqlStore;
use crate::{
    row::Row,
    statement::{ROLLUPS_TOLD, UPKEEP_PRUNE_ROLLUPS},
    value::params,
};

/// How many spans one transaction forgets of each resolution at the most.
const SPANS: u32 = 60;

#[async_trait]
impl Rollups for SqlStore {
    async fn rollups(&self, request: &RollupRequest, since: Timestamp) -> Result<Vec<Rollup>> {
        let resolution = request.resolution;
        let params = params! {
            queue: request.queue.as_deref().unwrap_or_default(), resolution: resolution.as_str(),
            first: resolution.number(since), step: request.step.max(1),
        };
        let rows = self.read(&ROLLUPS_TOLD, params).await?;
        Ok(self.readable("rollups", rows, |row| rollup(row, resolution)))
    }
}

impl SqlStore {
    /// Forgets what is kept no longer.
    pub(super) async fn prune_rollups(&self, now: Timestamp) -> Result<u32> {
        let mut gone = 0;
        for resolution in Resolution::ALL {
            let params = params! {
                resolution: resolution.as_str(), spans: SPANS,
                kept: resolution.number(now - resolution.kept()),
            };
            gone += self.gone(&UPKEEP_PRUNE_ROLLUPS, params).await?;
        }
        Ok(gone)
    }
}

fn rollup(row: Row, resolution: Resolution) -> Result<Rollup> {
    let mut cells = row.cells("rollups");
    Ok(Rollup {
        start: resolution.start(cells.int("span")?),
        state: cells.word("state")?,
        came: cells.count("came")?,
        went: cells.count("went")?,
    })
}
