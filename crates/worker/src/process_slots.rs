//! The slots of the whole process.
//!
//! What runs in all queues together, whatever they are called and however many there are.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU32, Ordering},
};

use tokio::sync::Notify;

/// The slots of the whole process.
#[derive(Debug)]
pub struct ProcessSlots {
    most: u32,
    taken: AtomicU32,
    /// How many each queue may have while slots are short.
    share: AtomicU32,
    /// Somebody has wanted a slot when there was none.
    is_short: AtomicBool,
    /// Rings for the claimer when a slot is free that somebody has wanted.
    freed: Arc<Notify>,
}

impl ProcessSlots {
    /// So many slots, all of them free.
    pub const fn new(most: u32, freed: Arc<Notify>) -> Self {
        Self {
            most,
            taken: AtomicU32::new(0),
            share: AtomicU32::new(most),
            is_short: AtomicBool::new(false),
            freed,
        }
    }

    /// How many there are.
    pub const fn most(&self) -> u32 {
        self.most
    }

    /// Shares the slots out among so many queues that have jobs.
    pub fn share_among(&self, all: usize) {
        let all = u32::try_from(all).unwrap_or(u32::MAX).max(1);
        self.share
            .store((self.most / all).max(1), Ordering::Relaxed);
    }

    /// How many more a queue may have that has so many, when so many are `left`. While slots are short, whoever
    /// has its share leaves the last eighth to those that have less.
    pub fn allows(&self, load: u32, left: u32) -> u32 {
        let share = self.share.load(Ordering::Relaxed);
        if !self.is_short() || share == self.most {
            return left;
        }
        let kept_free = (self.most / 8).max(1);
        let above = left.saturating_sub(kept_free);
        left.min(share.saturating_sub(load)).max(above)
    }

    /// How many are free.
    pub fn left(&self) -> u32 {
        self.most.saturating_sub(self.taken.load(Ordering::Relaxed))
    }

    /// Takes as many of these as there are.
    pub fn take(&self, wanted: u32) -> u32 {
        if wanted == 0 {
            return 0;
        }
        let mut got = 0;
        let take = |taken| {
            got = wanted.min(self.most.saturating_sub(taken));
            Some(taken + got)
        };
        // It never fails: there is always a number to put in place.
        let _ = self
            .taken
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        if got < wanted {
            self.run_short();
        }
        got
    }

    /// Takes all of these or none.
    pub fn take_all(&self, wanted: u32) -> bool {
        let got = self.take(wanted);
        if got < wanted {
            self.give_back(got);
        }
        got == wanted
    }

    /// Gives slots back.
    pub fn give_back(&self, count: u32) {
        if count == 0 {
            return;
        }
        self.taken.fetch_sub(count, Ordering::Relaxed);
        if self.is_short() {
            self.freed.notify_one();
        }
    }

    /// Somebody wants a slot and there is none.
    pub fn run_short(&self) {
        self.is_short.store(true, Ordering::Relaxed);
    }

    /// Nobody has wanted a slot in vain.
    pub fn suffices(&self) {
        self.is_short.store(false, Ordering::Relaxed);
    }

    /// Whether somebody has wanted a slot when there was none.
    pub fn is_short(&self) -> bool {
        self.is_short.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_are_given_as_there_are_and_whoever_wanted_more_is_remembered() {
        let process = ProcessSlots::new(3, Arc::default());

        let (first, second) = (process.take(2), process.take(2));
        let is_short = process.is_short();
        process.give_back(2);

        assert_eq!((first, second, process.left()), (2, 1, 2));
        assert!(is_short && !process.take_all(3));
        assert_eq!(process.left(), 2, "those that did not do are back");
    }

    #[test]
    fn while_slots_are_short_whoever_has_its_share_leaves_the_last_ones_to_others() {
        let process = ProcessSlots::new(16, Arc::default());
        process.share_among(4);
        let before = process.allows(10, 6);

        process.run_short();

        let [poor, rich, rich_beside_many] =
            [(1, 6), (10, 2), (10, 6)].map(|(load, left)| process.allows(load, left));
        assert_eq!((before, poor, rich, rich_beside_many), (6, 4, 0, 4));
    }
}
