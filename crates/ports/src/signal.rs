//! A hint that there may be something to do; never a fact.
//!
//! Losing a hint costs only time: whoever waits for one also wakes by itself now and then, and looks
//! at the store. Hints coalesce: a thousand rings before somebody looks are one.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use parking_lot::RwLock;
use tokio::sync::Notify;

/// What a hint is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wake {
    /// A queue has claimable jobs, or may be claimed from again.
    Ready,
    /// A job was written that is due at some time; perhaps sooner than any other.
    Due,
    /// A running job was asked to stop.
    Cancel,
    /// Facts were written that have no number yet.
    Facts,
    /// Facts were numbered.
    Events,
    /// An operation was started.
    Operations,
    /// A campaign was created, stopped, resumed or canceled.
    Campaigns,
    /// A schedule was written, and may be due sooner than any other.
    Schedules,
    /// Jobs have expired that did not run.
    Expired,
}

impl Wake {
    /// Every kind of hint.
    pub const ALL: [Self; 9] = [
        Self::Ready,
        Self::Due,
        Self::Cancel,
        Self::Facts,
        Self::Events,
        Self::Operations,
        Self::Campaigns,
        Self::Schedules,
        Self::Expired,
    ];

    /// The word for it on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ready => "ready",
            Self::Due => "due",
            Self::Cancel => "cancel",
            Self::Facts => "facts",
            Self::Events => "events",
            Self::Operations => "operations",
            Self::Campaigns => "campaigns",
            Self::Schedules => "schedules",
            Self::Expired => "expired",
        }
    }

    /// Reads the word back.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|wake| wake.as_str() == word)
    }
}

/// The bells of one process; adapters carry the rings to other processes.
#[derive(Debug, Default)]
pub struct Signal {
    bells: [Arc<Rings>; Wake::ALL.len()],
    carriers: RwLock<Vec<Arc<Load>>>,
}

/// How often a bell has rung, and who waits for it. Not a `watch`: that wakes its waiters in an order
/// of its own, and a simulation has to play the same again.
#[derive(Debug, Default)]
struct Rings {
    count: AtomicU64,
    waiting: Notify,
}

impl Signal {
    /// Rings here, and in other processes if there are carriers. The bell that rings with every commit is
    /// left to those carriers that relieve the others of it, while there are any.
    pub fn ring(&self, wake: Wake) {
        self.hear(wake);
        let carriers = self.carriers.read();
        let is_relieved = wake == Wake::Facts && carriers.iter().any(|load| load.relieves());
        for load in carriers.iter() {
            if !is_relieved || load.relieves() {
                load.add(wake);
            }
        }
    }

    /// Rings here only: what a carrier does when another process rang. No carrier carries it on.
    pub fn hear(&self, wake: Wake) {
        let rings = &self.bells[wake as usize];
        rings.count.fetch_add(1, Ordering::Release);
        rings.waiting.notify_waiters();
    }

    /// Listens to one bell. The listener has heard nothing yet: subscribe before you look.
    #[must_use]
    pub fn listen(&self, wake: Wake) -> Bell {
        let rings = Arc::clone(&self.bells[wake as usize]);
        Bell {
            heard: rings.count.load(Ordering::Acquire),
            rings,
        }
    }

    /// One more carrier: it gets what rings here from now on.
    #[must_use]
    pub fn carry(&self) -> Carrier {
        let load = Arc::<Load>::default();
        self.carriers.write().push(Arc::clone(&load));
        Carrier { load, underway: 0 }
    }
}

/// Takes rings to other processes. However long it cannot get through, it holds one ring of each bell.
#[derive(Debug)]
pub struct Carrier {
    load: Arc<Load>,
    /// A bit for each bell that was taken and may not have got through.
    underway: u64,
}

impl Carrier {
    /// Says whether it carries the bell of facts alone, because it is cheap and gets through. Who does not
    /// hear it looks within two seconds.
    pub fn relieve_others(&self, does: bool) {
        self.load.relieves.store(does, Ordering::Release);
    }

