//! Remote workers, each on a line of its own: started, killed, frozen, drained, stopped.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, OnceLock},
    time::Duration,
};

use baton_client::{Client, Transport};
use baton_domain::{Clock, Timestamp, WorkerId};
use baton_ports::{Handler, Wakeups};
use baton_protocol::remote::{PROTOCOL, RegisterWorker};
use baton_remote::{RemoteSource, Until};
use baton_worker::{Config, SlotsConfig, Stop, Worker};
use parking_lot::Mutex;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::task::AbortHandle;

use super::{
    handlers::{Hand, PLAIN, WALK},
    scribe::Book,
    transport::{Answered, Answering, Losses, Lost, Wire},
};
use crate::{
    clock::{Dial, NodeClock, NodeMachine},
    fleet::{Fleet, GRACE},
    link::{Condition, Link},
};

/// How far a worker's wall may be from the store's clock, in microseconds.
const APART: i64 = 3_600_000_000;

/// What was done to a worker, and until when it may be felt.
#[derive(Debug, Clone, Copy)]
pub struct Mishap {
    pub what: &'static str,
    pub worker: WorkerId,
    pub from: Timestamp,
    pub until: Timestamp,
}

/// All remote workers, and what they share.
pub struct Workers {
    pub fleet: Arc<Fleet>,
    pub book: Arc<Book>,
    pub answering: Answering,
    pub losses: Arc<Mutex<Losses>>,
    pub answered: Arc<Mutex<Vec<Answered>>>,
    pub lost: Arc<Mutex<BTreeSet<Lost>>>,
    pub mishaps: Mutex<Vec<Mishap>>,
    dice: Mutex<StdRng>,
    running: Mutex<Vec<Running>>,
}

struct Running {
    worker: WorkerId,
    link: Arc<Link>,
    stop: Stop,
    task: AbortHandle,
}

impl Workers {
    pub fn new(
        fleet: Arc<Fleet>,
        book: Arc<Book>,
        answering: Answering,
        losses: Losses,
        seed: u64,
    ) -> Arc<Self> {
        Arc::new(Self {
            fleet,
            book,
            answering,
            losses: Arc::new(Mutex::new(losses)),
            answered: Arc::default(),
            lost: Arc::default(),
            mishaps: Mutex::default(),
            dice: Mutex::new(StdRng::seed_from_u64(seed)),
            running: Mutex::default(),
        })
    }

    /// Starts one that knows so many nodes.
    pub fn start(&self, slots: u32, nodes: usize) {
        let worker = WorkerId::new(self.fleet.now());
        let link = Link::new(self.dice.lock().random());
        let first = self.dice.lock().random_range(0..nodes);
        let servers = (0..nodes).map(|place| self.client(worker, &link, (first + place) % nodes));
        let servers = servers.collect();
        let stop = Stop::default();
        let life = Life {
            worker,
            slots,
            servers,
            handlers: self.handlers(worker, &link),
            clock: self.clock(),
            stop: stop.clone(),
        };
        let task = tokio::spawn(life.live()).abort_handle();
        self.running.lock().push(Running {
            worker,
            link,
            stop,
            task,
        });
    }

    fn client(&self, worker: WorkerId, link: &Arc<Link>, place: usize) -> Client {
        static ONE: OnceLock<Client> = OnceLock::new();
        let wire = Wire {
            fleet: Arc::downgrade(&self.fleet),
            place,
            worker,
            link: Arc::clone(link),
            losses: Arc::clone(&self.losses),
            dice: Wire::dice(self.dice.lock().random()),
            answering: self.answering,
            answered: Arc::clone(&self.answered),
            lost: Arc::clone(&self.lost),
        };
        let one = ONE.get_or_init(|| Client::new("http://localhost/").unwrap());
        one.clone().carried_by(Arc::new(wire) as Arc<dyn Transport>)
    }

    fn handlers(&self, worker: WorkerId, link: &Arc<Link>) -> Vec<Arc<dyn Handler>> {
        let hand = |kind| {
            Arc::new(Hand {
                kind,
                worker,
                link: Arc::clone(link),
                clock: Arc::clone(&self.fleet.clock),
                book: Arc::clone(&self.book),
            }) as Arc<dyn Handler>
        };
        vec![hand(PLAIN), hand(WALK)]
    }

