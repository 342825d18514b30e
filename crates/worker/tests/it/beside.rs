//! Claims at a source far away: while there are more jobs than one brings, another is made beside it.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::{
    JobId, LeaseId, Timestamp, WorkerId,
    checkpoint::Checkpoint,
    fleet::Heartbeat,
    job::{JobSpec, State},
    queue::WorkedBy,
};
use baton_ports::{
    JobRules, StoreSource, WorkSource,
    store::{AttemptResult, Claim, Claimed, ProgressReport, ReadyQueue, Renewed, Result, Wish},
    work_source::{CheckpointAnswer, CursorMove, GivenBack, Settled},
};
use baton_worker::{Stop, Worker};
use parking_lot::Mutex;
use tokio::time::{Instant, sleep};

use crate::world::{World, spec, within_reason};

/// How long an answer takes.
const TRIP: Duration = Duration::from_millis(30);
const QUEUES: [&str; 2] = ["default", "mail"];

#[tokio::test(start_paused = true)]
async fn while_there_are_more_jobs_than_a_claim_brings_another_is_open_beside_it() {
    let world = with_slots(50);
    let ids = world.enqueue(&["1"; 2_000]).await;
    let source = Far::over(&world);

    let stop = start(&world, &source);
    world.until_all_are(&ids, State::Succeeded).await;

    assert_eq!(source.most_open.load(Ordering::SeqCst), 2);
    assert!(
        source.most_asked.load(Ordering::SeqCst) <= 100,
        "what it has no room for is not asked for"
    );
    stop.soft.cancel();
}

#[tokio::test(start_paused = true)]
async fn queues_that_share_the_slots_of_a_process_are_worked_off_side_by_side() {
    let world = with_slots(50);
    let in_queue = |queue: &str| JobSpec {
        queue: Some(queue.to_owned()),
        ..spec("1")
    };
    let specs = QUEUES.map(|queue| vec![in_queue(queue); 1_000]);
    let ids = world.enqueue_specs(specs.concat()).await;
    let source = Far::over(&world);

    let stop = start(&world, &source);
    world.until_all_are(&ids, State::Succeeded).await;

    assert!(source.most_asked.load(Ordering::SeqCst) <= 100);
    stop.soft.cancel();
}

#[tokio::test(start_paused = true)]
async fn the_claim_beside_another_one_never_waits() {
    let world = with_slots(50);
    let ids = world.enqueue(&["1"; 2_000]).await;
    let source = Far::over(&world);

    let stop = start(&world, &source);
    world.until_all_are(&ids, State::Succeeded).await;
    let claims = source.claims.load(Ordering::SeqCst);
    sleep(Duration::from_secs(10)).await;

    assert_eq!(source.most_waiting.load(Ordering::SeqCst), 1);
    let since = source.claims.load(Ordering::SeqCst) - claims;
    assert!(since <= 12, "{since} claims in ten waits of a second");
    stop.soft.cancel();
}

#[tokio::test(start_paused = true)]
async fn a_claim_that_waits_asks_for_all_queues_whichever_takes_the_slots() {
    let world = with_slots(4);
    let source = Far::over(&world);
    let stop = start(&world, &source);
    let quick = world.enqueue(&["1"; 40]).await;
    world.until_all_are(&quick, State::Succeeded).await;

    let gates = world.enqueue(&["\"gate\""; 4]).await;
    within_reason(async || world.handler.running() == 4).await;
    sleep(Duration::from_secs(3)).await;
    world.handler.gate.add_permits(4);
    world.until_all_are(&gates, State::Succeeded).await;

    assert_eq!(source.partly_waiting.load(Ordering::SeqCst), 0);
    stop.soft.cancel();
}

#[tokio::test(start_paused = true)]
async fn a_claim_that_had_to_wait_for_its_jobs_has_none_beside_it() {
    let world = with_slots(20);
    let source = Far::over(&world);
    let stop = start(&world, &source);

    for _ in 0..5 {
        sleep(Duration::from_secs(3)).await;
        let ids = world.enqueue(&["1"; 20]).await;
        world.until_all_are(&ids, State::Succeeded).await;
    }

    assert_eq!(source.most_open.load(Ordering::SeqCst), 1);
    stop.soft.cancel();
}

