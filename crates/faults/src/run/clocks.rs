//! The clocks of a run: how they were stepped, and how far ahead they are now.

use std::collections::BTreeMap;

use baton_lab::checker::ClockStep;
use parking_lot::Mutex;

use crate::now_us;

/// How the clocks of a run were stepped.
#[derive(Debug, Default)]
pub struct Clocks {
    /// Those of the store, in order.
    store: Mutex<Vec<ClockStep>>,
    /// How many seconds each server's own clock is ahead now.
    nodes: Mutex<BTreeMap<String, i64>>,
}

impl Clocks {
    /// How many seconds the store's clock is ahead now.
    pub fn ahead_s(&self) -> i64 {
        let steps = self.store.lock();
        steps.last().map_or(0, |step| step.ahead_us / 1_000_000)
    }

    /// How many seconds the store's clock was ahead at the most: by then all that waits for a time is due.
    pub fn furthest_s(&self) -> i64 {
        let steps = self.store.lock();
        let ahead = steps.iter().map(|step| step.ahead_us / 1_000_000);
        ahead.max().unwrap_or(0).max(0)
    }

    /// Writes down that the store's clock is about to be stepped.
    pub fn stepped(&self, ahead_s: i64) {
        self.store.lock().push(ClockStep {
            at_us: now_us(),
            ahead_us: ahead_s * 1_000_000,
        });
    }

    pub fn steps(&self) -> Vec<ClockStep> {
        self.store.lock().clone()
    }

    pub fn of_node(&self, name: &str) -> i64 {
        self.nodes.lock().get(name).copied().unwrap_or(0)
    }

    pub fn node_stepped(&self, name: &str, ahead_s: i64) {
        self.nodes.lock().insert(name.to_owned(), ahead_s);
    }
}
