//! The fleet: every server and worker alive.

use std::{collections::BTreeMap, time::Duration};

use crate::{Timestamp, WorkerId, words::words};

/// A worker as it presents itself with each heartbeat.
#[derive(Debug, Clone, PartialEq)]
pub struct Heartbeat {
    /// This incarnation of the process.
    pub worker: WorkerId,
    /// The machine it runs on, and its process id there: `host:4711`.
    pub name: String,
    /// Baton's version.
    pub version: String,
    /// How long its leases last without a renewal; versions before this one do not say.
    pub lease: Option<Duration>,
    /// How many jobs it runs at once, by queue.
    pub slots: BTreeMap<String, u32>,
    /// How many it runs now.
    pub running: u32,
    /// Whether it has stopped taking new work.
    pub draining: bool,
    /// When it started.
    pub started_at: Timestamp,
}

/// A worker as a store shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Worker {
    /// What it last said of itself.
    pub heartbeat: Heartbeat,
    /// When it last said so.
    pub seen_at: Timestamp,
    /// When it said goodbye.
    pub left_at: Option<Timestamp>,
}

words! {
    /// How a worker is.
    pub enum Presence {
        /// It beats.
        Live = "live",
        /// It beats, finishes what it has and takes nothing new.
        Draining = "draining",
        /// It has not been heard of for longer than a lease.
        Silent = "silent",
        /// It said goodbye.
        Left = "left",
    }
}

impl Worker {
    /// How the worker is. What it said at a moment that is to come, it said by a clock that was put back
    /// since; if it is there, it says so again. Its leases last for `lease` if it does not say otherwise.
    #[must_use]
    pub fn presence(&self, now: Timestamp, lease: Duration) -> Presence {
        let lease = self.heartbeat.lease.unwrap_or(lease);
        if self.left_at.is_some() {
            Presence::Left
        } else if now.since(self.seen_at) > lease || self.seen_at.since(now) > lease {
            Presence::Silent
        } else if self.heartbeat.draining {
            Presence::Draining
        } else {
            Presence::Live
        }
    }
}
