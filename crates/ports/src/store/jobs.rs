//! Jobs as clients and operators deal with them.

use async_trait::async_trait;
use baton_domain::{
    CampaignId, JobId, Timestamp,
    checkpoint::Checkpoint,
    job::{Attempt, Job, NewJob, State, Transition},
    page::{Page, PageRequest},
};

use super::Result;

/// Jobs as clients and operators deal with them.
#[async_trait]
pub trait Jobs: Send + Sync {
    /// Adds jobs in one transaction, and their facts, at one moment: the latest of their `created_at`.
    /// A job that is due then is `queued` straight away.
    /// A job whose key is taken is not added and is answered with the one that holds the key; under
    /// [`Atomicity::All`], a key taken with other content means that nothing is added.
    ///
    /// The answers are in the order of the jobs.
    async fn enqueue(&self, jobs: Vec<NewJob>, atomicity: Atomicity) -> Result<Vec<Enqueued>>;

    /// One job, in one clear state.
    async fn job(&self, id: JobId) -> Result<Option<Job>>;

    /// Jobs, newest first. A page looks at a bounded number of rows: it can be short and yet have a
    /// next one.
    async fn jobs(&self, filter: &JobFilter, page: &PageRequest) -> Result<Page<Job>>;

    /// How many jobs there are of a filter, as far as one look at a bounded number of rows tells.
    async fn count_jobs(&self, filter: &JobFilter) -> Result<Counted>;

    /// The running jobs that were claimed first, the first of them first, of the oldest leases.
    async fn longest_running(&self, limit: u32) -> Result<Vec<Job>>;

    /// The attempts of a job, first to last, the running one included.
    async fn attempts(&self, id: JobId) -> Result<Vec<Attempt>> {
        self.attempts_of(&[id]).await
    }

    /// The attempts of some jobs, job by job in the order of their ids, each job's first to last, the
    /// running one included. A job that does not exist has none.
    async fn attempts_of(&self, ids: &[JobId]) -> Result<Vec<Attempt>>;

    /// What is left of a finished job that was forgotten before its key: what the key is still good for.
    async fn forgotten(&self, key: &str) -> Result<Option<Forgotten>>;

    /// Moves a job that nobody holds, if it is still where the transition starts. `false` means that
    /// it was not: the race was lost.
    async fn transition(&self, change: &UnclaimedTransition, now: Timestamp) -> Result<bool>;

    /// The checkpoints of these jobs, of those that have one.
    async fn checkpoints(&self, ids: &[JobId]) -> Result<Vec<Checkpoint>>;

    /// Asks a running job to stop; its worker hears of it. `false` means that it does not run.
    async fn request_cancel(&self, id: JobId, reason: Option<&str>, now: Timestamp)
    -> Result<bool>;

    /// Takes a running job away from its worker and cancels it; what the worker says later is
    /// history only. `false` means that it does not run.
    async fn force_cancel(&self, id: JobId, reason: Option<&str>, now: Timestamp) -> Result<bool>;
}

/// What a conflict in a batch means for the rest of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Atomicity {
    /// All are added or none.
    All,
    /// Each stands for itself; they only share the commit.
    Each,
}

/// What became of a job that was to be added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Enqueued {
    /// It was added.
    Created(JobId),
    /// Its key was taken, with the same content: this is the job.
    Known(JobId),
    /// Its key was taken, with other content, by this job.
    Conflict(JobId),
}

impl Enqueued {
    /// The job that now has the key.
    #[must_use]
    pub const fn id(&self) -> JobId {
        match self {
            Self::Created(id) | Self::Known(id) | Self::Conflict(id) => *id,
        }
    }
}

/// What is left of a job whose key outlived it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forgotten {
    /// The job.
    pub job: JobId,
    /// When it was accepted.
    pub created_at: Timestamp,
    /// What it ended as.
    pub state: State,
    /// When it ended.
    pub finished_at: Timestamp,
}

/// Which jobs a list shows; what is `None` does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JobFilter {
    /// In this state.
    pub state: Option<State>,
    /// Of this kind.
    pub kind: Option<String>,
    /// In this queue.
    pub queue: Option<String>,
    /// With this tag.
    pub tag: Option<String>,
    /// With this key.
    pub key: Option<String>,
    /// Deliveries of this campaign.
    pub campaign: Option<CampaignId>,
}

/// How many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// How many were seen.
    pub n: u64,
    /// Whether there may be more, which were not looked at.
    pub is_at_least: bool,
}

/// A move of a job that nobody holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnclaimedTransition {
    /// The job.
    pub job: JobId,
    /// The move.
    pub transition: Transition,
    /// Why, as the job will show it.
    pub reason: Option<String>,
    /// Whether its checkpoint is emptied, so that it begins anew instead of going on where it was.
    pub afresh: bool,
}
