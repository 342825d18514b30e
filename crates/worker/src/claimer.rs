//! The claimer: takes jobs for free slots, all queues in one call.

mod claims;
mod polls;
mod waiting;

use std::{sync::Arc, sync::atomic::Ordering, time::Duration};

use baton_ports::{
    Wakeup,
    store::{Claimed, Error, ReadyQueue, Result},
    wakeups::Subscription,
};
use futures::FutureExt;
use tokio::time::Instant;

use crate::{
    core::Core,
    queue_slots::{Capacity, QueueSlots},
    run,
    store_backoff::StoreBackoff,
};
use claims::Sent;

/// How long a freed slot waits for others, so that claims stay big.
pub const GATHER: Duration = Duration::from_millis(2);
/// How often queues are polled while a queue with limits of its own gave less than wanted: its limits may have room.
pub const LIMITED: Duration = Duration::from_millis(250);
/// How often queues are polled, at the most, while there is something to claim without a poll.
const BUSY: Duration = Duration::from_millis(50);
/// How long a job may stand behind running ones before it is given back.
const STALE: Duration = Duration::from_secs(2);

/// For how long room is waited for beside a claim that is open.
const BESIDE: Duration = Duration::from_millis(50);

/// Claims until the worker drains: one claim after the other, and where the source allows it and there are more jobs than one
/// brings, another one beside it. Otherwise all that is done for an answer, here and far away, would hold up the next.
pub async fn run(core: Arc<Core>) {
    let claims_beside = core.source.may_claim_beside();
    let (mut first, mut other) = (Claimer::new(Arc::clone(&core)), Claimer::new(core));
    let beside = async {
        if claims_beside {
            other.run_beside().await;
        }
    };
    tokio::join!(first.run(), beside);
}

/// The claimer.
struct Claimer {
    core: Arc<Core>,
    wakeups: Subscription,
    queues: Vec<ReadyQueue>,
    /// Something may have come since the queues were polled.
    is_stale: bool,
    polled: Instant,
    next_poll: Instant,
    delay: StoreBackoff,
    /// How many turns there were.
    turns: usize,
    /// Whether it claims beside another one.
    is_beside: bool,
}

impl Claimer {
    fn new(core: Arc<Core>) -> Self {
        let now = Instant::now();
        Self {
            // Subscribed before the first poll, so nothing that comes in between is missed.
            wakeups: core.wakeups.subscribe(Wakeup::Ready),
            core,
            queues: Vec::new(),
            is_stale: true,
            polled: now,
            next_poll: now,
            delay: StoreBackoff::default(),
            turns: 0,
            is_beside: false,
        }
    }

    /// Claims until the worker drains.
    async fn run(&mut self) {
        while !self.core.draining.is_cancelled() {
            give_back_stale(&self.core);
            if self.core.may_claim() {
                self.turn_or_wait().await;
            } else {
                self.wait_for_permission().await;
            }
        }
    }

    /// Claims until the worker drains, but only while another claim is open and there are more jobs than that brings.
    async fn run_beside(&mut self) {
        self.is_beside = true;
        while !self.core.draining.is_cancelled() {
            tokio::select! {
                () = self.core.draining.cancelled() => {}
                () = self.core.backlog.claimed() => self.claim_beside().await,
            }
        }
    }

