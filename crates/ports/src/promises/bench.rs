//! The bench: a fresh store, a clock turned by hand, and the words in which promises are written.

mod fixtures;

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use baton_domain::{
    Clock, JobId, LeaseId, Lifecycle, ManualClock, OperationId, Timestamp, WorkerId,
    event::Event,
    fingerprint::fingerprint,
    fleet::Heartbeat,
    job::{Class, Decision, Job, JobSpec, Limits, NewJob, State, Trigger, Verdict, decide, lose},
    operation::{Action, DeadLetterFilter, DeadLetterGroup, JobSelection, Operation},
    page::PageRequest,
    queue::{DEFAULT, Queue, QueueChange},
};
use rand::{SeedableRng, rngs::StdRng};

pub(super) use self::fixtures::{
    accepted, at_most, attempt_counters, counters, delayed, failing, failure, ids, in_queue, keyed,
    paused, spec, want,
};
use crate::{
    Store,
    store::{
        Atomicity, AttemptResult, By, Claim, Claimed, Enqueued, EventFilter, HeldJob, LeaseView,
        QueueClaim, Renewed, SettleOutcome, UnclaimedTransition,
    },
};

/// How long a lease lasts on the bench.
pub(super) const LEASE: Duration = Duration::from_secs(30);
/// How long a job waits after a failure on the bench.
pub(super) const WAIT: Duration = Duration::from_secs(10);
pub(super) const SECOND: Duration = Duration::from_secs(1);
pub(super) const MINUTE: Duration = Duration::from_mins(1);
pub(super) const HOUR: Duration = Duration::from_hours(1);
/// More than anything on the bench has.
pub(super) const ALL: u32 = 10_000;

/// Ids order by the millisecond: what is to be later must be later by one.
const TICK: Duration = Duration::from_millis(1);

/// The start of a minute in November 2023.
const DAWN: Timestamp = Timestamp::from_micros(1_700_000_040_000_000);

/// A fresh store, a clock turned by hand, and a worker.
#[derive(Clone)]
pub struct Bench {
    /// The store.
    pub store: Arc<dyn Store>,
    /// The clock.
    pub clock: ManualClock,
    /// The worker that claims when nobody else is named.
    pub worker: WorkerId,
    /// The priority of the next job that goes in front of all others.
    pub(super) urgent: Arc<AtomicI64>,
}

impl Bench {
    /// A bench with this store on it.
    #[must_use]
    pub fn new(store: Arc<dyn Store>) -> Self {
        Self {
            store,
            clock: ManualClock::at(DAWN),
            worker: WorkerId::new(DAWN),
            urgent: Arc::new(AtomicI64::new(-1)),
        }
    }

    pub(super) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(super) fn pass(&self, span: Duration) {
        self.clock.advance(span);
    }

    /// Another worker, later than all before.
    pub(super) fn another_worker(&self) -> WorkerId {
        self.pass(TICK);
        WorkerId::new(self.now())
    }

    /// A job as the store takes it, later than all before.
    pub(super) fn new_job(&self, spec: JobSpec) -> NewJob {
        self.pass(TICK);
        NewJob::from_spec(spec, &Limits::default(), self.now()).expect("the job can be had")
    }

    pub(super) async fn enqueue(&self, spec: JobSpec) -> JobId {
        let job = self.new_job(spec);
        let answers = self.add(vec![job.clone()], Atomicity::All).await;
        assert_eq!(answers, [Enqueued::Created(job.id)]);
        job.id
    }

    /// Enqueues jobs of one request: all come at one moment, and their ids in a row.
    pub(super) async fn enqueue_many(&self, count: usize, spec: JobSpec) -> Vec<JobId> {
        let one = self.new_job(spec);
        let ids = JobId::in_a_row(self.now()).take(count);
        let jobs = ids.map(|id| NewJob { id, ..one.clone() }).collect();
        let answers = self.add(jobs, Atomicity::All).await;
        answers.iter().map(Enqueued::id).collect()
    }

