//! A whole simulation of remote workers: weather, chaos, healing, quiet, and then what was written down.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use baton_domain::{
    JobId, Timestamp, WorkerId,
    checkpoint::Checkpoint,
    job::{Backoff, Jitter, Job, JobSpec, Strategy},
    page::PageRequest,
};
use baton_engine::Cancel;
use baton_ports::{
    MemoryStore, Store, faulty::Odds, hints::MemoryHints, layer::Layer, store::JobFilter,
};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::time::{sleep, timeout};

use super::{
    handlers::Order,
    scribe::{Book, Deed, Scribe},
    transport::{Answered, Answering, Losses, Lost, truly},
    workers::{Mishap, Workers},
};
use crate::{
    clock::{DAWN, Dial, VirtualClock},
    fleet::{CALM, Fleet, LEASE},
    journal::Journal,
    link::Condition,
    nemesis::disturb,
    world::{Weather as Nodes, in_virtual_time},
};

/// How long everything may take to come to an end once all faults have.
const TIMEOUT: Duration = Duration::from_mins(7);
/// How long late words may take to arrive when all is over.
const ECHO: Duration = Duration::from_secs(10);
/// How long a client waits for an answer.
const ANSWER: Duration = Duration::from_secs(8);

/// What is wrong with a world; nothing, or a mistake that is to be found out.
#[derive(Clone, Copy)]
pub struct Flaw {
    pub store: fn(Arc<dyn Store>) -> Arc<dyn Store>,
    pub answering: Answering,
}

/// Nothing is wrong.
pub const FLAWLESS: Flaw = Flaw {
    store: |store| store,
    answering: truly,
};

/// What a seed decides.
#[derive(Debug)]
pub struct Weather {
    /// Nodes and lines are well, and of all calls only claims are lost: no lease has to end.
    pub is_gentle: bool,
    nodes: usize,
    workers: u32,
    slots: u32,
    plain: u32,
    walks: u32,
    odds: Odds,
    losses: Losses,
    has_nemesis: bool,
}

impl Weather {
    fn of(dice: &mut StdRng) -> Self {
        let is_gentle = dice.random_bool(0.35);
        let share = |dice: &mut StdRng, most: f64| dice.random_range(0.0..most);
        let odds = Odds {
            before: share(dice, 0.08),
            after: share(dice, 0.08),
        };
        let has_odds = !is_gentle && dice.random_bool(0.4);
        let most = if is_gentle { 0.3 } else { 0.12 };
        Self {
            is_gentle,
            nodes: dice.random_range(1..4),
            workers: dice.random_range(1..4),
            slots: dice.random_range(1..7),
            plain: dice.random_range(3..25),
            walks: dice.random_range(0..4),
            odds: if has_odds { odds } else { CALM },
            losses: Losses {
                before: share(dice, most),
                amid: share(dice, most),
                after: share(dice, most),
                only_claims: is_gentle,
            },
            has_nemesis: !is_gentle && dice.random_bool(0.8),
        }
    }
}

/// What was written down, and what the store says at the end.
pub struct Record {
    pub weather: Weather,
    pub deeds: Vec<(Timestamp, Deed)>,
    pub answered: Vec<Answered>,
    pub lost: BTreeSet<Lost>,
    pub mishaps: Vec<Mishap>,
    /// Jobs that a client was told are accepted.
    pub accepted: Vec<JobId>,
    pub jobs: BTreeMap<JobId, Job>,
    pub checkpoints: BTreeMap<JobId, Checkpoint>,
}

/// Plays a seed to its end, in virtual time, on this thread.
pub fn play(seed: u64, flaw: Flaw) -> Record {
    in_virtual_time(seed, async move {
        let mut dice = StdRng::seed_from_u64(seed);
        let weather = Weather::of(&mut dice);
        let world = World::new(&weather, flaw, &mut dice);
        let accepted = world.suffer(&weather, &mut dice).await;
        world.heal(&weather).await;
        world.until_quiet().await;
        world.record(weather, accepted).await
    })
}

struct World {
    store: Arc<dyn Store>,
    fleet: Arc<Fleet>,
    workers: Arc<Workers>,
    book: Arc<Book>,
}

