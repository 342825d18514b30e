//! One walk: a random call, made on both, and the answers compared.

mod checkpoints;
mod reading;

use std::{collections::BTreeSet, fmt::Debug, sync::Arc, time::Duration};

use baton_domain::{
    JobId, LeaseId, Lifecycle, OperationId, WorkerId,
    job::{Class, DeliveryGuarantee, JobSpec, NewJob, State, Verdict},
    operation::{Action, DeadLetterFilter},
    queue::Queue,
};
use rand::{RngExt, SeedableRng, rngs::StdRng};

use super::{
    super::bench::{
        ALL, Bench, HOUR, LEASE, SECOND, accepted, at_most, failing, paused, spec, want,
    },
    names::ODD,
};
use crate::{
    MemoryStore,
    store::{
        Atomicity, AttemptResult, By, Claim, Claimed, InlineStart, Retention, UnclaimedTransition,
    },
};

/// A queue and a kind can differ by case alone: these are all that a name may hold.
const QUEUES: [&str; 2] = ["a", "A"];
const KINDS: [&str; 2] = ["mail", "Mail"];
/// More than have a row of the line each, on any store.
const MANY: usize = 260;
const LONG: Duration = Duration::from_hours(8760);

/// Two stores side by side, and what the walk has met so far.
pub(super) struct ModelWalk {
    seed: u64,
    step: usize,
    /// Whether the clock is put back now and then.
    pub(super) clocks_step: bool,
    chance: StdRng,
    store: Bench,
    model: Bench,
    workers: [WorkerId; 2],
    jobs: Vec<JobId>,
    /// The queues into which many have come at once.
    crowded: BTreeSet<String>,
    /// Every attempt there was, the long lost ones too.
    claimed: Vec<(WorkerId, Claimed)>,
}

impl ModelWalk {
    pub(super) fn new(store: Bench, seed: u64) -> Self {
        let model = Bench {
            store: Arc::new(MemoryStore::new()),
            ..store.clone()
        };
        let workers = [store.worker, store.another_worker()];
        Self {
            seed,
            step: 0,
            clocks_step: false,
            chance: StdRng::seed_from_u64(seed),
            store,
            model,
            workers,
            jobs: Vec::new(),
            crowded: BTreeSet::new(),
            claimed: Vec::new(),
        }
    }

    pub(super) async fn step(&mut self, step: usize) {
        self.step = step;
        match self.chance.random_range(0..100) {
            0..12 => self.enqueue().await,
            12..18 => self.start().await,
            18..38 => self.claim().await,
            38..58 => self.settle().await,
            58..63 => self.rescue().await,
            63..71 => self.release().await,
            71..79 => self.transition().await,
            79..83 => self.stop().await,
            83..86 => self.renew().await,
            86..89 => self.change_queue().await,
            89..91 => self.operate().await,
            91..92 => self.prune().await,
            92..96 => self.checkpoint().await,
            _ => self.pass(),
        }
    }

    /// Time passes, and where clocks step it may be put back.
    fn pass(&mut self) {
        let span = SECOND * self.chance.random_range(0..15);
        self.store.pass(span);
        if self.clocks_step && self.chance.random_bool(0.2) {
            self.store.clock.set(self.store.now() - HOUR);
        }
    }

    async fn enqueue(&mut self) {
        if self.chance.random_bool(0.1) {
            return self.enqueue_many().await;
        }
        let count = self.chance.random_range(1..5);
        let specs: Vec<_> = (0..count).map(|_| self.some_spec()).collect();
        let jobs: Vec<_> = specs
            .into_iter()
            .map(|spec| self.store.new_job(spec))
            .collect();
        let atomicity = match self.chance.random_bool(0.5) {
            true => Atomicity::All,
            false => Atomicity::Each,
        };
        self.jobs.extend(jobs.iter().map(|job| job.id));
        let model = self.model.add(jobs.clone(), atomicity).await;
        let store = self.store.add(jobs, atomicity).await;
        let is_refused = model
            .iter()
            .any(|a| matches!(a, crate::store::Enqueued::Conflict(_)));
        if atomicity == Atomicity::Each || !is_refused {
            self.compare("enqueue", &store, &model);
        }
    }

    /// As many in one request as may share a row of the line, once in each queue: a claim that goes beyond one such row may take the next
    /// before what stands between them.
    async fn enqueue_many(&mut self) {
        let spec = JobSpec {
            key: None,
            ..self.some_spec()
        };
        let alike = JobSpec {
            priority: None,
            delay: None,
            expires_at: None,
            ..spec.clone()
        };
        let may_share = self.chance.random_bool(0.7);
        let one = self.store.new_job(if may_share { alike } else { spec });
        if !self.crowded.insert(one.queue.clone()) {
            return;
        }
        let ids = JobId::in_a_row(self.store.now()).take(MANY);
        let jobs: Vec<_> = ids.map(|id| NewJob { id, ..one.clone() }).collect();
        self.jobs.extend(jobs.iter().step_by(10).map(|job| job.id));
        let model = self.model.add(jobs.clone(), Atomicity::All).await;
        let store = self.store.add(jobs, Atomicity::All).await;
        self.compare("enqueue", &store, &model);
    }

