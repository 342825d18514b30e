//! What a worker is told about itself.

use std::{collections::BTreeMap, time::Duration};

use baton_domain::{WorkerId, job::Limits};
use baton_ports::{Findings, Tracer};

/// What a worker is told about itself.
#[derive(Debug, Clone)]
pub struct Config {
    /// This incarnation of the process; a restart is another worker.
    pub worker: WorkerId,
    /// The machine it runs on, and its process id there: `host:4711`.
    pub name: String,
    /// Baton's version.
    pub version: String,
    /// How long a claimed job is the worker's own without a renewal.
    pub lease: Duration,
    /// How many jobs it runs at once, queue by queue.
    pub slots: SlotsConfig,
    /// How many it runs at once in all queues together.
    pub max_running: u32,
    /// How long a stop may take: finishing, recording and saying goodbye.
    pub grace: Duration,
    /// How many jobs it claims ahead of its slots, per queue, when handlers are faster than claims.
    pub prefetch: u32,
    /// How many results it keeps while the store does not take them; at that many it claims nothing.
    pub max_results: usize,
    /// What the poller of the same process finds, which looks each 2 s and wakes the worker when a job stands in line.
    pub findings: Findings,
    /// How much a job may ask for that another one makes at its checkpoint.
    pub limits: Limits,
    /// Makes a span of each attempt.
    pub tracer: Tracer,
}

impl Config {
    /// The defaults, for a worker of this name.
    #[must_use]
    pub fn new(worker: WorkerId, name: impl Into<String>, version: impl Into<String>) -> Self {
        Self {
            worker,
            name: name.into(),
            version: version.into(),
            lease: Duration::from_secs(30),
            slots: SlotsConfig::default(),
            max_running: 1_000,
            grace: Duration::from_secs(30),
            prefetch: 3_000,
            max_results: 10_000,
            findings: Findings::default(),
            limits: Limits::default(),
            tracer: Tracer::default(),
        }
    }
}

/// How many jobs a worker runs at once, queue by queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotsConfig {
    /// In a queue that is not named below.
    pub default: u32,
    /// In these queues; nothing is claimed from a queue without slots.
    pub by_queue: BTreeMap<String, u32>,
}

impl SlotsConfig {
    /// How many jobs of one queue run at once at the most.
    #[must_use]
    pub fn most(&self) -> u32 {
        let named = self.by_queue.values().copied();
        named.fold(self.default, u32::max)
    }

    /// How many jobs of this queue run at once.
    #[must_use]
    pub fn of(&self, queue: &str) -> u32 {
        self.by_queue.get(queue).copied().unwrap_or(self.default)
    }
}

impl Default for SlotsConfig {
    fn default() -> Self {
        Self {
            default: 50,
            by_queue: BTreeMap::new(),
        }
    }
}
