//! How far campaigns have come, for those who watch.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// How far campaigns have come, all of them together: each recipient is a step when it is written down,
/// and another when its delivery has ended.
#[derive(Debug, Clone, Default)]
pub struct Progress(Arc<Steps>);

#[derive(Debug, Default)]
struct Steps {
    done: AtomicU64,
    whole: AtomicU64,
    ended: AtomicU64,
}

impl Progress {
    /// How many steps were done.
    pub fn done(&self) -> u64 {
        self.0.done.load(Ordering::Relaxed)
    }

    /// How many steps the largest campaign has.
    pub fn whole(&self) -> u64 {
        self.0.whole.load(Ordering::Relaxed)
    }

    /// How many campaigns have come to their end.
    pub fn ended(&self) -> u64 {
        self.0.ended.load(Ordering::Relaxed)
    }

    pub fn is_to_be(&self, whole: u64) {
        self.0.whole.fetch_max(whole, Ordering::Relaxed);
    }

    pub fn went_on(&self, steps: u64) {
        self.0.done.fetch_add(steps, Ordering::Relaxed);
    }

    pub fn came_to_an_end(&self) {
        self.0.ended.fetch_add(1, Ordering::Relaxed);
    }
}
