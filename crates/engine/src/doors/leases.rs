//! Leases that are lost at once, as if their workers had been silent for long enough.

use std::collections::HashMap;

use baton_domain::{LeaseId, Timestamp, access::Permission};
use baton_ports::{
    Wakeup,
    store::{By, SettleOutcome},
};

use crate::{Caller, Result};

/// How many leases, and how many jobs of them, are read at once.
const LEASES: u32 = 50_000;
const JOBS: u32 = 1_000;
/// How often a renewal may come in between before what is still held is left alone.
const MISSES: u32 = 20;

impl Caller {
    /// Takes back whatever is leased now, by the rules of the rescuer; says how many jobs that were. What is leased
    /// meanwhile stays.
    pub async fn lose_leases(&self) -> Result<u32> {
        self.needs(Permission::Operate)?;
        let leases: Vec<_> = self.standing().await?.into_keys().collect();
        let (mut lost, mut misses) = (0, 0);
        while misses < MISSES {
            match self.take_back(&leases).await? {
                None => break,
                Some(0) => misses += 1,
                Some(taken) => lost += taken,
            }
        }
        tracing::warn!("{lost} jobs have lost their leases, as a test has asked");
        self.inner.wakeups.send(Wakeup::Due);
        self.inner.wakeups.send(Wakeup::Facts);
        Ok(lost)
    }

    /// The leases there are, and until when each lasts.
    async fn standing(&self) -> Result<HashMap<LeaseId, Timestamp>> {
        let views = self.store().leases(LEASES).await?.into_iter();
        Ok(views.map(|view| (view.lease, view.until)).collect())
    }

    /// Takes back some of what these leases hold; nothing when they hold nothing more. Where a renewal came in
    /// between, the next turn takes it.
    async fn take_back(&self, leases: &[LeaseId]) -> Result<Option<u32>> {
        let standing = self.standing().await?;
        let held = self.store().held(leases, JOBS).await?;
        let now = self.now();
        let results = held.iter().filter_map(|held| {
            let seen = standing.get(&held.lease)?;
            held.lost(*seen, now)
        });
        let results: Vec<_> = results.collect();
        if results.is_empty() {
            return Ok(None);
        }
        let settled = self.store().settle(By::Rescuer, &results, now).await?;
        let recorded = settled
            .iter()
            .filter(|one| **one == SettleOutcome::Recorded);
        Ok(Some(u32::try_from(recorded.count()).unwrap_or(u32::MAX)))
    }
}
