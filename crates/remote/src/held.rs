//! What the worker holds: the right to each attempt, until its result is answered.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use baton_domain::{JobId, LeaseId, checkpoint::Checkpoint};
use parking_lot::Mutex;
use tokio::time::Instant;

/// How long a lease that the worker does not name stays known: its claim may just have been answered.
const GRACE: Duration = Duration::from_mins(1);

/// What the worker holds, by lease.
#[derive(Default)]
pub struct Held(Mutex<HashMap<LeaseId, Batch>>);

struct Batch {
    jobs: HashMap<JobId, HeldJob>,
    /// When the worker named it last.
    named: Instant,
}

/// An attempt that the worker may make.
pub struct HeldJob {
    /// The right to it.
    pub token: Arc<str>,
    /// Where an earlier attempt left off.
    pub checkpoint: Option<Checkpoint>,
}

impl Held {
    /// Takes a batch in.
    pub fn take_in(&self, lease: LeaseId, jobs: HashMap<JobId, HeldJob>) {
        let named = Instant::now();
        self.0.lock().insert(lease, Batch { jobs, named });
    }

    /// The leases of all of it.
    pub fn leases(&self) -> Vec<LeaseId> {
        self.0.lock().keys().copied().collect()
    }

    /// Whether there is anything.
    pub fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }

    /// The right to an attempt.
    pub fn token(&self, lease: LeaseId, job: JobId) -> Option<Arc<str>> {
        let batches = self.0.lock();
        let held = batches.get(&lease)?.jobs.get(&job)?;
        Some(Arc::clone(&held.token))
    }

    /// Where an earlier attempt of a job left off.
    pub fn checkpoint(&self, job: JobId) -> Option<Checkpoint> {
        let batches = self.0.lock();
        let held = batches.values().find_map(|batch| batch.jobs.get(&job))?;
        held.checkpoint.clone()
    }

    /// Forgets an attempt whose result was answered.
    pub fn settled(&self, lease: LeaseId, job: JobId) {
        let mut batches = self.0.lock();
        if let Some(batch) = batches.get_mut(&lease) {
            batch.jobs.remove(&job);
            if batch.jobs.is_empty() {
                batches.remove(&lease);
            }
        }
    }

    /// Forgets what the worker has not named for a while: the lease was lost, and nothing is left to be said of it.
    pub fn named(&self, leases: &[LeaseId]) {
        let (named, now): (HashSet<_>, _) = (leases.iter().collect(), Instant::now());
        self.0.lock().retain(|lease, batch| {
            if named.contains(lease) {
                batch.named = now;
            }
            now - batch.named < GRACE
        });
    }
}
