//! Consumers: each waits for the hints of one queue.

use std::{collections::HashSet, sync::Arc, time::Duration};

use baton_domain::JobId;
use tokio::{sync::oneshot, time::timeout};

use crate::{
    claim_source::NamedJobs,
    claimer::{GATHER, LIMITED},
    core::Core,
    queue_slots::{Capacity, QueueSlots},
    queue_view::QueueView,
    store_backoff::{StoreBackoff, jittered},
};

use super::{HintSource, telemetry};

/// How long one take waits for a hint. It is never cut short, so a stop may take as long.
const WAIT: Duration = Duration::from_secs(1);
/// How long a consumer waits after an error, at the most.
const LONGEST: Duration = Duration::from_secs(1);

/// Takes hints for a queue until nobody wants them.
pub async fn run(core: Arc<Core>, hinted: Arc<HintSource>, slots: Arc<QueueSlots>) {
    let mut delay = StoreBackoff::up_to(LONGEST);
    while !core.draining.is_cancelled() && !hinted.awaited.dismiss(&slots) {
        match turn(&core, &hinted, &slots).await {
            Ok(()) => delay.reset(),
            Err(error) => {
                hinted.failed(&core, &error);
                nap(&core, delay.wait()).await;
            }
        }
    }
}

async fn turn(
    core: &Core,
    hinted: &HintSource,
    slots: &Arc<QueueSlots>,
) -> baton_ports::hints::Result<()> {
    hinted.recover().await?;
    // Who cannot claim leaves the hints to those who can.
    let is_of_use = hinted.is_open() && core.may_claim() && core.is_at_work();
    if !is_of_use {
        nap(core, jittered(LIMITED)).await;
        return Ok(());
    }
    let limit = room(core, slots).await;
    if limit == 0 {
        return Ok(());
    }
    let taken = hinted
        .hints
        .take(hinted.worker, &slots.queue, limit, WAIT)
        .await?;
    telemetry::taken(taken.len());
    let is_full = taken.len() >= usize::try_from(limit).unwrap_or(usize::MAX);
    if !is_full {
        slots.view(QueueView::begin);
    }
    if taken.is_empty() {
        slots.view(QueueView::ran_dry);
    } else {
        hand_over(core, hinted, slots, taken, is_full).await;
    }
    Ok(())
}

/// How many hints to take, once others have had a moment to make room as well; 0 if there is none.
async fn room(core: &Core, slots: &QueueSlots) -> u32 {
    let freed = slots.freed.notified();
    let (room, word) = core.reach(slots);
    match word {
        Capacity::Plenty => room,
        Capacity::Some => {
            let _ = timeout(GATHER, freed).await;
            core.reach(slots).0
        }
        Capacity::None => {
            let _ = timeout(LIMITED, freed).await;
            core.reach(slots).0
        }
    }
}

/// Leaves what was taken to the claimer, and waits until it has dealt with it.
async fn hand_over(
    core: &Core,
    hinted: &HintSource,
    slots: &Arc<QueueSlots>,
    taken: Vec<JobId>,
    is_full: bool,
) {
    let mut seen = HashSet::with_capacity(taken.len());
    let (jobs, again): (Vec<_>, Vec<_>) = taken.into_iter().partition(|job| seen.insert(*job));
    hinted.acks.drop_stale(&slots.queue, &again);
    let (waiter, dealt_with) = oneshot::channel();
    hinted.named.lock().push(NamedJobs {
        slots: Arc::clone(slots),
        jobs,
        may_be_more: is_full,
        waiter,
    });
    core.slots.freed.notify_one();
    tokio::select! {
        biased;
        _ = dealt_with => {}
        () = core.draining.cancelled() => {}
    }
}

async fn nap(core: &Core, span: Duration) {
    tokio::select! {
        () = core.draining.cancelled() => {}
        () = tokio::time::sleep(span) => {}
    }
}
