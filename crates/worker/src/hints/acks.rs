//! Acknowledgements of hints.
//!
//! A hint is dropped when it has led to a recorded result, or to nothing; it is offered again when somebody else is to follow it.

use std::sync::Arc;

use baton_domain::JobId;
use baton_ports::{Hint, Wakeup, store::AttemptResult};
use parking_lot::Mutex;
use tokio::sync::Notify;

use super::{HintSource, telemetry};
use crate::{core::Core, finished_attempt::AttemptContext, settler::is_back};

/// Hints on their way back. Nobody waits for them, and nothing is lost with them but time.
#[derive(Debug, Default)]
pub struct Acks {
    waiting: Mutex<PendingAcks>,
    wake: Notify,
}

#[derive(Debug, Default)]
struct PendingAcks {
    again: Vec<Hint>,
    dropped: Vec<Hint>,
}

impl Acks {
    /// Forgets what has led to a recorded result, or to a job that another worker has.
    pub fn drop_followed<'a>(&self, followed: impl IntoIterator<Item = (&'a str, JobId)>) {
        let followed = followed.into_iter();
        let hints = followed.map(|(queue, job)| hint(queue, job));
        self.put(|waiting| waiting.dropped.extend(hints));
    }

    /// Forgets what has led to nothing.
    pub fn drop_stale(&self, queue: &str, jobs: &[JobId]) {
        if !jobs.is_empty() {
            telemetry::stale(jobs.len());
            self.drop_followed(jobs.iter().map(|job| (queue, *job)));
        }
    }

    /// Offers again what can be claimed and is not to be claimed here.
    pub fn offer_again(&self, queue: &str, jobs: &[JobId]) {
        let hints = jobs.iter().map(|job| hint(queue, *job));
        self.put(|waiting| waiting.again.extend(hints));
    }

    /// Drops the hints that have led to these results, which are recorded now; what stands in line again is offered again.
    pub fn recorded(&self, results: &[AttemptResult], contexts: &[AttemptContext]) {
        let ends = results.iter().zip(contexts);
        let followed = ends.filter(|(_, context)| context.is_named);
        let (again, over): (Vec<_>, Vec<_>) = followed.partition(|(end, _)| is_back(end));
        for (end, context) in again {
            self.offer_again(&context.queue, &[end.job]);
        }
        let over = over.iter().map(|(end, context)| (&*context.queue, end.job));
        self.drop_followed(over);
    }

    fn put(&self, add: impl FnOnce(&mut PendingAcks)) {
        let is_due = {
            let mut waiting = self.waiting.lock();
            add(&mut waiting);
            !waiting.again.is_empty() || !waiting.dropped.is_empty()
        };
        if is_due {
            self.wake.notify_one();
        }
    }
}

/// It has been in front once, and goes there again.
fn hint(queue: &str, job: JobId) -> Hint {
    Hint {
        queue: queue.to_owned(),
        job,
        is_urgent: true,
    }
}

/// Sends hints back until the worker is over, and then whatever it has taken and not dropped.
pub async fn run(core: Arc<Core>, hinted: Arc<HintSource>) {
    let mut are_consumers_gone = false;
    loop {
        tokio::select! {
            biased;
            () = core.hard.cancelled() => return,
            () = hinted.acks.wake.notified() => send(&core, &hinted).await,
            () = hinted.consumers.wait(), if !are_consumers_gone => {
                // Handlers may go on for long; what nobody has claimed is not to wait for them.
                are_consumers_gone = true;
                give_back(&hinted).await;
            }
            () = core.over.cancelled(), if are_consumers_gone => break,
        }
    }
    send(&core, &hinted).await;
    give_back(&hinted).await;
}

async fn send(core: &Core, hinted: &HintSource) {
    let PendingAcks { mut again, dropped } = std::mem::take(&mut *hinted.acks.waiting.lock());
    if !again.is_empty()
        && let Err(error) = hinted.hints.offer(&again).await
    {
        hinted.failed(core, &error);
        core.wakeups.send(Wakeup::Ready);
    }
    // The copies that were taken go last: a crash in between leaves a hint too many, not one too few.
    again.extend(dropped);
    if !again.is_empty()
        && let Err(error) = hinted.hints.drop_taken(hinted.worker, &again).await
    {
        hinted.failed(core, &error);
    }
}

async fn give_back(hinted: &HintSource) {
    if let Err(error) = hinted.hints.give_back(hinted.worker).await {
        tracing::debug!(%error, "hints could not be given back: {error}; whoever tends them will");
    }
}
