//! What does the work of one kind of job.

use std::{any::Any, fmt, sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    JobId,
    job::{AttemptCounters, FieldError, JobSpec, Verdict},
};
use tokio_util::sync::CancellationToken;

use crate::{checkpoints::Checkpoints, spans::Origin, store::JobArgs};

/// Does the work of one kind of job.
#[async_trait]
pub trait Handler: Send + Sync + 'static {
    /// The kind it handles.
    fn kind(&self) -> &'static str;

    /// Checks a payload before the job is accepted, so that a mistake is found by who made it.
    ///
    /// # Errors
    /// Everything that is wrong, field by field, with paths that begin with `payload`.
    fn check(&self, payload: &str) -> Result<(), Vec<FieldError>>;

    /// The job that a job of this payload is to make again and again, where its kind does that. Whoever asks for the one has to
    /// be allowed to ask for the other; what differs each time is left out.
    fn makes(&self, _payload: &str) -> Option<ChildJob> {
        None
    }

    /// How many attempts that start together it prepares at once; with 1, each starts by itself.
    fn most_together(&self) -> usize {
        1
    }

    /// Learns for attempts that start together what is cheaper to learn for all of them than for each.
    /// Each of them is made even if this fails, so whatever is not learned here, [`Handler::run`] has to ask for.
    async fn prepare(&self, _jobs: &[&JobArgs]) -> Option<Prepared> {
        None
    }

    /// Makes one attempt. A panic is contained, and the future is dropped when the job's time-out or its
    /// lease ends. Whoever has to wait goes on in a task of its own; until then those that start together
    /// follow one another.
    async fn run(&self, call: Call) -> Verdict;

    /// Waits until nothing of an attempt goes on any more whose end was told although nobody could stop it. It has its slot until then.
    async fn gone(&self, _job: JobId, _attempt: u32) {}
}

/// A job that another one is to make.
#[derive(Debug, Clone, PartialEq)]
pub struct ChildJob {
    /// Where the payload says so, as a path: `payload.job`.
    pub at: &'static str,
    /// What is the same each time.
    pub spec: JobSpec,
}

/// What a handler has learned for attempts that start together, as it alone can read it.
#[derive(Clone)]
pub struct Prepared(Arc<dyn Any + Send + Sync>);

impl Prepared {
    /// Something learned.
    pub fn new<T: Any + Send + Sync>(learned: T) -> Self {
        Self(Arc::new(learned))
    }

    /// What was learned, if it is such a thing.
    #[must_use]
    pub fn read<T: Any>(&self) -> Option<&T> {
        self.0.downcast_ref()
    }
}

impl fmt::Debug for Prepared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Prepared")
    }
}

/// One attempt, as its handler sees it.
#[derive(Debug, Clone)]
pub struct Call {
    /// What was asked.
    pub args: Arc<JobArgs>,
    /// Which attempt this is.
    pub counters: AttemptCounters,
    /// How long it may take.
    pub timeout: Duration,
    /// Fires when somebody asks the job to stop.
    pub cancel: CancellationToken,
    /// What [`Handler::prepare`] has learned, if the attempt started together with others.
    pub prepared: Option<Prepared>,
    /// Where the job is, and the way to move it on.
    pub checkpoints: Checkpoints,
    /// The span of the attempt, for what it asks others.
    pub span: Origin,
}

impl Call {
    /// The key that is the same for every try of a job's run, and for no other.
    #[must_use]
    pub fn idempotency_key(&self) -> String {
        format!("{}.{}", self.args.id, self.counters.run)
    }
}