impl World {
    fn new(weather: &Weather, flaw: Flaw, dice: &mut StdRng) -> Self {
        let clock = Arc::new(VirtualClock::start());
        let dial = Arc::new(Dial::new(Arc::clone(&clock), 0, 0));
        let store = (flaw.store)(Arc::new(MemoryStore::with_clock(Arc::clone(&dial) as _)));
        let book = Arc::new(Book::default());
        let scribe = Scribe {
            clock: Arc::clone(&clock),
            book: Arc::clone(&book),
        };
        let nodes = Nodes {
            odds: weather.odds,
            ..Nodes::calm(0)
        };
        let fleet = Fleet::new(
            (clock, dial),
            Arc::new(Journal::default()),
            Layer::over(Arc::clone(&store), scribe),
            Arc::new(MemoryHints::new()),
            &nodes,
            dice.random(),
        );
        for _ in 0..weather.nodes {
            fleet.start_node(0);
        }
        let workers = Workers::new(
            Arc::clone(&fleet),
            Arc::clone(&book),
            flaw.answering,
            weather.losses,
            dice.random(),
        );
        for _ in 0..weather.workers {
            workers.start(weather.slots, weather.nodes);
        }
        Self {
            store,
            fleet,
            workers,
            book,
        }
    }

    /// Has a client ask and meddle, and the nemesis strike; tells which jobs were accepted.
    async fn suffer(&self, weather: &Weather, dice: &mut StdRng) -> Vec<JobId> {
        let span = Duration::from_millis(dice.random_range(6_000..20_000));
        let orders = orders(weather, dice);
        let client = ask(Arc::clone(&self.fleet), orders, span, dice.random());
        let client = tokio::spawn(client);
        let mut nemesis = StdRng::seed_from_u64(dice.random());
        while self.fleet.now() < DAWN + span {
            let millis = nemesis.random_range(300..4_000);
            sleep(Duration::from_millis(millis)).await;
            self.strike(weather, &mut nemesis).await;
        }
        client.await.unwrap()
    }

    async fn strike(&self, weather: &Weather, dice: &mut StdRng) {
        let span = LEASE.mul_f64(dice.random_range(0.05..2.5));
        let Some(worker) = self.workers.some() else {
            return;
        };
        match dice.random_range(0..14) {
            0 => self.drain(worker, weather, dice).await,
            _ if !weather.has_nemesis => {}
            1 | 2 => self.another_after(weather, dice, |workers| workers.kill(worker)),
            3 => self.another_after(weather, dice, |workers| workers.stop(worker)),
            4 | 5 => self.on(worker, "frozen", Condition::Frozen, span),
            6 | 7 => self.on(worker, "cut", Condition::Cut, span),
            8 => self.on(worker, "slow", Condition::Slow, span),
            9 | 10 => self.fleet.replace_node(self.fleet.some_node(dice).process),
            11 | 12 => self.stop_node(weather, dice),
            _ => {
                let line = self.fleet.some_node(dice);
                disturb(&self.fleet, line, "node cut", Condition::Cut, span / 2);
            }
        }
    }

    fn on(&self, worker: WorkerId, what: &'static str, to: Condition, span: Duration) {
        self.workers.disturb(worker, what, to, span);
    }

    fn another_after(&self, weather: &Weather, dice: &mut StdRng, end: impl Fn(&Workers)) {
        end(&self.workers);
        let pause = Duration::from_millis(dice.random_range(0..3_000));
        let (workers, slots, nodes) = (Arc::clone(&self.workers), weather.slots, weather.nodes);
        tokio::spawn(async move {
            sleep(pause).await;
            workers.start(slots, nodes);
        });
    }

    /// Wants a worker to take nothing new; another comes in its place.
    async fn drain(&self, worker: WorkerId, weather: &Weather, dice: &mut StdRng) {
        let engine = self.fleet.engine(dice);
        let drained = timeout(ANSWER, engine.drain_worker(worker, true)).await;
        if matches!(drained, Ok(Ok(_))) {
            self.book.write(self.fleet.now(), Deed::Drained { worker });
        }
        self.another_after(weather, dice, |_| ());
    }

    /// A node stops in peace: what waits there is answered, and it takes results until it ends.
    fn stop_node(&self, weather: &Weather, dice: &mut StdRng) {
        let door = self.fleet.door(dice.random_range(0..weather.nodes));
        door.close();
        let (fleet, grace) = (Arc::clone(&self.fleet), dice.random_range(200..4_000));
        tokio::spawn(async move {
            sleep(Duration::from_millis(grace)).await;
            fleet.replace_node(door.process);
        });
    }

