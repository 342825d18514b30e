//! The slots of all queues.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{sync::Notify, time::Instant};

use crate::{
    config::Slots,
    job::Job,
    lane::{Lane, Room},
    process::Process,
};

/// The slots of all queues the worker has met.
#[derive(Debug)]
pub struct Lanes {
    slots: Slots,
    lanes: Mutex<BTreeMap<String, Arc<Lane>>>,
    /// The mean time a claim takes, in microseconds.
    trip: AtomicU64,
    /// Rings when a lane has room again, or more of it, or when claiming may begin anew.
    pub freed: Arc<Notify>,
    /// The slots of all lanes together.
    pub process: Arc<Process>,
}

impl Lanes {
    /// No lanes yet; they come with the queues.
    pub fn new(slots: Slots, max_running: u32) -> Self {
        let freed = Arc::new(Notify::new());
        Self {
            process: Arc::new(Process::new(max_running, Arc::clone(&freed))),
            slots,
            lanes: Mutex::default(),
            trip: AtomicU64::new(0),
            freed,
        }
    }

    /// The lane of a queue.
    pub fn lane(&self, queue: &str) -> Arc<Lane> {
        let mut lanes = self.lanes.lock();
        if let Some(lane) = lanes.get(queue) {
            return Arc::clone(lane);
        }
        let lane = Arc::new(Lane::new(
            queue,
            self.slots.of(queue).min(self.process.most()),
            Arc::clone(&self.process),
        ));
        lanes.insert(queue.to_owned(), Arc::clone(&lane));
        lane
    }

    /// The lane of a queue that the worker has met.
    pub fn find(&self, queue: &str) -> Option<Arc<Lane>> {
        self.lanes.lock().get(queue).cloned()
    }

    /// How many jobs of this queue run at once.
    pub fn slots_of(&self, queue: &str) -> u32 {
        self.slots.of(queue)
    }

    /// Every lane, by the name of its queue.
    pub fn all(&self) -> Vec<Arc<Lane>> {
        self.lanes.lock().values().cloned().collect()
    }

    /// Takes note that a runner is done with a job, and tells those who claim when that matters.
    pub fn done(&self, lane: &Lane, ran: Option<Duration>) {
        if lane.done(ran).is_some_and(|room| room != Room::None) {
            self.freed.notify_one();
            lane.freed.notify_one();
        }
    }

    /// Whether jobs stand in line for a slot of the process, and there is one.
    pub fn can_start_stranded(&self) -> bool {
        let is_stranded = |lane: Arc<Lane>| lane.is_stranded();
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

    /// Takes jobs back that stood in line for longer than `patience`.
    pub fn take_stale(&self, now: Instant, patience: Duration) -> Vec<(Arc<Lane>, Job)> {
        self.take(|lane| lane.take_stale(now, patience))
    }

    /// Takes jobs back that have not started and that `is_wanted` names.
    pub fn take_where(&self, is_wanted: impl Fn(&Job) -> bool) -> Vec<(Arc<Lane>, Job)> {
        self.take(|lane| lane.take_where(&is_wanted))
    }

    /// Starts nothing from now on; hands back what has not started.
    pub fn close(&self) -> Vec<(Arc<Lane>, Job)> {
        self.take(Lane::close)
    }

    /// How many jobs run.
    pub fn running(&self) -> u32 {
        self.all().iter().map(|lane| lane.counts().0).sum()
    }

    fn take(&self, from: impl Fn(&Lane) -> Vec<Job>) -> Vec<(Arc<Lane>, Job)> {
        let of = |lane: Arc<Lane>| {
            let jobs = from(&lane);
            jobs.into_iter().map(move |job| (Arc::clone(&lane), job))
        };
        self.all().into_iter().flat_map(of).collect()
    }
}
