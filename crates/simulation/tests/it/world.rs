//! A whole simulation: weather, chaos, healing, quiet, and then the history.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use baton_domain::{
    JobId,
    campaign::{self, Campaign},
    chance,
    event::Event,
    job::{Job, State},
    page::PageRequest,
    queue::QueueChange,
};
use baton_engine::CampaignCommand;
use baton_ports::{
    Hints, MemoryStore, Store,
    faulty::Odds,
    hints::MemoryHints,
    layer::Layer,
    store::{EventFilter, JobFilter},
};
use parking_lot::Mutex;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::{runtime::Builder, time::sleep};

use crate::{
    client::{Client, QUEUES},
    clock::{DAWN, Dial, VirtualClock},
    fleet::{CALM, Fleet},
    journal::{History, Journal},
    nemesis, poltergeist, probe,
    sender::{self, Sender},
    witness::Witness,
};

/// How long after the last fault everything has to be on its way again.
const RECOVERY: Duration = Duration::from_secs(30);
/// How long after that everything may take to come to an end.
const TIMEOUT: Duration = Duration::from_mins(7);
/// How long after its time a job may stand that waits for it.
const LATE: Duration = Duration::from_secs(10);
/// How long late words may take to arrive when all is over.
const ECHO: Duration = Duration::from_secs(10);

/// Lays a mistake over the store; what it answers is taken for the truth. Some need the hints for it.
pub type Flaw = fn(Arc<dyn Store>, &Arc<MemoryHints>) -> Arc<dyn Store>;

/// A store without a mistake.
pub fn flawless(store: Arc<dyn Store>, _: &Arc<MemoryHints>) -> Arc<dyn Store> {
    store
}

/// Who hints at jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hinting {
    /// Nobody; workers know of no hints.
    No,
    /// The nodes, who keep the hints as well.
    ByNodes,
    /// Whoever the story says; workers wait for hints.
    ByOthers,
}

/// What a seed decides.
pub struct Weather {
    pub odds: Odds,
    pub has_nemesis: bool,
    pub has_signal: bool,
    pub hinting: Hinting,
    /// Hints are wiped, poisoned and taken away.
    pub is_haunted: bool,
    pub workers: u32,
    pub nodes: u32,
    pub clients: u32,
    pub things: u32,
    pub slots: u32,
    /// How many slots the worker of each node has; without any it has none.
    pub node_slots: u32,
    /// How many campaigns there are, and to how many recipients.
    pub campaigns: u32,
    pub recipients: u32,
    /// Clocks are stepped and drift.
    pub has_wild_clocks: bool,
    /// Processes keep their clocks with the store's.
    pub keeps_time: bool,
}

impl Weather {
    /// Nothing goes wrong by itself: for a story that says what does.
    pub const fn calm(workers: u32) -> Self {
        Self {
            odds: CALM,
            has_nemesis: false,
            has_signal: true,
            hinting: Hinting::No,
            is_haunted: false,
            workers,
            nodes: 1,
            clients: 0,
            things: 0,
            slots: 4,
            node_slots: 0,
            campaigns: 0,
            recipients: 0,
            has_wild_clocks: false,
            keeps_time: true,
        }
    }

    /// As the dice have it.
    pub fn of(dice: &mut StdRng) -> Self {
        let is_rough = dice.random_bool(0.7);
        let has_odds = is_rough && dice.random_bool(0.6);
        let odds = Odds {
            before: dice.random_range(0.0..0.15),
            after: dice.random_range(0.0..0.15),
        };
        Self {
            odds: if has_odds { odds } else { CALM },
            has_nemesis: is_rough && (!has_odds || dice.random_bool(0.6)),
            has_signal: dice.random_bool(0.6),
            workers: dice.random_range(1..5),
            nodes: dice.random_range(1..4),
            clients: dice.random_range(1..4),
            things: dice.random_range(5..25),
            slots: dice.random_range(1..8),
            node_slots: dice.random_range(0..9_u32).saturating_sub(4),
            hinting: match dice.random_bool(0.5) {
                true => Hinting::ByNodes,
                false => Hinting::No,
            },
            is_haunted: dice.random_bool(0.7),
            campaigns: dice.random_range(0..4_u32).saturating_sub(1),
            recipients: dice.random_range(1..60),
            has_wild_clocks: dice.random_bool(0.5),
            keeps_time: true,
        }
    }
}

/// Plays a seed to its end, in virtual time, on this thread.
pub fn play(seed: u64, flaw: Flaw) -> History {
    play_in(seed, flaw, |_| ())
}

