//! Lost claims: jobs that were claimed for this worker, whose answer it never heard. They are given back.

use std::{collections::BTreeSet, sync::Arc};

use baton_domain::{LeaseId, Timestamp, job::Decision};
use baton_ports::{
    Wakeup,
    bisect::bisect,
    store::{AttemptResult, By, HeldJob, Result},
};

use crate::{core::Core, detached::detached};

/// How many jobs are given back at once.
const LOOK: u32 = 100_000;

/// Gives back what is held under leases whose claim was never answered.
///
/// The connection broke around the claim's commit: left alone, its jobs would be held for a lease, and
/// then count as lost.
pub async fn give_back(core: &Arc<Core>, leases: &BTreeSet<LeaseId>) {
    match try_give_back(core, leases).await {
        Ok(0) => {}
        Ok(count) => {
            tracing::info!(count, "{count} jobs of an unanswered claim are given back");
            core.wakeups.send(Wakeup::Facts);
            core.wakeups.send(Wakeup::Ready);
        }
        // The next renewal finds them again.
        Err(error) => {
            tracing::warn!(error = %error, "jobs of an unanswered claim cannot be given back yet: {error}");
        }
    }
}

async fn try_give_back(core: &Arc<Core>, leases: &BTreeSet<LeaseId>) -> Result<usize> {
    let leases: Vec<LeaseId> = leases.iter().copied().collect();
    let held = core.store.held(&leases, LOOK).await?;
    let now = core.clock.now();
    let results: Vec<AttemptResult> = held.iter().filter_map(|held| result(held, now)).collect();
    let by = By::Worker(core.config.worker);
    let settle = |piece: Vec<AttemptResult>| {
        let store = Arc::clone(&core.store);
        detached(async move { store.settle(by, &piece, now).await })
    };
    let bisected = bisect(&results, false, settle).await?;
    for (result, error) in &bisected.alone {
        let job = result.job;
        tracing::error!(%job, %error, "the store does not take {job} back: {error}; the others are, and it waits for its lease to end");
        metrics::counter!("baton_rows_refused_total", "what" => "give_back").increment(1);
    }
    if let Some((left, error)) = &bisected.unanswered {
        let count = left.len();
        tracing::warn!(count, %error, "{count} jobs of an unanswered claim cannot be given back yet: {error}");
    }
    Ok(bisected.answers.iter().map(Vec::len).sum())
}

fn result(held: &HeldJob, now: Timestamp) -> Option<AttemptResult> {
    Some(AttemptResult {
        lease: held.lease,
        job: held.job,
        counters: held.counters,
        queued_at: held.queued_at,
        started_at: None,
        decision: Decision::give_back(held.counters, now).ok()?,
        fingerprint: None,
        seen: None,
    })
}
