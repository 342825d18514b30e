//! Jobs that were claimed for this worker without its hearing of it.

use std::{collections::HashSet, sync::Arc, time::Duration};

use baton_domain::{LeaseId, Timestamp, job::Decision};
use baton_ports::{
    Wake,
    store::{By, Held, Result, Settlement},
};

use crate::{core::Core, detached::detached};

/// How many held jobs are looked through for them.
const LOOK: u32 = 100_000;

/// Gives back what is held under leases whose claim was never answered.
///
/// The connection broke around the claim's commit, and each renewal keeps the lease alive: left
/// alone, its jobs would be held for as long as the worker lives.
pub async fn give_back(core: &Arc<Core>, leases: &HashSet<LeaseId>, until: Timestamp) {
    match try_give_back(core, leases, until).await {
        Ok(0) => {}
        Ok(count) => {
            tracing::info!(count, "{count} jobs of an unanswered claim are given back");
            core.signal.ring(Wake::Facts);
            core.signal.ring(Wake::Ready);
        }
        // The next renewal finds them again.
        Err(error) => {
            tracing::warn!(error = %error, "jobs of an unanswered claim cannot be given back yet: {error}");
        }
    }
}

async fn try_give_back(
    core: &Arc<Core>,
    leases: &HashSet<LeaseId>,
    until: Timestamp,
) -> Result<usize> {
    let before = until + Duration::from_secs(1);
    let held = core.store.overdue(before, LOOK).await?;
    let now = core.clock.now();
    let settlements: Vec<Settlement> = held
        .iter()
        .filter(|held| leases.contains(&held.lease))
        .filter_map(|held| settlement(held, now))
        .collect();
    let count = settlements.len();
    if count > 0 {
        let (store, by) = (Arc::clone(&core.store), By::Worker(core.config.worker));
        detached(async move { store.settle(by, &settlements, now).await }).await?;
    }
    Ok(count)
}

fn settlement(held: &Held, now: Timestamp) -> Option<Settlement> {
    Some(Settlement {
        lease: held.lease,
        job: held.job,
        ticket: held.ticket,
        queued_at: held.queued_at,
        started_at: None,
        decision: Decision::give_back(held.ticket, now).ok()?,
        fingerprint: None,
    })
}
