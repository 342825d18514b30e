//! The worker's life: start, run, stop in order.

use std::{
    future::Future,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use baton_domain::Clock;
use baton_ports::{
    Handler, JobRules, LocalDispatch, Store, StoreSource, Wakeups, Watchdog, WorkSource,
};
use tokio::{task::JoinHandle, time::Instant};

use crate::{
    claim_source::ClaimSource,
    claimer,
    config::Config,
    core::Core,
    deadlines,
    detached::detached,
    local_dispatch::Dispatcher,
    renewer::Renewer,
    settler,
    status::Status,
    stop::{Report, Stop},
    telemetry,
};

/// The part of the grace period that is kept for recording, at the most.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A worker.
pub struct Worker {
    pub(crate) core: Arc<Core>,
}

impl Worker {
    /// A worker that has not begun, on this store.
    #[must_use]
    pub fn new(
        store: Arc<dyn Store>,
        wakeups: Arc<Wakeups>,
        clock: Arc<dyn Clock>,
        handlers: Vec<Arc<dyn Handler>>,
        config: Config,
    ) -> Self {
        let rules = JobRules::new(&config.limits, &handlers);
        Self::over(
            Arc::new(StoreSource::new(store, rules)),
            wakeups,
            clock,
            handlers,
            config,
        )
    }

    /// A worker that has not begun, which gets its jobs from this source.
    #[must_use]
    pub fn over(
        source: Arc<dyn WorkSource>,
        wakeups: Arc<Wakeups>,
        clock: Arc<dyn Clock>,
        handlers: Vec<Arc<dyn Handler>>,
        config: Config,
    ) -> Self {
        Self {
            core: Arc::new(Core::new(source, wakeups, clock, handlers, config)),
        }
    }

    /// The worker, to which this source names jobs; the first one stays.
    pub(crate) fn with_source(self, source: Arc<dyn ClaimSource>) -> Self {
        self.core.set_claim_source(source);
        self
    }

    /// The worker, whose loops are guarded by this watchdog: once one of them has died, the process is
    /// to end. The first watchdog stays.
    #[must_use]
    pub fn with_watchdog(self, watchdog: Watchdog) -> Self {
        let _ = self.core.watchdog.set(watchdog);
        self
    }

    /// How it is; the handle goes on working while it runs.
    #[must_use]
    pub fn status(&self) -> Status {
        Status::new(Arc::clone(&self.core))
    }

    /// Where it takes jobs that are added in this process; it takes none before it runs.
    #[must_use]
    pub fn local_dispatch(&self) -> Arc<dyn LocalDispatch> {
        Arc::new(Dispatcher(Arc::clone(&self.core)))
    }

    /// Works until it is told to stop.
    ///
    /// Softly told, it claims nothing more, gives back what has not started, lets handlers finish,
    /// records, and says goodbye, all within the grace period. Handlers that take longer are stopped,
    /// and their outcome is recorded as unknown (`shutdown`). Told to leave at once, it leaves
    /// everything to the leases.
    pub async fn run(self, stop: Stop) -> Report {
        telemetry::describe();
        let core = self.core;
        let loops = Loops::start(&core);
        stop.asked().await;
        let before = Report::of(&core);
        let leave_now = tokio::select! {
            biased;
            () = stop.hard.cancelled() => true,
            () = drain(&core, loops) => false,
        };
        if leave_now {
            core.hard.cancel();
        }
        end(&core);
        Report::of(&core).since(before)
    }
}

/// The loops that have to end in order.
struct Loops {
    claimer: JoinHandle<()>,
    renewer: JoinHandle<()>,
    settler: JoinHandle<()>,
    source: JoinHandle<()>,
}

impl Loops {
    fn start(core: &Arc<Core>) -> Self {
        guarded(core, "deadlines", is_over, deadlines::run(Arc::clone(core)));
        let claimer = claimer::run(Arc::clone(core));
        let renewer = Renewer::new(Arc::clone(core)).run();
        let source = Arc::clone(core.claim_source()).run(Arc::clone(core));
        guarded(core, "work source", is_left, beside(Arc::clone(core)));
        Self {
            claimer: guarded(
                core,
                "claimer",
                |core| core.draining.is_cancelled(),
                claimer,
            ),
            renewer: guarded(core, "renewer", is_over, renewer),
            settler: guarded(core, "settler", is_flushed, settler::run(Arc::clone(core))),
            source: guarded(core, "claim source", is_left, source),
        }
    }
}

/// What the work source does beside the worker's calls.
async fn beside(core: Arc<Core>) {
    tokio::select! {
        () = core.over.cancelled() => {}
        () = core.hard.cancelled() => {}
        () = core.source.run() => {}
    }
}

fn guarded(
    core: &Arc<Core>,
    name: &'static str,
    may_end: fn(&Core) -> bool,
    work: impl Future<Output = ()> + Send + 'static,
) -> JoinHandle<()> {
    let watchdog = core.watchdog.get_or_init(Watchdog::default).clone();
    let core = Arc::clone(core);
    tokio::spawn(async move { watchdog.guard(name, || may_end(&core), work).await })
}

fn is_over(core: &Core) -> bool {
    core.over.is_cancelled()
}

fn is_flushed(core: &Core) -> bool {
    core.results.is_closed() || core.hard.is_cancelled()
}

fn is_left(core: &Core) -> bool {
    core.over.is_cancelled() || core.hard.is_cancelled()
}

async fn drain(core: &Arc<Core>, loops: Loops) {
    let end = Instant::now() + core.config.grace;
    let last_words = LAST_WORDS.min(core.config.grace / 10);
    core.draining.cancel();
    for (slots, job) in core.slots.close() {
        core.give_back(&slots, &job);
    }
    core.results.wake.notify_one();
    core.runners.close();
    core.claim_source().close();

    let is_done = within(end - last_words, async {
        // A claim that was under way gives its jobs back; only then has everything ended that began.
        let _ = loops.claimer.await;
        core.runners.wait().await;
    });
    if !is_done.await {
        core.abort.cancel();
        within(end - last_words / 2, core.runners.wait()).await;
    }
    core.results.close();
    let is_recorded = within(end - last_words / 4, loops.settler).await;
    if is_recorded {
        // A heartbeat after the goodbye would bring the worker back to life.
        core.over.cancel();
        within(end - last_words / 8, loops.renewer).await;
        leave(core, end).await;
        within(end, loops.source).await;
    }
}

async fn within<T>(end: Instant, work: impl Future<Output = T>) -> bool {
    tokio::time::timeout_at(end, work).await.is_ok()
}

async fn leave(core: &Core, end: Instant) {
    let (source, worker) = (Arc::clone(&core.source), core.config.worker);
    let now = core.clock.now();
    let goodbye = detached(async move { source.leave(worker, now).await });
    if !matches!(tokio::time::timeout_at(end, goodbye).await, Ok(Ok(()))) {
        tracing::warn!("the worker could not say goodbye to the store; it will be seen as silent");
    }
}

/// Ends the loops and whatever handlers still run; nothing more is recorded.
fn end(core: &Core) {
    core.draining.cancel();
    core.hard.cancel();
    core.abort.cancel();
    core.over.cancel();
}

impl Report {
    fn of(core: &Core) -> Self {
        let all = core.slots.all();
        let held = all.iter().map(|slots| slots.counts());
        let in_hand: u64 = held
            .map(|(running, buffered)| u64::from(running) + u64::from(buffered))
            .sum();
        Self {
            finished: core.tally.finished.load(Ordering::Relaxed),
            given_back: core.tally.given_back.load(Ordering::Relaxed),
            left: in_hand + core.results.held() as u64,
        }
    }

    fn since(self, before: Self) -> Self {
        Self {
            finished: self.finished - before.finished,
            given_back: self.given_back - before.given_back,
            left: self.left,
        }
    }
}
