//! What the worker's loops share.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use baton_domain::{Clock, JobId, LeaseId, Timestamp, job::Illegal};
use baton_ports::{Handler, Wakeups, Watchdog, WorkSource};
use metrics::Histogram;
use parking_lot::Mutex;
use tokio::{sync::Notify, time::Instant};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    all_slots::AllSlots,
    backlog::Backlog,
    claim_source::{ClaimSource, StoreAlone, WaitingClaims},
    config::Config,
    finished_attempt::FinishedAttempt,
    job::Job,
    lease::Lease,
    leases::Leases,
    queue_slots::{Capacity, QueueSlots},
    results::Results,
    telemetry::Sampler,
};

/// How long a claim without an answer is remembered, in leases.
const DOUBT: u32 = 10;

/// What the worker's loops share.
pub struct Core {
    pub source: Arc<dyn WorkSource>,
    pub wakeups: Arc<Wakeups>,
    pub clock: Arc<dyn Clock>,
    pub handlers: BTreeMap<&'static str, Arc<dyn Handler>>,
    pub config: Config,
    claim_source: OnceLock<Arc<dyn ClaimSource>>,
    /// Hears of loops that died.
    pub watchdog: OnceLock<Watchdog>,
    pub slots: AllSlots,
    pub leases: Leases,
    pub results: Results,
    pub backlog: Backlog,
    /// The calls under way, by job: how to ask one to stop.
    pub calls: Mutex<HashMap<JobId, CancellationToken>>,
    /// The tasks that make attempts.
    pub runners: TaskTracker,
    /// Fires when no new work starts any more.
    pub draining: CancellationToken,
    /// Fires when handlers are stopped. Every lease's end hangs on it.
    pub abort: CancellationToken,
    /// Fires when nothing is recorded any more.
    pub hard: CancellationToken,
    /// Fires when the loops end.
    pub over: CancellationToken,
    /// Rings when leases should be renewed before their time.
    pub renew: Notify,
    pub sampler: Sampler,
    /// Looked up once: a start in an idle system would wait for it.
    pub claim_sizes: OnceLock<Histogram>,
    pub tally: WorkerCounts,
    pub started_at: Timestamp,
    born: Instant,
    contact: AtomicU64,
    renewed: Mutex<Instant>,
    /// Whether the store knows the worker, and how long its leases last.
    has_joined: AtomicBool,
    /// Whether somebody has asked it to take nothing new.
    is_resting: AtomicBool,
    /// Whether the last claim was answered.
    pub is_answered: AtomicBool,
    unknown_kinds: Mutex<HashSet<String>>,
}

/// What the worker has done so far.
#[derive(Debug, Default)]
pub struct WorkerCounts {
    /// Attempts recorded, except those given back.
    pub finished: AtomicU64,
    /// Jobs given back unstarted.
    pub given_back: AtomicU64,
}

impl Core {
    pub fn new(
        source: Arc<dyn WorkSource>,
        wakeups: Arc<Wakeups>,
        clock: Arc<dyn Clock>,
        handlers: Vec<Arc<dyn Handler>>,
        config: Config,
    ) -> Self {
        let born = Instant::now();
        Self {
            handlers: handlers.into_iter().map(|h| (h.kind(), h)).collect(),
            slots: AllSlots::new(config.slots.clone(), config.max_running),
            started_at: clock.now(),
            source,
            wakeups,
            clock,
            config,
            claim_source: OnceLock::new(),
            watchdog: OnceLock::new(),
            leases: Leases::default(),
            results: Results::default(),
            backlog: Backlog::default(),
            calls: Mutex::default(),
            runners: TaskTracker::new(),
            draining: CancellationToken::new(),
            abort: CancellationToken::new(),
            hard: CancellationToken::new(),
            over: CancellationToken::new(),
            renew: Notify::new(),
            sampler: Sampler::default(),
            claim_sizes: OnceLock::new(),
            tally: WorkerCounts::default(),
            born,
            contact: AtomicU64::new(0),
            renewed: Mutex::new(born),
            has_joined: AtomicBool::new(false),
            is_resting: AtomicBool::new(false),
            is_answered: AtomicBool::new(false),
            unknown_kinds: Mutex::default(),
        }
    }

    /// Until when a lease counts that was asked for at `sent`: nine tenths of it, by our own watch.
    ///
    /// The instant lies before the call was sent, so the store's own deadline is always later.
    pub fn deadline(&self, sent: Instant) -> Instant {
        sent + self.config.lease * 9 / 10
    }

    /// How much of a lease has to be left for a call that may take `timeout`.
    ///
    /// Long calls are covered by renewals while they run, so a third of the lease is asked for at
    /// most, plus a margin. A lease that was not renewed for two thirds of its time never suffices.
    pub fn need(&self, timeout: Duration) -> Duration {
        let lease = self.config.lease;
        let for_call = timeout.min(lease / 3) + lease / 15;
        for_call.max(lease * 7 / 30)
    }

