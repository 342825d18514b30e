//! What is remembered of remote workers, so that a claim need not look them up.

use std::{
    collections::{HashMap, HashSet},
    time::Duration,
};

use baton_domain::{JobId, Timestamp, WorkerId, fleet::Heartbeat};
use baton_ports::store::Wish;
use parking_lot::Mutex;
use tokio::time::Instant;

use crate::{Caller, Error, Result, doors::move_along};

/// How many workers are remembered; after that, those that were not heard of for longest are looked up anew.
const MOST: usize = 20_000;

/// What is remembered of remote workers.
#[derive(Default)]
pub struct KnownWorkers(Mutex<HashMap<WorkerId, KnownWorker>>);

/// What is remembered of one.
#[derive(Clone)]
pub struct KnownWorker {
    /// What it has said of itself.
    pub heartbeat: Heartbeat,
    /// Whether it is to take nothing new.
    pub drain: bool,
    /// When it was heard of last, here.
    pub heard: Instant,
    /// When it said what is yet to be written, if anything is.
    unwritten: Option<Timestamp>,
    /// What it was told of.
    pub told: SentNotices,
    /// Whether a claim of its was answered with that.
    pub is_claim_told: bool,
}

/// How often the same is told without waiting for more: what was told on a line that broke has not been heard.
const TIMES: u8 = 2;

/// How much is new of what is to be told.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Novelty {
    /// All was told as often as it is.
    Known,
    /// All was told, and something only once.
    ToldOnce,
    /// Something was not told.
    New,
}

/// What a worker was told of, and how often.
#[derive(Clone)]
pub struct SentNotices {
    stop: HashMap<JobId, u8>,
    drain: bool,
    drain_times: u8,
}

impl SentNotices {
    /// Nothing, and that it goes on.
    fn nothing() -> Self {
        Self {
            stop: HashMap::new(),
            drain: false,
            drain_times: TIMES,
        }
    }

    /// How much of this is new.
    pub fn novelty(&self, stop: &[JobId], drain: bool) -> Novelty {
        let times = stop.iter().map(|job| self.times(job));
        let least = times.chain([self.drain_times(drain)]).min();
        match least.unwrap_or(TIMES) {
            0 => Novelty::New,
            times if times < TIMES => Novelty::ToldOnce,
            _ => Novelty::Known,
        }
    }

    /// Takes note that this is told.
    pub fn tell(&mut self, stop: &[JobId], drain: bool) {
        let again = |times: u8| times.saturating_add(1).min(TIMES);
        let stop = stop.iter().map(|job| (*job, again(self.times(job))));
        self.stop = stop.collect();
        self.drain_times = again(self.drain_times(drain));
        self.drain = drain;
    }

    fn times(&self, job: &JobId) -> u8 {
        self.stop.get(job).copied().unwrap_or_default()
    }

    fn drain_times(&self, drain: bool) -> u8 {
        if drain == self.drain {
            self.drain_times
        } else {
            0
        }
    }
}

impl KnownWorker {
    fn of(heartbeat: Heartbeat, drain: bool) -> Self {
        Self {
            heartbeat,
            drain,
            heard: Instant::now(),
            unwritten: None,
            told: SentNotices::nothing(),
            is_claim_told: false,
        }
    }

    fn asks(&mut self, now: Timestamp) {
        self.heard = Instant::now();
        if let Some(remote) = &mut self.heartbeat.remote {
            remote.asked_at = Some(now);
        }
    }

    /// Whether it says what it said before, but for when it asked for jobs.
    pub fn says_the_same(&self, heartbeat: &Heartbeat) -> bool {
        let without_time = |one: &Heartbeat| {
            let mut one = one.clone();
            if let Some(remote) = &mut one.remote {
                remote.asked_at = None;
            }
            one
        };
        without_time(&self.heartbeat) == without_time(heartbeat)
    }
}

impl KnownWorkers {
    /// Takes note of what a worker has said, and is written, and of what is wanted of it.
    pub fn heard(&self, heartbeat: Heartbeat, drain: bool) {
        let mut known = self.0.lock();
        if known.len() >= MOST {
            forget_the_oldest(&mut known);
        }
        let one = known
            .entry(heartbeat.worker)
            .or_insert_with(|| KnownWorker::of(heartbeat.clone(), drain));
        (one.heartbeat, one.drain, one.heard) = (heartbeat, drain, Instant::now());
        one.unwritten = None;
    }

    /// Takes note of what a worker has said again, and is yet to be written.
    pub fn heard_again(&self, heartbeat: Heartbeat, now: Timestamp) {
        self.with(heartbeat.worker, |known| {
            (known.heartbeat, known.heard) = (heartbeat, Instant::now());
            known.unwritten = Some(now);
        });
    }