/// The same, in a weather that is not quite as the seed would have it.
pub fn play_in(seed: u64, flaw: Flaw, change: fn(&mut Weather)) -> History {
    in_virtual_time(seed, async move {
        let mut dice = StdRng::seed_from_u64(seed);
        let mut weather = Weather::of(&mut dice);
        change(&mut weather);
        let world = World::new(&weather, flaw, dice.random());
        world.suffer(&weather, &mut dice).await;
        world.heal().await;
        world.recover().await
    })
}

/// Runs a future on this thread, in time that passes when all wait, with this seed's chance.
pub fn in_virtual_time<T>(seed: u64, future: impl Future<Output = T>) -> T {
    chance::seed(seed);
    let runtime = Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap();
    runtime.block_on(future)
}

/// A store, the processes on it, and what is written down.
pub struct World {
    pub fleet: Arc<Fleet>,
    pub store: Arc<dyn Store>,
    pub journal: Arc<Journal>,
}

impl World {
    pub fn new(weather: &Weather, flaw: Flaw, seed: u64) -> Self {
        let clock = Arc::new(VirtualClock::start());
        let journal = Arc::new(Journal::default());
        let dial = Arc::new(Dial::new(Arc::clone(&clock), 0, 0));
        let memory = MemoryStore::with_clock(Arc::clone(&dial) as _);
        let hints = Arc::new(MemoryHints::new());
        let store = flaw(Arc::new(memory), &hints);
        let witness = Witness {
            clock: Arc::clone(&clock),
            journal: Arc::clone(&journal),
        };
        let witnessed = Layer::over(Arc::clone(&store), witness);
        let shared = Arc::clone(&journal);
        let fleet = Fleet::new((clock, dial), shared, witnessed, hints, weather, seed);
        for _ in 0..weather.nodes {
            fleet.start_node(weather.node_slots);
        }
        for _ in 0..weather.workers {
            fleet.start_worker(weather.slots);
        }
        Self {
            fleet,
            store,
            journal,
        }
    }

    /// Lets clients ask and the nemesis strike.
    pub async fn suffer(&self, weather: &Weather, dice: &mut StdRng) {
        if weather.hinting == Hinting::ByOthers {
            self.fleet.hints.open(1).await.unwrap();
        }
        let clients: Vec<_> = (0..weather.clients)
            .map(|name| {
                let client = Client::new(Arc::clone(&self.fleet), name, dice.random());
                tokio::spawn(client.run(weather.things))
            })
            .collect();
        let span = Duration::from_millis(dice.random_range(5_000..25_000));
        sender::import(&self.store, weather.recipients, self.fleet.store_time()).await;
        let senders: Vec<_> = (0..weather.campaigns)
            .map(|name| {
                let sender = Sender::new(Arc::clone(&self.fleet), name, dice.random());
                tokio::spawn(sender.run(DAWN + span))
            })
            .collect();
        let poltergeist = (weather.is_haunted && weather.hinting != Hinting::No).then(|| {
            let fleet = Arc::clone(&self.fleet);
            tokio::spawn(poltergeist::run(fleet, dice.random(), DAWN + span))
        });
        let clocks = weather.has_wild_clocks.then(|| {
            let fleet = Arc::clone(&self.fleet);
            tokio::spawn(nemesis::clocks::run(fleet, dice.random(), DAWN + span))
        });
        if weather.has_nemesis {
            let fleet = Arc::clone(&self.fleet);
            nemesis::run(fleet, dice.random(), DAWN + span).await;
        }
        let others = senders.into_iter().chain(poltergeist).chain(clocks);
        for task in clients.into_iter().chain(others) {
            task.await.unwrap();
        }
        if weather.odds != CALM {
            self.fleet.note("calls fail", None, DAWN, self.fleet.now());
        }
    }

    /// Ends every fault and opens every queue.
    pub async fn heal(&self) {
        // A worker that was to be started may not be there yet.
        sleep(Duration::from_secs(4)).await;
        self.fleet.heal();
        if self.fleet.workers() == 0 {
            self.fleet.start_worker(4);
        }
        let mut dice = StdRng::seed_from_u64(0);
        for queue in QUEUES {
            let change = QueueChange {
                paused: Some(false),
                rate: Some(None),
                ..QueueChange::default()
            };
            let engine = self.fleet.engine(&mut dice);
            engine.change_queue(queue, &change).await.unwrap();
        }
        for campaign in self.campaigns().await {
            let engine = self.fleet.engine(&mut dice);
            engine
                .change_campaign_rate(campaign.id, None)
                .await
                .unwrap();
            if campaign.state == campaign::State::Stopped {
                let resume = engine.command_campaign(campaign.id, CampaignCommand::Resume, None);
                resume.await.unwrap();
            }
        }
    }

