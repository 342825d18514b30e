//! Checkpoints of remote workers: cursors moved under their leases, with the jobs they make.

use baton_domain::{
    JobId, WorkerId,
    access::Permission,
    checkpoint::{LONGEST_CURSOR, MOST_JOBS, Progress},
    job::{FieldError, JobSpec, NewJob},
};
use baton_ports::{
    Wakeup,
    store::{CheckpointOutcome, CheckpointStep, Enqueued},
};

use super::token::Seal;
use crate::{Caller, Error, Result, enqueue_batcher::lines};

/// How many cursors one call moves.
const MOST: usize = 100;

/// A cursor to be moved.
#[derive(Debug, Clone)]
pub struct CheckpointRequest {
    /// The right to the attempt.
    pub token: String,
    /// The number of the move.
    pub seq: u64,
    /// Where the job is: JSON text.
    pub cursor: String,
    /// How far it is, for people.
    pub progress: Option<Progress>,
    /// The jobs that it makes.
    pub jobs: Vec<JobSpec>,
}

/// What became of a move.
#[derive(Debug, Clone, PartialEq)]
pub enum CheckpointItem {
    /// The store has answered.
    Saved {
        /// The job.
        job: JobId,
        /// What became of it.
        outcome: CheckpointOutcome,
        /// Whether the job is to stop.
        is_stopped: bool,
    },
    /// It makes no sense. Nothing of it is written.
    Refused(Option<JobId>, Vec<FieldError>),
}

impl Caller {
    /// Moves cursors, each in a transaction of its own, in the order in which they were told.
    pub async fn save_checkpoints(
        &self,
        worker: WorkerId,
        told: Vec<CheckpointRequest>,
    ) -> Result<Vec<CheckpointItem>> {
        self.needs(Permission::Worker)?;
        let jobs: usize = told.iter().map(|one| one.jobs.len()).sum();
        if told.is_empty() || told.len() > MOST {
            let why = format!("must be 1 to {MOST} of them");
            return Err(Error::Invalid(vec![FieldError::new("checkpoints", why)]));
        }
        if jobs > MOST_JOBS {
            let why = format!("make {jobs} jobs; {MOST_JOBS} is the most for one call");
            return Err(Error::Invalid(vec![FieldError::new("checkpoints", why)]));
        }
        let seal = self.seal().await?;
        let mut items = Vec::with_capacity(told.len());
        for request in told {
            items.push(self.save_checkpoint(seal, worker, request).await?);
        }
        self.mark_stopped(worker, &mut items).await?;
        Ok(items)
    }

    async fn save_checkpoint(
        &self,
        seal: &Seal,
        worker: WorkerId,
        request: CheckpointRequest,
    ) -> Result<CheckpointItem> {
        let token = match self.opened(seal, worker, &request.token) {
            Ok(token) => token,
            Err(error) => return Ok(CheckpointItem::Refused(None, vec![error])),
        };
        let job = token.job();
        let jobs = match self.checked(&request).await? {
            Ok(jobs) => jobs,
            Err(errors) => return Ok(CheckpointItem::Refused(Some(job), errors)),
        };
        let step = CheckpointStep {
            lease: token.lease(),
            job,
            attempt: token.counters().attempt,
            seq: request.seq,
            cursor: request.cursor,
            progress: request.progress,
            jobs: self.of_its_trace(job, jobs).await?,
        };
        let outcome = self.store().checkpoint(worker, &step, self.now()).await?;
        self.announce_checkpoint(&step, &outcome);
        Ok(match outcome {
            CheckpointOutcome::Conflict { jobs } => {
                CheckpointItem::Refused(Some(job), conflicts(&step, &jobs))
            }
            outcome => CheckpointItem::Saved {
                job,
                outcome,
                is_stopped: false,
            },
        })
    }