    async fn start(&mut self) {
        let count = self.chance.random_range(1..4);
        let specs: Vec<_> = (0..count).map(|_| self.some_spec()).collect();
        let jobs = specs.into_iter().map(|spec| self.store.new_job(spec));
        let jobs: Vec<_> = jobs.collect();
        self.jobs.extend(jobs.iter().map(|job| job.id));
        let worker = self.workers[self.chance.random_range(0..2)];
        let start = InlineStart {
            worker,
            queue: QUEUES[self.chance.random_range(0..2)].to_owned(),
            lease: LeaseId::random(),
            until: self.store.now() + LEASE,
        };
        if self.chance.random_bool(0.3) {
            // The answer is lost, and the call is made again.
            both!(self, "enqueue_and_claim", |bench| bench
                .store
                .enqueue_and_claim(jobs.clone(), &start));
        }
        let started = both!(self, "enqueue_and_claim", |bench| bench
            .store
            .enqueue_and_claim(jobs.clone(), &start));
        let claimed = started.claimed.into_iter();
        self.claimed
            .extend(claimed.map(|claimed| (worker, claimed)));
    }

    fn some_spec(&mut self) -> JobSpec {
        let now = self.store.now();
        let chance = &mut self.chance;
        let queue = QUEUES[chance.random_range(0..2)];
        let key = ODD.get(chance.random_range(0..40));
        JobSpec {
            kind: KINDS[chance.random_range(0..2)].to_owned(),
            queue: Some(queue.to_owned()),
            key: key.map(|key| (*key).to_owned()),
            priority: Some(chance.random_range(0..2)),
            delay: chance
                .random_bool(0.3)
                .then(|| SECOND * chance.random_range(0..20)),
            max_attempts: Some(chance.random_range(1..4)),
            expires_at: chance
                .random_bool(0.2)
                .then(|| now + SECOND * chance.random_range(5..60)),
            delivery: chance
                .random_bool(0.2)
                .then_some(DeliveryGuarantee::AtMostOnce),
            ..spec()
        }
    }

    async fn claim(&mut self) {
        let worker = self.workers[self.chance.random_range(0..2)];
        let queue = QUEUES[self.chance.random_range(0..2)];
        let ready = both!(self, "ready_queues", |bench| bench.store.ready_queues());
        let limited = ready.iter().any(|it| it.name == queue && it.limited);
        let most = match self.chance.random_bool(0.1) {
            true => 90,
            false => self.chance.random_range(1..5),
        };
        let now = self.store.now();
        let claim = Claim {
            worker,
            until: now + LEASE,
            queues: vec![want(queue, most, limited)],
        };
        let claimed = both!(self, "claim", |bench| bench.store.claim(&claim, now));
        self.claimed
            .extend(claimed.into_iter().map(|claimed| (worker, claimed)));
    }

    async fn settle(&mut self) {
        let Some((worker, _)) = self.some_attempt() else {
            return;
        };
        let count = self.chance.random_range(1..4);
        let mut results = Vec::<AttemptResult>::new();
        for _ in 0..count {
            let attempt = self.some_attempt().filter(|(owner, _)| *owner == worker);
            let Some((_, claimed)) = attempt else {
                continue;
            };
            if results.iter().all(|known| known.job != claimed.args.id) {
                let verdict = self.some_verdict();
                results.push(self.store.result(&claimed, verdict));
            }
        }
        let now = self.store.now();
        both!(self, "settle", |bench| bench.store.settle(
            By::Worker(worker),
            &results,
            now
        ));
    }

    /// Any attempt there was, a late one more likely.
    fn some_attempt(&mut self) -> Option<(WorkerId, Claimed)> {
        let count = self.claimed.len();
        let recent = count.saturating_sub(8);
        let first = if self.chance.random_bool(0.8) {
            recent
        } else {
            0
        };
        (count > 0).then(|| self.claimed[self.chance.random_range(first..count)].clone())
    }

    fn some_verdict(&mut self) -> Verdict {
        match self.chance.random_range(0..12) {
            0..4 => accepted(),
            4..6 => failing(Class::Retry),
            6 => failing(Class::Permanent),
            7 => failing(Class::Throttled),
            8 => failing(Class::Unknown),
            9 => Verdict::Canceled,
            10 => Verdict::Skipped {
                why: "nothing to do".to_owned(),
            },
            _ => Verdict::Snoozed { after: SECOND },
        }
    }

    async fn rescue(&mut self) {
        let now = self.store.now();
        let mut held = self.model.overdue().await;
        let mut seen = self.store.overdue().await;
        held.sort_by_key(|held| held.job);
        seen.sort_by_key(|held| held.job);
        self.compare("overdue", &seen, &held);
        let lost = self.claimed.iter().filter(|(_, claimed)| {
            let is_it = |held: &crate::store::HeldJob| {
                (held.job, held.lease) == (claimed.args.id, claimed.lease)
            };
            held.iter().any(is_it)
        });
        let mut losses = Vec::new();
        for (_, claimed) in lost {
            losses.push(self.store.loss(claimed).await);
        }
        both!(self, "rescue", |bench| bench.store.settle(
            By::Rescuer,
            &losses,
            now
        ));
    }

