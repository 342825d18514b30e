//! Jobs: accept, look, stop, run again.

use std::collections::BTreeSet;

use baton_domain::{
    JobId, Lifecycle,
    event::Event,
    job::{Attempt, FieldError, Job, JobSpec, NewJob, State, Trigger},
    page::{Page, PageRequest},
};
use baton_ports::{
    Hint, Wakeup,
    store::{Atomicity, Enqueued, Forgotten, JobFilter, UnclaimedTransition},
};

use crate::{
    Engine, Error, Result,
    enqueue_batcher::{self, Entered},
};

/// How often a move that lost its race is tried from the job's new place.
const RACES: usize = 5;

/// How to cancel.
#[derive(Debug, Clone, Default)]
pub struct Cancel {
    /// Takes a running job away from its worker instead of asking.
    pub force: bool,
    /// Why, for the job's history.
    pub reason: Option<String>,
}

/// What became of a job that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub enum Accepted {
    /// It was added, as written here: the answer needs no second look at the store.
    New(Box<NewJob>),
    /// Its key was known, with the same content: this is the job.
    Known(Box<Job>),
    /// Its key was known, with the same content, and the job was forgotten since: what was asked, and what it ended as.
    Forgotten(Box<NewJob>, Forgotten),
}

/// What a person says of a job whose outcome is unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    /// It had succeeded.
    Succeeded,
    /// It had failed.
    Failed,
}

impl Engine {
    /// Accepts one job; returns when it is durable, with the job itself when it is new.
    pub async fn accept(&self, spec: JobSpec) -> Result<Accepted> {
        let job = self.check(spec).map_err(Error::Invalid)?;
        let accepted = job.clone();
        let is_due = job.run_at <= job.created_at;
        let Entered { answer, is_started } = self.inner.batcher.enqueue(job).await?;
        self.has_written();
        if let (Enqueued::Conflict(holder), Some(key)) = (&answer, &accepted.key) {
            return Err(Error::KeyConflict {
                key: key.clone(),
                holder: holder.to_string(),
            });
        }
        if is_due && !is_started && matches!(answer, Enqueued::Created(_)) {
            self.inner.offers.claimable([hint_of(&accepted)]);
        }
        self.announce(!is_due);
        match answer {
            Enqueued::Created(_) => Ok(Accepted::New(Box::new(accepted))),
            Enqueued::Known(id) | Enqueued::Conflict(id) => self.known(id, accepted).await,
        }
    }

    /// The job that has the key of one that was asked for; a key outlives its job by its own retention.
    async fn known(&self, id: JobId, asked: NewJob) -> Result<Accepted> {
        if let Some(job) = self.store().job(id).await? {
            return Ok(Accepted::Known(Box::new(job)));
        }
        let key = asked.key.as_deref().unwrap_or_default();
        let left = self.store().forgotten(key).await?;
        match left.filter(|left| left.job == id) {
            Some(left) => Ok(Accepted::Forgotten(Box::new(asked), left)),
            None => Err(not_found(id)),
        }
    }

    /// Accepts one job; returns when it is durable.
    pub async fn enqueue(&self, spec: JobSpec) -> Result<Enqueued> {
        Ok(match self.accept(spec).await? {
            Accepted::New(job) => Enqueued::Created(job.id),
            Accepted::Known(job) => Enqueued::Known(job.id),
            Accepted::Forgotten(_, left) => Enqueued::Known(left.job),
        })
    }

    /// Accepts many jobs in one transaction, all or none; returns when they are durable.
    pub async fn enqueue_all(&self, specs: Vec<JobSpec>) -> Result<Vec<Enqueued>> {
        let jobs = self.check_all(specs)?;
        let keys: Vec<_> = jobs.iter().map(|job| job.key.clone()).collect();
        let due = jobs.iter().filter(|job| job.run_at <= job.created_at);
        let queues: BTreeSet<_> = due.clone().map(|job| job.queue.clone()).collect();
        let hints: Vec<_> = due.map(hint_of).collect();
        let has_waiting = jobs.iter().any(|job| job.run_at > job.created_at);
        let enqueued = enqueue_batcher::enqueue_surely(self.store(), jobs, Atomicity::All).await?;
        for (answer, key) in enqueued.iter().zip(keys) {
            if let (Enqueued::Conflict(holder), Some(key)) = (answer, key) {
                return Err(Error::KeyConflict {
                    key,
                    holder: holder.to_string(),
                });
            }
        }
        self.inner.batcher.joined(queues.iter().map(String::as_str));
        self.inner.offers.claimable(hints);
        self.announce(has_waiting);
        Ok(enqueued)
    }

    /// One job.
    pub async fn job(&self, id: JobId) -> Result<Job> {
        self.store().job(id).await?.ok_or_else(|| not_found(id))
    }

    /// Jobs, newest first.
    pub async fn jobs(&self, filter: &JobFilter, page: &PageRequest) -> Result<Page<Job>> {
        Ok(self.store().jobs(filter, page).await?)
    }

    /// The attempts of a job, first to last.
    pub async fn attempts(&self, id: JobId) -> Result<Vec<Attempt>> {
        self.job(id).await?;
        Ok(self.store().attempts(id).await?)
    }

