//! Trims: hints that are being forgotten, because their jobs were found without them.
//!
//! Which jobs they were hints at, nobody knows. A search that is sent when they are forgotten finds what they
//! would have led to; one that is sent before may miss it.

use std::{
    future::Future,
    sync::atomic::{AtomicBool, Ordering},
};

use tokio_util::task::TaskTracker;

/// Hints that are being forgotten.
#[derive(Default)]
pub struct Trims {
    underway: TaskTracker,
    /// The next search may be the last of its line.
    is_end_near: AtomicBool,
}

impl Trims {
    /// Begins to forget hints.
    pub fn begin(&self, trim: impl Future<Output = ()> + Send + 'static) {
        self.underway.spawn(trim);
    }

    /// Takes note that a search has found less than was wanted.
    pub fn end_nears(&self) {
        self.is_end_near.store(true, Ordering::Relaxed);
    }

    /// Whether a search that is sent now finds whatever the forgotten hints would have led to. Where it may
    /// be the last, this waits until it does; in the midst of a line nobody waits for Redis.
    pub async fn are_covered(&self) -> bool {
        if self.is_end_near.swap(false, Ordering::Relaxed) {
            self.are_over().await;
        }
        self.underway.is_empty()
    }

    /// Waits until the hints are forgotten.
    pub async fn are_over(&self) {
        self.underway.close();
        self.underway.wait().await;
        self.underway.reopen();
    }
}