#[tokio::test(start_paused = true)]
async fn jobs_that_take_longer_than_a_claim_are_asked_for_by_one_claim_at_a_time() {
    let world = with_slots(20);
    let ids = world.enqueue(&["\"sleep 1\""; 200]).await;
    let source = Far::over(&world);

    let stop = start(&world, &source);
    world.until_all_are(&ids, State::Succeeded).await;

    assert_eq!(source.most_open.load(Ordering::SeqCst), 1);
    assert_eq!(world.handler.most_running.load(Ordering::SeqCst), 20);
    stop.soft.cancel();
}

#[tokio::test(start_paused = true)]
async fn who_stops_gives_back_what_the_claims_under_way_still_bring() {
    let world = with_slots(50);
    let ids = world.enqueue(&["1"; 5_000]).await;
    let source = Far::over(&world);
    let worker = worker(&world, &source);
    let (stop, ran) = (Stop::default(), world.count(&ids, State::Succeeded).await);
    let running = tokio::spawn(worker.run(stop.clone()));
    within_reason(async || source.open.load(Ordering::SeqCst) == 2).await;

    stop.soft.cancel();
    running.await.unwrap();

    let after = world.count(&ids, State::Succeeded).await;
    let waiting = world.count(&ids, State::Queued).await;
    assert!(after > ran);
    assert_eq!(after + waiting, ids.len());
}

/// A process with so many slots, all of which one queue may have, and as many jobs claimed ahead of them.
fn with_slots(count: u32) -> World {
    let mut world = World::with_slots(count);
    (world.config.prefetch, world.config.max_running) = (count, count);
    world
}

fn start(world: &World, source: &Arc<Far>) -> Stop {
    let stop = Stop::default();
    tokio::spawn(worker(world, source).run(stop.clone()));
    stop
}

fn worker(world: &World, source: &Arc<Far>) -> Worker {
    Worker::over(
        Arc::clone(source) as _,
        Arc::clone(&world.wakeups),
        Arc::clone(&world.clock) as _,
        vec![Arc::clone(&world.handler) as _],
        world.config.clone(),
    )
}

/// A store whose answers take a while, and whose claims wait.
struct Far {
    store: StoreSource,
    open: AtomicU32,
    most_open: AtomicU32,
    waiting: AtomicU32,
    most_waiting: AtomicU32,
    /// Claims that could have waited and did not ask for all queues.
    partly_waiting: AtomicU32,
    asked: AtomicU32,
    most_asked: AtomicU32,
    claims: AtomicU32,
    granted: Mutex<HashMap<LeaseId, Instant>>,
}

impl Far {
    fn over(world: &World) -> Arc<Self> {
        let rules = JobRules::new(&world.config.limits, &[]);
        Arc::new(Self {
            store: StoreSource::new(Arc::clone(&world.store) as _, rules),
            open: AtomicU32::new(0),
            most_open: AtomicU32::new(0),
            waiting: AtomicU32::new(0),
            most_waiting: AtomicU32::new(0),
            partly_waiting: AtomicU32::new(0),
            asked: AtomicU32::new(0),
            most_asked: AtomicU32::new(0),
            claims: AtomicU32::new(0),
            granted: Mutex::default(),
        })
    }

    /// Queue by queue, until it has as many as are wanted of all together.
    async fn in_turn(&self, claim: &Claim, most: u32, now: Timestamp) -> Result<Vec<Claimed>> {
        let mut claimed = Vec::new();
        for want in &claim.queues {
            let left = most - u32::try_from(claimed.len()).unwrap();
            let mut claim = claim.clone();
            claim.queues = vec![want.clone()];
            claim.queues[0].limit = want.limit.min(left);
            if left > 0 {
                claimed.extend(self.store.claim(&claim, most, now).await?);
            }
        }
        Ok(claimed)
    }

