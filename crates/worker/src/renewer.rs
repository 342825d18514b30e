//! The renewer: keeps the worker's leases, hears of lost ones and of jobs that were asked to stop.

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
    time::Duration,
};

use baton_domain::{JobId, LeaseId, Timestamp, fleet::Heartbeat, job::Verdict};
use baton_ports::{
    Wakeup,
    store::{Error, Renewed, Result},
    wakeups::Subscription,
};
use tokio::time::Instant;

use crate::{
    core::Core, detached::detached, finished_attempt::FinishedAttempt, lease::Fate, lost_claims,
    store_backoff::StoreBackoff,
};

/// How close renewals follow on one another when they are asked for before their time.
const PAUSE: Duration = Duration::from_millis(250);

/// The same where a source tells by itself that there is news, and nobody else asks it.
const PAUSE_AFTER_NEWS: Duration = Duration::from_millis(20);

/// The renewer.
pub struct Renewer {
    core: Arc<Core>,
    wakeups: Subscription,
    /// When the last renewal was sent.
    sent: Instant,
    next_renewal: Instant,
    next_beat: Instant,
    delay: StoreBackoff,
    beat_delay: StoreBackoff,
}

impl Renewer {
    pub fn new(core: Arc<Core>) -> Self {
        let now = Instant::now();
        // A store that is back is told within a twelfth of the lease.
        let longest = (core.config.lease / 12).min(Duration::from_secs(2));
        Self {
            wakeups: core.wakeups.subscribe(Wakeup::Cancel),
            delay: StoreBackoff::up_to(longest),
            beat_delay: StoreBackoff::up_to(longest),
            core,
            sent: now,
            next_renewal: now,
            next_beat: now,
        }
    }

    /// Renews and beats until the worker is over.
    pub async fn run(mut self) {
        let over = self.core.over.clone();
        let mut is_drain_told = false;
        loop {
            let alarm = self.next_renewal.min(self.next_beat);
            tokio::select! {
                biased;
                () = over.cancelled() => return,
                () = self.core.draining.cancelled(), if !is_drain_told => {
                    is_drain_told = true;
                    self.next_beat = Instant::now();
                }
                () = tokio::time::sleep_until(alarm) => self.turn().await,
                () = self.wakeups.recv() => self.renew_early(),
                () = self.core.renew.notified() => self.renew_early(),
            }
        }
    }

    fn renew_early(&mut self) {
        let pause = match self.core.source.waits() {
            true => PAUSE_AFTER_NEWS,
            false => PAUSE,
        };
        self.next_renewal = self.next_renewal.min(self.sent + pause);
    }

    async fn turn(&mut self) {
        let now = Instant::now();
        if self.next_renewal <= now {
            self.renew(now).await;
        }
        if self.next_beat <= now {
            self.heartbeat(now).await;
        }
    }

    async fn renew(&mut self, sent: Instant) {
        self.sent = sent;
        self.next_renewal = sent + self.core.config.lease / 3;
        // What is not named is not renewed: a lease that was forgotten here is to be rescued.
        let asked = self.core.leases.ids();
        let doubted = self.core.leases.doubted();
        if asked.is_empty() && doubted.is_empty() {
            self.core.set_renewed(sent);
            return;
        }
        let until = self.core.clock.now() + self.core.config.lease;
        match self.ask([&*asked, &*doubted].concat(), until).await {
            Ok(renewed) => self.take_over(&asked, renewed).await,
            Err(error) => self.failed(&error),
        }
    }

    /// Asks for a third of a lease at most: a call that hangs must not be the last one.
    async fn ask(&self, leases: Vec<LeaseId>, until: Timestamp) -> Result<Renewed> {
        let source = Arc::clone(&self.core.source);
        let worker = self.core.config.worker;
        let call = detached(async move { source.renew(worker, &leases, until).await });
        tokio::time::timeout(self.core.config.lease / 3, call)
            .await
            .unwrap_or_else(|_| Err(Error::Unconfirmed("no answer in time".to_owned())))
    }

