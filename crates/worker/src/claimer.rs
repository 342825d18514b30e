//! The claimer: takes jobs for free slots, all queues in one call.

use std::{collections::HashMap, sync::Arc, sync::atomic::Ordering, time::Duration};

use baton_domain::LeaseId;
use baton_ports::{
    Wake,
    signal::Bell,
    store::{Claim, Claimed, Error, Line, Result, Want},
};
use futures::FutureExt;
use tokio::time::Instant;

use crate::{
    core::Core,
    detached::detached,
    job::Job,
    lane::{Lane, Room},
    patience::{Patience, jittered},
    run, telemetry,
};

/// How long a freed slot waits for others, so that claims stay big.
const GATHER: Duration = Duration::from_millis(2);
/// How often queues are looked at when no bell rings, at the least.
const SAFETY: Duration = Duration::from_secs(2);
/// The same while a queue with limits of its own gave less than wanted: its limits may have room.
const LIMITED: Duration = Duration::from_millis(250);
/// How often queues are looked at, at the most, while there is something to claim without a look.
const BUSY: Duration = Duration::from_millis(50);
/// How long a job may stand behind running ones before it is given back.
const STALE: Duration = Duration::from_secs(2);

/// The claimer.
pub struct Claimer {
    core: Arc<Core>,
    bell: Bell,
    lines: Vec<Line>,
    /// Something may have come since the queues were looked at.
    is_stale: bool,
    looked: Instant,
    next_look: Instant,
    patience: Patience,
}

/// A want, and the lane it is for.
struct Wish {
    lane: Arc<Lane>,
    want: Want,
}

impl Claimer {
    pub fn new(core: Arc<Core>) -> Self {
        let now = Instant::now();
        Self {
            // The bell is heard before the first look, so nothing that comes in between is missed.
            bell: core.signal.listen(Wake::Ready),
            core,
            lines: Vec::new(),
            is_stale: true,
            looked: now,
            next_look: now,
            patience: Patience::default(),
        }
    }

    /// Claims until the worker drains.
    pub async fn run(mut self) {
        while !self.core.draining.is_cancelled() {
            self.give_back_stale();
            if self.core.may_claim() {
                self.turn_or_wait().await;
            } else {
                self.wait_for_permission().await;
            }
        }
    }

    async fn turn_or_wait(&mut self) {
        let draining = self.core.draining.clone();
        let is_time = tokio::select! {
            biased;
            () = draining.cancelled() => false,
            is_time = self.rest() => is_time,
        };
        // The wait may have been long; what permitted it may have ended.
        if is_time && self.core.may_claim() {
            self.try_turn().await;
        }
    }

    async fn nap(&self, span: Duration) {
        tokio::select! {
            () = self.core.draining.cancelled() => {}
            () = tokio::time::sleep(span) => {}
        }
    }

    /// Waits until results are taken again, or leases renewed.
    async fn wait_for_permission(&self) {
        tokio::select! {
            biased;
            () = self.core.lanes.freed.notified() => {}
            () = self.nap(LIMITED) => {}
        }
    }

    /// Waits until there may be something to claim and somewhere to put it; `false` to look around.
    async fn rest(&mut self) -> bool {
        self.is_stale |= self.bell.rung().now_or_never().is_some();
        let until = Instant::now() + STALE;
        while !self.is_due() && self.room() == Room::None {
            let alarm = until.min(if self.is_stale {
                self.pause_end()
            } else {
                self.next_look
            });
            tokio::select! {
                biased;
                () = self.bell.rung() => self.is_stale = true,
                () = self.core.lanes.freed.notified() => {}
                () = tokio::time::sleep_until(alarm) => {}
            }
            if Instant::now() >= until {
                return false;
            }
        }
        self.gather().await;
        true
    }

    async fn gather(&self) {
        let until = Instant::now() + GATHER;
        while self.room() == Room::Some {
            let freed = self.core.lanes.freed.notified();
            if tokio::time::timeout_at(until, freed).await.is_err() {
                return;
            }
        }
    }

    /// Whether it is time to look which queues have jobs.
    fn is_due(&self) -> bool {
        let now = Instant::now();
        now >= self.next_look || self.is_stale && now >= self.pause_end()
    }

    /// Bells ring as fast as jobs come; looks are made at intervals, longer ones while the known
    /// queues keep the worker busy anyway.
    fn pause_end(&self) -> Instant {
        let is_full = |line: &Line| self.core.lanes.lane(&line.queue).is_full();
        let is_busy = !self.lines.is_empty() && self.lines.iter().all(is_full);
        let pause = if is_busy {
            LIMITED
        } else if self.room() != Room::None {
            BUSY
        } else {
            GATHER
        };
        self.looked + pause
    }

    fn room(&self) -> Room {
        let rooms = self
            .lines
            .iter()
            .map(|line| self.core.lanes.lane(&line.queue).room());
        rooms.max().unwrap_or(Room::None)
    }

    async fn try_turn(&mut self) {
        match self.turn().await {
            Ok(()) => self.succeeded(),
            Err(error) => self.failed(&error).await,
        }
    }