    /// What some workers have said that is yet to be written, and when.
    pub fn unwritten(&self, workers: &[WorkerId]) -> Vec<(Heartbeat, Timestamp)> {
        let known = self.0.lock();
        let known = workers.iter().filter_map(|worker| known.get(worker));
        known
            .filter_map(|one| Some((one.heartbeat.clone(), one.unwritten?)))
            .collect()
    }

    /// Takes note that this is written.
    pub fn written(&self, said: &[(Heartbeat, Timestamp)]) {
        let mut known = self.0.lock();
        for (one, at) in said {
            if let Some(one) = known.get_mut(&one.worker) {
                one.unwritten = one.unwritten.filter(|later| later != at);
            }
        }
    }

    /// Takes note of what is wanted of some workers: nothing of those that are not named. Says which of them know by an answered claim that
    /// they are to drain.
    pub fn wanted(&self, workers: &[WorkerId], wishes: &[(WorkerId, Wish)]) -> HashSet<WorkerId> {
        let drains = wishes.iter().filter(|(_, wish)| wish.drain);
        let drains: HashSet<_> = drains.map(|(worker, _)| *worker).collect();
        let mut known = self.0.lock();
        let mut told = HashSet::new();
        for worker in workers {
            if let Some(one) = known.get_mut(worker) {
                one.drain = drains.contains(worker);
                one.is_claim_told &= one.drain;
                if one.is_claim_told {
                    told.insert(*worker);
                }
            }
        }
        told
    }

    pub fn get(&self, worker: WorkerId) -> Option<KnownWorker> {
        self.0.lock().get(&worker).cloned()
    }

    /// Changes what is remembered of one, if it is.
    pub fn with<T>(
        &self,
        worker: WorkerId,
        change: impl FnOnce(&mut KnownWorker) -> T,
    ) -> Option<T> {
        self.0.lock().get_mut(&worker).map(change)
    }

    /// Takes note that a worker has asked for jobs: that it lives.
    pub fn asked(&self, worker: WorkerId, now: Timestamp) {
        self.with(worker, |known| known.asks(now));
    }

    /// Takes note that these workers go on waiting for jobs.
    pub fn wait_on(&self, workers: &[WorkerId], now: Timestamp) {
        let mut known = self.0.lock();
        for worker in workers {
            if let Some(one) = known.get_mut(worker) {
                one.asks(now);
            }
        }
    }

    /// Whether a worker is to drain, which the answer to a claim tells it.
    pub fn tell_claim(&self, worker: WorkerId) -> bool {
        let told = self.with(worker, |known| {
            known.is_claim_told = known.drain;
            known.drain
        });
        told.unwrap_or(false)
    }

    /// Takes note that the clock was put ahead.
    pub fn clock_moved(&self, span: Duration) {
        for known in self.0.lock().values_mut() {
            move_along(&mut known.heartbeat, span);
        }
    }

    pub fn forget(&self, worker: WorkerId) {
        self.0.lock().remove(&worker);
    }
}

fn forget_the_oldest(known: &mut HashMap<WorkerId, KnownWorker>) {
    let mut heard: Vec<_> = known.values().map(|one| one.heard).collect();
    heard.sort_unstable();
    let middle = heard[heard.len() / 2];
    known.retain(|_, one| one.heard > middle);
}

impl Caller {
    /// A remote worker that has registered and has not said goodbye.
    pub(super) async fn known_worker(&self, worker: WorkerId) -> Result<KnownWorker> {
        let fresh = self.inner.settings.lease / 2;
        let known = self.remote().known.get(worker);
        // It may beat at another server: who was not heard of here for a while is looked up.
        if let Some(known) = known.filter(|known| known.heard.elapsed() < fresh) {
            return Ok(known);
        }
        let since = self.now() - self.inner.settings.remember_workers;
        let rows = self.store().workers(since).await?;
        let row = rows.into_iter().find(|row| row.heartbeat.worker == worker);
        let row = row.filter(|row| row.heartbeat.remote.is_some());
        let Some(row) = row else {
            return Err(Error::NotFound {
                what: "worker",
                id: worker.to_string(),
            });
        };
        if row.left_at.is_some() {
            self.remote().known.forget(worker);
            return Err(Error::WorkerLeft(worker));
        }
        let silence = self.now().since(row.seen_at);
        let known = KnownWorker::of(row.heartbeat, row.drain);
        self.remote()
            .known
            .heard(known.heartbeat.clone(), known.drain);
        let heard = Instant::now()
            .checked_sub(silence)
            .unwrap_or_else(Instant::now);
        self.remote().known.with(worker, |one| one.heard = heard);
        Ok(KnownWorker { heard, ..known })
    }
}
