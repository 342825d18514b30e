//! Reconciling: counters are compared with what they count in one look, and repaired one by one.
//!
//! A look sees one moment of the database, in which places, counters and facts belong together: it needs no
//! lock, however many jobs it counts. What has drifted is a difference, and stays the same whatever is
//! numbered meanwhile; so a repair adds it, in a transaction of one counter.

use baton_domain::Timestamp;
use baton_ports::store::{Drift, Result};

use super::SqlStore;
use crate::{row::Row, statement as sql, value::params};

/// How many counters are repaired in one go at the most.
const MANY: u32 = 1_000;

/// A counter that had drifted when the last fact that had a number was this one.
pub struct DriftAt {
    drift: Drift,
    seq: i64,
}

impl SqlStore {
    pub(super) async fn reconcile_at(&self, now: Timestamp) -> Result<Vec<Drift>> {
        self.repair_drift(self.look_for_drift().await?, now).await
    }

    /// The first half, for the tests of two at once.
    #[doc(hidden)]
    pub async fn look_for_drift(&self) -> Result<Vec<DriftAt>> {
        let rows = self
            .read(&sql::upkeep::RECONCILE, params! { limit: MANY })
            .await?;
        rows.into_iter().map(seen).collect()
    }

    /// The second half.
    #[doc(hidden)]
    pub async fn repair_drift(&self, seen: Vec<DriftAt>, now: Timestamp) -> Result<Vec<Drift>> {
        let mut repaired = Vec::with_capacity(seen.len());
        for DriftAt { drift, seq } in seen {
            if self.repair(&drift, seq, now).await? {
                repaired.push(drift);
            }
        }
        Ok(repaired)
    }

    /// `false` means that somebody else was quicker.
    async fn repair(&self, drift: &Drift, seen: i64, now: Timestamp) -> Result<bool> {
        let params = params! {
            queue: &*drift.queue, state: &*drift.state, counted: drift.counted, found: drift.found,
            seen: seen, now: now,
        };
        Ok(!self.write(&sql::upkeep::REPAIR, params).await?.is_empty())
    }
}

fn seen(row: Row) -> Result<DriftAt> {
    let mut cells = row.cells("queue_counts");
    let drift = Drift {
        queue: cells.text("queue")?,
        state: cells.text("state")?,
        counted: cells.int("counted")?,
        found: cells.int("found")?,
    };
    let seq = cells.int("last_seq")?;
    Ok(DriftAt { drift, seq })
}