    async fn look(&self, claim: &Claim, most: u32, now: Timestamp) -> Result<Vec<Claimed>> {
        begin(&self.open, &self.most_open, 1);
        begin(&self.asked, &self.most_asked, most);
        self.claims.fetch_add(1, Ordering::SeqCst);
        sleep(TRIP).await;
        let claimed = self.in_turn(claim, most, now).await;
        self.open.fetch_sub(1, Ordering::SeqCst);
        self.asked.fetch_sub(most, Ordering::SeqCst);
        claimed
    }
}

fn begin(now: &AtomicU32, most: &AtomicU32, count: u32) {
    let now = now.fetch_add(count, Ordering::SeqCst) + count;
    most.fetch_max(now, Ordering::SeqCst);
}

#[async_trait]
impl WorkSource for Far {
    fn waits(&self) -> bool {
        true
    }

    fn may_claim_beside(&self) -> bool {
        true
    }

    async fn ready_queues(&self) -> Result<Vec<ReadyQueue>> {
        let queues = QUEUES.map(|name| ReadyQueue {
            name: name.to_owned(),
            limited: false,
            worked_by: WorkedBy::Remote,
        });
        Ok(queues.to_vec())
    }

    fn granted_at(&self, lease: LeaseId) -> Option<Instant> {
        self.granted.lock().get(&lease).copied()
    }

    async fn claim(&self, claim: &Claim, most: u32, now: Timestamp) -> Result<Vec<Claimed>> {
        begin(&self.waiting, &self.most_waiting, 1);
        let is_partly = claim.queues.len() < QUEUES.len();
        self.partly_waiting
            .fetch_add(is_partly.into(), Ordering::SeqCst);
        let mut claimed = self.look(claim, most, now).await;
        if claimed.as_ref().is_ok_and(Vec::is_empty) {
            sleep(Duration::from_secs(1)).await;
            let granted = Instant::now();
            claimed = self.in_turn(claim, most, now).await;
            let leases = claimed.iter().flatten().map(|one| one.lease);
            self.granted
                .lock()
                .extend(leases.map(|lease| (lease, granted)));
        }
        self.waiting.fetch_sub(1, Ordering::SeqCst);
        claimed
    }

    async fn claim_at_once(
        &self,
        claim: &Claim,
        most: u32,
        now: Timestamp,
    ) -> Result<Vec<Claimed>> {
        self.look(claim, most, now).await
    }

    async fn renew(
        &self,
        worker: WorkerId,
        leases: &[LeaseId],
        until: Timestamp,
    ) -> Result<Renewed> {
        self.store.renew(worker, leases, until).await
    }

    async fn settle(
        &self,
        worker: WorkerId,
        results: &[AttemptResult],
        now: Timestamp,
    ) -> Result<Vec<Settled>> {
        self.store.settle(worker, results, now).await
    }

    async fn give_back(
        &self,
        worker: WorkerId,
        leases: &[LeaseId],
        now: Timestamp,
    ) -> Result<GivenBack> {
        self.store.give_back(worker, leases, now).await
    }

    async fn heartbeat(&self, heartbeat: &Heartbeat, now: Timestamp) -> Result<Wish> {
        self.store.heartbeat(heartbeat, now).await
    }

    async fn leave(&self, worker: WorkerId, now: Timestamp) -> Result<()> {
        self.store.leave(worker, now).await
    }

    async fn checkpoint_of(&self, job: JobId) -> Result<Option<Checkpoint>> {
        self.store.checkpoint_of(job).await
    }

    async fn checkpoint(
        &self,
        worker: WorkerId,
        step: &CursorMove,
        now: Timestamp,
    ) -> Result<CheckpointAnswer> {
        self.store.checkpoint(worker, step, now).await
    }

    async fn progress(
        &self,
        worker: WorkerId,
        reports: &[ProgressReport],
        now: Timestamp,
    ) -> Result<()> {
        self.store.progress(worker, reports, now).await
    }
}
