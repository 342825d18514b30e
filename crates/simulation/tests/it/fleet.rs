//! Every process of a simulation: nodes with engines, workers; each on a line of its own.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use axum::Router;
use baton_api::{Options, Pages, router};
use baton_domain::{Clock, Timestamp, WorkerId, access::Actor, time::Machine};
use baton_engine::{Caller, Engine, Settings, SnapshotCache, Supervisor};
use baton_ports::{
    Faulty, Handler, Hints, Store, Wakeups, faulty::Odds, hints::MemoryHints, layer::Layer,
    store::Retention,
};
use baton_worker::{Config, Report, SlotsConfig, Stop, Worker};
use parking_lot::Mutex;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::{
    clock::{Dial, NodeClock, NodeMachine, VirtualClock},
    hint_line::HintLine,
    journal::{Fault, Journal},
    link::{Along, Condition, Link},
    postman::{self, Postman},
    target::{Hand, Target},
    world::{Hinting, Weather},
};

/// How long a lease lasts here.
pub const LEASE: Duration = Duration::from_secs(6);
/// How long a stop may take here.
pub const GRACE: Duration = Duration::from_secs(3);
/// No call fails.
pub const CALM: Odds = Odds {
    before: 0.0,
    after: 0.0,
};

/// The longest way of a first question for the time, there and back, in microseconds.
const FIRST_LOOK: u64 = 40_000;
/// The furthest that a watch is wrong, in microseconds a second; two of them part by less than clocks may.
pub const DRIFT: i64 = 200;

/// Every process, and what they share.
pub struct Fleet {
    /// The true time.
    pub clock: Arc<VirtualClock>,
    /// What the store's clock shows.
    pub dial: Arc<Dial>,
    has_wild_clocks: bool,
    keeps_time: bool,
    pub journal: Arc<Journal>,
    target: Arc<Target>,
    store: Arc<dyn Store>,
    pub hints: Arc<MemoryHints>,
    hinting: Hinting,
    /// The one wakeups of all processes; without it each has its own, and hears nothing of others.
    shared: Option<Arc<Wakeups>>,
    odds: Mutex<Odds>,
    dice: Mutex<StdRng>,
    workers: Mutex<Vec<Running>>,
    nodes: Mutex<Vec<Node>>,
}

/// A process's line to the store, with what goes wrong on it.
#[derive(Clone)]
pub struct Uplink {
    pub process: WorkerId,
    pub link: Arc<Link>,
    /// Its line to the hints, if it is to have one.
    pub hints: Arc<HintLine>,
    /// The store's clock, as it follows it.
    pub clock: Arc<NodeClock>,
    faults: Arc<Faulty>,
}

struct Running {
    line: Uplink,
    _supervisor: Option<Supervisor>,
    stop: Stop,
    task: JoinHandle<Report>,
}

/// A node as those reach it who come over HTTP.
#[derive(Clone)]
pub struct Door {
    pub process: WorkerId,
    pub link: Arc<Link>,
    pub engine: Caller,
    pub api: Router,
    /// Ends what waits there.
    stop: CancellationToken,
}

impl Door {
    /// Has the node take nothing new: it is about to stop.
    pub fn close(&self) {
        self.engine.health_board().drain();
        self.stop.cancel();
    }

    pub fn is_closed(&self) -> bool {
        self.stop.is_cancelled()
    }
}

struct Node {
    line: Uplink,
    engine: Caller,
    /// Made when somebody comes over HTTP.
    door: Option<Door>,
    _supervisor: Supervisor,
    /// Its own worker, to which the engine hands jobs from memory.
    worker: Option<(Stop, JoinHandle<Report>)>,
    slots: u32,
}

impl Fleet {
    pub fn new(
        (clock, dial): (Arc<VirtualClock>, Arc<Dial>),
        journal: Arc<Journal>,
        store: Arc<dyn Store>,
        hints: Arc<MemoryHints>,
        weather: &Weather,
        seed: u64,
    ) -> Arc<Self> {
        let target = Target {
            clock: Arc::clone(&clock),
            journal: Arc::clone(&journal),
            calls: Mutex::default(),
        };
        Arc::new(Self {
            clock,
            dial,
            has_wild_clocks: weather.has_wild_clocks,
            keeps_time: weather.keeps_time,
            journal,
            target: Arc::new(target),
            store,
            hints,
            hinting: weather.hinting,
            shared: weather.has_signal.then(Arc::default),
            odds: Mutex::new(weather.odds),
            dice: Mutex::new(StdRng::seed_from_u64(seed)),
            workers: Mutex::default(),
            nodes: Mutex::default(),
        })
    }

    /// The true time.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// What the store's clock shows.
    pub fn store_time(&self) -> Timestamp {
        self.dial.now()
    }