    /// Waits until everything has come to an end, and tells all.
    pub async fn recover(self) -> History {
        sleep(RECOVERY).await;
        let mut idle = self.idle().await;
        if self.fleet.dial.shown().is_wild() {
            probe::delayed_jobs(&self.fleet).await;
        }
        self.until_quiet(&mut idle).await;
        sleep(ECHO).await;
        self.history(idle.into_iter().collect()).await
    }

    /// Jobs that should have moved since the faults ended.
    async fn idle(&self) -> BTreeSet<JobId> {
        let since = self.fleet.store_time() - RECOVERY / 2;
        // A queued job may wait for its turn; that it gets one is seen when all is quiet.
        let is_idle = |job: &Job| match job.state {
            State::Pending | State::RetryWait => job.run_at < since,
            State::Running => job.leased_until.is_none_or(|until| until < since),
            _ => false,
        };
        let jobs = self.jobs().await;
        let idle = jobs.iter().filter(|job| is_idle(job));
        idle.map(|job| job.id).collect()
    }

    /// Waits until everything has ended; adds the jobs that wait for a time that has passed long since.
    async fn until_quiet(&self, idle: &mut BTreeSet<JobId>) {
        let end = self.fleet.now() + TIMEOUT;
        loop {
            let jobs = self.jobs().await;
            let late = self.fleet.store_time() - LATE;
            let waits = |job: &&Job| matches!(job.state, State::Pending | State::RetryWait);
            let waiting = jobs.iter().filter(waits);
            idle.extend(waiting.filter(|job| job.run_at < late).map(|job| job.id));
            if self.is_quiet(&jobs).await || self.fleet.now() >= end {
                return;
            }
            sleep(Duration::from_millis(500)).await;
        }
    }

    async fn is_quiet(&self, jobs: &[Job]) -> bool {
        let operations = self.store.operations(&page()).await.unwrap().items;
        let campaigns = self.campaigns().await;
        operations.iter().all(|one| one.finished_at.is_some())
            && campaigns.iter().all(|one| one.finished_at.is_some())
            && jobs.iter().all(|job| job.state.is_terminal())
    }

    async fn campaigns(&self) -> Vec<Campaign> {
        let now = self.fleet.store_time();
        self.store.campaigns(&page(), now).await.unwrap().items
    }

    async fn recipients(&self) -> BTreeSet<String> {
        let recipients = self.store.recipients(&page()).await.unwrap().items;
        recipients.into_iter().map(|one| one.profile.id).collect()
    }

    async fn jobs(&self) -> Vec<Job> {
        let mut request = page();
        let mut jobs = Vec::new();
        loop {
            let page = self.store.jobs(&JobFilter::default(), &request).await;
            let page = page.unwrap();
            jobs.extend(page.items);
            if page.next.is_none() {
                return jobs;
            }
            request.after = page.next;
        }
    }

    async fn history(self, idle: Vec<JobId>) -> History {
        let (store, now) = (&self.store, self.fleet.store_time());
        while store.sequence(10_000, now).await.unwrap().count > 0 {}
        let queues = store.queues(now).await.unwrap();
        let drifts = store.reconcile(now).await.unwrap();
        let (campaigns, recipients) = (self.campaigns().await, self.recipients().await);
        let jobs = self.jobs().await;
        let mut attempts = BTreeMap::new();
        for job in &jobs {
            attempts.insert(job.id, store.attempts(job.id).await.unwrap());
        }
        let journal = &self.journal;
        History {
            asked: taken(&journal.asked),
            acts: taken(&journal.acts),
            started: taken(&journal.operations),
            calls: taken(&journal.calls),
            deeds: taken(&journal.deeds),
            faults: taken(&journal.faults),
            mischief: taken(&journal.mischief),
            jobs: jobs.into_iter().map(|job| (job.id, job)).collect(),
            attempts,
            events: self.events().await,
            queues,
            drifts,
            letters: store.dead_letters(&page()).await.unwrap().items,
            operations: store.operations(&page()).await.unwrap().items,
            idle,
            campaigns,
            recipients,
            probes: taken(&journal.probes),
            store_clock: self.fleet.dial.shown(),
        }
    }

    async fn events(&self) -> Vec<Event> {
        let (mut events, mut after) = (Vec::new(), 0);
        loop {
            let filter = EventFilter::default();
            let (more, looked_at) = self.store.events(after, 5_000, &filter).await.unwrap();
            if more.is_empty() && looked_at == after {
                return events;
            }
            events.extend(more);
            after = looked_at;
        }
    }
}

fn taken<T>(list: &Mutex<Vec<T>>) -> Vec<T> {
    std::mem::take(&mut *list.lock())
}

fn page() -> PageRequest {
    PageRequest::first(PageRequest::MAX_LIMIT)
}
