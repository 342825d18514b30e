//! The slots of all queues.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU32, AtomicU64, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{sync::Notify, time::Instant};

use crate::{
    config::SlotsConfig,
    job::Job,
    process_slots::ProcessSlots,
    queue_slots::{Capacity, QueueSlots},
};

/// The slots of all queues the worker has met.
pub struct AllSlots {
    config: SlotsConfig,
    queues: Mutex<BTreeMap<String, Arc<QueueSlots>>>,
    /// The mean time a claim takes, in microseconds.
    trip: AtomicU64,
    /// Rings when a queue has room again, or more of it, or when claiming may begin anew.
    pub freed: Arc<Notify>,
    /// The slots of all queues together.
    pub process: Arc<ProcessSlots>,
    /// Jobs that open claims may bring, of all queues together.
    pub asked: AtomicU32,
}

impl AllSlots {
    /// None yet; they come with the queues.
    pub fn new(config: SlotsConfig, max_running: u32) -> Self {
        let freed = Arc::new(Notify::new());
        Self {
            process: Arc::new(ProcessSlots::new(max_running, Arc::clone(&freed))),
            config,
            queues: Mutex::default(),
            trip: AtomicU64::new(0),
            asked: AtomicU32::new(0),
            freed,
        }
    }

    /// The slots of a queue.
    pub fn of(&self, queue: &str) -> Arc<QueueSlots> {
        let mut queues = self.queues.lock();
        if let Some(slots) = queues.get(queue) {
            return Arc::clone(slots);
        }
        let slots = Arc::new(QueueSlots::new(
            queue,
            self.config.of(queue).min(self.process.most()),
            Arc::clone(&self.process),
        ));
        queues.insert(queue.to_owned(), Arc::clone(&slots));
        slots
    }

    /// The slots of a queue that the worker has met.
    pub fn find(&self, queue: &str) -> Option<Arc<QueueSlots>> {
        self.queues.lock().get(queue).cloned()
    }

    /// How many jobs of this queue run at once.
    pub fn count_of(&self, queue: &str) -> u32 {
        self.config.of(queue)
    }

    /// Those of every queue, by the name of its queue.
    pub fn all(&self) -> Vec<Arc<QueueSlots>> {
        self.queues.lock().values().cloned().collect()
    }

    /// Takes note that a runner is done with a job, and tells those who claim when that matters.
    pub fn done(&self, slots: &QueueSlots, ran: Option<Duration>) {
        if slots.done(ran).is_some_and(|room| room != Capacity::None) {
            self.freed.notify_one();
            slots.freed.notify_one();
        }
    }

    /// Whether jobs stand in line for a slot of the process, and there is one.
    pub fn can_start_stranded(&self) -> bool {
        let is_stranded = |slots: Arc<QueueSlots>| slots.is_stranded();
        self.process.is_short()
            && self.process.left() > 0
            && self.all().into_iter().any(is_stranded)
    }

    /// Takes into account how long a claim took.
    pub fn tripped(&self, span: Duration) {
        let span = u64::try_from(span.as_micros()).unwrap_or(u64::MAX);
        let mean = match self.trip.load(Ordering::Relaxed) {
            0 => span,
            mean => mean - mean / 8 + span / 8,
        };
        self.trip.store(mean, Ordering::Relaxed);
    }

    /// The mean time a claim takes.
    pub fn trip(&self) -> Duration {
        Duration::from_micros(self.trip.load(Ordering::Relaxed))
    }

    /// Takes jobs back that stood in line for longer than `most`.
    pub fn take_stale(&self, now: Instant, most: Duration) -> Vec<(Arc<QueueSlots>, Job)> {
        self.take(|slots| slots.take_stale(now, most))
    }

    /// Takes jobs back that have not started and that `is_wanted` names.
    pub fn take_where(&self, is_wanted: impl Fn(&Job) -> bool) -> Vec<(Arc<QueueSlots>, Job)> {
        self.take(|slots| slots.take_where(&is_wanted))
    }

    /// Starts nothing from now on; hands back what has not started.
    pub fn close(&self) -> Vec<(Arc<QueueSlots>, Job)> {
        self.take(QueueSlots::close)
    }

    /// How many jobs run.
    pub fn running(&self) -> u32 {
        self.all().iter().map(|slots| slots.counts().0).sum()
    }

    fn take(&self, from: impl Fn(&QueueSlots) -> Vec<Job>) -> Vec<(Arc<QueueSlots>, Job)> {
        let of = |slots: Arc<QueueSlots>| {
            let jobs = from(&slots);
            jobs.into_iter().map(move |job| (Arc::clone(&slots), job))
        };
        self.all().into_iter().flat_map(of).collect()
    }
}
