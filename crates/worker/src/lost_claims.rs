//! Lost claims: jobs that were claimed for this worker, whose answer it never heard. They are given back.

use std::{collections::BTreeSet, sync::Arc};

use baton_domain::LeaseId;
use baton_ports::{Wakeup, work_source::GivenBack};

use crate::{core::Core, detached::detached};

/// Gives back what is held under leases whose claim was never answered.
///
/// The connection broke around the claim's commit: left alone, its jobs would be held for a lease, and
/// then count as lost.
pub async fn give_back(core: &Arc<Core>, leases: &BTreeSet<LeaseId>) {
    let leases: Vec<LeaseId> = leases.iter().copied().collect();
    let (source, worker, now) = (
        Arc::clone(&core.source),
        core.config.worker,
        core.clock.now(),
    );
    let given = detached(async move { source.give_back(worker, &leases, now).await }).await;
    match given {
        Ok(given) => told(core, &given),
        // The next renewal finds them again.
        Err(error) => {
            tracing::warn!(error = %error, "jobs of an unanswered claim cannot be given back yet: {error}");
        }
    }
}

fn told(core: &Core, given: &GivenBack) {
    for (job, error) in &given.refused {
        tracing::error!(%job, %error, "{job} of an unanswered claim is not taken back: {error}; the others are, and it waits for its lease to end");
        metrics::counter!("baton_rows_refused_total", "what" => "give_back").increment(1);
    }
    if let Some((count, error)) = &given.unanswered {
        tracing::warn!(count, %error, "{count} jobs of an unanswered claim cannot be given back yet: {error}");
    }
    let count = given.count;
    if count > 0 {
        tracing::info!(count, "{count} jobs of an unanswered claim are given back");
        core.wakeups.send(Wakeup::Facts);
        core.wakeups.send(Wakeup::Ready);
    }
}