    pub(super) async fn add(&self, jobs: Vec<NewJob>, atomicity: Atomicity) -> Vec<Enqueued> {
        let answers = self.store.enqueue(jobs, atomicity).await;
        answers.expect("enqueue")
    }

    pub(super) async fn job(&self, id: JobId) -> Job {
        let job = self.store.job(id).await.expect("job");
        job.unwrap_or_else(|| panic!("there is no {id}"))
    }

    pub(super) async fn state(&self, id: JobId) -> State {
        self.job(id).await.state
    }

    /// Claims from the default queue.
    pub(super) async fn claim(&self, limit: u32) -> Vec<Claimed> {
        self.claim_as(self.worker, DEFAULT, limit).await
    }

    /// Enqueues a job, in front of others, and claims it.
    pub(super) async fn claimed(&self, spec: JobSpec) -> Claimed {
        let urgent = JobSpec {
            priority: spec.priority.or(Some(self.next_priority())),
            ..spec
        };
        let id = self.enqueue(urgent).await;
        let queue = self.job(id).await.queue;
        let mut claimed = self.claim_as(self.worker, &queue, 1).await;
        let claimed = claimed.pop().expect("the job is claimed");
        assert_eq!(claimed.args.id, id);
        claimed
    }

    /// A priority in front of all before.
    fn next_priority(&self) -> i64 {
        self.urgent.fetch_sub(1, Ordering::SeqCst).max(-100)
    }

    pub(super) async fn claim_as(&self, worker: WorkerId, queue: &str, limit: u32) -> Vec<Claimed> {
        let ready = self.store.ready_queues().await.expect("ready queues");
        let limited = ready.iter().any(|it| it.name == queue && it.limited);
        let queues = vec![want(queue, limit, limited)];
        self.claim_queues(worker, queues).await
    }

    pub(super) async fn claim_queues(
        &self,
        worker: WorkerId,
        queues: Vec<QueueClaim>,
    ) -> Vec<Claimed> {
        let claim = Claim {
            worker,
            until: self.now() + LEASE,
            queues,
        };
        self.store.claim(&claim, self.now()).await.expect("claim")
    }

    /// A settlement of an attempt that got this verdict just now.
    pub(super) fn result(&self, claimed: &Claimed, verdict: Verdict) -> AttemptResult {
        let args = &claimed.args;
        let policy = args.options.policy();
        let chance = &mut StdRng::seed_from_u64(1);
        let decision = decide(verdict, claimed.counters, policy, self.now(), chance);
        self.result_of(claimed, decision.expect("the table has the move"))
    }

    pub(super) fn result_of(&self, claimed: &Claimed, decision: Decision) -> AttemptResult {
        let is_dead = decision.transition.to() == State::Failed;
        let failure = decision.failure.as_ref().filter(|_| is_dead);
        AttemptResult {
            lease: claimed.lease,
            job: claimed.args.id,
            counters: claimed.counters,
            queued_at: claimed.queued_at,
            started_at: Some(self.now()),
            fingerprint: failure.map(|failure| fingerprint(&claimed.args.kind, failure)),
            seen: None,
            decision,
        }
    }

    /// Settles one attempt as the bench's worker.
    pub(super) async fn settle(&self, claimed: &Claimed, verdict: Verdict) -> SettleOutcome {
        let result = self.result(claimed, verdict);
        self.settle_as(By::Worker(self.worker), result).await
    }

    pub(super) async fn settle_as(&self, by: By, result: AttemptResult) -> SettleOutcome {
        let answers = self.settle_all(by, &[result]).await;
        answers[0]
    }

    pub(super) async fn settle_all(&self, by: By, results: &[AttemptResult]) -> Vec<SettleOutcome> {
        let answers = self.store.settle(by, results, self.now()).await;
        answers.expect("settle")
    }

    pub(super) async fn succeed(&self, claimed: &Claimed) -> SettleOutcome {
        self.settle(claimed, accepted()).await
    }

