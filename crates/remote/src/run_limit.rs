//! A run limit: a worker that ends by itself, after so many jobs or when there are none left.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::{sync::Notify, time::timeout};
use tokio_util::sync::CancellationToken;

/// How often a line is looked at again while what runs may add to it.
const LOOK: Duration = Duration::from_millis(250);

/// When a worker ends by itself; by default it does not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Until {
    /// After so many jobs.
    pub jobs: Option<u32>,
    /// When a look finds nothing and nothing runs.
    pub is_empty: bool,
}

/// How far a worker is on the way to its end.
#[derive(Debug, Default)]
pub struct RunLimit {
    until: Until,
    taken: Mutex<u32>,
    /// Rings when a job was settled.
    settled: Notify,
    pub done: CancellationToken,
}

impl RunLimit {
    /// One that has not begun.
    pub fn new(until: Until) -> Self {
        Self {
            until,
            ..Self::default()
        }
    }

    /// Whether it waits for jobs; otherwise it only looks.
    pub const fn waits(&self) -> bool {
        !self.until.is_empty
    }

    /// Whether it ends by itself.
    pub fn has_end(&self) -> bool {
        self.until != Until::default()
    }

    /// How many jobs may be claimed yet.
    pub fn left(&self) -> u32 {
        match self.until.jobs {
            Some(jobs) => jobs.saturating_sub(*self.taken.lock()),
            None => u32::MAX,
        }
    }

    /// Takes note of a claim; where the next one is of no use yet, it waits.
    pub async fn claimed(&self, jobs: usize, holds_any: impl Fn() -> bool + Send) {
        *self.taken.lock() += u32::try_from(jobs).unwrap_or(u32::MAX);
        if jobs == 0 && self.until.is_empty {
            if holds_any() {
                let _ = timeout(LOOK, self.settled.notified()).await;
            } else {
                self.done.cancel();
            }
        }
    }

    /// Waits until a job was settled, or for a while.
    pub async fn rest(&self) {
        let _ = timeout(LOOK, self.settled.notified()).await;
    }

    /// Takes note that jobs were settled, and whether others are held.
    pub fn settled(&self, holds_any: bool) {
        self.settled.notify_one();
        if self.left() == 0 && !holds_any {
            self.done.cancel();
        }
    }
}