    async fn heal(&self, weather: &Weather) {
        // What was to be started or replaced may not be there yet.
        sleep(Duration::from_secs(5)).await;
        self.fleet.heal();
        self.workers.heal();
        self.workers.start(4, weather.nodes);
    }

    async fn until_quiet(&self) {
        let end = self.fleet.now() + TIMEOUT;
        while self.fleet.now() < end {
            let jobs = self.jobs().await;
            if jobs.values().all(|job| job.state.is_terminal()) {
                break;
            }
            sleep(Duration::from_millis(500)).await;
        }
        sleep(ECHO).await;
    }

    async fn jobs(&self) -> BTreeMap<JobId, Job> {
        let mut request = PageRequest::first(PageRequest::MAX_LIMIT);
        let mut jobs = BTreeMap::new();
        loop {
            let page = self.store.jobs(&JobFilter::default(), &request).await;
            let page = page.unwrap();
            jobs.extend(page.items.into_iter().map(|job| (job.id, job)));
            if page.next.is_none() {
                return jobs;
            }
            request.after = page.next;
        }
    }

    async fn record(self, weather: Weather, accepted: Vec<JobId>) -> Record {
        let jobs = self.jobs().await;
        let ids: Vec<_> = jobs.keys().copied().collect();
        let checkpoints = self.store.checkpoints(&ids).await.unwrap().into_iter();
        Record {
            weather,
            deeds: self.book.all(),
            answered: self.workers.answered.lock().clone(),
            lost: self.workers.lost.lock().clone(),
            mishaps: self.workers.mishaps.lock().clone(),
            accepted,
            jobs,
            checkpoints: checkpoints.map(|one| (one.job, one)).collect(),
        }
    }
}

/// What a client asks for.
fn orders(weather: &Weather, dice: &mut StdRng) -> Vec<JobSpec> {
    let plain = (0..weather.plain).map(|_| false);
    let mut kinds: Vec<_> = plain.chain((0..weather.walks).map(|_| true)).collect();
    for at in (1..kinds.len()).rev() {
        kinds.swap(at, dice.random_range(0..=at));
    }
    let numbered = (1..).zip(kinds);
    numbered
        .map(|(number, is_walk)| spec(number, is_walk, dice))
        .collect()
}

fn spec(number: u32, is_walk: bool, dice: &mut StdRng) -> JobSpec {
    let order = Order {
        number,
        millis: dice.random_range(1..900),
        fails: dice.random_range(0..4_u32),
        items: if is_walk { dice.random_range(1..60) } else { 0 },
        chunk: dice.random_range(1..12),
        of: None,
    };
    let base = Duration::from_millis(dice.random_range(1..1_000));
    JobSpec {
        kind: order.kind().to_owned(),
        payload: order.payload(),
        delay: dice.random_bool(0.2).then_some(base),
        max_attempts: Some(dice.random_range(2..7)),
        backoff: Some(Backoff {
            strategy: Strategy::Fixed,
            base,
            cap: base,
            jitter: Jitter::None,
        }),
        timeout: Some(Duration::from_millis(dice.random_range(1_500..9_000))),
        ..JobSpec::default()
    }
}

/// Asks for jobs, one after the other, and meddles with some; tells which were accepted.
async fn ask(fleet: Arc<Fleet>, orders: Vec<JobSpec>, span: Duration, seed: u64) -> Vec<JobId> {
    let mut dice = StdRng::seed_from_u64(seed);
    let mut accepted = Vec::new();
    let most = span.as_millis() as u64 / orders.len().max(1) as u64;
    for spec in orders {
        let pause = dice.random_range(0..=most);
        sleep(Duration::from_millis(pause)).await;
        let engine = fleet.engine(&mut dice);
        if let Ok(Ok(enqueued)) = timeout(ANSWER, engine.enqueue(spec)).await {
            accepted.push(enqueued.id());
        }
        if dice.random_bool(0.25) && !accepted.is_empty() {
            let job = accepted[dice.random_range(0..accepted.len())];
            meddle(&fleet, job, &mut dice).await;
        }
    }
    accepted
}

async fn meddle(fleet: &Fleet, job: JobId, dice: &mut StdRng) {
    let engine = fleet.engine(dice);
    // What was committed is written down by the scribe.
    if dice.random_bool(0.5) {
        let cancel = Cancel {
            force: dice.random_bool(0.3),
            reason: None,
        };
        let _ = timeout(ANSWER, engine.cancel(job, cancel)).await;
    } else {
        let _ = timeout(ANSWER, engine.retry(job, false)).await;
    }
}