    /// Waits until something is to be carried, and takes it. What was taken is taken again until it was
    /// [`carried`](Self::carried).
    pub async fn next(&mut self) -> Vec<Wake> {
        loop {
            let rung = self.gathered();
            if !rung.is_empty() {
                return rung;
            }
            self.load.added.notified().await;
        }
    }

    /// Takes what is to be carried now.
    pub fn gathered(&mut self) -> Vec<Wake> {
        self.underway |= self.load.rung.swap(0, Ordering::AcqRel);
        let is_rung = |wake: &Wake| self.underway & (1 << *wake as u64) != 0;
        Wake::ALL.into_iter().filter(is_rung).collect()
    }

    /// What was taken has got through, or is given up.
    pub const fn carried(&mut self) {
        self.underway = 0;
    }
}

/// What one carrier has to carry.
#[derive(Debug, Default)]
struct Load {
    /// A bit for each bell.
    rung: AtomicU64,
    added: Notify,
    relieves: AtomicBool,
}

impl Drop for Carrier {
    fn drop(&mut self) {
        self.relieve_others(false);
    }
}

impl Load {
    fn relieves(&self) -> bool {
        self.relieves.load(Ordering::Acquire)
    }

    fn add(&self, wake: Wake) {
        self.rung.fetch_or(1 << wake as u64, Ordering::AcqRel);
        self.added.notify_one();
    }
}

/// A listener of one bell.
#[derive(Debug)]
pub struct Bell {
    rings: Arc<Rings>,
    heard: u64,
}

impl Bell {
    /// Waits until the bell has rung since the last time; returns at once if it has.
    pub async fn rung(&mut self) {
        loop {
            // In line before the look: a ring in between is not missed.
            let ring = self.rings.waiting.notified();
            if self.has_rung() {
                self.heard = self.rings.count.load(Ordering::Acquire);
                return;
            }
            ring.await;
        }
    }

    fn has_rung(&self) -> bool {
        self.rings.count.load(Ordering::Acquire) != self.heard
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn rings_before_a_look_are_one_and_none_is_lost() {
        let signal = Signal::default();
        let mut bell = signal.listen(Wake::Ready);

        signal.ring(Wake::Ready);
        signal.ring(Wake::Ready);

        bell.rung().await;
        assert!(!bell.has_rung());
    }

    #[tokio::test]
    async fn each_carrier_gets_each_bell_that_rang_once() {
        let signal = Signal::default();
        let (mut one, mut other) = (signal.carry(), signal.carry());

        signal.ring(Wake::Ready);
        signal.ring(Wake::Cancel);
        signal.ring(Wake::Ready);

        assert_eq!(one.next().await, [Wake::Ready, Wake::Cancel]);
        assert_eq!(other.next().await, [Wake::Ready, Wake::Cancel]);
        one.carried();
        assert_eq!(one.gathered(), []);
    }

    #[tokio::test]
    async fn what_did_not_get_through_is_carried_again() {
        let signal = Signal::default();
        let mut carrier = signal.carry();
        signal.ring(Wake::Ready);
        let lost = carrier.next().await;

        signal.ring(Wake::Due);
        let again = carrier.next().await;
        carrier.carried();

        assert_eq!(lost, [Wake::Ready]);
        assert_eq!(again, [Wake::Ready, Wake::Due]);
        assert_eq!(carrier.gathered(), []);
    }

    #[tokio::test]
    async fn the_bell_of_facts_is_carried_by_one_alone_as_long_as_it_relieves_the_others() {
        let signal = Signal::default();
        let (cheap, mut other) = (signal.carry(), signal.carry());

        cheap.relieve_others(true);
        signal.ring(Wake::Facts);
        signal.ring(Wake::Cancel);
        let relieved = other.gathered();
        other.carried();
        drop(cheap);
        signal.ring(Wake::Facts);

        assert_eq!(relieved, [Wake::Cancel]);
        assert_eq!(other.gathered(), [Wake::Facts]);
    }

    #[tokio::test]
    async fn a_bell_that_was_only_heard_is_not_carried_on() {
        let signal = Signal::default();
        let mut carrier = signal.carry();

        signal.hear(Wake::Events);
        signal.ring(Wake::Due);

        assert_eq!(carrier.next().await, [Wake::Due]);
    }
}
