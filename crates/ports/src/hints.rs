//! Hints: which jobs may be claimable, so that a worker need not look for them.
//!
//! A hint permits nothing: a job runs only under a lease that the store grants. Hints may be lost,
//! doubled, old or forged, and all of them may be gone at once; that costs time, never a job. Whoever
//! takes hints therefore also looks at the store now and then.
//!
//! Hints are kept in **generations**. When the far end has lost what it knew, the store's queued jobs
//! are offered anew into the next generation, and everybody moves there once it is open. The number of
//! the generation is the store's ([`Hinting`](crate::store::Hinting)); the far end only repeats it.

#[cfg(feature = "stand-ins")]
mod memory;

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::{JobId, WorkerId};

#[cfg(feature = "stand-ins")]
pub use memory::MemoryHints;

/// Where claimable jobs may be found.
///
/// While hints are not to be had, every call fails at once: nobody waits for them.
#[async_trait]
pub trait Hints: Send + Sync + 'static {
    /// The word for its kind: `redis`, `memory`.
    fn kind(&self) -> &'static str;

    /// Whether hints are to be had; asks nobody.
    fn state(&self) -> HintState;

    /// Says that jobs may be claimed: urgent ones in front of the others, each in the order given.
    /// Called after the commit that made them claimable, never before.
    async fn offer(&self, hints: &[Hint]) -> Result<()>;

    /// Waits `wait` at most until a queue has a hint, then takes up to `limit` of them, in order.
    /// What it takes is the worker's until it is dropped or given back. Not to be cancelled: what is
    /// taken unheard stays with the worker until somebody gives it back.
    async fn take(
        &self,
        worker: WorkerId,
        queue: &str,
        limit: u32,
        wait: Duration,
    ) -> Result<Vec<JobId>>;

    /// Forgets hints that a worker has taken: they have led to a recorded result, or to nothing.
    async fn drop_taken(&self, worker: WorkerId, hints: &[Hint]) -> Result<()>;

    /// Forgets so many hints at the front of a queue, or all there are: their jobs were found without them.
    /// Which of them, nobody says, so whoever trims searches the store once more.
    async fn trim(&self, queue: &str, count: u32) -> Result<()>;

    /// Puts everything that a worker has taken and not dropped back in front of its queue, and forgets
    /// the worker; says how many hints that were. Many go in several steps, each of them whole.
    async fn give_back(&self, worker: WorkerId) -> Result<u64>;

    /// Shows for `span` that a worker lives. Nothing depends on it.
    async fn heartbeat(&self, worker: WorkerId, span: Duration) -> Result<()>;

    /// The workers that have taken hints in the present generation, or waited for some, and were not
    /// forgotten.
    async fn consumers(&self) -> Result<Vec<WorkerId>>;

    /// How many hints each of these queues has.
    async fn lengths(&self, queues: &[String]) -> Result<Vec<u64>>;

    /// Asks the far end what it knows, also while hints are not to be had otherwise.
    async fn look(&self) -> Result<HintIdentity>;

    /// Offers into a generation that is not open yet.
    async fn build(&self, generation: i64, hints: &[Hint]) -> Result<()>;

    /// Opens a generation: everybody offers to it and takes from it. What other generations hold is
    /// forgotten, in steps that stop nobody.
    async fn open(&self, generation: i64) -> Result<()>;
}

/// That a job may be claimed.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hint {
    /// The queue it stands in.
    pub queue: String,
    /// The job.
    pub job: JobId,
    /// Whether it goes in front of those that are not urgent.
    pub is_urgent: bool,
}

impl Hint {
    /// The hint for a job of this priority; `None` for one that can wait: hints know two turns only,
    /// so it is left to those who look, in the order of the store.
    #[must_use]
    pub fn of(queue: &str, job: JobId, priority: i16) -> Option<Self> {
        (priority <= 0).then(|| Self {
            queue: queue.to_owned(),
            job,
            is_urgent: priority < 0,
        })
    }
}

/// Whether hints are to be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HintState {
    /// They are.
    Open,
    /// The far end answers, but no generation is open: what it knew was lost, and is being built anew.
    Building,
    /// The far end does not do its work, and why, as a sentence.
    Away(String),
}

/// What the far end knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HintIdentity {
    /// The generation that is open.
    pub generation: Option<i64>,
    /// Which incarnation of the far end answered: another one may have lost something.
    pub incarnation: String,
}

/// Why a hint could not be given or taken. Nothing was lost but time.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HintError {
    /// No generation is open.
    #[error("hints are being built anew")]
    Building,
    /// The far end does not do its work.
    #[error("{0}")]
    Away(String),
}

/// What became of a call for hints.
pub type Result<T> = std::result::Result<T, HintError>;
