//! Wake-ups: a word to whoever waits that there may be something to do; never a fact.
//!
//! Losing one costs only time: whoever waits for one also wakes by itself now and then, and looks at the
//! store. They coalesce: a thousand that come before somebody looks are one.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use parking_lot::RwLock;
use tokio::sync::Notify;

/// What a wake-up is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wakeup {
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
    /// A program beside the server has asked for a job in a transaction of its own.
    Staged,
}

impl Wakeup {
    /// Every kind of wake-up.
    pub const ALL: [Self; 10] = [
        Self::Ready,
        Self::Due,
        Self::Cancel,
        Self::Facts,
        Self::Events,
        Self::Operations,
        Self::Campaigns,
        Self::Schedules,
        Self::Expired,
        Self::Staged,
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
            Self::Staged => "staged",
        }
    }

    /// Reads the word back.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|wakeup| wakeup.as_str() == word)
    }
}

/// The wake-ups of one process; relays take them to other processes.
#[derive(Debug, Default)]
pub struct Wakeups {
    channels: [Arc<Channel>; Wakeup::ALL.len()],
    relays: RwLock<Vec<Arc<Outbound>>>,
}

/// How often one kind was sent, and who waits for it. Not a `watch`: that wakes its waiters in an order
/// of its own, and a simulation has to play the same again.
#[derive(Debug, Default)]
struct Channel {
    count: AtomicU64,
    waiting: Notify,
}

impl Wakeups {
    /// Wakes who waits for it here, and in other processes if there are relays. What comes with every
    /// commit is left to those relays that relieve the others of it, while there are any.
    pub fn send(&self, wakeup: Wakeup) {
        self.send_here(wakeup);
        let relays = self.relays.read();
        let is_relieved = wakeup == Wakeup::Facts && relays.iter().any(|relay| relay.relieves());
        for relay in relays.iter() {
            if !is_relieved || relay.relieves() {
                relay.add(wakeup);
            }
        }
    }

    /// Wakes who waits for it in this process only: what a relay does with what another process sent.
    pub fn send_here(&self, wakeup: Wakeup) {
        let channel = &self.channels[wakeup as usize];
        channel.count.fetch_add(1, Ordering::Release);
        channel.waiting.notify_waiters();
    }

    /// Waits for one kind from now on: subscribe before you look.
    #[must_use]
    pub fn subscribe(&self, wakeup: Wakeup) -> Subscription {
        let channel = Arc::clone(&self.channels[wakeup as usize]);
        Subscription {
            seen: channel.count.load(Ordering::Acquire),
            channel,
        }
    }

    /// One more relay: it gets what is sent here from now on.
    #[must_use]
    pub fn relay(&self) -> Relay {
        let outbound = Arc::<Outbound>::default();
        self.relays.write().push(Arc::clone(&outbound));
        Relay {
            outbound,
            underway: 0,
        }
    }
}

/// Takes wake-ups to other processes. However long it cannot get through, it holds one of each kind.
#[derive(Debug)]
pub struct Relay {
    outbound: Arc<Outbound>,
    /// A bit for each kind that was taken and may not have got through.
    underway: u64,
}

impl Relay {
    /// Says whether it relays the wake-ups of facts alone, because it is cheap and gets through. Who gets
    /// none looks within two seconds.
    pub fn relieve_others(&self, does: bool) {
        self.outbound.relieves.store(does, Ordering::Release);
    }

    /// Waits until something is to be relayed, and takes it. What was taken is taken again until it was
    /// [`relayed`](Self::relayed).
    pub async fn next(&mut self) -> Vec<Wakeup> {
        loop {
            let pending = self.pending();
            if !pending.is_empty() {
                return pending;
            }
            self.outbound.added.notified().await;
        }
    }

    /// Takes what is to be relayed now.
    pub fn pending(&mut self) -> Vec<Wakeup> {
        self.underway |= self.outbound.kinds.swap(0, Ordering::AcqRel);
        let is_pending = |wakeup: &Wakeup| self.underway & (1 << *wakeup as u64) != 0;
        Wakeup::ALL.into_iter().filter(is_pending).collect()
    }

