//! Workers, as they last spoke of themselves.

use std::{collections::BTreeMap, time::Duration};

use baton_domain::{Timestamp, WorkerId, fleet};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A worker: one incarnation of a process that runs jobs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Worker {
    /// Its id; a restart is another worker.
    #[schema(value_type = String)]
    pub id: WorkerId,
    /// The machine it runs on, and its process id there.
    #[schema(example = "host:4711")]
    pub name: String,
    /// Baton's version.
    pub version: String,
    /// How it is.
    #[schema(value_type = fleet::Presence)]
    pub state: String,
    /// How many jobs it runs at once, by queue.
    pub slots: BTreeMap<String, u32>,
    /// How many it runs now.
    pub running: u32,
    /// When it started.
    pub started_at: Timestamp,
    /// When it was last heard of.
    pub seen_at: Timestamp,
    /// When it said goodbye.
    pub left_at: Option<Timestamp>,
    /// Whether somebody has asked it to take nothing new.
    #[serde(default)]
    pub drain: bool,
    /// What a remote worker says besides; null for one inside a server.
    #[serde(default)]
    pub remote: Option<RemoteWorker>,
}

/// What a remote worker says of itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RemoteWorker {
    /// The kinds it handles.
    pub kinds: Vec<String>,
    /// The queues it claims from.
    pub queues: Vec<String>,
    /// How many jobs it runs at once.
    pub slots: u32,
    /// How many more it could run.
    pub free: u32,
    /// What it is written with.
    #[schema(example = "python/0.1.0")]
    pub sdk: String,
    /// The version of the program it is part of.
    pub app_version: Option<String>,
    /// Words of its operator's.
    pub labels: BTreeMap<String, String>,
    /// When it asked for jobs last.
    pub asked_at: Option<Timestamp>,
}

/// A change to a worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeWorker {
    /// Whether it is to take nothing new.
    pub drain: bool,
}

impl Worker {
    /// A worker as it looks at `now`, when a lease lasts for `lease`.
    #[must_use]
    pub fn at(worker: fleet::Worker, now: Timestamp, lease: Duration) -> Self {
        Self {
            state: worker.presence(now, lease).as_str().to_owned(),
            id: worker.heartbeat.worker,
            name: worker.heartbeat.name,
            version: worker.heartbeat.version,
            slots: worker.heartbeat.slots,
            running: worker.heartbeat.running,
            started_at: worker.heartbeat.started_at,
            seen_at: worker.seen_at,
            left_at: worker.left_at,
            drain: worker.drain,
            remote: worker.heartbeat.remote.map(RemoteWorker::from),
        }
    }
}

impl From<fleet::RemoteWorker> for RemoteWorker {
    fn from(said: fleet::RemoteWorker) -> Self {
        Self {
            kinds: said.kinds,
            queues: said.queues,
            slots: said.slots,
            free: said.free,
            sdk: said.sdk,
            app_version: said.app_version,
            labels: said.labels,
            asked_at: said.asked_at,
        }
    }
}

/// A kind, and who handles it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Kind {
    /// Its name.
    pub kind: String,
    /// Whether the servers run it themselves.
    pub built_in: bool,
    /// How many live workers handle it.
    pub workers: u32,
    /// How many jobs these run at once, of all their kinds together.
    pub slots: u32,
    /// How many more they could run.
    pub free: u32,
    /// The queues they claim from.
    pub queues: Vec<String>,
    /// When a worker that handles it was heard of last.
    pub last_served_at: Option<Timestamp>,
}
