//! A fixture of its own for each test: a store and hints in memory, routines turned by hand.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    Clock, JobId, LeaseId, ManualClock, Timestamp, WorkerId,
    access::Actor,
    delivery::KIND,
    event::Event,
    fleet::Heartbeat,
    job::{FieldError, JobSpec, Verdict},
    queue::WaitTargets,
};
use baton_engine::{Caller, Engine, Next, Routine, Settings};
use baton_ports::{
    Call, Handler, Hints, MemoryStore, Wakeup, Wakeups,
    hints::MemoryHints,
    labels,
    store::{Claim, EventFilter, Events, Fleet, QueueClaim, Retention, Work},
    wakeups::Subscription,
};

pub const QUEUE: &str = "default";
/// Longer than it takes until a job counts as forgotten, a worker as silent, and a sweep as due.
pub const LONG: Duration = Duration::from_mins(1);
/// How long a lead lasts.
const TERM: Duration = Duration::from_secs(15);

pub struct Fixture {
    pub store: Arc<MemoryStore>,
    pub hints: Arc<MemoryHints>,
    pub engine: Caller,
    pub clock: ManualClock,
    pub worker: WorkerId,
    pub ready: Subscription,
    routines: Vec<Box<dyn Routine>>,
}

/// A handler that accepts anything of a kind; nobody calls it here.
pub struct Anything(pub &'static str);

#[async_trait]
impl Handler for Anything {
    fn kind(&self) -> &'static str {
        self.0
    }

    fn check(&self, _: &str) -> Result<(), Vec<FieldError>> {
        Ok(())
    }

    async fn run(&self, _: Call) -> Verdict {
        Verdict::Accepted { result: None }
    }
}

impl Fixture {
    /// A fixture that leads, and has built its first generation of hints.
    pub async fn new() -> Self {
        let mut fixture = Self::unbuilt().await;
        fixture.turn("hinter").await;
        fixture
    }

    /// A fixture that leads, and has built no hints yet.
    pub async fn unbuilt() -> Self {
        // All tests share the labels of one process, and some of them have many queues.
        labels::reserve([QUEUE, "prompt", "patient"]);
        let clock = ManualClock::at(Timestamp::from_micros(1_800_000_000_000_000));
        let store = Arc::new(MemoryStore::with_clock(Arc::new(clock.clone())));
        let wakeups = Arc::new(Wakeups::default());
        let ready = wakeups.subscribe(Wakeup::Ready);
        let engine = Engine::new(
            store.clone(),
            wakeups,
            Arc::new(clock.clone()),
            vec![Arc::new(Anything("note")), Arc::new(Anything(KIND))],
            Settings {
                providers: vec!["gateway".to_owned()],
                wait_targets: WaitTargets {
                    by_queue: BTreeMap::from([("patient".to_owned(), 5 * LONG)]),
                    ..WaitTargets::default()
                },
                ..Settings::default()
            },
        )
        .caller(Actor::anonymous());
        let hints = Arc::new(MemoryHints::new());
        engine.hint_by(hints.clone());
        let node = WorkerId::new(clock.now());
        let mut routines = engine.routines(node, Retention::default());
        routines.extend(engine.health_monitor(node));
        let mut fixture = Self {
            store,
            hints,
            engine,
            worker: WorkerId::new(clock.now()),
            clock,
            ready,
            routines,
        };
        fixture.turn("leader").await;
        fixture
    }

    /// Turns one routine once.
    pub async fn turn(&mut self, name: &str) -> Next {
        let routine = self.routines.iter_mut().find(|one| one.name() == name);
        routine.unwrap().turn().await.unwrap()
    }

    /// Lets `LONG` pass, in which another node takes the lead.
    pub async fn lose_the_lead(&mut self) {
        self.clock.advance(LONG);
        let now = self.clock.now();
        let won = self.store.lead(WorkerId::new(now), TERM, now).await;
        assert!(won.unwrap());
        self.turn("leader").await;
    }

    /// Lets `LONG` pass, and sweeps.
    pub async fn sweep_later(&mut self) {
        self.clock.advance(LONG);
        self.turn("hinter").await;
    }

    pub async fn accept(&self, spec: JobSpec) -> JobId {
        self.clock.advance(Duration::from_millis(1));
        self.engine.enqueue(spec).await.unwrap().id()
    }

    /// Takes every hint there is, after whatever is on its way has arrived.
    pub async fn taken(&self) -> Vec<JobId> {
        settle().await;
        let wait = Duration::ZERO;
        let taken = self.hints.take(self.worker, QUEUE, 1_000, wait).await;
        taken.unwrap()
    }

    /// Claims one job; says under which lease.
    pub async fn claim(&self) -> LeaseId {
        let lease = LeaseId::random();
        let now = self.clock.now();
        let claim = Claim {
            worker: self.worker,
            until: now + LONG,
            queues: vec![QueueClaim {
                queue: QUEUE.to_owned(),
                lease,
                limit: 1,
                limited: false,
                jobs: None,
            }],
        };
        let claimed = self.store.claim(&claim, now).await.unwrap();
        assert_eq!(claimed.len(), 1);
        lease
    }

    /// Whether a wake-up came since it was asked last.
    pub async fn was_woken(&mut self) -> bool {
        settle().await;
        tokio::time::timeout(Duration::ZERO, self.ready.recv())
            .await
            .is_ok()
    }

    /// Shows that the worker lives.
    pub async fn heartbeat(&self) {
        self.beat_as(None).await;
    }

    /// The same, with how long its leases last.
    pub async fn beat_with(&self, lease: Duration) {
        self.beat_as(Some(lease)).await;
    }

    async fn beat_as(&self, lease: Option<Duration>) {
        let heartbeat = Heartbeat {
            remote: None,
            worker: self.worker,
            name: "host:1".to_owned(),
            version: "1".to_owned(),
            lease,
            slots: [].into(),
            running: 0,
            draining: false,
            started_at: self.clock.now(),
        };
        self.store
            .heartbeat(&heartbeat, self.clock.now())
            .await
            .unwrap();
    }

    /// The facts about hints, in order.
    pub async fn facts(&self) -> Vec<Event> {
        self.store.sequence(1_000, self.clock.now()).await.unwrap();
        let filter = EventFilter {
            subject: Some("hints".to_owned()),
            ..EventFilter::default()
        };
        self.store.events(0, 1_000, &filter).await.unwrap().0
    }
}

/// Lets tasks do what they can do by now.
async fn settle() {
    for _ in 0..50 {
        tokio::task::yield_now().await;
    }
}

pub fn spec() -> JobSpec {
    JobSpec {
        kind: "note".to_owned(),
        ..JobSpec::default()
    }
}

pub fn of_priority(priority: i64) -> JobSpec {
    JobSpec {
        priority: Some(priority),
        ..spec()
    }
}

pub fn delayed(delay: Duration) -> JobSpec {
    JobSpec {
        delay: Some(delay),
        ..spec()
    }
}
