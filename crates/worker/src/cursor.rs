//! A job's cursor while its call runs: moved under its lease, and its time-out with it.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use baton_domain::{
    JobId, Timestamp, Trace,
    checkpoint::{Checkpoint, Progress},
    job::{AttemptCounters, FieldError, JobSpec},
};
use baton_ports::{
    Wakeup,
    checkpoints::{Cursor, Saved},
    store::{Error, ProgressReport, Result},
    work_source::{CheckpointAnswer, CursorMove, MoveOutcome},
};
use parking_lot::Mutex;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{core::Core, detached::detached, job::Job, lease::Lease, store_backoff::StoreBackoff};

/// A job's cursor while its call runs.
pub struct JobCursor {
    core: Arc<Core>,
    lease: Arc<Lease>,
    job: JobId,
    counters: AttemptCounters,
    /// The trace of whoever asked for the job, which its own jobs belong to.
    trace: Option<Trace>,
    cancel: CancellationToken,
    /// Where it stands, once that is known; one move at a time.
    stands: tokio::sync::Mutex<Option<Stand>>,
    has_moved: AtomicBool,
    /// When the call began, or moved the cursor last.
    began: Mutex<Instant>,
}

type Stand = Option<Checkpoint>;

impl JobCursor {
    /// The cursor of a call that begins now; `cancel` fires when the job is to stop.
    pub fn of(core: &Arc<Core>, job: &Job, cancel: CancellationToken) -> Self {
        Self {
            core: Arc::clone(core),
            lease: Arc::clone(&job.lease),
            job: job.args.id,
            counters: job.counters,
            trace: job.args.options.trace.clone(),
            cancel,
            stands: tokio::sync::Mutex::default(),
            has_moved: AtomicBool::new(false),
            began: Mutex::new(Instant::now()),
        }
    }

    /// Since when the time-out counts.
    pub fn began(&self) -> Instant {
        *self.began.lock()
    }

    /// The counters by which it is decided what follows.
    pub fn counters(&self) -> AttemptCounters {
        if self.has_moved.load(Ordering::Acquire) {
            self.counters.having_moved()
        } else {
            self.counters
        }
    }

    /// What an earlier attempt has left. A first one finds nothing, and asks nobody.
    async fn left(&self) -> Result<Stand> {
        if self.counters.attempt == 1 {
            return Ok(None);
        }
        let (source, job) = (Arc::clone(&self.core.source), self.job);
        detached(async move { source.checkpoint_of(job).await }).await
    }

    async fn ask(&self, step: &CursorMove) -> Result<CheckpointAnswer> {
        let (source, step) = (Arc::clone(&self.core.source), step.clone());
        let (worker, now) = (self.core.config.worker, self.core.clock.now());
        let answer = detached(async move { source.checkpoint(worker, &step, now).await }).await?;
        let saved = match answer.outcome {
            MoveOutcome::Recorded(_) => "recorded",
            MoveOutcome::Lost => "lost",
            MoveOutcome::OutOfOrder(_) => "out_of_order",
            MoveOutcome::Refused(_) => "refused",
        };
        metrics::counter!("baton_checkpoints_total", "saved" => saved).increment(1);
        Ok(answer)
    }

    /// Waits before the store is asked again; `false` when the lease ends first.
    async fn may_ask_again(&self, delay: &mut StoreBackoff, error: &Error) -> bool {
        if delay.is_fresh() {
            tracing::warn!(job = %self.job, %error, "a checkpoint is not answered yet: {error}; it is asked for again");
        }
        tokio::select! {
            biased;
            () = self.lease.over.cancelled() => false,
            () = tokio::time::sleep(delay.wait()) => true,
        }
    }

    /// Asks until the store answers; nothing when the lease ends first.
    async fn answer(&self, step: &CursorMove) -> Option<Result<CheckpointAnswer>> {
        let mut delay = StoreBackoff::default();
        loop {
            match self.ask(step).await {
                Err(error) if error.is_passing() => {
                    if !self.may_ask_again(&mut delay, &error).await {
                        return None;
                    }
                }
                answer => return Some(answer),
            }
        }
    }

