//! Claims: what is wanted of each queue, and what becomes of what it gave.

use std::{collections::HashMap, sync::Arc};

use baton_domain::{LeaseId, Timestamp};
use baton_ports::{
    bisect::{Bisected, bisect},
    store::{Claim, Claimed, Error, QueueClaim, ReadyQueue, Result},
};
use tokio::time::Instant;

use super::{Claimer, LIMITED};
use crate::{
    claim_source::{NamedJobs, Search},
    detached::detached,
    job::Job,
    process_slots::ProcessSlots,
    queue_slots::{Capacity, QueueSlots},
    run, spans,
    store_backoff::jittered,
    telemetry,
};

/// A claim of one queue that is about to be sent, and the slots it is for.
pub(super) struct PendingClaim {
    pub(super) slots: Arc<QueueSlots>,
    pub(super) want: QueueClaim,
    /// What was named; nothing where jobs are searched for.
    named: Option<NamedJobs>,
}

/// What the queues may take of the process's slots in one turn.
struct FairShare<'a> {
    process: &'a ProcessSlots,
    left: u32,
    has_denied: bool,
}

impl<'a> FairShare<'a> {
    fn of(process: &'a ProcessSlots, all: usize) -> Self {
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
    /// A search sees all that was there.
    pub sees_all: bool,
}

impl PendingClaim {
    pub(super) fn new(slots: Arc<QueueSlots>, limit: u32, limited: bool) -> Self {
        let want = QueueClaim {
            queue: slots.queue.to_string(),
            lease: LeaseId::random(),
            limit,
            limited,
            jobs: None,
        };
        Self {
            slots,
            want,
            named: None,
        }
    }
}

impl Claimer {
    /// What was named, and then what is to be searched for.
    pub(super) fn claims(&self) -> Vec<PendingClaim> {
        if self.core.source.waits() {
            return self.waiting_claims();
        }
        let named = self.core.claim_source().take_named();
        let all = self.queues.len().max(named.len());
        let mut share = FairShare::of(&self.core.slots.process, all);
        let follow = |named| self.follow(named, &mut share);
        let mut claims: Vec<_> = named.into_iter().filter_map(follow).collect();
        // Each line is searched once, so none of the others has taken of its room; and there may be thousands of them.
        let followed = claims.len();
        for queue in self.in_turn() {
            let slots = self.core.slots.of(&queue.name);
            let same = claims[..followed]
                .iter()
                .filter(|pending| Arc::ptr_eq(&pending.slots, &slots));
            let taken = same.map(|pending| pending.want.limit).sum();
            let limit = self.search(queue, &slots, taken);
            let limit = share.cut(&slots, limit);
            if limit > 0 {
                claims.push(PendingClaim::new(slots, limit, queue.limited));
            }
        }
        share.settle();
        claims
    }

    /// The queues; where slots are short the first take them, so it begins with another one each time.
    pub(super) fn in_turn(&self) -> impl Iterator<Item = &ReadyQueue> {
        let is_short = self.core.slots.process.is_short() || self.core.source.waits();
        let first = if is_short { self.turns } else { 0 };
        let (before, from) = self.queues.split_at(first % self.queues.len().max(1));
        from.iter().chain(before)
    }

    /// What was named, as far as there is room: slots may have been filled in the meantime.
    fn follow(&self, mut named: NamedJobs, share: &mut FairShare<'_>) -> Option<PendingClaim> {
        let room = share.cut(&named.slots, named.slots.space());
        let room = usize::try_from(room).unwrap_or(usize::MAX);
        if named.jobs.len() > room {
            let surplus = named.jobs.split_off(room);
            self.core.claim_source().leave(&named.slots.queue, &surplus);
        }
        let limit = u32::try_from(named.jobs.len()).ok()?;
        let mut pending = PendingClaim::new(Arc::clone(&named.slots), limit, false);
        pending.want.jobs = Some(named.jobs.clone());
        pending.named = Some(named);
        (limit > 0).then_some(pending)
    }

    /// How many jobs to search for, when room for so many is taken.
    pub(super) fn search(&self, queue: &ReadyQueue, slots: &QueueSlots, taken: u32) -> u32 {
        if self.room_of(slots) == Capacity::None {
            return 0;
        }
        let (count, trip) = (slots.count, self.core.slots.trip());
        // What is claimed counts against a queue's own limits, whether it runs or not.
        let most = if queue.limited {
            0
        } else {
            self.core.config.prefetch
        };
        let room = slots.want(|pace| pace.ahead(count, trip, most));
        room.saturating_sub(taken)
    }

    /// Claims all at once; where the store refuses that, what one queue has in the way holds up no other. Wishes that it has
    /// not answered for are dropped: it has not said that there is nothing.
    pub(super) async fn claim(
        &self,
        claims: &mut Vec<PendingClaim>,
        sent: Instant,
    ) -> Result<Vec<Claimed>> {
        let wants: Vec<_> = claims.iter().map(|pending| pending.want.clone()).collect();
        let now = self.core.clock.now();
        let mut claimed = bisect(&wants, false, |wants| self.claim_for(wants, now)).await;
        let unanswered = claimed.as_mut().ok();
        if let Some((wants, error)) = unanswered.and_then(|some| some.unanswered.take()) {
            let is_unanswered = |pending: &mut PendingClaim| {
                wants.iter().any(|want| want.lease == pending.want.lease)
            };
            let dropped: Vec<_> = claims.extract_if(.., is_unanswered).collect();
            self.fail(&dropped, &error, sent);
        }
        let claimed = claimed.and_then(|bisected| told(bisected, wants.len()));
        if let Err(error) = &claimed {
            self.fail(claims, error, sent);
        }
        claimed
    }

