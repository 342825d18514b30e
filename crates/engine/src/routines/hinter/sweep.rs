//! Sweeping up: jobs whose hint was lost, hints of workers that are gone, hints in heaps.

use std::{collections::BTreeSet, time::Duration};

use baton_domain::{
    Timestamp, WorkerId,
    fleet::{Presence, Worker},
    queue::WorkedBy,
};
use baton_ports::store::{self, Turn};

use super::Hinter;

/// A list that is longer than this keeps workers busy: nobody waits for what it lacks.
const SHORT: u64 = 1_000;
/// How many jobs of a line are looked at.
const PAGE: u32 = 1_000;
/// For how long a job can have been claimable before its hint counts as lost.
const OLD: Duration = Duration::from_secs(10);
/// How many hints there can be beyond twice as many as there are jobs.
const HEAP: u64 = 10_000;

impl Hinter {
    /// Sweeps up; says why the hints are better built anew, if so.
    pub(super) async fn sweep(&mut self, now: Timestamp) -> store::Result<Option<String>> {
        self.give_back_of_the_gone(now).await?;
        let ready = self.tools.store.ready_queues().await?;
        let free = ready
            .into_iter()
            .filter(|queue| !queue.limited && queue.worked_by == WorkedBy::Server);
        let queues: Vec<_> = free.map(|queue| queue.name).collect();
        let Ok(lengths) = self.hints.lengths(&queues).await else {
            return Ok(None);
        };
        for (queue, length) in queues.iter().zip(&lengths) {
            if *length < SHORT {
                self.hint_again(queue, now).await?;
            }
        }
        self.heap(&queues, &lengths, now).await
    }

    /// Hints again at the most urgent jobs that stand in a line although hints are few.
    async fn hint_again(&self, queue: &str, now: Timestamp) -> store::Result<()> {
        let start = Turn::before_all_in(queue);
        let page = self.tools.store.claimable(Some(&start), now - OLD, PAGE);
        let page = page.await?;
        let of_queue = page.hints.into_iter().filter(|hint| hint.queue == queue);
        let forgotten: Vec<_> = of_queue.collect();
        if !forgotten.is_empty() && self.hints.offer(&forgotten).await.is_ok() {
            tracing::debug!(queue, jobs = forgotten.len(), "hinted again");
            metrics::counter!("baton_hints_again_total").increment(forgotten.len() as u64);
        }
        Ok(())
    }

    /// Gives back what workers had taken that were gone twice in a row: one may have taken hints before
    /// it was first heard of.
    async fn give_back_of_the_gone(&mut self, now: Timestamp) -> store::Result<()> {
        let Ok(consumers) = self.hints.consumers().await else {
            return Ok(());
        };
        let workers = self.tools.store.workers(now - self.lease).await?;
        let is_here = |worker: &&Worker| worker.presence(now, self.lease) != Presence::Left;
        let here: BTreeSet<WorkerId> = workers
            .iter()
            .filter(is_here)
            .map(|worker| worker.heartbeat.worker)
            .collect();
        let absent: BTreeSet<_> = consumers
            .into_iter()
            .filter(|one| !here.contains(one))
            .collect();
        for worker in absent.intersection(&self.absent) {
            if let Ok(hints) = self.hints.give_back(*worker).await {
                tracing::info!(%worker, hints, "gave back {hints} hints of a worker that is gone");
            }
        }
        self.absent = absent;
        Ok(())
    }

    /// Whether hints have piled up, which only a fault brings about.
    async fn heap(
        &self,
        queues: &[String],
        lengths: &[u64],
        now: Timestamp,
    ) -> store::Result<Option<String>> {
        if lengths.iter().all(|length| *length <= HEAP) {
            return Ok(None);
        }
        let known = self.tools.store.queues(now).await?;
        let heap = queues.iter().zip(lengths).find(|(queue, length)| {
            let queued = known.iter().find(|known| known.name == **queue);
            **length > 2 * queued.map_or(0, |queue| queue.queued) + HEAP
        });
        Ok(heap
            .map(|(queue, length)| format!("queue {queue} has {length} hints, far more than jobs")))
    }
}