    /// Starts a worker; says who it is.
    pub fn start_worker(self: &Arc<Self>, slots: u32) -> WorkerId {
        let (line, store) = self.connect();
        let wakeups = self.wakeups();
        let supervisor = self
            .keeps_time
            .then(|| timekeeping(&line, &store, &wakeups));
        let worker = self.worker(&line, store, wakeups, slots);
        let stop = Stop::default();
        let task = tokio::spawn(worker.run(stop.clone()));
        let process = line.process;
        self.workers.lock().push(Running {
            line,
            _supervisor: supervisor,
            stop,
            task,
        });
        process
    }

    /// Starts a node with every routine, and with a worker of its own if it has slots.
    pub fn start_node(self: &Arc<Self>, slots: u32) -> WorkerId {
        let (line, store) = self.connect();
        let settings = Settings {
            lease: LEASE,
            providers: vec![postman::PROVIDER.to_owned()],
            ..Settings::default()
        };
        let (clock, wakeups) = (Arc::clone(&line.clock) as _, self.wakeups());
        let handlers = self.handlers(&line, &store);
        let ports = (Arc::clone(&store), Arc::clone(&wakeups));
        let engine =
            Engine::new(ports.0, ports.1, clock, handlers, settings).caller(Actor::anonymous());
        if self.hinting == Hinting::ByNodes {
            engine.hint_by(Arc::clone(&line.hints) as _);
        }
        let supervisor = Supervisor::new(&engine);
        if self.keeps_time {
            supervisor.start(engine.timekeeper(Arc::clone(&line.clock)));
        }
        if let Some(health_monitor) = engine.health_monitor(line.process) {
            supervisor.start(health_monitor);
        }
        for routine in engine.routines(line.process, Retention::default()) {
            supervisor.start(routine);
        }
        let worker = (slots > 0).then(|| {
            let worker = self.worker(&line, store, wakeups, slots);
            engine.dispatch_to(worker.local_dispatch());
            let stop = Stop::default();
            (stop.clone(), tokio::spawn(worker.run(stop)))
        });
        let process = line.process;
        self.nodes.lock().push(Node {
            line,
            engine,
            door: None,
            _supervisor: supervisor,
            worker,
            slots,
        });
        process
    }

    fn worker(
        self: &Arc<Self>,
        line: &Uplink,
        store: Arc<dyn Store>,
        wakeups: Arc<Wakeups>,
        slots: u32,
    ) -> Worker {
        let mut config = Config::new(line.process, line.process.to_string(), "0.0.0");
        config.lease = LEASE;
        config.grace = GRACE;
        config.slots = SlotsConfig {
            default: slots,
            ..SlotsConfig::default()
        };
        let clock = Arc::clone(&line.clock) as _;
        let handlers = self.handlers(line, &store);
        let worker = Worker::new(Arc::clone(&store), wakeups, clock, handlers, config);
        match self.hinting {
            Hinting::No => worker,
            _ => worker.with_hints(Arc::clone(&line.hints) as Arc<dyn Hints>, store),
        }
    }

    fn handlers(self: &Arc<Self>, line: &Uplink, store: &Arc<dyn Store>) -> Vec<Arc<dyn Handler>> {
        let hand = Hand {
            target: Arc::clone(&self.target),
            link: Arc::clone(&line.link),
            worker: line.process,
            fleet: Arc::downgrade(self),
        };
        let clock = Arc::clone(&line.clock) as _;
        let postman = Postman {
            target: Arc::clone(&self.target),
            link: Arc::clone(&line.link),
            worker: line.process,
            snapshots: SnapshotCache::new(Arc::clone(store), self.wakeups(), clock),
        };
        vec![Arc::new(hand), Arc::new(postman)]
    }

    fn connect(&self) -> (Uplink, Arc<dyn Store>) {
        let mut dice = self.dice.lock();
        let link = Link::new(dice.random());
        let faults = Faulty::new(Arc::clone(&self.store), dice.random(), *self.odds.lock());
        let hints = HintLine::new(Arc::clone(&self.hints), Arc::clone(&link), dice.random());
        let line = Uplink {
            process: WorkerId::new(self.now()),
            link: Arc::clone(&link),
            hints,
            clock: Arc::new(self.first_look(&mut dice)),
            faults: Arc::clone(&faults),
        };
        (line, Layer::over(faults, Along(link)))
    }

    /// The clock of a process that has just asked the store for the time.
    fn first_look(&self, dice: &mut StdRng) -> NodeClock {
        let ahead = dice.random_range(-3_600_000_000..=3_600_000_000);
        let drift = match self.has_wild_clocks {
            true => dice.random_range(-DRIFT..=DRIFT),
            false => 0,
        };
        let wall = Dial::new(Arc::clone(&self.clock), ahead, drift);
        let clock = NodeClock::on(NodeMachine::new(drift, wall), Timestamp::from_micros(0));
        let way = Duration::from_micros(dice.random_range(0..FIRST_LOOK));
        let answered = self.store_time() - way.mul_f64(dice.random());
        let heard = clock.machine().instant();
        clock.follow(answered, heard - way, heard);
        clock
    }

    fn wakeups(&self) -> Arc<Wakeups> {
        self.shared.clone().unwrap_or_default()
    }