    /// What names jobs to the worker.
    pub fn claim_source(&self) -> &Arc<dyn ClaimSource> {
        self.claim_source.get_or_init(|| match self.source.waits() {
            true => Arc::new(WaitingClaims),
            false => Arc::new(StoreAlone),
        })
    }

    /// Has jobs named by this source, unless there is one.
    pub fn set_claim_source(&self, source: Arc<dyn ClaimSource>) {
        let _ = self.claim_source.set(source);
    }

    /// How many jobs can be named of a queue, and how much room that is.
    pub fn reach(&self, slots: &QueueSlots) -> (u32, Capacity) {
        let (count, trip) = (slots.count, self.slots.trip());
        slots.reach(|pace| pace.ahead(count, trip, self.config.prefetch))
    }

    /// Whether claiming is of use: a lease of it could be taken back in time, results can be recorded,
    /// leases can be renewed.
    pub fn may_claim(&self) -> bool {
        self.has_joined.load(Ordering::Relaxed)
            && !self.draining.is_cancelled()
            && !self.is_resting()
            && !self.results.is_failing()
            && self.results.held() < self.config.max_results
            && (self.leases.is_empty() || self.renewed.lock().elapsed() < self.config.lease * 2 / 3)
    }

    /// Takes note that the store knows the worker. It claims nothing before.
    pub fn set_joined(&self) {
        if !self.has_joined.swap(true, Ordering::Relaxed) {
            self.slots.freed.notify_one();
        }
    }

    /// Takes note of whether somebody wants it to take nothing new; what it has it finishes.
    pub fn set_resting(&self, is_resting: bool) {
        if self.is_resting.swap(is_resting, Ordering::Relaxed) != is_resting {
            let is = if is_resting {
                "nothing new"
            } else {
                "jobs again"
            };
            tracing::info!("somebody has asked the worker to drain or to go on: it takes {is}");
            self.slots.freed.notify_one();
        }
    }

    /// Whether somebody wants it to take nothing new.
    pub fn is_resting(&self) -> bool {
        self.is_resting.load(Ordering::Relaxed)
    }

    /// Whether it has begun to claim, and the store answers.
    pub fn is_at_work(&self) -> bool {
        self.is_answered.load(Ordering::Relaxed)
    }

    /// Remembers leases that were asked for at `sent` and may stand although nobody said so; the next
    /// renewal, which follows at once, tells.
    pub fn doubt(&self, leases: impl IntoIterator<Item = LeaseId>, sent: Instant) {
        let until = sent + self.config.lease * DOUBT;
        self.leases.doubt(leases.into_iter(), until);
        self.renew.notify_one();
    }

    /// Takes note of a renewal, or that there was nothing to renew.
    pub fn set_renewed(&self, sent: Instant) {
        *self.renewed.lock() = sent;
    }

    /// Takes note that the store has answered.
    pub fn heard(&self) {
        let millis = u64::try_from(self.born.elapsed().as_millis()).unwrap_or(u64::MAX - 1);
        self.contact.store(millis + 1, Ordering::Relaxed);
    }

    /// How long ago the store last answered; `None` if it never did.
    pub fn silence(&self) -> Option<Duration> {
        match self.contact.load(Ordering::Relaxed) {
            0 => None,
            contact => Some(
                self.born
                    .elapsed()
                    .saturating_sub(Duration::from_millis(contact - 1)),
            ),
        }
    }

    /// Gives a job back unstarted; no try is used.
    pub fn give_back(&self, slots: &QueueSlots, job: &Job) {
        let ended = FinishedAttempt::given_back(job, &slots.queue, self.clock.now());
        self.conclude(&job.lease, ended);
    }

    /// Drops a job that another worker may have.
    pub fn lose(&self, slots: &QueueSlots, lease: &Lease, job: JobId, is_named: bool) {
        self.leases.close_one(lease);
        if is_named {
            self.claim_source().lost(&slots.queue, job);
        }
    }

    /// Sends what has ended on its way to the store.
    pub fn conclude(&self, lease: &Lease, ended: Result<FinishedAttempt, Illegal>) {
        match ended {
            Ok(ended) => self.results.push(ended),
            Err(illegal) => {
                tracing::error!(error = %illegal, "the table of moves lacks a move of a running job: {illegal}; its lease will end");
                self.leases.close_one(lease);
            }
        }
    }

    /// Whether it is the first time that a kind without a handler is met.
    pub fn is_news(&self, kind: &str) -> bool {
        let mut kinds = self.unknown_kinds.lock();
        !kinds.contains(kind) && kinds.insert(kind.to_owned())
    }
}
