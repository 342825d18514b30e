//! Awaited queues: those whose hints are waited for, which are all without limits of their own as long as they are not too many.

use std::{cmp::Reverse, collections::HashMap, sync::Arc, time::Duration};

use baton_domain::queue::Queue;
use baton_ports::store::ReadyQueue;
use parking_lot::Mutex;
use tokio::{sync::oneshot, time::Instant};

use crate::{
    all_slots::AllSlots, queue_slots::QueueSlots, queue_view::QueueView, store_backoff::jittered,
};

/// How many queues' hints are waited for at once.
const MOST: usize = 32;
/// How often it is asked which queues there are, at the least.
const REFRESH: Duration = Duration::from_secs(10);
/// How much of the time may go into that: a hundredth.
const SHARE: u32 = 100;
/// So many hints in a row lead to nothing, at the least, before anything is made of it: what a search
/// has claimed was mostly hinted at as well.
const ASTRAY: u32 = 8;

/// The queues whose hints are waited for.
pub struct Awaited(Mutex<State>);

struct State {
    /// When to ask next which queues there are.
    next_refresh: Instant,
    /// There are queues whose hints nobody waits for.
    has_blind_spots: bool,
    /// There are more queues than can be waited for.
    is_crowded: bool,
    queues: HashMap<Arc<str>, Wait>,
    /// Consumers whose hints have led to nothing; they go on after the next poll.
    misled: Vec<oneshot::Sender<()>>,
}

/// How a queue's hints are waited for.
#[derive(Default)]
struct Wait {
    is_chosen: bool,
    has_consumer: bool,
    /// How many hints have led to nothing since one has led to a job.
    astray: u32,
}

impl Awaited {
    pub fn new() -> Self {
        Self(Mutex::new(State {
            next_refresh: Instant::now(),
            has_blind_spots: false,
            is_crowded: false,
            queues: HashMap::new(),
            misled: Vec::new(),
        }))
    }

    /// Whether a queue's hints are waited for.
    pub fn has(&self, slots: &QueueSlots) -> bool {
        let state = self.0.lock();
        let wait = state.queues.get(&slots.queue);
        wait.is_some_and(|wait| wait.is_chosen) && !slots.view(|view| view.is_limited())
    }

    /// Whether there are queues whose hints nobody waits for.
    pub fn has_blind_spots(&self) -> bool {
        self.0.lock().has_blind_spots
    }

    /// Whether it is to be asked which queues there are: now and then, and when a line is there that was not, or not so.
    pub fn are_stale(&self, all: &AllSlots, queues: &[ReadyQueue]) -> bool {
        let state = self.0.lock();
        let is_waited_for = |queue: &str| {
            state
                .queues
                .get(queue)
                .is_some_and(|wait| wait.is_chosen && wait.has_consumer)
        };
        let is_new = |queue: &ReadyQueue| match queue.limited {
            true => !state.has_blind_spots,
            false => !state.is_crowded && !is_waited_for(&queue.name),
        };
        let mut served = queues.iter().filter(|queue| all.count_of(&queue.name) > 0);
        Instant::now() >= state.next_refresh || served.any(is_new)
    }

    /// Chooses among the queues there are, as they were asked for at this moment; says which of the chosen lack a consumer.
    pub fn choose(&self, all: &AllSlots, queues: &[Queue], asked: Instant) -> Vec<Arc<QueueSlots>> {
        let mut state = self.0.lock();
        state.next_refresh = asked + jittered(REFRESH.max(asked.elapsed() * SHARE));
        let running = queues
            .iter()
            .filter(|queue| !queue.paused && all.count_of(&queue.name) > 0);
        let (limited, mut open): (Vec<_>, Vec<_>) = running.partition(|queue| is_limited(queue));
        state.is_crowded = open.len() > MOST;
        state.has_blind_spots = !limited.is_empty() || state.is_crowded;
        if state.is_crowded {
            let used = |queue: &&Queue| all.find(&queue.name).map(|slots| slots.used());
            open.sort_by_cached_key(|queue| Reverse(used(queue)));
            open.truncate(MOST);
        }
        let is_open = |name: &str| open.iter().any(|queue| queue.name == name);
        state.queues.retain(|name, wait| {
            wait.is_chosen = is_open(name);
            wait.is_chosen || wait.has_consumer
        });
        let chosen = open.into_iter().map(|queue| all.of(&queue.name));
        chosen.filter(|slots| state.add(slots)).collect()
    }

    /// Has the queues asked for again at the next poll, until which a consumer waits whose hints lead to nothing.
    pub fn mislead(&self, consumer: oneshot::Sender<()>) {
        let mut state = self.0.lock();
        state.next_refresh = Instant::now();
        state.misled.push(consumer);
    }

    /// Lets consumers go on that waited for a poll.
    pub fn polled(&self) {
        self.0.lock().misled.clear();
    }

    /// Whether the consumer of a queue is to end; it is taken off the list in the same breath.
    pub fn dismiss(&self, slots: &QueueSlots) -> bool {
        let mut state = self.0.lock();
        let Some(wait) = state.queues.get_mut(&slots.queue) else {
            return true;
        };
        wait.has_consumer = wait.is_chosen && !slots.view(|view| view.is_limited());
        !wait.has_consumer
    }

    /// Takes note of where hints have led: as many as were wanted, and a job behind each, and the line is longer than that, and
    /// is searched. Says whether so many have led nowhere that something must be wrong with them.
    pub fn followed(&self, slots: &QueueSlots, found: usize, stale: usize, is_full: bool) -> bool {
        if !is_full {
            slots.view(QueueView::ran_dry);
        } else if stale == 0 {
            slots.view(QueueView::set_found);
        }
        let mut state = self.0.lock();
        let wait = state.queues.entry(Arc::clone(&slots.queue)).or_default();
        wait.astray = match found {
            0 => wait
                .astray
                .saturating_add(u32::try_from(stale).unwrap_or(u32::MAX)),
            _ => 0,
        };
        wait.astray >= slots.count.max(ASTRAY)
    }
}

impl State {
    /// Chooses a queue; says whether it lacks a consumer, which it gets now.
    fn add(&mut self, slots: &QueueSlots) -> bool {
        slots.view(|view| view.set_limited(false));
        let wait = self.queues.entry(Arc::clone(&slots.queue)).or_default();
        wait.is_chosen = true;
        !std::mem::replace(&mut wait.has_consumer, true)
    }
}

const fn is_limited(queue: &Queue) -> bool {
    queue.max_running.is_some() || queue.rate.is_some()
}
