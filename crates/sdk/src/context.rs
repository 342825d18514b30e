//! What a handler knows of its attempt, and what it can do for it besides the work.

use std::{
    fmt,
    future::{Future, IntoFuture},
    pin::Pin,
    sync::Arc,
    time::Duration,
};

use baton_client::EnqueueJob;
use baton_domain::{JobId, Trace, checkpoint::Progress};
use baton_ports::{Call, checkpoints::Saved};
use parking_lot::Mutex;
use serde::{Serialize, de::DeserializeOwned};
use tokio::{runtime::Handle, time::Instant};
use tokio_util::sync::CancellationToken;

use crate::{JobError, NewJob, enqueuing::in_trace_of_here};

/// What a handler knows of its attempt, and what it can do for it besides the work. Cheap to clone.
#[derive(Clone)]
pub struct Context(Arc<Inner>);

struct Inner {
    call: Call,
    /// Where calls to the server are made, whatever the handler's own runtime does.
    runtime: Handle,
    stopping: CancellationToken,
    stands: Mutex<Stands>,
}

/// Where the job stands, as far as this side knows.
struct Stands {
    cursor: Option<String>,
    progress: Progress,
    era: u32,
    has_fence: bool,
    times_out_at: Instant,
}

/// A job that a checkpoint has made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreatedJob {
    /// Its id.
    pub id: JobId,
    /// Whether this checkpoint made it; otherwise one with its key was there.
    pub created: bool,
}

impl Context {
    /// Of a call that begins now; with what an earlier attempt has left.
    pub(crate) fn new(
        call: Call,
        left: Option<baton_domain::checkpoint::Checkpoint>,
        runtime: Handle,
        stopping: CancellationToken,
    ) -> Self {
        let era = left.as_ref().map_or(1, |left| left.era);
        let (cursor, progress) = left.map_or((None, None), |left| (left.cursor, left.progress));
        let stands = Stands {
            cursor,
            progress: progress.unwrap_or_default(),
            era,
            has_fence: false,
            times_out_at: Instant::now() + call.timeout,
        };
        Self(Arc::new(Inner {
            call,
            runtime,
            stopping,
            stands: Mutex::new(stands),
        }))
    }

    /// The job's id.
    #[must_use]
    pub fn job_id(&self) -> JobId {
        self.0.call.args.id
    }

    /// The job's kind.
    #[must_use]
    pub fn kind(&self) -> &str {
        &self.0.call.args.kind
    }

    /// The queue it stood in.
    #[must_use]
    pub fn queue(&self) -> &str {
        &self.0.call.args.queue
    }

    /// The trace of whoever asked for the job.
    #[must_use]
    pub fn trace(&self) -> Option<&Trace> {
        self.0.call.args.options.trace.as_ref()
    }

    /// The payload, as JSON text.
    #[must_use]
    pub fn payload(&self) -> &str {
        &self.0.call.args.payload
    }

    /// Which claim of the job this is.
    #[must_use]
    pub fn attempt(&self) -> u32 {
        self.0.call.counters.attempt
    }

    /// Attempts that count, this one included.
    #[must_use]
    pub fn tries(&self) -> u32 {
        self.0.call.counters.tries
    }

    /// How many tries the job has.
    #[must_use]
    pub fn max_attempts(&self) -> u32 {
        self.0.call.args.options.max_attempts
    }

    /// The same for every attempt of this run, and for no other: for calls that must not be made twice.
    #[must_use]
    pub fn idempotency_key(&self) -> String {
        self.0.call.idempotency_key()
    }

    /// The same for this part of the job in every attempt and run that goes on from its checkpoint.
    #[must_use]
    pub fn key(&self, part: impl fmt::Display) -> String {
        format!("{}.{}.{part}", self.job_id(), self.0.stands.lock().era)
    }

    /// Whether the worker takes nothing new: save where you are, and end.
    #[must_use]
    pub fn is_stopping(&self) -> bool {
        self.0.stopping.is_cancelled()
    }

    /// Waits until the worker takes nothing new.
    pub async fn stopping(&self) {
        self.0.stopping.cancelled().await;
    }

    /// Whether somebody asked for the end of this job. Its handler is dropped then, unless the worker [cancels gracefully](crate::Worker::cancel_gracefully).
    #[must_use]
    pub fn is_canceled(&self) -> bool {
        self.0.call.cancel.is_cancelled()
    }

    /// Waits until somebody asks for the end of this job.
    pub async fn canceled(&self) {
        self.0.call.cancel.cancelled().await;
    }

    /// When its time is over: counted from the start or the last checkpoint.
    #[must_use]
    pub fn deadline(&self) -> Instant {
        self.0.stands.lock().times_out_at
    }

    /// Where the job is, by its own word; nothing before the first checkpoint.
    ///
    /// # Errors
    /// When it is of another type: that is permanent.
    pub fn cursor<C: DeserializeOwned>(&self) -> Result<Option<C>, JobError> {
        let stands = self.0.stands.lock();
        let cursor = stands.cursor.as_deref().map(serde_json::from_str);
        cursor
            .transpose()
            .map_err(|why| JobError::permanent("bad_cursor", why.to_string()))
    }

    /// How much was done, as it was told last.
    #[must_use]
    pub fn done(&self) -> u64 {
        self.0.stands.lock().progress.done
    }

    /// Tells people how far it is, at most once a second; it decides nothing.
    pub fn progress(&self, done: u64, total: Option<u64>) {
        let progress = self.told(Some(done), total, None);
        let _entered = self.0.runtime.enter();
        self.0.call.checkpoints.tell(progress);
    }

