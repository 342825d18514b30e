//! The model: a store in memory that shows what every store must do.
//!
//! A state is a place. A job is written once into `jobs`; where it is now is a row in exactly one of
//! `waiting`, `ready`, `leases` and `finished`, and to move is to delete here and insert there. What
//! attempts leave behind is only ever inserted. Every method takes the one lock, so each is a
//! transaction; none can fail midway.

mod access;
mod audit_log;
mod campaigns;
mod checkpoints;
mod counting;
mod dead_letters;
mod erasures;
mod events;
mod facts;
mod fleet;
mod hinting;
mod inbox;
mod jobs;
mod moves;
mod nodes;
mod notifications;
mod operations;
mod ordered;
mod queues;
mod recipients;
mod rollups;
mod schedules;
mod staging;
mod upkeep;
mod view;
mod work;

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::Arc,
};

use baton_domain::{
    Clock, JobId, LeaseId, OperationId, Timestamp, WorkerId,
    audit::AuditEntry,
    fleet::Worker,
    job::{Attempt, AttemptCounters, Failure, Late, NewJob, State},
    node::SeenNode,
    operation::Operation,
    time::SystemClock,
};
use parking_lot::{Mutex, MutexGuard};

use self::{
    facts::Ledger,
    ordered::{Ordered, OrderedRows},
    queues::Settings,
};

/// A store in memory; a clone is another handle to the same one.
#[derive(Clone)]
pub struct MemoryStore {
    tables: Arc<Mutex<Tables>>,
    clock: Arc<dyn Clock>,
    /// What the next call writes down, if it changes anything.
    audit: Option<Arc<AuditEntry>>,
}

impl MemoryStore {
    /// An empty store that tells the machine's time.
    #[must_use]
    pub fn new() -> Self {
        Self::with_clock(Arc::new(SystemClock))
    }

    /// An empty store that tells this clock's time.
    #[must_use]
    pub fn with_clock(clock: Arc<dyn Clock>) -> Self {
        Self {
            tables: Arc::default(),
            clock,
            audit: None,
        }
    }

    fn tables(&self) -> MutexGuard<'_, Tables> {
        self.tables.lock()
    }
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore").finish_non_exhaustive()
    }
}

#[derive(Default)]
struct Tables {
    /// What was asked, written once.
    jobs: BTreeMap<JobId, NewJob>,
    /// `pending` and `retry_wait`, by due time.
    waiting: OrderedRows<WaitingJob>,
    /// `queued`: by queue, then by priority and due time.
    ready: BTreeMap<String, OrderedRows<Ready>>,
    /// `running`: a lease for each claimed batch, gone when its last job is.
    leases: BTreeMap<LeaseId, Lease>,
    /// The lease that holds a job.
    leased: BTreeMap<JobId, LeaseId>,
    /// Every terminal state.
    finished: BTreeMap<JobId, Finished>,
    /// How attempts ended, once each.
    attempts: BTreeMap<(JobId, u32), Attempt>,
    /// What came after the lease was lost; the first word counts.
    late: BTreeMap<(JobId, u32), Late>,
    /// Which running jobs were asked to stop.
    cancellations: BTreeMap<JobId, Cancellation>,
    /// Which job has a key.
    keys: BTreeMap<String, Key>,
    queues: BTreeMap<String, Settings>,
    checkpoints: BTreeMap<JobId, checkpoints::Row>,
    secret: Option<[u8; 32]>,
    workers: BTreeMap<WorkerId, Worker>,
    nodes: BTreeMap<WorkerId, SeenNode>,
    leader: Option<Leader>,
    operations: BTreeMap<OperationId, StoredOperation>,
    /// Who is being erased, by the operation that does it.
    erasures: BTreeMap<OperationId, erasures::Erasure>,
    /// The numbers of all who were erased or are being erased.
    erased: BTreeSet<i64>,
    recipients: recipients::People,
    campaigns: campaigns::Campaigns,
    post: inbox::Post,
    timetable: schedules::Timetable,
    hints: hinting::Book,
    accounts: access::Accounts,
    /// What was done by whom.
    entries: audit_log::Entries,
    ledger: Ledger,
}

struct WaitingJob {
    /// `pending` or `retry_wait`.
    state: State,
    run_at: Timestamp,
    since: Timestamp,
    counters: AttemptCounters,
}

impl Ordered for WaitingJob {
    type Order = Timestamp;

    fn order(&self) -> Timestamp {
        self.run_at
    }
}

struct Ready {
    priority: i16,
    run_at: Timestamp,
    since: Timestamp,
    counters: AttemptCounters,
}

impl Ordered for Ready {
    type Order = (i16, Timestamp);

    fn order(&self) -> (i16, Timestamp) {
        (self.priority, self.run_at)
    }
}

struct Lease {
    worker: WorkerId,
    queue: String,
    since: Timestamp,
    until: Timestamp,
    jobs: BTreeMap<JobId, Leased>,
}

#[derive(Clone, Copy)]
struct Leased {
    run_at: Timestamp,
    /// Since when it stood in its ready place.
    queued_at: Timestamp,
    counters: AttemptCounters,
}

struct Finished {
    state: State,
    reason: Option<String>,
    result: Option<String>,
    at: Timestamp,
    counters: AttemptCounters,
    /// What only a `failed` job has.
    letter: Option<DeadLetter>,
}

struct DeadLetter {
    fingerprint: String,
    failure: Failure,
    is_discarded: bool,
}

struct Cancellation {
    at: Timestamp,
    reason: Option<String>,
}

struct Key {
    job: JobId,
    content_hash: String,
    at: Timestamp,
    /// What its job ended as, and when, once that is forgotten.
    ended: Option<(State, Timestamp)>,
}

struct Leader {
    node: WorkerId,
    until: Timestamp,
}

/// An operation and the last job it has looked at.
struct StoredOperation {
    operation: Operation,
    cursor: Option<JobId>,
}
