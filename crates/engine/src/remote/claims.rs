//! Claims of remote workers: jobs as soon as there are any, under leases that the worker has drawn.

mod checks;
mod request;

use std::{collections::HashMap, time::Duration};

use baton_domain::{JobId, LeaseId, WorkerId, access::Permission, checkpoint::Checkpoint};
use baton_ports::store::{self, Claimed, QueueClaim};
use tokio::{
    sync::oneshot,
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;

pub use request::{ClaimAnswer, ClaimRequest, RemoteBatch, RemoteJob, Want};

use super::{
    AttemptToken,
    in_turn::claim_in_turn,
    known_workers::KnownWorker,
    looks::{LOOK, ask_for_joined, look},
    unheard::{Unheard, spawn_give_back},
    waiting_claims::{Delivery, Place, Term},
};
use crate::{Caller, Engine, Error, Result};

/// How many jobs one claim takes.
const MOST_JOBS: u32 = 1_000;
/// How long a claim waits: proxies give up an answer after a minute, as a rule.
pub const LONGEST_CLAIM: Duration = Duration::from_secs(50);
/// How many jobs whoever is first takes while others wait that have found none.
const SHARE: u32 = 32;
/// How many bytes of payload an answer has, if nobody says otherwise.
const BYTES: usize = 4 << 20;

impl Caller {
    /// Claims jobs for a remote worker as soon as there are any; none if there were none in time, or the server stops.
    ///
    /// Whoever waits for it may be gone before it is answered: then what was claimed is given back at once.
    pub async fn claim_jobs(
        &self,
        worker: WorkerId,
        request: ClaimRequest,
        stop: &CancellationToken,
    ) -> Result<ClaimAnswer> {
        let arrived = Instant::now();
        self.needs(Permission::Worker)?;
        self.check_claim(&request)?;
        // Asked for before anything is claimed: what fails from then on has done something.
        self.seal().await?;
        let known = self.known_worker(worker).await?;
        self.remote().known.asked(worker, self.now());
        let wait = request.wait.min(LONGEST_CLAIM);
        let asked = ClaimInProgress {
            engine: self.clone(),
            worker,
            request,
            arrived,
        };
        if asked.request.is_repeated {
            let held = asked.held_before().await?;
            if !held.is_empty() {
                metrics::counter!("baton_remote_claims_total", "how" => "repeat").increment(1);
                return asked.answer(held).await;
            }
        }
        let found = asked.wait(known, wait, stop).await?;
        if !found.is_empty() {
            self.has_written();
        }
        asked.answer(found).await
    }
}

/// A claim on its way.
struct ClaimInProgress {
    engine: Caller,
    worker: WorkerId,
    request: ClaimRequest,
    arrived: Instant,
}

impl ClaimInProgress {
    /// How long a lease lasts that begins now.
    fn term(&self) -> Term {
        Term::begin(|| self.engine.now() + self.engine.inner.settings.lease)
    }

    fn leases(&self) -> Vec<LeaseId> {
        self.request.wants.iter().map(|want| want.lease).collect()
    }

    /// What an earlier asking has got.
    async fn held_before(&self) -> Result<Unheard> {
        let leases = self.leases();
        self.engine.remote().waiting.supersede(&leases);
        self.engine.remote().nothing_is_given_back(&leases).await;
        let store = self.engine.store();
        loop {
            // Another node may be about to give them back, whose connection has gone: it leaves what was renewed.
            let term = self.term();
            let renewed = store.renew(self.worker, &leases, term.until).await?;
            let now = self.engine.now();
            let held = store.claimed(self.worker, &leases, now).await?;
            // What was claimed in between lasts from before this term: it is renewed as well.
            if held.iter().all(|one| renewed.leases.contains(&one.lease)) {
                return Ok(self.unheard(held, term));
            }
        }
    }

    async fn wait(
        &self,
        mut known: KnownWorker,
        wait: Duration,
        stop: &CancellationToken,
    ) -> Result<Unheard> {
        let deadline = self.engine.remote().waiting.end_of(wait);
        // Where others wait already there is nothing to be found: one look at the store follows soon, for all of them.
        let place = self.enter(!known.drain && wait >= LOOK)?;
        let mut is_found_empty = place.waiter.is_idle();
        let mut may_have = true;
        if !is_found_empty {
            // Whoever goes now has taken nobody's turn: what came meanwhile has woken the next in line.
            may_have = (self.may_have(&mut known).await).inspect_err(|_| place.waiter.end())?;
            if known.drain && !known.is_claim_told {
                place.waiter.end();
                return Ok(self.nothing());
            }
        }
        loop {
            if may_have && !is_found_empty && !stop.is_cancelled() {
                let claimed = self.claim().await?;
                if !claimed.is_empty() {
                    self.pass_on(&claimed);
                    metrics::counter!("baton_remote_claims_total", "how" => "look").increment(1);
                    return Ok(claimed);
                }
                if !place.waiter.rest() {
                    if let Some(found) = self.delivered(&place).await? {
                        return Ok(found);
                    }
                    may_have = self.may_have(&mut known).await?;
                    continue;
                }
            }
            is_found_empty = false;
            // Whoever may have nothing now may have something soon: a drain is lifted, the worker is heard of again.
            let until = if may_have {
                deadline
            } else {
                deadline.min(Instant::now() + LOOK)
            };
            let is_woken = self.is_woken(&place, until, stop).await;
            if !is_woken && (until == deadline || stop.is_cancelled()) {
                metrics::counter!("baton_remote_claims_total", "how" => "empty").increment(1);
                return Ok(self.nothing());
            }
            if let Some(found) = self.delivered(&place).await? {
                return Ok(found);
            }
            may_have = self.may_have(&mut known).await?;
        }
    }

    /// Whether the worker lives, as far as is known, and is not to drain: what is claimed for one that is gone is lost
    /// for a lease. One that has left hears so.
    async fn may_have(&self, known: &mut KnownWorker) -> Result<bool> {
        let fresh = self.engine.inner.settings.lease * 2 / 3;
        if known.heard.elapsed() >= fresh {
            *known = self.engine.known_worker(self.worker).await?;
        }
        let wishes = self.engine.store().wishes(&[self.worker]).await?;
        self.engine.remote().known.wanted(&[self.worker], &wishes);
        if wishes.iter().any(|(_, wish)| wish.has_left) {
            self.engine.remote().known.forget(self.worker);
            return Err(Error::WorkerLeft(self.worker));
        }
        known.drain = wishes.iter().any(|(_, wish)| wish.drain);
        Ok(!known.drain && known.heard.elapsed() < fresh)
    }

    fn enter(&self, may_join: bool) -> Result<Place> {
        let wants = self.request.wants.iter();
        let wants = wants.map(|want| {
            (
                want.queue.clone(),
                want.lease,
                want.limit.min(self.request.limit),
            )
        });
        let waiting = &self.engine.remote().waiting;
        let place = waiting.enter(self.worker, wants.collect(), may_join);
        let place = place.ok_or(Error::TooManyClaims)?;
        if waiting.begin_to_look() {
            tokio::spawn(look(Engine::clone(&self.engine)));
        }
        if place.waiter.has_joined() && waiting.begin_to_ask() {
            tokio::spawn(ask_for_joined(Engine::clone(&self.engine)));
        }
        Ok(place)
    }

    /// Waits until there may be something; `false` when it has waited long enough.
    async fn is_woken(&self, place: &Place, deadline: Instant, stop: &CancellationToken) -> bool {
        let is_woken = tokio::select! {
            biased;
            () = place.waiter.wake.notified() => true,
            () = stop.cancelled() => false,
            () = sleep_until(deadline) => false,
        };
        let was_reserved = place.waiter.is_reserved();
        // A job is being added for it this moment: it is to be heard of.
        while place.waiter.is_reserved() {
            place.waiter.wake.notified().await;
        }
        is_woken || was_reserved
    }

    /// What a reservation has brought, if there was one.
    async fn delivered(&self, place: &Place) -> Result<Option<Unheard>> {
        let (claimed, term) = match place.waiter.awake() {
            Some(Delivery::Claimed(claimed, term)) => (claimed, term),
            Some(Delivery::Unknown(lease, term)) => {
                let store = &self.engine.inner.store;
                let now = self.engine.now();
                (store.claimed(self.worker, &[lease], now).await?, term)
            }
            Some(Delivery::Ended) => return Ok(Some(self.nothing())),
            None => return Ok(None),
        };
        if claimed.is_empty() {
            return Ok(None);
        }
        metrics::counter!("baton_remote_claims_total", "how" => "dispatch").increment(1);
        Ok(Some(self.unheard(claimed, term)))
    }

    /// Looks at the store, in a task of its own: what it claims for nobody is given back.
    async fn claim(&self) -> Result<Unheard> {
        let (tell, told) = oneshot::channel();
        let (engine, worker, wants) = (Engine::clone(&self.engine), self.worker, self.wants());
        let leases = self.leases();
        let (limit, term) = (self.request.limit, self.term());
        let until = term.until;
        tokio::spawn(async move {
            let claimed = claim_in_turn(&engine, worker, wants, (limit, until)).await;
            if tell.send(claimed).is_err() {
                spawn_give_back(engine, worker, leases, until);
            }
        });
        let claimed = told.await.map_err(|_| {
            store::Error::Unconfirmed("the claim ended without an answer".to_owned())
        })?;
        Ok(self.unheard(claimed?, term))
    }

    fn wants(&self) -> Vec<QueueClaim> {
        let waiting = &self.engine.remote().waiting;
        let wants = self.request.wants.iter().map(|want| {
            let share = if waiting.is_found_empty(&want.queue) {
                SHARE
            } else {
                MOST_JOBS
            };
            let limit = want.limit.min(share).min(self.fitting(&want.queue));
            QueueClaim {
                queue: want.queue.clone(),
                lease: want.lease,
                limit: limit.min(self.request.limit),
                limited: waiting.is_limited(&want.queue),
                jobs: None,
            }
        });
        wants.collect()
    }

    /// How many jobs of a queue fit into an answer, as they were of late.
    fn fitting(&self, queue: &str) -> u32 {
        let bytes = self.request.max_bytes.unwrap_or(BYTES).min(BYTES);
        let usual = self.engine.remote().usual_size(queue).max(1);
        u32::try_from(bytes / usual).unwrap_or(u32::MAX).max(1)
    }

    /// Whoever got all it wanted of a queue has left something there, perhaps.
    fn pass_on(&self, claimed: &Unheard) {
        let mut counts = HashMap::<&str, u32>::new();
        for one in &claimed.jobs {
            *counts.entry(&one.args.queue).or_default() += 1;
        }
        for want in self.wants() {
            if counts
                .get(&*want.queue)
                .is_some_and(|got| *got >= want.limit.min(SHARE))
            {
                self.engine.remote().waiting.wake_one(&want.queue);
            }
        }
    }

    fn nothing(&self) -> Unheard {
        self.unheard(Vec::new(), self.term())
    }

    fn unheard(&self, jobs: Vec<Claimed>, term: Term) -> Unheard {
        Unheard {
            is_any: !jobs.is_empty(),
            engine: Engine::clone(&self.engine),
            worker: self.worker,
            leases: self.leases(),
            jobs,
            term,
        }
    }

    /// The answer, as much of it as fits; the rest is given back.
    async fn answer(&self, found: Unheard) -> Result<ClaimAnswer> {
        let waited = found.term.from.saturating_duration_since(self.arrived);
        Ok(ClaimAnswer {
            batches: self.batches(found).await?,
            waited,
            drain: self.engine.remote().known.tell_claim(self.worker),
        })
    }

    async fn batches(&self, mut found: Unheard) -> Result<Vec<RemoteBatch>> {
        let most = self.request.max_bytes.unwrap_or(BYTES).min(BYTES);
        let ids: Vec<_> = found
            .jobs
            .iter()
            .filter(|one| may_have_checkpoint(one))
            .map(|one| one.args.id)
            .collect();
        let mut checkpoints = self.checkpoints(&ids).await?;
        let seal = self.engine.seal().await?;
        let mut batches = Vec::<RemoteBatch>::new();
        let (mut bytes, mut over) = (0, Vec::new());
        for claimed in std::mem::take(&mut found.jobs) {
            let size = claimed.args.payload.len();
            self.engine.remote().note_size(&claimed.args.queue, size);
            bytes += size;
            if bytes > most && !batches.is_empty() {
                over.push(claimed);
                continue;
            }
            let job = RemoteJob {
                token: seal.token(&AttemptToken::of(self.worker, &claimed)),
                checkpoint: checkpoints.remove(&claimed.args.id),
                claimed,
            };
            let (lease, queue) = (job.claimed.lease, &job.claimed.args.queue);
            match batches.iter_mut().find(|batch| batch.lease == lease) {
                Some(batch) => batch.jobs.push(job),
                None => batches.push(RemoteBatch {
                    lease,
                    queue: queue.clone(),
                    jobs: vec![job],
                }),
            }
        }
        if !over.is_empty() {
            self.engine.give_back_claimed(self.worker, &over).await?;
        }
        found.leases.clear();
        Ok(batches)
    }

    async fn checkpoints(&self, ids: &[JobId]) -> Result<HashMap<JobId, Checkpoint>> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let found = self.engine.store().checkpoints(ids).await?;
        Ok(found.into_iter().map(|one| (one.job, one)).collect())
    }
}

/// Whether an earlier attempt may have left something behind.
const fn may_have_checkpoint(claimed: &Claimed) -> bool {
    claimed.counters.attempt > 1 || claimed.counters.run > 1
}