    /// A worker's own: nobody tells it the store's time.
    fn clock(&self) -> Arc<dyn Clock> {
        let ahead = self.dice.lock().random_range(-APART..=APART);
        let wall = Dial::new(Arc::clone(&self.fleet.clock), ahead, 0);
        let now = wall.now();
        Arc::new(NodeClock::on(NodeMachine::new(0, wall), now))
    }

    /// Some worker, if there is one.
    pub fn some(&self) -> Option<WorkerId> {
        let running = self.running.lock();
        let at = (!running.is_empty()).then(|| self.dice.lock().random_range(0..running.len()))?;
        Some(running[at].worker)
    }

    /// Ends one in the middle of whatever it does.
    pub fn kill(&self, worker: WorkerId) {
        let Some(killed) = self.taken(worker) else {
            return;
        };
        // The line first: nothing leaves a process that is no more.
        killed.link.set(Condition::Dead);
        killed.task.abort();
        killed.stop.hard.cancel();
        self.note("killed", worker, Duration::from_hours(1));
    }

    /// Tells one to stop in peace.
    pub fn stop(&self, worker: WorkerId) {
        if let Some(stopped) = self.taken(worker) {
            stopped.stop.soft.cancel();
            self.note("stopped", worker, Duration::from_hours(1));
        }
    }

    fn taken(&self, worker: WorkerId) -> Option<Running> {
        let mut running = self.running.lock();
        let at = running.iter().position(|one| one.worker == worker)?;
        Some(running.swap_remove(at))
    }

    /// Puts the line of one into a condition, for a while.
    pub fn disturb(&self, worker: WorkerId, what: &'static str, to: Condition, span: Duration) {
        let running = self.running.lock();
        let Some(one) = running.iter().find(|one| one.worker == worker) else {
            return;
        };
        one.link.set(to);
        self.note(what, worker, span);
        let link = Arc::clone(&one.link);
        tokio::spawn(async move {
            tokio::time::sleep(span).await;
            link.set(Condition::Up);
        });
    }

    /// Ends every fault.
    pub fn heal(&self) {
        *self.losses.lock() = Losses::NONE;
        for one in &*self.running.lock() {
            one.link.set(Condition::Up);
        }
    }

    pub fn note(&self, what: &'static str, worker: WorkerId, span: Duration) {
        let from = self.fleet.now();
        self.mishaps.lock().push(Mishap {
            what,
            worker,
            from,
            until: from + span,
        });
    }
}

/// A worker's life: as `baton worker` leads it.
struct Life {
    worker: WorkerId,
    slots: u32,
    servers: Vec<Client>,
    handlers: Vec<Arc<dyn Handler>>,
    clock: Arc<dyn Clock>,
    stop: Stop,
}

impl Life {
    async fn live(self) {
        let whom = RegisterWorker {
            protocol: PROTOCOL,
            name: self.worker.to_string(),
            sdk: "simulation/0".to_owned(),
            version: None,
            kinds: vec![PLAIN.to_owned(), WALK.to_owned()],
            queues: Vec::new(),
            slots: self.slots,
            labels: BTreeMap::new(),
        };
        let wakeups = Arc::new(Wakeups::default());
        let registering = RemoteSource::register(
            self.servers,
            self.worker,
            whom,
            Arc::clone(&wakeups),
            Until::default(),
        );
        let source = tokio::select! {
            source = registering => Arc::new(source.unwrap()),
            () = self.stop.soft.cancelled() => return,
        };
        let config = Config {
            lease: source.lease(),
            slots: SlotsConfig {
                default: self.slots,
                ..SlotsConfig::default()
            },
            max_running: self.slots,
            grace: GRACE,
            prefetch: self.slots,
            ..Config::new(self.worker, self.worker.to_string(), "0.0.0")
        };
        let stop = self.stop.clone();
        let worker = Worker::over(
            Arc::clone(&source) as _,
            wakeups,
            self.clock,
            self.handlers,
            config,
        );
        tokio::select! {
            _ = worker.run(stop.clone()) => {}
            _ = source.ended() => stop.hard.cancel(),
        }
    }
}
