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
        }
    }
}
