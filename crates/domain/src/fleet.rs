//! The fleet: every server and worker alive.

use std::{collections::BTreeMap, time::Duration};

use serde::{Deserialize, Serialize};

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
    /// What a remote worker says besides; nothing of one inside a server.
    pub remote: Option<RemoteWorker>,
}

/// What a remote worker says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RemoteWorker {
    /// The kinds it handles.
    pub kinds: Vec<String>,
    /// The queues it claims from.
    pub queues: Vec<String>,
    /// How many jobs it runs at once, of all its queues together.
    pub slots: u32,
    /// What it is written with: `python/0.1.0`.
    pub sdk: String,
    /// The version of the program it is part of.
    pub app_version: Option<String>,
    /// Words of its operator's: `zone` is `a`.
    pub labels: BTreeMap<String, String>,
    /// How many more jobs it could run.
    pub free: u32,
    /// When it asked for jobs last; nothing if it never did.
    pub asked_at: Option<Timestamp>,
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
    /// Whether somebody has asked it to drain.
    pub drain: bool,
}

words! {
    /// How a worker is.
    pub enum Presence {
        /// It beats.
        Live = "live",
        /// It beats, finishes what it has and takes nothing new.
        Draining = "draining",
        /// It beats and has free slots, and has not asked for jobs for longer than a lease.
        Deaf = "deaf",
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
        } else if self.is_deaf(now, lease) {
            Presence::Deaf
        } else {
            Presence::Live
        }
    }

    fn is_deaf(&self, now: Timestamp, lease: Duration) -> bool {
        self.heartbeat.remote.as_ref().is_some_and(|remote| {
            let asked_at = remote.asked_at.unwrap_or(self.heartbeat.started_at);
            remote.free > 0 && now.since(asked_at) > lease
        })
    }
}
