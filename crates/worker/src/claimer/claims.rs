//! Claims: what is wanted of each queue, and what becomes of what it gave.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use baton_domain::{JobId, LeaseId, Timestamp};
use baton_ports::{
    halves::{Halved, halved},
    store::{Claim, Claimed, Error, Line, Result, Want},
};
use tokio::time::Instant;

use super::{Claimer, LIMITED};
use crate::{
    detached::detached,
    hints::{HintBatch, WorkerHints},
    job::Job,
    patience::jittered,
    process::Process,
    queue_slots::{QueueSlots, Room},
    run, telemetry,
};

/// A want, and the slots it is for.
pub(super) struct Wish {
    slots: Arc<QueueSlots>,
    want: Want,
    /// What led to it; nothing where jobs are searched for.
    hints: Option<HintBatch>,
}

/// What the queues may take of the process's slots in one turn.
struct FairShare<'a> {
    process: &'a Process,
    left: u32,
    has_denied: bool,
}

impl<'a> FairShare<'a> {
    fn of(process: &'a Process, all: usize) -> Self {
        process.share_among(all);
        Self {
            process,
            left: process.left(),
            has_denied: false,
        }
    }

    /// What a queue gets of what it wants. What it claims beyond its slots takes none of the process's.
    fn cut(&mut self, slots: &QueueSlots, wanted: u32) -> u32 {
        self.has_denied |= slots.is_starved() || (wanted > 0 && self.left == 0);
        let limit = match self.left {
            0 => 0,
            left if self.process.is_short() => wanted.min(self.process.allows(slots.load(), left)),
            _ => wanted,
        };
        self.left = self.left.saturating_sub(limit.min(slots.count));
        limit
    }

    /// Takes note of whether there were enough for all.
    fn settle(self) {
        if self.has_denied {
            self.process.run_short();
        } else if self.left > 0 {
            self.process.suffices();
        }
    }
}

/// A claim that was sent.
#[derive(Clone, Copy)]
pub(super) struct Sent {
    pub at: Instant,
    /// It finds whatever the hints would have led to that searches have trimmed.
    pub covers_trims: bool,
}

impl Wish {
    fn new(slots: Arc<QueueSlots>, limit: u32, limited: bool) -> Self {
        let want = Want {
            queue: slots.queue.to_string(),
            lease: LeaseId::random(),
            limit,
            limited,
            hinted: None,
        };
        Self {
            slots,
            want,
            hints: None,
        }
    }
}

impl Claimer {
    /// What hints have led to, and then what is to be searched for.
    pub(super) fn wishes(&self) -> Vec<Wish> {
        let batches = self.core.hinted.get().map(WorkerHints::take_batches);
        let batches = batches.unwrap_or_default();
        let all = self.lines.len().max(batches.len());
        let mut share = FairShare::of(&self.core.slots.process, all);
        let follow = |hints| self.follow(hints, &mut share);
        let mut wishes: Vec<_> = batches.into_iter().filter_map(follow).collect();
        // Each line is searched once, so none of the others has taken of its room; and there may be thousands of them.
        let followed = wishes.len();
        for line in self.in_turn() {
            let slots = self.core.slots.of(&line.queue);
            let same = wishes[..followed]
                .iter()
                .filter(|wish| Arc::ptr_eq(&wish.slots, &slots));
            let taken = same.map(|wish| wish.want.limit).sum();
            let limit = self.search(line, &slots, taken);
            let limit = share.cut(&slots, limit);
            if limit > 0 {
                wishes.push(Wish::new(slots, limit, line.limited));
            }
        }
        share.settle();
        wishes
    }

    /// The lines; where slots are short the first take them, so it begins with another one each time.
    fn in_turn(&self) -> impl Iterator<Item = &Line> {
        let is_short = self.core.slots.process.is_short();
        let first = if is_short { self.turns } else { 0 };
        let (before, from) = self.lines.split_at(first % self.lines.len().max(1));
        from.iter().chain(before)
    }

    /// What a batch of hints leads to, as far as there is room: slots may have been filled in the meantime.
    fn follow(&self, mut hints: HintBatch, share: &mut FairShare<'_>) -> Option<Wish> {
        let room = share.cut(&hints.slots, hints.slots.space());
        let room = usize::try_from(room).unwrap_or(usize::MAX);
        if hints.jobs.len() > room {
            let surplus = hints.jobs.split_off(room);
            self.pass_on(&hints.slots, &surplus);
        }
        let limit = u32::try_from(hints.jobs.len()).ok()?;
        let mut wish = Wish::new(Arc::clone(&hints.slots), limit, false);
        wish.want.hinted = Some(hints.jobs.clone());
        wish.hints = Some(hints);
        (limit > 0).then_some(wish)
    }

    /// How many jobs to search for, when room for so many is taken.
    fn search(&self, line: &Line, slots: &QueueSlots, taken: u32) -> u32 {
        if self.room_of(slots) == Room::None {
            return 0;
        }
        let (count, trip) = (slots.count, self.core.slots.trip());
        // What is claimed counts against a queue's own limits, whether it runs or not.
        let most = if line.limited {
            0
        } else {
            self.core.config.prefetch
        };
        let room = slots.want(|pace| pace.ahead(count, trip, most));
        room.saturating_sub(taken)
    }