    async fn claim_beside(&mut self) {
        let mut until = Instant::now() + BESIDE;
        while self.core.backlog.is_there() && self.core.may_claim() && Instant::now() < until {
            if self.is_worth_another() && self.try_turn().await {
                until = Instant::now() + BESIDE;
            } else {
                self.nap(GATHER).await;
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
            () = self.core.slots.freed.notified() => {}
            () = self.nap(LIMITED) => {}
        }
    }

    /// Waits until there may be something to claim and somewhere to put it; `false` to look around.
    async fn rest(&mut self) -> bool {
        self.is_stale |= self.wakeups.recv().now_or_never().is_some();
        let until = Instant::now() + STALE;
        while !self.has_named() && !self.is_due() && self.room() == Capacity::None {
            self.is_stale |= self.core.claim_source().take_alarm();
            let alarm = until.min(if self.is_stale {
                self.pause_end()
            } else {
                self.next_poll
            });
            tokio::select! {
                biased;
                () = self.wakeups.recv() => self.is_stale = true,
                () = self.core.slots.freed.notified() => {}
                () = tokio::time::sleep_until(alarm) => {}
            }
            if Instant::now() >= until || self.core.slots.can_start_stranded() {
                return false;
            }
        }
        self.gather().await;
        true
    }

    async fn gather(&self) {
        let until = Instant::now() + GATHER;
        while !self.has_named() && self.room() == Capacity::Some {
            let freed = self.core.slots.freed.notified();
            if tokio::time::timeout_at(until, freed).await.is_err() {
                return;
            }
        }
    }

    /// Whether it is time to look which queues have jobs.
    fn is_due(&self) -> bool {
        let now = Instant::now();
        now >= self.next_poll || self.is_stale && now >= self.pause_end()
    }

    /// Wake-ups come as fast as jobs do; polls are made at intervals, longer ones while the known
    /// queues keep the worker busy anyway.
    fn pause_end(&self) -> Instant {
        let is_full = |queue: &ReadyQueue| self.core.slots.of(&queue.name).is_full();
        let is_busy = !self.queues.is_empty() && self.queues.iter().all(is_full);
        let pause = if is_busy {
            LIMITED
        } else if self.room() != Capacity::None {
            BUSY
        } else {
            GATHER
        };
        self.polled + pause
    }

    fn room(&self) -> Capacity {
        let rooms = self
            .queues
            .iter()
            .map(|queue| self.room_of(&self.core.slots.of(&queue.name)));
        rooms.max().unwrap_or(Capacity::None)
    }

    /// How much room a queue has for a search. Where all that joins the line is named, only a poll
    /// leads to one.
    fn room_of(&self, slots: &QueueSlots) -> Capacity {
        if self.core.claim_source().names_all_of(slots) {
            slots.room_to_search()
        } else {
            slots.room()
        }
    }

    fn has_named(&self) -> bool {
        self.core.claim_source().has_named()
    }

    /// Says whether a claim was made and answered.
    async fn try_turn(&mut self) -> bool {
        match self.turn().await {
            Ok(has_claimed) => {
                self.succeeded();
                has_claimed
            }
            Err(error) => {
                self.failed(&error).await;
                false
            }
        }
    }

    fn succeeded(&mut self) {
        if !self.delay.is_fresh() {
            tracing::info!("the store answers claims again");
            self.delay.reset();
        }
        self.core.is_answered.store(true, Ordering::Relaxed);
    }

    async fn failed(&mut self, error: &Error) {
        if self.delay.is_fresh() {
            tracing::warn!(error = %error, "jobs cannot be claimed: {error}; the worker keeps trying");
        }
        self.core.is_answered.store(false, Ordering::Relaxed);
        self.is_stale = true;
        self.leave_named();
        let wait = self.delay.wait();
        self.nap(wait).await;
    }

    /// Says whether there was something to claim for.
    async fn turn(&mut self) -> Result<bool> {
        if self.is_due() {
            self.poll().await?;
        }
        self.turns = self.turns.wrapping_add(1);
        let mut claims = self.claims();
        if claims.is_empty() {
            if self.core.source.waits() && !self.is_beside {
                // One queue has room, and all of them together have none: until something ends there is nothing to ask for.
                self.wait_for_permission().await;
            }
            return Ok(false);
        }
        let sees_all = self.core.claim_source().before_claim().await;
        let at = Instant::now();
        let wanted = claims::most(&claims);
        let may_wait = self.may_wait_for(claims.len());
        let asked = self.ask(&claims, wanted);
        if !self.is_beside {
            self.core.backlog.claims();
        }
        let core = Arc::clone(&self.core);
        let claimed = tokio::select! {
            biased;
            claimed = self.claim(&mut claims, at) => claimed,
            () = give_back_meanwhile(&core) => Ok(Vec::new()),
        };
        drop(asked);
        let claimed = claimed?;
        self.core.heard();
        self.learn(&claimed, wanted, at);
        let sent = Sent { at, sees_all };
        let is_empty = claimed.is_empty();
        self.hand_out(claims, claimed, sent);
        if self.core.source.waits() && !may_wait && !self.is_beside && is_empty {
            // It has looked, and would look again at once.
            self.wait_for_permission().await;
        }
        Ok(true)
    }

    /// Takes note of how long a claim takes, and whether there are more jobs than one brings.
    fn learn(&self, claimed: &[Claimed], wanted: u32, sent: Instant) {
        let is_filled = claimed.len() >= wanted as usize;
        // One that has waited says nothing of either.
        let at_once = !self.has_waited(claimed, sent) && (is_filled || !self.core.source.waits());
        if !claimed.is_empty() && at_once {
            self.core.slots.tripped(sent.elapsed());
        }
        let is_backlog = is_filled && at_once && self.is_worth_two(wanted);
        self.core.backlog.set(is_backlog);
    }
}

/// Gives back what stands too long, beside a claim that waits. It never ends.
async fn give_back_meanwhile(core: &Arc<Core>) {
    loop {
        tokio::time::sleep(STALE / 4).await;
        give_back_stale(core);
    }
}

fn give_back_stale(core: &Arc<Core>) {
    for (slots, job) in core.slots.take_stale(Instant::now(), STALE) {
        core.give_back(&slots, &job);
    }
    for slots in core.slots.all() {
        run::start(core, &slots, slots.rouse());
    }
}
