//! Hints as a claim source: consumers take them, one for each queue, and they name the jobs they lead to.

use std::{
    collections::HashSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use baton_domain::{JobId, WorkerId};
use baton_ports::{
    Hints, Store,
    hints::{HintError, HintState},
    store::{AttemptResult, Claimed, ReadyQueue, Result},
};
use futures::{FutureExt, future::BoxFuture};
use parking_lot::Mutex;
use tokio::time::Instant;
use tokio_util::task::TaskTracker;

mod acks;
mod awaited;
mod consumer;
mod telemetry;
mod trims;

use crate::{
    claim_source::{ACCOMPANIED, ClaimSource, NamedJobs, SAFETY, Search},
    core::Core,
    finished_attempt::AttemptContext,
    queue_slots::QueueSlots,
    runtime::Worker,
};
use acks::Acks;
use awaited::Awaited;
use trims::Trims;

/// How often the store is polled while jobs may come that no wake-up tells of and no hint leads to.
const BLIND: Duration = Duration::from_millis(500);

impl Worker {
    /// The worker, led to jobs by hints; the first ones stay. It looks at the store all the same, if
    /// less often, and claims there what no hint led to.
    #[must_use]
    pub fn with_hints(self, hints: Arc<dyn Hints>, store: Arc<dyn Store>) -> Self {
        let worker = self.core.config.worker;
        self.with_source(Arc::new(HintSource::new(hints, store, worker)))
    }
}

/// Hints as a claim source.
struct HintSource {
    hints: Arc<dyn Hints>,
    store: Arc<dyn Store>,
    worker: WorkerId,
    /// What goes back: dropped, or offered again.
    acks: Acks,
    /// The tasks that wait for hints.
    consumers: TaskTracker,
    awaited: Awaited,
    trims: Trims,
    named: Mutex<Vec<NamedJobs>>,
    /// A call has failed, and nobody has seen to it that nothing of it is left.
    is_troubled: AtomicBool,
    /// A call has failed, and the claimer has not polled the store since.
    is_alarming: AtomicBool,
}

impl HintSource {
    fn new(hints: Arc<dyn Hints>, store: Arc<dyn Store>, worker: WorkerId) -> Self {
        Self {
            hints,
            store,
            worker,
            acks: Acks::default(),
            consumers: TaskTracker::new(),
            awaited: Awaited::new(),
            trims: Trims::default(),
            named: Mutex::default(),
            is_troubled: AtomicBool::new(false),
            is_alarming: AtomicBool::new(false),
        }
    }

    /// Whether hints are to be had.
    fn is_open(&self) -> bool {
        !self.is_troubled.load(Ordering::Acquire) && self.hints.state() == HintState::Open
    }

    /// Takes note that a call has failed: what was taken by it, or before it, may have gone unheard. The claimer polls the
    /// store at once.
    fn failed(&self, core: &Core, error: &HintError) {
        if !self.is_troubled.swap(true, Ordering::AcqRel) {
            tracing::info!(%error, "hints are not to be had: {error}; jobs are looked for in the store");
        }
        self.is_alarming.store(true, Ordering::Release);
        core.slots.freed.notify_one();
    }

    /// Begins anew when hints are to be had again: whatever was taken unheard is put back first.
    async fn recover(&self) -> baton_ports::hints::Result<()> {
        let is_back = self.hints.state() == HintState::Open;
        if is_back && self.is_troubled.load(Ordering::Acquire) {
            self.hints.give_back(self.worker).await?;
            if self.is_troubled.swap(false, Ordering::AcqRel) {
                tracing::info!("hints are to be had again");
            }
        }
        Ok(())
    }

    /// Asks which queues there are, and has the hints waited for of those that may have some. A line that nobody waits for
    /// is news.
    async fn refresh_queues(
        self: &Arc<Self>,
        core: &Arc<Core>,
        queues: &[ReadyQueue],
    ) -> Result<()> {
        if !self.awaited.are_stale(&core.slots, queues) {
            return Ok(());
        }
        let asked = Instant::now();
        let queues = self.store.queues(core.clock.now()).await?;
        for slots in self.awaited.choose(&core.slots, &queues, asked) {
            let consumer = consumer::run(Arc::clone(core), Arc::clone(self), slots);
            self.consumers.spawn(consumer);
        }
        Ok(())
    }

    /// Forgets as many hints as a search has found jobs.
    async fn trim(self: Arc<Self>, core: Arc<Core>, slots: Arc<QueueSlots>, found: u32) {
        if let Err(error) = self.hints.trim(&slots.queue, found).await {
            self.failed(&core, &error);
        }
    }
}

impl ClaimSource for HintSource {
    fn names_all_of(&self, slots: &QueueSlots) -> bool {
        self.is_open() && self.awaited.has(slots)
    }

    fn has_named(&self) -> bool {
        !self.named.lock().is_empty()
    }

    fn take_named(&self) -> Vec<NamedJobs> {
        std::mem::take(&mut *self.named.lock())
    }

    fn take_alarm(&self) -> bool {
        self.is_alarming.swap(false, Ordering::AcqRel)
    }

    /// Who offers hints sends no wake-up.
    fn poll_within(&self, is_idle: bool, is_accompanied: bool) -> Duration {
        if !self.is_open() || self.awaited.has_blind_spots() {
            BLIND
        } else if is_idle && is_accompanied {
            ACCOMPANIED
        } else {
            SAFETY
        }
    }

    /// A line that is seen to be empty while hints are trimmed may not be.
    fn before_poll(&self) -> BoxFuture<'_, ()> {
        self.trims.are_over().boxed()
    }

    fn polled<'a>(
        self: Arc<Self>,
        core: &'a Arc<Core>,
        queues: &'a [ReadyQueue],
    ) -> BoxFuture<'a, Result<()>> {
        async move {
            self.refresh_queues(core, queues).await?;
            self.awaited.polled();
            Ok(())
        }
        .boxed()
    }

    fn before_claim(&self) -> BoxFuture<'_, bool> {
        self.trims.are_covered().boxed()
    }

    fn followed(&self, named: NamedJobs, claimed: &[Claimed]) -> bool {
        let slots = &named.slots;
        let found: HashSet<JobId> = claimed.iter().map(|claimed| claimed.args.id).collect();
        let stale = named.jobs.iter().filter(|job| !found.contains(job));
        let stale: Vec<_> = stale.copied().collect();
        self.acks.drop_stale(&slots.queue, &stale);
        let is_astray = self
            .awaited
            .followed(slots, found.len(), stale.len(), named.may_be_more);
        if is_astray {
            // The queue may be paused, and its hints wasted if more were taken.
            self.awaited.mislead(named.waiter);
        }
        is_astray
    }

    /// Where hints lead as well, a search goes on until nothing is found, and as many of them are forgotten as it has found jobs.
    fn searched(self: Arc<Self>, core: &Arc<Core>, search: &Search<'_>) -> bool {
        let is_short = search.found < search.limit;
        if !self.names_all_of(search.slots) {
            return is_short;
        }
        if is_short {
            self.trims.end_nears();
        }
        if search.found > 0 {
            let (core, slots) = (Arc::clone(core), Arc::clone(search.slots));
            let trim = Arc::clone(&self).trim(core, slots, search.found);
            self.trims.begin(trim);
        }
        is_short && search.found == 0 && search.sees_all
    }

    fn leave(&self, queue: &str, jobs: &[JobId]) {
        self.acks.offer_again(queue, jobs);
    }

    fn lost(&self, queue: &str, job: JobId) {
        self.acks.drop_followed([(queue, job)]);
    }

    fn recorded(&self, results: &[AttemptResult], contexts: &[AttemptContext]) {
        self.acks.recorded(results, contexts);
    }

    fn heartbeat(&self, span: Duration) {
        let (hints, worker) = (Arc::clone(&self.hints), self.worker);
        tokio::spawn(async move { hints.heartbeat(worker, span).await });
    }

    fn close(&self) {
        self.consumers.close();
    }

    fn run(self: Arc<Self>, core: Arc<Core>) -> BoxFuture<'static, ()> {
        telemetry::describe();
        acks::run(core, self).boxed()
    }
}
