//! Backlog: whether there are more jobs than one claim brings, so that another one is worth making beside it.

use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

/// Whether there are more jobs than one claim brings.
#[derive(Debug, Default)]
pub struct Backlog {
    is_there: AtomicBool,
    /// Rings when a claim has begun while there is one.
    claimed: Notify,
}

impl Backlog {
    /// Takes note of what a claim has shown.
    pub fn set(&self, is_there: bool) {
        self.is_there.store(is_there, Ordering::Relaxed);
    }

    /// Whether there is one, as the last claim has shown.
    pub fn is_there(&self) -> bool {
        self.is_there.load(Ordering::Relaxed)
    }

    /// Takes note that a claim begins.
    pub fn claims(&self) {
        if self.is_there() {
            self.claimed.notify_one();
        }
    }

    /// Waits until a claim begins while there is one.
    pub async fn claimed(&self) {
        self.claimed.notified().await;
    }
}
