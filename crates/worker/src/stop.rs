//! How a worker is told to stop, and what it says when it has.

use tokio_util::sync::CancellationToken;

/// The two ways to tell a worker to stop.
#[derive(Debug, Clone, Default)]
pub struct Stop {
    /// Claim nothing, give back what has not started, finish what runs, record it, leave.
    pub soft: CancellationToken,
    /// Leave now; leases cover the rest.
    pub hard: CancellationToken,
}

impl Stop {
    /// Whether the worker was told to stop in either way.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        self.soft.is_cancelled() || self.hard.is_cancelled()
    }

    /// Waits until the worker is told to stop in either way.
    pub async fn asked(&self) {
        tokio::select! {
            () = self.soft.cancelled() => {}
            () = self.hard.cancelled() => {}
        }
    }
}

/// What a worker did between being told to stop and having stopped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Report {
    /// Attempts whose outcome was recorded.
    pub finished: u64,
    /// Jobs given back unstarted; they used no try.
    pub given_back: u64,
    /// Jobs left to their leases: still running, or not recorded in time.
    pub left: u64,
}