    pub(super) async fn fail(&self, claimed: &Claimed, class: Class) -> SettleOutcome {
        self.settle(claimed, failing(class)).await
    }

    /// What the rescuer says of an attempt whose worker went silent, seeing its lease as it is now.
    pub(super) async fn loss(&self, claimed: &Claimed) -> AttemptResult {
        let decision = lose(claimed.counters, claimed.args.options.delivery, self.now());
        let decision = decision.expect("the table has the move");
        let seen = self.lease_view(claimed.lease).await;
        AttemptResult {
            started_at: None,
            seen: seen.map(|view| view.until),
            ..self.result_of(claimed, decision)
        }
    }

    /// A lease, as whoever watches it sees it.
    pub(super) async fn lease_view(&self, lease: LeaseId) -> Option<LeaseView> {
        let views = self.store.leases(ALL).await.expect("leases");
        views.into_iter().find(|one| one.lease == lease)
    }

    /// Lets the lease of an attempt run out, and takes its job back.
    pub(super) async fn lose(&self, claimed: &Claimed) -> SettleOutcome {
        self.pass(LEASE + SECOND);
        let loss = self.loss(claimed).await;
        self.settle_as(By::Rescuer, loss).await
    }

    /// What is held under leases that have ended by the clock.
    pub(super) async fn overdue(&self) -> Vec<HeldJob> {
        let views = self.store.leases(ALL).await.expect("leases");
        let over = views.iter().filter(|one| one.until < self.now());
        let over: Vec<_> = over.map(|one| one.lease).collect();
        self.store.held(&over, ALL).await.expect("held")
    }

    /// A worker says how it is, and how long its leases last.
    pub(super) async fn heartbeat_of(&self, worker: WorkerId, lease: Option<Duration>) {
        let heartbeat = Heartbeat {
            remote: None,
            worker,
            name: "host:1".to_owned(),
            version: "0.1.0".to_owned(),
            lease,
            slots: BTreeMap::new(),
            running: 0,
            draining: false,
            started_at: self.now(),
        };
        self.store
            .heartbeat(&heartbeat, self.now())
            .await
            .expect("heartbeat");
    }

    /// Renews these leases of its worker, for as long as a lease lasts.
    pub(super) async fn renew(&self, leases: &[LeaseId]) -> Renewed {
        self.renew_until(leases, self.now() + LEASE).await
    }

    pub(super) async fn renew_until(&self, leases: &[LeaseId], until: Timestamp) -> Renewed {
        let renewed = self.store.renew(self.worker, leases, until).await;
        renewed.expect("renew")
    }

    /// Makes what is due claimable; says how many that were.
    pub(super) async fn release(&self) -> u32 {
        let released = self.store.release(ALL, self.now()).await;
        released.expect("release").count
    }

    pub(super) async fn transition(&self, job: JobId, from: State, trigger: Trigger) -> bool {
        let change = UnclaimedTransition {
            afresh: false,
            job,
            transition: from.on(trigger).expect("the table has the move"),
            reason: None,
        };
        let is_moved = self.store.transition(&change, self.now()).await;
        is_moved.expect("transition")
    }

    /// A job in this state, by the shortest way there.
    pub(super) async fn job_in(&self, state: State) -> JobId {
        let at_most_once = JobSpec {
            delivery: Some(baton_domain::job::DeliveryGuarantee::AtMostOnce),
            ..spec()
        };
        let claimed = match state {
            State::Pending => return self.enqueue(delayed(HOUR)).await,
            State::Queued => return self.enqueue(spec()).await,
            State::Uncertain => self.claimed(at_most_once).await,
            _ => self.claimed(spec()).await,
        };
        match state {
            State::Succeeded => self.succeed(&claimed).await,
            State::Failed => self.fail(&claimed, Class::Permanent).await,
            State::RetryWait => self.fail(&claimed, Class::Retry).await,
            State::Uncertain => self.fail(&claimed, Class::Unknown).await,
            State::Canceled => self.settle(&claimed, Verdict::Canceled).await,
            State::Skipped => self.fail(&claimed, Class::Refused).await,
            _ => SettleOutcome::Recorded,
        };
        claimed.args.id
    }