    /// The same for what an earlier attempt has left.
    async fn last(&self) -> Option<Result<Stand>> {
        let mut delay = StoreBackoff::default();
        loop {
            match self.left().await {
                Err(error) if error.is_passing() => {
                    if !self.may_ask_again(&mut delay, &error).await {
                        return None;
                    }
                }
                answer => return Some(answer),
            }
        }
    }

    /// Takes note of a move that stands.
    fn recorded(&self, step: CursorMove, last: Stand, now: Timestamp) -> Checkpoint {
        self.has_moved.store(true, Ordering::Release);
        *self.began.lock() = Instant::now();
        self.core.wakeups.send(Wakeup::Facts);
        if !step.jobs.is_empty() {
            let made = step.jobs.len() as u64;
            metrics::counter!("baton_checkpoint_jobs_total").increment(made);
            self.core.wakeups.send(Wakeup::Ready);
            self.core.wakeups.send(Wakeup::Due);
        }
        Checkpoint {
            job: step.job,
            seq: step.seq,
            era: last.as_ref().map_or(1, |last| last.era),
            attempt: step.attempt,
            cursor: Some(step.cursor),
            progress: step.progress.or(last.and_then(|last| last.progress)),
            moved: true,
            at: now,
        }
    }
}

#[async_trait]
impl Cursor for JobCursor {
    async fn stands(&self) -> Result<Option<Checkpoint>> {
        let mut stands = self.stands.lock().await;
        if stands.is_none() {
            *stands = Some(self.left().await?);
        }
        Ok(stands.clone().flatten())
    }

    async fn save(&self, to: String, progress: Option<Progress>, mut jobs: Vec<JobSpec>) -> Saved {
        let without = jobs.iter_mut().filter(|job| job.trace.is_none());
        without.for_each(|job| job.trace.clone_from(&self.trace));
        let mut stands = self.stands.lock().await;
        let last = match stands.take() {
            Some(last) => last,
            None => match self.last().await {
                Some(Ok(last)) => last,
                Some(Err(error)) => return refused(&error),
                None => return Saved::Lost,
            },
        };
        let step = CursorMove {
            lease: self.lease.id,
            job: self.job,
            attempt: self.counters.attempt,
            seq: last.as_ref().map_or(0, |last| last.seq) + 1,
            cursor: to,
            progress,
            jobs,
        };
        let answer = match self.answer(&step).await {
            Some(Ok(answer)) => answer,
            Some(Err(error)) => {
                *stands = Some(last);
                return refused(&error);
            }
            None => return Saved::Lost,
        };
        if answer.is_canceled {
            self.cancel.cancel();
        }
        match answer.outcome {
            MoveOutcome::Recorded(jobs) => {
                let seq = step.seq;
                *stands = Some(Some(self.recorded(step, last, self.core.clock.now())));
                Saved::Recorded {
                    seq,
                    jobs,
                    is_to_stop: answer.is_canceled || self.core.draining.is_cancelled(),
                }
            }
            MoveOutcome::Lost => {
                self.core.renew.notify_one();
                Saved::Lost
            }
            // It is read again before the next move.
            MoveOutcome::OutOfOrder(seq) => Saved::Refused(vec![FieldError::new(
                "seq",
                format!("{} does not follow {seq}, which stands", step.seq),
            )]),
            MoveOutcome::Refused(errors) => {
                *stands = Some(last);
                Saved::Refused(errors)
            }
        }
    }

    fn tell(&self, progress: Progress) {
        let report = ProgressReport {
            lease: self.lease.id,
            job: self.job,
            attempt: self.counters.attempt,
            progress,
        };
        let (source, worker) = (Arc::clone(&self.core.source), self.core.config.worker);
        let now = self.core.clock.now();
        tokio::spawn(async move {
            if let Err(error) = source.progress(worker, &[report], now).await {
                tracing::debug!(%error, "progress is not written down: {error}");
            }
        });
    }
}

fn refused(error: &Error) -> Saved {
    Saved::Refused(vec![FieldError::new("checkpoint", error.to_string())])
}