    /// Claims all at once; where the store refuses that, what one queue has in the way holds up no other.
    pub(super) async fn claim(&self, wishes: &[Wish], sent: Instant) -> Result<Vec<Claimed>> {
        let wants: Vec<_> = wishes.iter().map(|wish| wish.want.clone()).collect();
        let now = self.core.clock.now();
        let claimed = halved(&wants, false, |wants| self.claim_for(wants, now)).await;
        let claimed = claimed.and_then(|halved| told(halved, wants.len()));
        if let Err(error) = &claimed {
            // Unless nothing was done, the claim may stand, also behind an answer that cannot be read.
            if !matches!(error, Error::Unavailable(_)) {
                let leases = wishes.iter().map(|wish| wish.want.lease);
                self.core.doubt(leases, sent);
            }
            // Whatever still stands in line is claimed sooner by somebody whose store answers.
            let batches = wishes.iter().filter_map(|wish| wish.hints.as_ref());
            batches.for_each(|hints| self.pass_on(&hints.slots, &hints.jobs));
        }
        claimed
    }

    async fn claim_for(&self, wants: Vec<Want>, now: Timestamp) -> Result<Vec<Claimed>> {
        let claim = Claim {
            worker: self.core.config.worker,
            until: now + self.core.config.lease,
            wants,
        };
        let store = Arc::clone(&self.core.store);
        detached(async move { store.claim(&claim, now).await }).await
    }

    /// Leaves to others what was taken and not claimed yet.
    pub(super) fn pass_hints_on(&self) {
        if let Some(hinted) = self.core.hinted.get() {
            for batch in hinted.take_batches() {
                self.pass_on(&batch.slots, &batch.jobs);
            }
        }
    }

    fn pass_on(&self, slots: &QueueSlots, jobs: &[JobId]) {
        if let Some(hinted) = self.core.hinted.get() {
            hinted.acks.offer_again(&slots.queue, jobs);
        }
    }

    pub(super) fn hand_out(&mut self, wishes: Vec<Wish>, claimed: Vec<Claimed>, sent: Sent) {
        telemetry::claimed(&self.core, claimed.len());
        let mut batches: HashMap<LeaseId, Vec<Claimed>> = HashMap::new();
        for claimed in claimed {
            batches.entry(claimed.lease).or_default().push(claimed);
        }
        for wish in wishes {
            let batch = batches.remove(&wish.want.lease).unwrap_or_default();
            let is_hinted = wish.hints.is_some();
            match wish.hints {
                Some(hints) => self.followed(hints, &batch),
                None => self.searched(&wish.slots, &wish.want, count(&batch), sent),
            }
            self.hand_to(&wish.slots, wish.want.lease, batch, sent, is_hinted);
        }
    }

    /// Takes note of where hints have led.
    fn followed(&mut self, hints: HintBatch, batch: &[Claimed]) {
        let found: HashSet<JobId> = batch.iter().map(|claimed| claimed.order.id).collect();
        let stale = hints.jobs.iter().filter(|job| !found.contains(job));
        let stale: Vec<_> = stale.copied().collect();
        if let Some(hinted) = self.core.hinted.get() {
            hinted.acks.drop_stale(&hints.slots.queue, &stale);
        }
        let (found, stale) = (found.len(), stale.len());
        let slots = &hints.slots;
        let is_astray = slots.view(|view| view.followed(found, stale, hints.is_full, slots.count));
        if slots.view(|view| view.is_found()) {
            self.meet(slots);
        }
        if is_astray {
            // The queue may be paused, and its hints wasted if more were taken.
            self.refresh_soon();
            self.misled.push(hints.consumer);
        }
    }

    /// Takes note of where a search has led. Where hints lead as well, it goes on until nothing is found,
    /// and as many of them are forgotten as it has found jobs.
    fn searched(&mut self, slots: &Arc<QueueSlots>, want: &Want, found: u32, sent: Sent) {
        let is_heard_of = self.hears_of(slots);
        let is_short = found < want.limit;
        let is_dry = is_short && (!is_heard_of || found == 0 && sent.covers_trims);
        slots.view(|view| view.set_dry(is_dry));
        slots.freed.notify_one();
        if is_heard_of && is_short {
            self.trims.end_nears();
        }
        if is_heard_of && found > 0 {
            self.trims.begin(&self.core, slots, found);
        }
        if is_dry && want.limited {
            self.next_poll = self.next_poll.min(sent.at + jittered(LIMITED));
        }
    }

    fn hand_to(
        &self,
        slots: &Arc<QueueSlots>,
        lease: LeaseId,
        batch: Vec<Claimed>,
        sent: Sent,
        is_hinted: bool,
    ) {
        if batch.is_empty() {
            return;
        }
        let core = &self.core;
        let over = core.abort.child_token();
        let lease = core
            .leases
            .add(lease, core.deadline(sent.at), batch.len(), over);
        let now = Instant::now();
        let jobs = batch.into_iter().map(|claimed| Job {
            is_hinted,
            ..Job::new(core, claimed, Arc::clone(&lease), now)
        });
        match slots.accept(jobs.collect()) {
            Ok(runners) => run::start(core, slots, runners),
            Err(jobs) => jobs.into_iter().for_each(|job| core.give_back(slots, job)),
        }
    }
}

/// What was claimed, and in the log what was refused; an error where nothing was claimed of anything.
fn told(halved: Halved<Want, Vec<Claimed>>, all: usize) -> Result<Vec<Claimed>> {
    let Halved { answers, mut alone } = halved;
    if alone.len() == all {
        return alone.pop().map_or(Ok(Vec::new()), |(_, error)| Err(error));
    }
    for (Want { queue, .. }, error) in &alone {
        metrics::counter!("baton_rows_refused_total", "what" => "claim").increment(1);
        tracing::error!(queue, %error, "the store refuses a claim from the queue {queue}: {error}; a job at the head of it is why, the others go on");
    }
    Ok(answers.into_iter().flatten().collect())
}

fn count(batch: &[Claimed]) -> u32 {
    u32::try_from(batch.len()).unwrap_or(u32::MAX)
}