    /// The engine of some node.
    pub fn engine(&self, dice: &mut StdRng) -> Caller {
        let nodes = self.nodes.lock();
        nodes[dice.random_range(0..nodes.len())].engine.clone()
    }

    /// Some worker that was not killed or stopped.
    pub fn some_worker(&self, dice: &mut StdRng) -> Option<Uplink> {
        let workers = self.workers.lock();
        let at = (!workers.is_empty()).then(|| dice.random_range(0..workers.len()))?;
        Some(workers[at].line.clone())
    }

    /// Some node.
    pub fn some_node(&self, dice: &mut StdRng) -> Uplink {
        let nodes = self.nodes.lock();
        nodes[dice.random_range(0..nodes.len())].line.clone()
    }

    /// The way over HTTP to the node that stands at this place.
    pub fn door(&self, place: usize) -> Door {
        let mut nodes = self.nodes.lock();
        let count = nodes.len();
        let node = &mut nodes[place % count];
        let (line, engine) = (&node.line, &node.engine);
        let door = node.door.get_or_insert_with(|| {
            let stop = CancellationToken::new();
            let options = Options {
                stop: stop.clone(),
                ..Options::default()
            };
            Door {
                process: line.process,
                link: Arc::clone(&line.link),
                engine: engine.clone(),
                api: router((**engine).clone(), options, Pages::default()),
                stop,
            }
        });
        door.clone()
    }

    /// Every process there is.
    pub fn everybody(&self) -> Vec<Uplink> {
        let workers = self.workers.lock();
        let workers = workers.iter().map(|worker| worker.line.clone());
        let nodes = self.nodes.lock();
        let nodes = nodes.iter().map(|node| node.line.clone());
        workers.chain(nodes).collect()
    }

    /// Ends a worker in the middle of whatever it does.
    pub fn kill_worker(&self, process: WorkerId) {
        let mut workers = self.workers.lock();
        let Some(at) = workers.iter().position(|w| w.line.process == process) else {
            return;
        };
        let killed = workers.swap_remove(at);
        // The line first: nothing leaves a process that is no more.
        killed.line.link.set(Condition::Dead);
        killed.task.abort();
        killed.stop.hard.cancel();
        self.note("killed", Some(process), self.now(), self.now());
    }

    /// Tells a worker to stop in peace; the task ends when it has.
    pub fn stop_worker(&self, process: WorkerId) -> Option<JoinHandle<Report>> {
        let mut workers = self.workers.lock();
        let at = workers.iter().position(|w| w.line.process == process)?;
        let stopped = workers.swap_remove(at);
        stopped.stop.soft.cancel();
        let until = self.now() + GRACE + LEASE;
        self.note("stopped", Some(process), self.now(), until);
        Some(stopped.task)
    }

    /// Ends a node in the middle of whatever it does, and starts another.
    pub fn replace_node(self: &Arc<Self>, process: WorkerId) {
        let mut nodes = self.nodes.lock();
        let Some(at) = nodes.iter().position(|n| n.line.process == process) else {
            return;
        };
        let killed = nodes.swap_remove(at);
        drop(nodes);
        // The line first: nothing leaves a process that is no more.
        killed.line.link.set(Condition::Dead);
        if let Some((stop, task)) = killed.worker {
            task.abort();
            stop.hard.cancel();
        }
        self.note("killed", Some(process), self.now(), self.now());
        self.start_node(killed.slots);
    }

    pub fn workers(&self) -> usize {
        self.workers.lock().len()
    }

    /// Ends every fault.
    pub fn heal(&self) {
        *self.odds.lock() = CALM;
        for line in self.everybody() {
            line.link.set(Condition::Up);
            line.faults.set(CALM);
            line.hints.is_cut.store(false, Ordering::SeqCst);
        }
        self.hints.come_back();
    }

    /// Writes down what was done to hints or to clocks: it excuses nothing.
    pub fn note_mischief(&self, what: &'static str, process: Option<WorkerId>, until: Timestamp) {
        let from = self.now();
        self.journal.mischief.lock().push(Fault {
            what,
            process,
            from,
            until,
        });
    }

    /// Writes down what was done to whom.
    pub fn note(
        &self,
        what: &'static str,
        process: Option<WorkerId>,
        from: Timestamp,
        until: Timestamp,
    ) {
        self.journal.faults.lock().push(Fault {
            what,
            process,
            from,
            until,
        });
    }
}

/// Keeps a worker's clock with the store's, as every process does.
fn timekeeping(line: &Uplink, store: &Arc<dyn Store>, wakeups: &Arc<Wakeups>) -> Supervisor {
    let (store, wakeups) = (Arc::clone(store), Arc::clone(wakeups));
    let clock = Arc::clone(&line.clock);
    let engine = Engine::new(store, wakeups, clock.clone(), vec![], Settings::default())
        .caller(Actor::anonymous());
    let supervisor = Supervisor::new(&engine);
    supervisor.start(engine.timekeeper(clock));
    supervisor
}