    /// The jobs of a checkpoint, or all that is wrong with it.
    async fn checked(
        &self,
        request: &CheckpointRequest,
    ) -> Result<Result<Vec<NewJob>, Vec<FieldError>>> {
        let mut errors = Vec::new();
        let mut wrong = |field: &str, why: String| errors.push(FieldError::new(field, why));
        if request.seq == 0 {
            wrong(
                "seq",
                "is 1 for the first move, and one more for each".to_owned(),
            );
        }
        if request.cursor.len() > LONGEST_CURSOR {
            wrong(
                "cursor",
                format!(
                    "is {} bytes of JSON; {LONGEST_CURSOR} is the most. Keep a place, not what is found there",
                    request.cursor.len()
                ),
            );
        }
        if let Some(why) = request.progress.as_ref().and_then(Progress::error) {
            wrong("progress", why);
        }
        let mut jobs = Vec::with_capacity(request.jobs.len());
        for (i, spec) in request.jobs.iter().enumerate() {
            match self.check(spec.clone()) {
                Ok(job) => match self.may_have(&job) {
                    Ok(()) => jobs.push(job),
                    Err(error) => {
                        let field = format!("jobs[{i}]");
                        errors.push(FieldError::new(&field, error.to_string()));
                    }
                },
                Err(found) => errors.extend(
                    found
                        .into_iter()
                        .map(|error| error.within(&format!("jobs[{i}]"))),
                ),
            }
        }
        Ok(if errors.is_empty() {
            Ok(jobs)
        } else {
            Err(errors)
        })
    }

    /// The jobs of a job belong to its trace, as far as they name none.
    async fn of_its_trace(&self, parent: JobId, mut jobs: Vec<NewJob>) -> Result<Vec<NewJob>> {
        if jobs.iter().all(|job| job.options.trace.is_some()) {
            return Ok(jobs);
        }
        let parent = self.store().job(parent).await?;
        let Some(trace) = parent.and_then(|parent| parent.options.trace) else {
            return Ok(jobs);
        };
        let without = jobs.iter_mut().filter(|job| job.options.trace.is_none());
        without.for_each(|job| job.options.trace = Some(trace.clone()));
        Ok(jobs)
    }

    fn announce_checkpoint(&self, step: &CheckpointStep, outcome: &CheckpointOutcome) {
        let saved = match outcome {
            CheckpointOutcome::Recorded {
                is_repeated: true, ..
            } => "repeated",
            CheckpointOutcome::Recorded { .. } => "recorded",
            CheckpointOutcome::Lost => "lost",
            CheckpointOutcome::OutOfOrder { .. } => "out_of_order",
            CheckpointOutcome::Conflict { .. } => "refused",
        };
        metrics::counter!("baton_checkpoints_total", "saved" => saved).increment(1);
        if saved != "recorded" {
            return;
        }
        self.inner.wakeups.send(Wakeup::Facts);
        if !step.jobs.is_empty() {
            metrics::counter!("baton_checkpoint_jobs_total").increment(step.jobs.len() as u64);
            self.inner.batcher.joined(lines(step.jobs.iter()));
            self.inner.wakeups.send(Wakeup::Ready);
            self.inner.wakeups.send(Wakeup::Due);
        }
    }

    /// Each answer is the look at the abort button: one for all of them.
    async fn mark_stopped(&self, worker: WorkerId, items: &mut [CheckpointItem]) -> Result<()> {
        let wishes = self.store().wishes(&[worker]).await?;
        let Some((_, wish)) = wishes.into_iter().next() else {
            return Ok(());
        };
        for item in items {
            if let CheckpointItem::Saved {
                job, is_stopped, ..
            } = item
            {
                *is_stopped = wish.cancels.contains(job);
            }
        }
        Ok(())
    }
}

fn conflicts(step: &CheckpointStep, jobs: &[Enqueued]) -> Vec<FieldError> {
    let told = step.jobs.iter().zip(jobs).enumerate();
    let errors = told.filter_map(|(i, (job, answer))| match answer {
        Enqueued::Conflict(holder) => Some(FieldError::new(
            &format!("jobs[{i}].key"),
            format!(
                "{:?} belongs to {holder}, which was asked for with other content",
                job.key.as_deref().unwrap_or_default()
            ),
        )),
        _ => None,
    });
    errors.collect()
}