    /// Moves the cursor, with up to 1,000 jobs in the same transaction: durable when it returns.
    ///
    /// # Errors
    /// `await` ends with an error where this attempt is to end: somebody has canceled the job, the worker stops, or the
    /// lease is over. Return it with `?`: it says what is right. A cursor that is refused is permanent.
    pub fn checkpoint<C: Serialize>(&self, cursor: &C) -> Checkpoint<'_> {
        let cursor = serde_json::to_string(cursor);
        Checkpoint {
            context: self,
            cursor: cursor.map_err(|why| JobError::permanent("bad_cursor", why.to_string())),
            done: None,
            total: None,
            note: None,
            jobs: Ok(Vec::new()),
        }
    }

    /// A number that rises with each attempt, for conditions in a database of your own: `WHERE fence <= :n`. Its first use
    /// saves a checkpoint, because a claim that was forgotten would hand the number out twice.
    ///
    /// # Errors
    /// As [`checkpoint`](Self::checkpoint).
    pub async fn fence(&self) -> Result<u32, JobError> {
        let cursor = {
            let stands = self.0.stands.lock();
            (!stands.has_fence).then(|| stands.cursor.clone())
        };
        if let Some(cursor) = cursor {
            let cursor = cursor.unwrap_or_else(|| "null".to_owned());
            self.save(cursor, None, Vec::new()).await?;
        }
        Ok(self.attempt())
    }

    /// Notes progress: what is not said stays as it was.
    fn told(&self, done: Option<u64>, total: Option<u64>, note: Option<String>) -> Progress {
        let mut stands = self.0.stands.lock();
        stands.progress.done = done.unwrap_or(stands.progress.done);
        stands.progress.total = total.or(stands.progress.total);
        stands.progress.note = note;
        stands.progress.clone()
    }

    async fn save(
        &self,
        cursor: String,
        progress: Option<Progress>,
        jobs: Vec<EnqueueJob>,
    ) -> Result<Vec<CreatedJob>, JobError> {
        let (checkpoints, to) = (self.0.call.checkpoints.clone(), cursor.clone());
        let saving = self
            .0
            .runtime
            .spawn(async move { checkpoints.save(to, progress, jobs).await });
        match saving.await {
            Ok(Saved::Recorded {
                jobs, is_to_stop, ..
            }) => {
                self.stands_at(cursor);
                if is_to_stop {
                    return Err(self.stop());
                }
                let made = jobs.into_iter();
                Ok(made
                    .map(|(id, created)| CreatedJob { id, created })
                    .collect())
            }
            Ok(Saved::Refused(errors)) => {
                let text: Vec<_> = errors
                    .iter()
                    .map(|error| format!("{} {}", error.field, error.message))
                    .collect();
                Err(JobError::permanent("bad_checkpoint", text.join("; ")))
            }
            Ok(Saved::Lost) | Err(_) => Err(JobError::lost()),
        }
    }

    fn stands_at(&self, cursor: String) {
        let mut stands = self.0.stands.lock();
        stands.cursor = Some(cursor);
        stands.has_fence = true;
        stands.times_out_at = Instant::now() + self.0.call.timeout;
    }

    /// Why the attempt is to end: a job that goes on elsewhere does so soon.
    fn stop(&self) -> JobError {
        match self.is_canceled() {
            true => JobError::canceled(),
            false => JobError::snooze(Duration::from_secs(1)),
        }
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("job_id", &self.job_id())
            .field("kind", &self.kind())
            .field("attempt", &self.attempt())
            .finish_non_exhaustive()
    }
}

/// A checkpoint that is not saved yet: `await` it.
#[must_use = "a checkpoint is saved when it is awaited"]
#[derive(Debug)]
pub struct Checkpoint<'a> {
    context: &'a Context,
    cursor: Result<String, JobError>,
    done: Option<u64>,
    total: Option<u64>,
    note: Option<String>,
    jobs: Result<Vec<EnqueueJob>, JobError>,
}

impl Checkpoint<'_> {
    /// How much is done.
    pub const fn done(mut self, done: u64) -> Self {
        self.done = Some(done);
        self
    }

    /// Of how much.
    pub const fn total(mut self, total: u64) -> Self {
        self.total = Some(total);
        self
    }

    /// A word about it, for people.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.note = Some(note.into());
        self
    }

    /// Jobs that are added with it, 1,000 at the most.
    pub fn jobs<A, R>(mut self, jobs: impl IntoIterator<Item = NewJob<A, R>>) -> Self {
        if let Ok(all) = &mut self.jobs {
            let more: Result<Vec<_>, _> = jobs.into_iter().map(NewJob::into_body).collect();
            match more {
                Ok(more) => all.extend(more.into_iter().map(in_trace_of_here)),
                Err(error) => {
                    self.jobs = Err(JobError::permanent("bad_payload", error.to_string()));
                }
            }
        }
        self
    }
}

impl<'a> IntoFuture for Checkpoint<'a> {
    type Output = Result<Vec<CreatedJob>, JobError>;
    type IntoFuture = Pin<Box<dyn Future<Output = Self::Output> + Send + 'a>>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(async move {
            let tells = self.done.is_some() || self.total.is_some() || self.note.is_some();
            let progress = tells.then(|| self.context.told(self.done, self.total, self.note));
            self.context.save(self.cursor?, progress, self.jobs?).await
        })
    }
}