    /// The attempts of some jobs, job by job, each job's first to last.
    pub async fn attempts_of(&self, ids: &[JobId]) -> Result<Vec<Attempt>> {
        Ok(self.store().attempts_of(ids).await?)
    }

    /// The facts about a job, in order.
    pub async fn job_events(&self, id: JobId) -> Result<Vec<Event>> {
        self.job(id).await?;
        Ok(self.store().job_events(id).await?)
    }

    /// Cancels a job; a running one is asked to stop, or taken away from its worker by force.
    pub async fn cancel(&self, id: JobId, cancel: Cancel) -> Result<Job> {
        for _ in 0..RACES {
            let job = self.job(id).await?;
            if self.cancel_from(&job, &cancel).await? {
                self.inner.wakeups.send(Wakeup::Facts);
                return self.job(id).await;
            }
        }
        Err(Error::Busy)
    }

    async fn cancel_from(&self, job: &Job, cancel: &Cancel) -> Result<bool> {
        let transition = job.state.on(Trigger::Cancel)?;
        let reason = cancel.reason.as_deref();
        let store = self.store();
        if job.state != State::Running {
            let reason = cancel.reason.clone();
            return Ok(store
                .transition(
                    &UnclaimedTransition {
                        job: job.id,
                        transition,
                        reason,
                    },
                    self.now(),
                )
                .await?);
        }
        if cancel.force {
            return Ok(store.force_cancel(job.id, reason, self.now()).await?);
        }
        let asked = store.request_cancel(job.id, reason, self.now()).await?;
        if asked {
            self.inner.wakeups.send(Wakeup::Cancel);
        }
        Ok(asked)
    }

    /// Runs a job again that has come to an end other than success, as its next run.
    pub async fn retry(&self, id: JobId) -> Result<Job> {
        self.transition(id, Trigger::Redrive).await
    }

    /// Runs a waiting job now rather than later.
    pub async fn run_now(&self, id: JobId) -> Result<Job> {
        self.transition(id, Trigger::RunNow).await
    }

    /// Says what became of a job whose outcome is unknown.
    pub async fn resolve(&self, id: JobId, resolution: Resolution) -> Result<Job> {
        let trigger = match resolution {
            Resolution::Succeeded => Trigger::ResolveSucceeded,
            Resolution::Failed => Trigger::ResolveFailed,
        };
        self.transition(id, trigger).await
    }

    async fn transition(&self, id: JobId, trigger: Trigger) -> Result<Job> {
        for _ in 0..RACES {
            let job = self.job(id).await?;
            let transition = job.state.on(trigger)?;
            let reason = (trigger == Trigger::ResolveFailed).then(|| "permanent".to_owned());
            if self
                .store()
                .transition(
                    &UnclaimedTransition {
                        job: id,
                        transition,
                        reason,
                    },
                    self.now(),
                )
                .await?
            {
                if transition.to() == State::Queued {
                    let hint = Hint::of(&job.queue, id, job.priority);
                    self.inner.offers.claimable([hint]);
                }
                self.announce(false);
                return self.job(id).await;
            }
        }
        Err(Error::Busy)
    }

    fn check_all(&self, specs: Vec<JobSpec>) -> Result<Vec<NewJob>> {
        let mut jobs = Vec::with_capacity(specs.len());
        let mut errors = Vec::new();
        for (i, spec) in specs.into_iter().enumerate() {
            match self.check(spec) {
                Ok(job) => jobs.push(job),
                Err(wrong) => {
                    errors.extend(
                        wrong
                            .into_iter()
                            .map(|error| error.within(&format!("jobs[{i}]"))),
                    );
                }
            }
        }
        if errors.is_empty() {
            Ok(jobs)
        } else {
            Err(Error::Invalid(errors))
        }
    }

    pub(crate) fn check(&self, spec: JobSpec) -> Result<NewJob, Vec<FieldError>> {
        let job = NewJob::from_spec(spec, &self.inner.settings.limits, self.now())?;
        self.check_payload(&job.kind, &job.payload).map(|()| job)
    }

    /// Asks the handler of a kind whether it can do with a payload.
    pub(crate) fn check_payload(&self, kind: &str, payload: &str) -> Result<(), Vec<FieldError>> {
        let mut handlers = self.inner.handlers.iter();
        match handlers.find(|handler| handler.kind() == kind) {
            Some(handler) => handler.check(payload),
            None => Err(vec![FieldError::new("kind", self.known_kinds())]),
        }
    }

    fn known_kinds(&self) -> String {
        let kinds: Vec<_> = self
            .inner
            .handlers
            .iter()
            .map(|handler| handler.kind())
            .collect();
        format!(
            "no handler for it is known here; there is: {}",
            kinds.join(", ")
        )
    }

    pub(crate) fn announce(&self, due: bool) {
        if due {
            self.inner.wakeups.send(Wakeup::Due);
        }
        self.inner.wakeups.send(Wakeup::Facts);
    }
}

pub(crate) fn hint_of(job: &NewJob) -> Option<Hint> {
    Hint::of(&job.queue, job.id, job.priority)
}

fn not_found(id: JobId) -> Error {
    Error::NotFound {
        what: "job",
        id: id.to_string(),
    }
}
