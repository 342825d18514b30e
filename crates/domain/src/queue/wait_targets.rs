//! How long jobs of a queue may wait, as an operator has said; who waits for longer is late.

use std::{collections::BTreeMap, time::Duration};

/// How long jobs may be due before somebody should look, queue by queue. Nothing is done to a job that waits for longer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WaitTargets {
    /// That of a queue of which nothing is said.
    pub default: Duration,
    /// Those of others, by the names of their queues.
    pub by_queue: BTreeMap<String, Duration>,
}

impl Default for WaitTargets {
    fn default() -> Self {
        Self {
            default: Duration::from_secs(30),
            by_queue: BTreeMap::new(),
        }
    }
}

impl WaitTargets {
    /// That of a queue.
    #[must_use]
    pub fn of(&self, queue: &str) -> Duration {
        self.by_queue.get(queue).copied().unwrap_or(self.default)
    }
}
