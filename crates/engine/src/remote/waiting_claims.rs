//! Waiting claims: where claims of remote workers wait until there is something for them.
//!
//! Whoever waits stands in the line of each queue it wants. One look at the store, for all that wait, says which queues have
//! jobs; it wakes the first that wants one, and whoever gets all it asked for wakes the next. A job that comes in here is
//! handed to whoever waits, with the commit that accepts it.

mod dispatch;
mod waiter;

use std::{
    collections::{BTreeMap, HashMap, hash_map::Entry},
    sync::{
        Arc, OnceLock, Weak,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use baton_domain::{LeaseId, Timestamp, WorkerId};
use baton_ports::store::{Claimed, ReadyQueue};
use parking_lot::Mutex;
use tokio::{sync::Notify, time::Instant};

use self::waiter::{LOOKS, State};
pub use self::{dispatch::Dispatch, waiter::Waiter};

/// How many claims wait on one node.
const MOST: usize = 4_096;
/// How many claims of one worker wait at once.
const MOST_OF_ONE: usize = 4;
/// Waits that are long end at the same moments, by so much too early at the most: what an idle processor has to read again for one answer
/// serves all of them.
const TOGETHER: Duration = Duration::from_secs(1);
/// How long a wait is that is long.
const LONG: Duration = Duration::from_secs(10);

/// Hears of a lease of a worker under which jobs may stand that nobody has heard of.
pub type Orphaned = Arc<dyn Fn(WorkerId, LeaseId, Timestamp) + Send + Sync>;

/// Where claims of remote workers wait.
#[derive(Default)]
pub struct WaitingClaims {
    table: Mutex<Table>,
    /// What is to become of jobs whose claim has gone meanwhile.
    pub orphaned: OnceLock<Orphaned>,
    numbers: AtomicU64,
    /// From when the moments count at which waits end together.
    began: OnceLock<Instant>,
}

#[derive(Default)]
struct Table {
    waiters: BTreeMap<u64, Arc<Waiter>>,
    /// Who wants of a queue, in the order in which they came.
    by_queue: HashMap<String, BTreeMap<u64, Weak<Waiter>>>,
    /// How many claims of a worker wait.
    by_worker: HashMap<WorkerId, usize>,
    /// Whether the queues that were seen last have limits of their own.
    limited: HashMap<String, bool>,
    is_looked_for: bool,
    /// Whether somebody asks what is wanted of those that have joined.
    is_asked_for: bool,
}

/// How long the leases of a claim last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// A moment before the store began to count.
    pub from: Instant,
    /// Until when they last, if nobody renews them.
    pub until: Timestamp,
}

impl Term {
    /// One that begins now.
    pub fn begin(until: impl FnOnce() -> Timestamp) -> Self {
        // The watch is read first: what a worker counts from it ends no later than what the store counts.
        let from = Instant::now();
        let until = until();
        Self { from, until }
    }
}

/// What came of a reservation.
#[derive(PartialEq)]
pub enum Delivery {
    /// These are its own, for that term.
    Claimed(Vec<Claimed>, Term),
    /// Nobody knows: what stands under this lease, for that term, tells.
    Unknown(LeaseId, Term),
    /// The worker has said goodbye.
    Ended,
}

/// Somebody's place among those who wait; they leave when it is dropped.
pub struct Place {
    claims: Arc<WaitingClaims>,
    pub waiter: Arc<Waiter>,
}

impl WaitingClaims {
    /// Takes a place in the line of each queue; nothing if too many wait. Whoever may join others that wait for all of the queues,
    /// and have found nothing, waits with them and need not look.
    pub fn enter(
        self: &Arc<Self>,
        worker: WorkerId,
        wants: Vec<(String, LeaseId, u32)>,
        may_join: bool,
    ) -> Option<Place> {
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let mut table = self.table.lock();
        let of_one = table.by_worker.get(&worker).copied().unwrap_or_default();
        if table.waiters.len() >= MOST || of_one >= MOST_OF_ONE {
            return None;
        }
        let joins = may_join
            && wants
                .iter()
                .all(|(queue, _, _)| table.is_found_empty(queue));
        let waiter = Arc::new(Waiter {
            number,
            worker,
            wants,
            state: Mutex::new(if joins { State::Joined } else { LOOKS }),
            wake: Notify::new(),
        });
        table.waiters.insert(number, Arc::clone(&waiter));
        table.by_worker.insert(worker, of_one + 1);
        for (queue, _, _) in &waiter.wants {
            let line = table.by_queue.entry(queue.clone()).or_default();
            line.insert(number, Arc::downgrade(&waiter));
        }
        drop(table);
        Some(Place {
            claims: Arc::clone(self),
            waiter,
        })
    }

    /// When a wait ends that begins now.
    pub fn end_of(&self, wait: Duration) -> Instant {
        let began = *self.began.get_or_init(Instant::now);
        let end = Instant::now() + wait;
        if wait < LONG {
            return end;
        }
        let moments = (end - began).as_nanos() / TOGETHER.as_nanos();
        u32::try_from(moments).map_or(end, |moments| began + TOGETHER * moments)
    }

    /// Ends what else waits under one of these leases: it is asked again, and the first one was not heard.
    pub fn supersede(&self, leases: &[LeaseId]) {
        let waiters: Vec<_> = self.table.lock().waiters.values().cloned().collect();
        let is_same =
            |one: &&Arc<Waiter>| one.wants.iter().any(|(_, lease, _)| leases.contains(lease));
        waiters.iter().filter(is_same).for_each(|one| one.end());
    }

    /// Ends all claims of a worker.
    pub fn end(&self, worker: WorkerId) {
        let waiters: Vec<_> = self.table.lock().waiters.values().cloned().collect();
        let own = waiters.iter().filter(|one| one.worker == worker);
        own.for_each(|one| one.end_unless_delivered());
    }

    /// Whether anybody wants of a queue.
    pub fn is_wanted(&self, queue: &str) -> bool {
        self.table.lock().by_queue.contains_key(queue)
    }

    /// Whether somebody waits for a queue who has found nothing in it.
    pub fn is_found_empty(&self, queue: &str) -> bool {
        self.table.lock().is_found_empty(queue)
    }

    /// Those that have joined, and of whose workers nobody has asked what is wanted; if there are none, nobody asks any more.
    pub fn joined(&self) -> Vec<Arc<Waiter>> {
        let mut table = self.table.lock();
        let joined = table.waiters.values().filter(|one| one.has_joined());
        let joined: Vec<_> = joined.cloned().collect();
        table.is_asked_for = !joined.is_empty();
        joined
    }

    /// Whether nobody asks what is wanted of those that join; from now on somebody does.
    pub fn begin_to_ask(&self) -> bool {
        !std::mem::replace(&mut self.table.lock().is_asked_for, true)
    }

    /// Whose they are, in no order.
    pub fn workers(&self) -> Vec<WorkerId> {
        self.table.lock().by_worker.keys().copied().collect()
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        self.table.lock().waiters.len()
    }

    /// Whether a queue was seen to have limits of its own.
    pub fn is_limited(&self, queue: &str) -> bool {
        self.table
            .lock()
            .limited
            .get(queue)
            .copied()
            .unwrap_or(false)
    }

    /// Whether nobody looks for those who wait; from now on somebody does.
    pub fn begin_to_look(&self) -> bool {
        !std::mem::replace(&mut self.table.lock().is_looked_for, true)
    }

    /// Whether somebody still waits; if not, nobody looks any more.
    pub fn goes_on_looking(&self) -> bool {
        let mut table = self.table.lock();
        table.is_looked_for = !table.waiters.is_empty();
        table.is_looked_for
    }

    /// Takes note of queues that have jobs, and wakes one who waits for each. Says whether a limited one is waited for.
    pub fn seen(&self, ready: &[ReadyQueue]) -> bool {
        {
            let mut table = self.table.lock();
            table.limited.clear();
            for queue in ready {
                table.limited.insert(queue.name.clone(), queue.limited);
            }
        }
        let mut is_limited = false;
        for queue in ready {
            is_limited |= self.wake_one(&queue.name) && queue.limited;
        }
        is_limited
    }

    /// Has the first who waits for a queue look; says whether anybody does.
    pub fn wake_one(&self, queue: &str) -> bool {
        self.in_line(queue).iter().any(|waiter| waiter.look())
    }

    fn in_line(&self, queue: &str) -> Vec<Arc<Waiter>> {
        let table = self.table.lock();
        let line = table
            .by_queue
            .get(queue)
            .into_iter()
            .flat_map(BTreeMap::values);
        line.filter_map(Weak::upgrade).collect()
    }
}

impl Table {
    /// Whether somebody waits for a queue who has found nothing in it.
    fn is_found_empty(&self, queue: &str) -> bool {
        let line = self.by_queue.get(queue).into_iter();
        let mut waiters = line.flat_map(BTreeMap::values).filter_map(Weak::upgrade);
        waiters.any(|one| one.is_idle())
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut table = self.claims.table.lock();
        table.waiters.remove(&self.waiter.number);
        if let Entry::Occupied(mut of_one) = table.by_worker.entry(self.waiter.worker) {
            *of_one.get_mut() -= 1;
            if *of_one.get() == 0 {
                of_one.remove();
            }
        }
        for (queue, _, _) in &self.waiter.wants {
            if let Some(line) = table.by_queue.get_mut(queue) {
                line.remove(&self.waiter.number);
                if line.is_empty() {
                    table.by_queue.remove(queue);
                }
            }
        }
        drop(table);
        let mut state = self.waiter.state.lock();
        let last = std::mem::replace(&mut *state, State::Over);
        drop(state);
        // What was delivered and never heard of is nobody's.
        let left = match &last {
            State::Delivered(Delivery::Claimed(claimed, term)) if !claimed.is_empty() => {
                Some(term.until)
            }
            State::Delivered(Delivery::Unknown(_, term)) => Some(term.until),
            _ => None,
        };
        if let (Some(until), Some(orphaned)) = (left, self.claims.orphaned.get()) {
            let leases = self.waiter.wants.iter().map(|(_, lease, _)| *lease);
            leases.for_each(|lease| orphaned(self.waiter.worker, lease, until));
        }
        // Whoever was woken and leaves has taken somebody else's turn.
        if matches!(last, State::Looking { .. }) {
            for (queue, _, _) in &self.waiter.wants {
                self.claims.wake_one(queue);
            }
        }
    }
}

#[cfg(test)]
mod tests;