    async fn release(&mut self) {
        let now = self.store.now();
        both!(self, "expire", |bench| bench.store.expire(ALL, now));
        both!(self, "release", |bench| bench.store.release(ALL, now));
    }

    async fn transition(&mut self) {
        let Some(job) = self.some_job() else { return };
        let now = self.store.now();
        let moves: Vec<_> = State::MOVES
            .iter()
            .filter(|(from, _, to)| *from != State::Running && *to != State::Running)
            .collect();
        let state = self
            .model
            .store
            .job(job)
            .await
            .expect("job")
            .map(|job| job.state);
        let fitting = moves.iter().filter(|(from, _, _)| Some(*from) == state);
        let fitting: Vec<_> = fitting.copied().collect();
        let from = match self.chance.random_bool(0.8) && !fitting.is_empty() {
            true => fitting,
            false => moves,
        };
        let (from, trigger, to) = *from[self.chance.random_range(0..from.len())];
        let change = UnclaimedTransition {
            afresh: self.chance.random_bool(0.3),
            job,
            transition: from.on(trigger).expect("the table has the move"),
            reason: (to == State::Canceled).then(|| "walked over".to_owned()),
        };
        both!(self, "transition", |bench| bench
            .store
            .transition(&change, now));
    }

    async fn stop(&mut self) {
        let Some((_, claimed)) = self.some_attempt() else {
            return;
        };
        let (job, now) = (claimed.args.id, self.store.now());
        let reason = self.chance.random_bool(0.5).then_some("stop");
        if self.chance.random_bool(0.6) {
            both!(self, "ask", |bench| bench
                .store
                .request_cancel(job, reason, now));
        } else {
            both!(self, "force_cancel", |bench| bench
                .store
                .force_cancel(job, reason, now));
        }
    }

    async fn renew(&mut self) {
        let worker = self.workers[self.chance.random_range(0..2)];
        let until = match self.chance.random_bool(0.8) {
            true => self.store.now() + LEASE,
            false => self.store.now() - HOUR,
        };
        let leases: BTreeSet<_> = self.claimed.iter().map(|(_, one)| one.lease).collect();
        let leases: Vec<_> = leases.into_iter().collect();
        let sorted = |bench: &Bench| {
            let (store, leases) = (bench.store.clone(), leases.clone());
            async move {
                store
                    .renew(worker, &leases, until)
                    .await
                    .map(|mut renewed| {
                        renewed.leases.sort();
                        renewed.cancels.sort();
                        renewed
                    })
            }
        };
        both!(self, "renew", |bench| sorted(bench));
    }

    async fn change_queue(&mut self) {
        let queue = QUEUES[self.chance.random_range(0..2)];
        let change = match self.chance.random_range(0..5) {
            0 => paused(true),
            1 | 2 => paused(false),
            3 => at_most(Some(3)),
            _ => at_most(None),
        };
        let model = self.model.change_queue(queue, change.clone()).await;
        let store = self.store.change_queue(queue, change).await;
        let limits = |queue: Queue| (queue.name, queue.paused, queue.max_running, queue.rate);
        self.compare("change_queue", &limits(store), &limits(model));
    }

    async fn operate(&mut self) {
        self.model.sequence().await;
        self.store.sequence().await;
        let action = match self.chance.random_bool(0.5) {
            true => Action::Retry,
            false => Action::Discard,
        };
        let kind = self.chance.random_bool(0.5).then(|| "mail".to_owned());
        let filter = DeadLetterFilter {
            kind,
            ..DeadLetterFilter::default()
        };
        let now = self.store.now();
        let id = OperationId::new(now);
        both!(self, "begin", |bench| bench
            .store
            .begin(id, action, &filter, now));
        self.model.finish_operations().await;
        self.store.finish_operations().await;
        both!(self, "operation", |bench| bench.store.operation(id));
    }

    async fn prune(&mut self) {
        self.model.sequence().await;
        self.store.sequence().await;
        let retention = Retention {
            jobs: 30 * SECOND,
            events: LONG,
            keys: 60 * SECOND,
            workers: LONG,
            inbox: LONG,
            fires: LONG,
            campaigns: LONG,
            operations: LONG,
            queues: LONG,
            audit: LONG,
        };
        let now = self.store.now();
        both!(self, "prune", |bench| bench
            .store
            .prune(&retention, ALL, now));
    }

    fn some_job(&mut self) -> Option<JobId> {
        let count = self.jobs.len();
        (count > 0).then(|| self.jobs[self.chance.random_range(0..count)])
    }

    fn compare<T: PartialEq + Debug>(&self, what: &str, store: &T, model: &T) {
        assert!(
            store == model,
            "seed {}, step {}: {what}\n the store: {store:?}\n the model: {model:?}",
            self.seed,
            self.step
        );
    }
}