    fn fail(&self, claims: &[PendingClaim], error: &Error, sent: Instant) {
        // Unless nothing was done, the claim may stand, also behind an answer that cannot be read.
        if !matches!(error, Error::Unavailable(_)) {
            let leases = claims.iter().map(|pending| pending.want.lease);
            self.core.doubt(leases, sent);
        }
        // Whatever still stands in line is claimed sooner by somebody whose store answers.
        self.leave(claims.iter().filter_map(|pending| pending.named.as_ref()));
    }

    async fn claim_for(&self, wants: Vec<QueueClaim>, now: Timestamp) -> Result<Vec<Claimed>> {
        let wanted = wants.iter().map(|want| want.limit);
        let most = match self.core.source.waits() {
            true => wanted.max().unwrap_or(0),
            false => wanted.sum(),
        };
        let claim = Claim {
            worker: self.core.config.worker,
            until: now + self.core.config.lease,
            queues: wants,
        };
        let source = Arc::clone(&self.core.source);
        let may_wait = self.may_wait_for(claim.queues.len());
        let claimed = async move {
            match may_wait {
                true => source.claim(&claim, most, now).await,
                false => source.claim_at_once(&claim, most, now).await,
            }
        };
        detached(claimed).await
    }

    /// Leaves to others what was named and not claimed yet.
    pub(super) fn leave_named(&self) {
        self.leave(&self.core.claim_source().take_named());
    }

    fn leave<'a>(&self, all: impl IntoIterator<Item = &'a NamedJobs>) {
        for named in all {
            self.core
                .claim_source()
                .leave(&named.slots.queue, &named.jobs);
        }
    }

    pub(super) fn hand_out(
        &mut self,
        claims: Vec<PendingClaim>,
        claimed: Vec<Claimed>,
        sent: Sent,
    ) {
        telemetry::claimed(&self.core, claimed.len());
        let took = sent.at.elapsed();
        let mut batches: HashMap<LeaseId, Vec<Claimed>> = HashMap::new();
        for claimed in claimed {
            batches.entry(claimed.lease).or_default().push(claimed);
        }
        for pending in claims {
            let batch = batches.remove(&pending.want.lease).unwrap_or_default();
            spans::received(&self.core.config.tracer, &pending.slots.queue, &batch, took);
            let is_named = pending.named.is_some();
            match pending.named {
                Some(named) => self.followed(&pending.slots, named, &batch),
                None => self.searched(&pending.slots, &pending.want, count(&batch), sent),
            }
            self.hand_to(&pending.slots, pending.want.lease, batch, sent, is_named);
        }
    }

    /// Takes note of where the named have led.
    fn followed(&mut self, slots: &QueueSlots, named: NamedJobs, claimed: &[Claimed]) {
        self.is_stale |= self.core.claim_source().followed(named, claimed);
        if slots.view(|view| view.is_found()) {
            self.meet(slots);
        }
    }

    /// Takes note of where a search has led.
    fn searched(&mut self, slots: &Arc<QueueSlots>, want: &QueueClaim, found: u32, sent: Sent) {
        let search = Search {
            slots,
            limit: want.limit,
            found,
            sees_all: sent.sees_all,
        };
        let source = Arc::clone(self.core.claim_source());
        let is_dry = source.searched(&self.core, &search);
        slots.view(|view| view.set_dry(is_dry));
        slots.freed.notify_one();
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
        is_named: bool,
    ) {
        if batch.is_empty() {
            return;
        }
        let core = &self.core;
        let over = core.abort.child_token();
        let from = core.source.granted_at(lease);
        let from = from.map_or(sent.at, |from| from.max(sent.at));
        let lease = core
            .leases
            .add(lease, core.deadline(from), batch.len(), over);
        let now = Instant::now();
        let jobs = batch.into_iter().map(|claimed| Job {
            is_named,
            ..Job::new(core, claimed, Arc::clone(&lease), now)
        });
        match slots.accept(jobs.collect()) {
            Ok(runners) => run::start(core, slots, runners),
            Err(jobs) => jobs.iter().for_each(|job| core.give_back(slots, job)),
        }
    }
}

/// What was claimed, and in the log what was refused; an error where nothing was claimed of anything.
fn told(bisected: Bisected<QueueClaim, Vec<Claimed>>, all: usize) -> Result<Vec<Claimed>> {
    let Bisected {
        answers, mut alone, ..
    } = bisected;
    if alone.len() == all {
        return alone.pop().map_or(Ok(Vec::new()), |(_, error)| Err(error));
    }
    for (QueueClaim { queue, .. }, error) in &alone {
        metrics::counter!("baton_rows_refused_total", "what" => "claim").increment(1);
        tracing::error!(queue, %error, "the store refuses a claim from the queue {queue}: {error}; a job at the head of it is why, the others go on");
    }
    Ok(answers.into_iter().flatten().collect())
}

/// The most that one of these claims wants.
pub(super) fn most(claims: &[PendingClaim]) -> u32 {
    let limits = claims.iter().map(|pending| pending.want.limit);
    limits.max().unwrap_or(0)
}

fn count(batch: &[Claimed]) -> u32 {
    u32::try_from(batch.len()).unwrap_or(u32::MAX)
}