    /// What was taken has got through, or is given up.
    pub const fn relayed(&mut self) {
        self.underway = 0;
    }
}

/// What one relay has to send.
#[derive(Debug, Default)]
struct Outbound {
    /// A bit for each kind.
    kinds: AtomicU64,
    added: Notify,
    relieves: AtomicBool,
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.relieve_others(false);
    }
}

impl Outbound {
    fn relieves(&self) -> bool {
        self.relieves.load(Ordering::Acquire)
    }

    fn add(&self, wakeup: Wakeup) {
        self.kinds.fetch_or(1 << wakeup as u64, Ordering::AcqRel);
        self.added.notify_one();
    }
}

/// Who waits for one kind of wake-up.
#[derive(Debug)]
pub struct Subscription {
    channel: Arc<Channel>,
    seen: u64,
}

impl Subscription {
    /// Waits until one was sent since the last time; returns at once if it was.
    pub async fn recv(&mut self) {
        loop {
            // In line before the look: one in between is not missed.
            let next = self.channel.waiting.notified();
            if self.has_news() {
                self.seen = self.channel.count.load(Ordering::Acquire);
                return;
            }
            next.await;
        }
    }

    fn has_news(&self) -> bool {
        self.channel.count.load(Ordering::Acquire) != self.seen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn wakeups_before_a_look_are_one_and_none_is_lost() {
        let wakeups = Wakeups::default();
        let mut subscription = wakeups.subscribe(Wakeup::Ready);

        wakeups.send(Wakeup::Ready);
        wakeups.send(Wakeup::Ready);

        subscription.recv().await;
        assert!(!subscription.has_news());
    }

    #[tokio::test]
    async fn each_relay_gets_each_kind_that_was_sent_once() {
        let wakeups = Wakeups::default();
        let (mut one, mut other) = (wakeups.relay(), wakeups.relay());

        wakeups.send(Wakeup::Ready);
        wakeups.send(Wakeup::Cancel);
        wakeups.send(Wakeup::Ready);

        assert_eq!(one.next().await, [Wakeup::Ready, Wakeup::Cancel]);
        assert_eq!(other.next().await, [Wakeup::Ready, Wakeup::Cancel]);
        one.relayed();
        assert_eq!(one.pending(), []);
    }

    #[tokio::test]
    async fn what_did_not_get_through_is_relayed_again() {
        let wakeups = Wakeups::default();
        let mut relay = wakeups.relay();
        wakeups.send(Wakeup::Ready);
        let lost = relay.next().await;

        wakeups.send(Wakeup::Due);
        let again = relay.next().await;
        relay.relayed();

        assert_eq!(lost, [Wakeup::Ready]);
        assert_eq!(again, [Wakeup::Ready, Wakeup::Due]);
        assert_eq!(relay.pending(), []);
    }

    #[tokio::test]
    async fn wakeups_of_facts_are_left_to_the_relay_that_relieves_the_others() {
        let wakeups = Wakeups::default();
        let (cheap, mut other) = (wakeups.relay(), wakeups.relay());

        cheap.relieve_others(true);
        wakeups.send(Wakeup::Facts);
        wakeups.send(Wakeup::Cancel);
        let relieved = other.pending();
        other.relayed();
        drop(cheap);
        wakeups.send(Wakeup::Facts);

        assert_eq!(relieved, [Wakeup::Cancel]);
        assert_eq!(other.pending(), [Wakeup::Facts]);
    }

    #[tokio::test]
    async fn what_came_from_another_process_is_not_relayed_on() {
        let wakeups = Wakeups::default();
        let mut relay = wakeups.relay();

        wakeups.send_here(Wakeup::Events);
        wakeups.send(Wakeup::Due);

        assert_eq!(relay.next().await, [Wakeup::Due]);
    }
}
