//! Attempts that start together: prepared at once, then each goes its own way.

use std::{future::poll_fn, pin::pin, sync::Arc, task::Poll, time::Duration};

use baton_ports::{Prepared, store::JobArgs};
use tokio::{task::unconstrained, time::Instant};
use tokio_util::sync::ReusableBoxFuture;

use super::{Ending, Slot, contained, make, run, start};
use crate::{core::Core, job::Job, queue_slots::QueueSlots};

/// How long attempts wait for what is prepared for them: what takes longer each asks for by itself.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Begins the attempts that can start together with a runner's own, each in a slot that was free; says what
/// was learned for all of them.
pub(super) async fn begin(
    core: &Arc<Core>,
    slots: &Arc<QueueSlots>,
    own: &Job,
) -> Option<Prepared> {
    if own.most_together() <= 1 {
        return None;
    }
    let (others, gathering) = slots.join(own);
    let others = others.into_iter();
    let others: Vec<_> = others.map(|job| (Slot::of(slots), job)).collect();
    start(core, slots, slots.rouse());
    if others.is_empty() {
        return None;
    }
    let prepared = prepare(core, own, &others).await;
    set_out(core, slots, others, prepared.as_ref()).await;
    drop(gathering);
    // Whoever has ended has left a slot behind, and the runner's own attempt may take long.
    start(core, slots, slots.rouse());
    prepared
}

/// What goes wrong here is met again by each attempt, and told by it.
async fn prepare(core: &Core, own: &Job, others: &[(Slot, Job)]) -> Option<Prepared> {
    let handler = own.handler.as_ref()?;
    let others = others.iter().map(|(_, job)| &*job.args);
    let jobs: Vec<&JobArgs> = std::iter::once(&*own.args).chain(others).collect();
    let until = Instant::now() + own.args.options.timeout.min(TIMEOUT);
    let learned = contained(handler.prepare(&jobs), || until, &own.lease.over);
    let ending = tokio::select! {
        biased;
        () = core.draining.cancelled() => return None,
        ending = learned => ending,
    };
    match ending {
        Ending::Said(prepared) => prepared,
        Ending::Panicked(message) => {
            tracing::error!(
                kind = handler.kind(),
                "the handler panicked while it prepared {} jobs: {message}",
                jobs.len()
            );
            None
        }
        Ending::TimedOut | Ending::Over => None,
    }
}

/// Makes each attempt as far as it goes without waiting; then it goes on as a runner of its own.
async fn set_out(
    core: &Arc<Core>,
    slots: &Arc<QueueSlots>,
    others: Vec<(Slot, Job)>,
    prepared: Option<&Prepared>,
) {
    // Most are done at once, and one place is enough for all of them.
    let mut place: Option<ReusableBoxFuture<'static, Slot>> = None;
    for (slot, job) in others {
        let making = make_in(
            slot,
            Arc::clone(core),
            Arc::clone(slots),
            job,
            prepared.cloned(),
        );
        let mut making = match place.take() {
            Some(mut place) => {
                place.set(making);
                place
            }
            None => ReusableBoxFuture::new(making),
        };
        // The budget of this task is not theirs: whoever came late would be sent to wait for nothing.
        let mut first = pin!(unconstrained(&mut making));
        let first = poll_fn(|context| Poll::Ready(first.as_mut().poll(context))).await;
        if first.is_pending() {
            let its_core = Arc::clone(core);
            core.runners
                .spawn(async move { run(its_core, making.await).await });
        } else {
            place = Some(making);
        }
        tokio::task::coop::consume_budget().await;
    }
}

async fn make_in(
    slot: Slot,
    core: Arc<Core>,
    slots: Arc<QueueSlots>,
    job: Job,
    prepared: Option<Prepared>,
) -> Slot {
    make(&core, &slots, job, prepared).await;
    slot
}