    /// A dead letter that says this.
    pub(super) async fn dead_letter(&self, spec: JobSpec, message: &str) -> JobId {
        let claimed = self.claimed(spec).await;
        let verdict = Verdict::failed(Class::Permanent, "http_400", message);
        assert_eq!(
            self.settle(&claimed, verdict).await,
            SettleOutcome::Recorded
        );
        claimed.args.id
    }

    /// Numbers every fact there is.
    pub(super) async fn sequence(&self) {
        while self
            .store
            .sequence(ALL, self.now())
            .await
            .expect("sequence")
            .count
            > 0
        {}
    }

    /// Every event there is, once every fact is numbered.
    pub(super) async fn facts(&self) -> Vec<Event> {
        self.sequence().await;
        self.facts_that(&EventFilter::default()).await
    }

    /// Every numbered event that a filter lets through.
    pub(super) async fn facts_that(&self, filter: &EventFilter) -> Vec<Event> {
        let last = self.store.bounds().await.expect("bounds").last;
        let (mut facts, mut after) = (Vec::new(), 0);
        while after < last {
            let (more, looked_at) = self.store.events(after, 100, filter).await.expect("events");
            assert!(looked_at > after, "looking at events goes on");
            facts.extend(more);
            after = looked_at;
        }
        facts
    }

    /// The facts of one job, once every fact is numbered.
    pub(super) async fn story(&self, job: JobId) -> Vec<Event> {
        self.sequence().await;
        self.store.job_events(job).await.expect("job_events")
    }

    /// The kinds of the facts of one job.
    pub(super) async fn plot(&self, job: JobId) -> Vec<String> {
        let story = self.story(job).await;
        story.into_iter().map(|fact| fact.kind).collect()
    }

    /// A queue, once every fact is numbered.
    pub(super) async fn queue(&self, name: &str) -> Queue {
        self.sequence().await;
        let queues = self.store.queues(self.now()).await.expect("queues");
        let queue = queues.into_iter().find(|queue| queue.name == name);
        queue.unwrap_or_else(|| panic!("there is no queue {name}"))
    }

    pub(super) async fn change_queue(&self, name: &str, change: QueueChange) -> Queue {
        let queue = self.store.change_queue(name, &change, self.now()).await;
        queue.expect("change_queue")
    }

    /// The groups of dead letters, once every fact is numbered.
    pub(super) async fn groups(&self) -> Vec<DeadLetterGroup> {
        self.sequence().await;
        let page = self.store.dead_letters(&PageRequest::default()).await;
        page.expect("dead_letters").items
    }

    /// Begins an operation, once every fact is numbered.
    pub(super) async fn begin(&self, action: Action, filter: DeadLetterFilter) -> Operation {
        self.sequence().await;
        self.pass(TICK);
        let id = OperationId::new(self.now());
        let operation = self.store.begin(id, action, &filter, self.now()).await;
        operation.expect("begin")
    }

    /// An operation on the jobs of a state, to be begun now.
    pub(super) fn on_jobs(&self, action: Action, state: State) -> Operation {
        let jobs = JobSelection {
            state,
            kind: None,
            queue: None,
            tag: None,
        };
        Operation {
            jobs: Some(jobs),
            ..Operation::begun(OperationId::new(self.now()), action, self.now())
        }
    }

    /// Works on operations until none is left.
    pub(super) async fn finish_operations(&self) {
        while self
            .store
            .step(2, self.now())
            .await
            .expect("step")
            .is_some()
        {}
    }

    pub(super) async fn assert_state(&self, id: JobId, state: State) {
        assert_eq!(self.state(id).await, state, "{id}");
    }
}
