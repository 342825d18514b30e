//! A node tells the others that it is there, while it asks for the time.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    Clock, ManualClock, Timestamp, WorkerId,
    access::Actor,
    node::{BEAT, GONE_AFTER, Node, NodeState, SeenNode},
    time::StoreClock,
};
use baton_engine::{Caller, Engine, Routine, Settings};
use baton_ports::{
    MemoryStore, Wakeups,
    layer::{Hook, Layer, StoreCall},
    store::{Error, Result},
};
use parking_lot::Mutex;

/// How long the timekeeper rests between two looks.
const PAUSE: Duration = Duration::from_secs(3);

/// Counts calls by their names, and lets some fail.
#[derive(Default)]
struct Asked {
    calls: Mutex<BTreeMap<&'static str, u32>>,
    fails: Mutex<Option<&'static str>>,
}

#[async_trait]
impl Hook for Asked {
    async fn before(&self, call: StoreCall) -> Result<()> {
        *self.calls.lock().entry(call.name).or_default() += 1;
        match *self.fails.lock() == Some(call.name) {
            true => Err(Error::Unavailable("it is away".to_owned())),
            false => Ok(()),
        }
    }
}

/// A node without a worker, whose timekeeper is turned by hand.
struct Fixture {
    asked: Arc<Asked>,
    engine: Caller,
    clock: ManualClock,
    node: Node,
    keeper: Box<dyn Routine>,
}

impl Fixture {
    fn new() -> Self {
        let clock = ManualClock::at(Timestamp::from_micros(1_800_000_000_000_000));
        let memory = MemoryStore::with_clock(Arc::new(clock.clone()));
        let store = Layer::over(Arc::new(memory), Asked::default());
        let asked = store.hook.clone();
        let (wakeups, settings) = (Arc::<Wakeups>::default(), Settings::default());
        let engine = Engine::new(store, wakeups, Arc::new(clock.clone()), vec![], settings);
        let engine = engine.caller(Actor::anonymous());
        let node = Node {
            id: WorkerId::new(clock.now()),
            name: "host:1".to_owned(),
            address: None,
            version: "0.1.0".to_owned(),
            roles: vec!["api".to_owned()],
            started_at: clock.now(),
        };
        let keeps = Arc::new(StoreClock::starting_at(clock.now()));
        let keeper = engine.timekeeper_of(node.clone(), keeps);
        Self {
            asked,
            engine,
            clock,
            node,
            keeper,
        }
    }

    async fn pass(&self, span: Duration) {
        self.clock.advance(span);
        tokio::time::advance(span).await;
    }

    /// How often the store was asked so.
    fn asked(&self, name: &str) -> u32 {
        self.asked.calls.lock().get(name).copied().unwrap_or(0)
    }

    async fn seen(&self) -> SeenNode {
        let mut nodes = self.engine.nodes().await.unwrap();
        assert_eq!(nodes.len(), 1);
        nodes.remove(0)
    }
}

#[tokio::test(start_paused = true)]
async fn a_node_without_a_worker_is_listed_with_how_far_its_clock_is_from_the_store_s() {
    let mut fixture = Fixture::new();
    fixture.keeper.turn().await.unwrap();
    let first = fixture.seen().await;

    fixture.pass(BEAT).await;
    fixture.keeper.turn().await.unwrap();
    let second = fixture.seen().await;

    let told = fixture.engine.health_board().clock_drift().unwrap();
    assert_eq!((&first.node, first.clock), (&fixture.node, None));
    assert_eq!(second.seen_at, fixture.clock.now());
    let by = second.clock.unwrap().ahead - told.ahead;
    assert!(by.unsigned_abs() < 2 * BEAT, "{second:?} {told:?}");
}

#[tokio::test(start_paused = true)]
async fn a_node_writes_once_in_a_beat_and_asks_for_the_time_alone_in_between() {
    let mut fixture = Fixture::new();

    for _ in 0..20 {
        fixture.keeper.turn().await.unwrap();
        fixture.pass(PAUSE).await;
    }

    assert_eq!((fixture.asked("beat_node"), fixture.asked("time")), (4, 16));
}

#[tokio::test(start_paused = true)]
async fn while_a_node_cannot_write_its_clock_is_kept_all_the_same() {
    let mut fixture = Fixture::new();
    *fixture.asked.fails.lock() = Some("beat_node");

    let write = fixture.keeper.turn().await;
    let look = fixture.keeper.turn().await;
    *fixture.asked.fails.lock() = None;
    fixture.pass(BEAT).await;
    let again = fixture.keeper.turn().await;

    assert!(write.is_err());
    assert!(look.is_ok() && again.is_ok());
    assert_eq!(fixture.seen().await.seen_at, fixture.clock.now());
}

#[tokio::test(start_paused = true)]
async fn a_node_that_was_killed_has_gone_within_three_beats() {
    let mut fixture = Fixture::new();
    fixture.keeper.turn().await.unwrap();
    let alive = fixture.seen().await.state(fixture.clock.now());

    fixture.pass(GONE_AFTER + Duration::from_secs(1)).await;
    let killed = fixture.seen().await.state(fixture.clock.now());

    assert_eq!((alive, killed), (NodeState::Live, NodeState::Gone));
}
