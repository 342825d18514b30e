//! Checkpoints as a handler has them: where its job is, and the way to move it on.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use baton_domain::{
    JobId,
    checkpoint::{Checkpoint, Progress},
    job::{FieldError, JobSpec},
};

use crate::store;

/// Where a job is, and the way to move it on; for as long as its call lasts.
#[derive(Clone, Default)]
pub struct Checkpoints(Option<Arc<dyn Cursor>>);

/// A job's cursor, as its worker keeps it.
#[async_trait]
pub trait Cursor: Send + Sync {
    /// Where it stands.
    async fn stands(&self) -> store::Result<Option<Checkpoint>>;

    /// Moves it. See [`Checkpoints::save`].
    async fn save(&self, to: String, progress: Option<Progress>, jobs: Vec<JobSpec>) -> Saved;

    /// Tells people how far the job has come.
    fn tell(&self, progress: Progress);
}

/// What became of a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Saved {
    /// It is durable, and so are its jobs; for each whether this made it.
    Recorded {
        /// The number of the move.
        seq: u64,
        /// The jobs, in their order, and whether each is new.
        jobs: Vec<(JobId, bool)>,
        /// Whether the job is to stop here: somebody has asked for it, or the worker drains.
        is_to_stop: bool,
    },
    /// Another worker may have the job: the work ends here.
    Lost,
    /// It makes no sense, or a key of its jobs is taken. Nothing of it is written.
    Refused(Vec<FieldError>),
}

impl Checkpoints {
    /// The way to this cursor.
    #[must_use]
    pub fn of(cursor: Arc<dyn Cursor>) -> Self {
        Self(Some(cursor))
    }

    /// Where the job stands: where its last attempt left off, or this one has moved it since.
    pub async fn stands(&self) -> store::Result<Option<Checkpoint>> {
        match &self.0 {
            Some(cursor) => cursor.stands().await,
            None => Ok(None),
        }
    }

    /// Moves the cursor and adds jobs in the same transaction. When this returns that it is recorded it is durable, and the
    /// next attempt begins there, whatever dies. It is asked for until the store answers; the job's time-out counts anew.
    pub async fn save(&self, to: String, progress: Option<Progress>, jobs: Vec<JobSpec>) -> Saved {
        match &self.0 {
            Some(cursor) => cursor.save(to, progress, jobs).await,
            None => Saved::Lost,
        }
    }

    /// Tells people how far the job has come: some of it may be left out, and the last word stands.
    pub fn tell(&self, progress: Progress) {
        if let Some(cursor) = &self.0 {
            cursor.tell(progress);
        }
    }
}

impl fmt::Debug for Checkpoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Checkpoints")
    }
}