    fn succeeded(&mut self) {
        if !self.patience.is_fresh() {
            tracing::info!("the store answers claims again");
            self.patience.reset();
        }
        self.core.is_answered.store(true, Ordering::Relaxed);
    }

    async fn failed(&mut self, error: &Error) {
        if self.patience.is_fresh() {
            tracing::warn!(error = %error, "jobs cannot be claimed: {error}; the worker keeps trying");
        }
        self.core.is_answered.store(false, Ordering::Relaxed);
        self.is_stale = true;
        let wait = self.patience.wait();
        self.nap(wait).await;
    }

    async fn turn(&mut self) -> Result<()> {
        if self.is_due() {
            self.look().await?;
        }
        let wishes = self.wishes();
        if wishes.is_empty() {
            return Ok(());
        }
        let sent = Instant::now();
        let claimed = self.claim(&wishes, sent).await?;
        self.core.heard();
        if !claimed.is_empty() {
            self.core.lanes.tripped(sent.elapsed());
        }
        self.hand_out(wishes, claimed, sent);
        Ok(())
    }

    async fn look(&mut self) -> Result<()> {
        self.is_stale = false;
        self.looked = Instant::now();
        let lanes = self.core.lanes.all();
        lanes.iter().for_each(|lane| lane.begin_look());
        self.lines = self.core.store.lines().await?;
        self.core.heard();
        // Who is not among the lines has nothing to claim.
        lanes.iter().for_each(|lane| lane.set_dry(true));
        for line in &self.lines {
            let lane = self.core.lanes.lane(&line.queue);
            lane.set_dry(false);
            lane.set_limited(line.limited);
        }
        self.next_look = self.looked + jittered(SAFETY);
        telemetry::slots(&self.core.lanes);
        Ok(())
    }

    fn wishes(&self) -> Vec<Wish> {
        let wishes = self.lines.iter().map(|line| self.wish(line));
        wishes.filter(|wish| wish.want.limit > 0).collect()
    }

    fn wish(&self, line: &Line) -> Wish {
        let lane = self.core.lanes.lane(&line.queue);
        let (slots, trip) = (lane.slots, self.core.lanes.trip());
        let limit = if lane.room() == Room::None {
            0
        } else {
            // What is claimed counts against a queue's own limits, whether it runs or not.
            let most = if line.limited {
                0
            } else {
                self.core.config.prefetch
            };
            lane.want(|pace| pace.ahead(slots, trip, most))
        };
        Wish {
            lane,
            want: Want {
                queue: line.queue.clone(),
                lease: LeaseId::random(),
                limit,
                limited: line.limited,
                hinted: None,
            },
        }
    }

    async fn claim(&self, wishes: &[Wish], sent: Instant) -> Result<Vec<Claimed>> {
        let now = self.core.clock.now();
        let claim = Claim {
            worker: self.core.config.worker,
            until: now + self.core.config.lease,
            wants: wishes.iter().map(|wish| wish.want.clone()).collect(),
        };
        let store = Arc::clone(&self.core.store);
        let claimed = detached(async move { store.claim(&claim, now).await }).await;
        // Unless nothing was done, the claim may stand, also behind an answer that cannot be read.
        if claimed
            .as_ref()
            .is_err_and(|error| !matches!(error, Error::Unavailable(_)))
        {
            let leases = wishes.iter().map(|wish| wish.want.lease);
            self.core.doubt(leases, sent);
        }
        claimed
    }

    fn hand_out(&mut self, wishes: Vec<Wish>, claimed: Vec<Claimed>, sent: Instant) {
        telemetry::claimed(claimed.len());
        let mut batches: HashMap<LeaseId, Vec<Claimed>> = HashMap::new();
        for claimed in claimed {
            batches.entry(claimed.lease).or_default().push(claimed);
        }
        for wish in wishes {
            let batch = batches.remove(&wish.want.lease).unwrap_or_default();
            let is_dry = batch.len() < usize::try_from(wish.want.limit).unwrap_or(usize::MAX);
            wish.lane.set_dry(is_dry);
            if is_dry && wish.want.limited {
                self.next_look = self.next_look.min(sent + jittered(LIMITED));
            }
            self.hand_to(&wish.lane, wish.want.lease, batch, sent);
        }
    }

    fn hand_to(&self, lane: &Arc<Lane>, lease: LeaseId, batch: Vec<Claimed>, sent: Instant) {
        if batch.is_empty() {
            return;
        }
        let core = &self.core;
        let over = core.abort.child_token();
        let lease = core.book.add(lease, core.deadline(sent), batch.len(), over);
        let now = Instant::now();
        let jobs = batch
            .into_iter()
            .map(|claimed| Job::new(claimed, Arc::clone(&lease), now));
        match lane.accept(jobs.collect()) {
            Ok(runners) => run::start(core, lane, runners),
            Err(jobs) => jobs.into_iter().for_each(|job| core.give_back(lane, job)),
        }
    }

    fn give_back_stale(&self) {
        for (lane, job) in self.core.lanes.take_stale(Instant::now(), STALE) {
            self.core.give_back(&lane, job);
        }
        for lane in self.core.lanes.all() {
            run::start(&self.core, &lane, lane.rouse());
        }
    }
}