    async fn take_over(&mut self, asked: &[LeaseId], renewed: Renewed) {
        let core = &self.core;
        core.heard();
        core.set_renewed(self.sent);
        if !self.delay.is_fresh() {
            tracing::info!("leases are renewed again");
            self.delay.reset();
            core.slots.freed.notify_one();
        }
        let leases: HashSet<LeaseId> = renewed.leases.into_iter().collect();
        core.leases.extend(&leases, core.deadline(self.sent));
        drop_lost(core, asked, &leases);
        let cancels: BTreeSet<JobId> = renewed.cancels.into_iter().collect();
        if !cancel(core, &cancels) {
            self.next_renewal = self.next_renewal.min(self.sent + PAUSE);
        }
        let unheard = core.leases.unheard(&leases, self.sent);
        if !unheard.is_empty() {
            lost_claims::give_back(core, &unheard).await;
        }
    }

    fn failed(&mut self, error: &Error) {
        if self.delay.is_fresh() {
            tracing::warn!(error = %error, "leases cannot be renewed: {error}; work under them stops when they may have ended");
        }
        self.next_renewal = Instant::now() + self.delay.wait();
    }

    async fn heartbeat(&mut self, sent: Instant) {
        self.core.claim_source().heartbeat(self.core.config.lease);
        let (source, heartbeat) = (Arc::clone(&self.core.source), heartbeat_of(&self.core));
        let now = self.core.clock.now();
        let call = detached(async move { source.heartbeat(&heartbeat, now).await });
        let told = tokio::time::timeout(self.core.config.lease / 3, call).await;
        match told {
            Ok(Ok(wish)) => {
                self.core.heard();
                self.core.set_joined();
                self.core.set_resting(wish.drain);
                self.beat_delay.reset();
                self.next_beat = sent + self.core.config.lease / 3;
            }
            _ => self.unheard(),
        }
    }

    fn unheard(&mut self) {
        if self.beat_delay.is_fresh() {
            tracing::warn!("the worker could not tell the store that it lives; it keeps trying");
        }
        self.next_beat = Instant::now() + self.beat_delay.wait();
    }
}

fn drop_lost(core: &Core, asked: &[LeaseId], renewed: &HashSet<LeaseId>) {
    let lost = core.leases.lose(asked, renewed);
    if lost > 0 {
        let dropped = core.slots.take_where(|job| job.lease.fate() == Fate::Lost);
        for (slots, job) in &dropped {
            core.lose(slots, &job.lease, job.args.id, job.is_named);
        }
    }
}

/// Asks jobs to stop; says whether all of them were found. A job may be between two places, or its
/// claim's answer on the way: then it is asked again soon.
fn cancel(core: &Core, jobs: &BTreeSet<JobId>) -> bool {
    if jobs.is_empty() {
        return true;
    }
    let unstarted = core.slots.take_where(|job| jobs.contains(&job.args.id));
    let mut found = unstarted.len();
    for (slots, job) in unstarted {
        let now = core.clock.now();
        let ended = FinishedAttempt::by_verdict(
            &job,
            job.counters,
            &slots.queue,
            Verdict::Canceled,
            None,
            now,
        );
        core.conclude(&job.lease, ended);
    }
    let calls = core.calls.lock();
    for call in jobs.iter().filter_map(|job| calls.get(job)) {
        call.cancel();
        found += 1;
    }
    found == jobs.len()
}

fn heartbeat_of(core: &Core) -> Heartbeat {
    let mut counts = core.config.slots.by_queue.clone();
    for slots in core.slots.all() {
        counts.insert(slots.queue.to_string(), slots.count);
    }
    Heartbeat {
        remote: None,
        worker: core.config.worker,
        name: core.config.name.clone(),
        version: core.config.version.clone(),
        lease: Some(core.config.lease),
        slots: counts,
        running: core.slots.running(),
        draining: core.draining.is_cancelled() || core.is_resting(),
        started_at: core.started_at,
    }
}
