//! Jobs: accept, look, stop, run again.

mod checks;
mod spans;

use std::{collections::BTreeSet, slice, sync::Arc, time::Duration};

use baton_domain::{
    JobId, Lifecycle,
    access::Permission,
    audit::AuditAction,
    checkpoint::Checkpoint,
    event::Event,
    job::{Attempt, Cancel, Job, JobSpec, NewJob, Resolution, State, Transition, Trigger},
    page::{Page, PageRequest},
    queue::WorkedBy,
};
use baton_ports::{
    Hint, Store, Wakeup,
    store::{Atomicity, Enqueued, Forgotten, JobFilter, UnclaimedTransition},
};

use crate::{
    Caller, Engine, Error, Result,
    caller::Particulars,
    concealed::listed,
    enqueue_batcher::{self, Entered, lines},
};
use serde_json::json;
use tokio::time::{Instant, sleep, sleep_until};
use tokio_util::sync::CancellationToken;

/// How often a move that lost its race is tried from the job's new place.
const RACES: usize = 5;

/// How long somebody waits for the end of a job, at the most; how soon it is looked at again, and how late.
const LONGEST_WAIT: Duration = Duration::from_secs(25);
const LOOK: Duration = Duration::from_millis(50);
const LONGEST_LOOK: Duration = Duration::from_secs(2);

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

/// Tells what became of jobs that were asked for. Of a conflict nothing was enqueued, nor of what came with it.
fn tell(answers: &[Enqueued]) {
    let (mut created, mut known, mut conflict) = (0, 0, 0);
    for answer in answers {
        match answer {
            Enqueued::Created(_) => created += 1,
            Enqueued::Known(_) => known += 1,
            Enqueued::Conflict(_) => conflict += 1,
        }
    }
    if conflict > 0 {
        (created, known) = (0, 0);
    }
    for (outcome, count) in [
        ("created", created),
        ("known", known),
        ("conflict", conflict),
    ] {
        if count > 0 {
            metrics::counter!("baton_jobs_enqueued_total", "outcome" => outcome).increment(count);
        }
    }
}

impl Caller {
    /// Accepts one job; returns when it is durable, with the job itself when it is new.
    pub async fn accept(&self, spec: JobSpec) -> Result<Accepted> {
        let mut job = self.check(spec).map_err(Error::Invalid)?;
        self.may_have(&job)?;
        self.check_sides(slice::from_ref(&job), |_, error| error)
            .await?;
        let span = spans::begin(self.tracer(), slice::from_mut(&mut job));
        let accepted = self.take_in(job).await;
        spans::end(span, &accepted, spans::accepted);
        accepted
    }

    async fn take_in(&self, job: NewJob) -> Result<Accepted> {
        let accepted = job.clone();
        let is_due = job.run_at <= job.created_at;
        let Entered { answer, is_started } = self.enter(job).await?;
        self.has_written();
        tell(slice::from_ref(&answer));
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

    /// Adds a job. One that a person asks for is written down with them; those of programs are too many, and share commits.
    async fn enter(&self, job: NewJob) -> Result<Entered> {
        if !self.actor().principal.is_person() {
            return Ok(self.inner.batcher.enqueue(job).await?);
        }
        let line = slice::from_ref(&job);
        let (store, joined) = (self.audited_enqueue(line), line.to_vec());
        let added = enqueue_batcher::enqueue_surely(&*store, vec![job], Atomicity::All).await?;
        self.inner.batcher.joined(lines(joined.iter()));
        let answer = added.into_iter().next().ok_or(Error::Busy)?;
        Ok(Entered {
            answer,
            is_started: false,
        })
    }

    /// The store for what somebody enqueues.
    fn audited_enqueue(&self, jobs: &[NewJob]) -> Arc<dyn Store> {
        let Some(first) = jobs.first() else {
            return Arc::clone(&self.inner.store);
        };
        let particulars = Particulars {
            after: Some(json!({ "kind": first.kind, "queue": first.queue })),
            count: Some(jobs.len() as u64).filter(|count| *count > 1),
            ..Particulars::default()
        };
        self.audited(AuditAction::JobEnqueue, first.id, particulars)
    }

    /// The job that has the key of one that was asked for; a key outlives its job by its own retention.
    async fn known(&self, id: JobId, asked: NewJob) -> Result<Accepted> {
        if let Some(job) = self.store().job(id).await? {
            return Ok(Accepted::Known(Box::new(self.shown_job(job))));
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
        let mut jobs = self.check_all(specs)?;
        let mut each = jobs.iter();
        each.try_for_each(|job| self.may_have(job))?;
        self.check_sides(&jobs, |i, error| error.within(&format!("jobs[{i}]")))
            .await?;
        let span = spans::begin(self.tracer(), &mut jobs);
        let enqueued = self.take_in_all(jobs).await;
        spans::end(span, &enqueued, |answers| spans::enqueued(answers));
        enqueued
    }

    async fn take_in_all(&self, jobs: Vec<NewJob>) -> Result<Vec<Enqueued>> {
        let keys: Vec<_> = jobs.iter().map(|job| job.key.clone()).collect();
        let due = jobs.iter().filter(|job| job.run_at <= job.created_at);
        let queues: BTreeSet<_> = due
            .clone()
            .map(|job| (job.queue.clone(), job.worked_by))
            .collect();
        let hints: Vec<_> = due.map(hint_of).collect();
        let has_waiting = jobs.iter().any(|job| job.run_at > job.created_at);
        let enqueued = match self.actor().principal.is_person() {
            true => {
                let store = self.audited_enqueue(&jobs);
                enqueue_batcher::enqueue_surely(&*store, jobs, Atomicity::All).await?
            }
            false => enqueue_batcher::enqueue_surely(self.store(), jobs, Atomicity::All).await?,
        };
        tell(&enqueued);
        for (answer, key) in enqueued.iter().zip(keys) {
            if let (Enqueued::Conflict(holder), Some(key)) = (answer, key) {
                return Err(Error::KeyConflict {
                    key,
                    holder: holder.to_string(),
                });
            }
        }
        let lines = queues
            .iter()
            .map(|(queue, worked_by)| (queue.as_str(), *worked_by));
        self.inner.batcher.joined(lines);
        self.inner.offers.claimable(hints);
        self.announce(has_waiting);
        Ok(enqueued)
    }

    /// One job.
    pub async fn job(&self, id: JobId) -> Result<Job> {
        let job = self.look_at(id).await?;
        self.note_payloads(id, None).await;
        Ok(job)
    }

    /// One job as lists show it: what it carries and was answered is left out.
    pub async fn listed_job(&self, id: JobId) -> Result<Job> {
        Ok(listed(self.look_at(id).await?))
    }

    pub(crate) async fn look_at(&self, id: JobId) -> Result<Job> {
        self.needs(Permission::JobsRead)?;
        Ok(self.shown_job(self.find_job(id).await?))
    }

    /// How far a job is, if it has said so.
    pub async fn checkpoint_of(&self, id: JobId) -> Result<Option<Checkpoint>> {
        self.needs(Permission::JobsRead)?;
        let found = self.store().checkpoints(&[id]).await?.into_iter().next();
        Ok(found.map(|one| self.shown_checkpoint(one)))
    }

    /// A job once it has ended, or what it is when the wait is over.
    pub async fn ended_job(
        &self,
        id: JobId,
        wait: Duration,
        stop: &CancellationToken,
    ) -> Result<Job> {
        let deadline = Instant::now() + wait.min(LONGEST_WAIT);
        let mut facts = self.inner.wakeups.subscribe(Wakeup::Facts);
        loop {
            let is_over = Instant::now() >= deadline || stop.is_cancelled();
            match self.look_at(id).await {
                Err(Error::Staged(staged)) if staged.refused.is_none() && !is_over => {}
                Ok(job) if !job.state.is_terminal() && !is_over => {}
                Ok(job) => {
                    self.note_payloads(id, None).await;
                    return Ok(job);
                }
                missing => return missing,
            }
            // However fast facts come, it is looked at a few times a second.
            sleep(LOOK).await;
            tokio::select! {
                () = facts.recv() => {}
                () = sleep_until(deadline.min(Instant::now() + LONGEST_LOOK)) => {}
                () = stop.cancelled() => {}
            }
        }
    }

    async fn find_job(&self, id: JobId) -> Result<Job> {
        match self.store().job(id).await? {
            Some(job) => Ok(job),
            None => match self.store().staged_job(id).await? {
                Some(staged) => Err(Error::Staged(staged)),
                // It may have become a job between the two looks.
                None => self.store().job(id).await?.ok_or_else(|| not_found(id)),
            },
        }
    }

    /// Jobs, newest first.
    pub async fn jobs(&self, filter: &JobFilter, page: &PageRequest) -> Result<Page<Job>> {
        let jobs = self.find_jobs(filter, page).await?;
        let count = jobs.items.len() as u64;
        if count > 0 {
            self.note_payloads("jobs", Some(count)).await;
        }
        Ok(jobs)
    }

    /// The same without what they carry and were answered.
    pub async fn listed_jobs(&self, filter: &JobFilter, page: &PageRequest) -> Result<Page<Job>> {
        Ok(self.find_jobs(filter, page).await?.map(listed))
    }

    async fn find_jobs(&self, filter: &JobFilter, page: &PageRequest) -> Result<Page<Job>> {
        self.needs(Permission::JobsRead)?;
        if filter.key.is_some() {
            // A key that is not shown is not to be guessed either.
            self.needs(Permission::PayloadsRead)?;
        }
        let jobs = self.store().jobs(filter, page).await?;
        Ok(jobs.map(|job| self.shown_job(job)))
    }

    /// The jobs that run for longest, each with how far it is, if it has said so.
    pub async fn longest_running(&self, limit: u32) -> Result<Vec<(Job, Option<Checkpoint>)>> {
        self.needs(Permission::JobsRead)?;
        let running = self.store().longest_running(limit).await?;
        let ids: Vec<_> = running.iter().map(|job| job.id).collect();
        let mut known = match ids.is_empty() {
            true => Vec::new(),
            false => self.store().checkpoints(&ids).await?,
        };
        let mut with_checkpoint = |job: Job| {
            let at = known.iter().position(|one| one.job == job.id);
            let checkpoint = at.map(|at| known.swap_remove(at));
            self.shown_running(job, checkpoint)
        };
        Ok(running.into_iter().map(&mut with_checkpoint).collect())
    }

    /// A running job and how far it is, without what somebody may not see.
    #[must_use]
    pub fn shown_running(
        &self,
        job: Job,
        checkpoint: Option<Checkpoint>,
    ) -> (Job, Option<Checkpoint>) {
        let checkpoint = checkpoint.map(|one| self.shown_checkpoint(one));
        (self.shown_job(job), checkpoint)
    }

    /// The attempts of a job, first to last.
    pub async fn attempts(&self, id: JobId) -> Result<Vec<Attempt>> {
        self.look_at(id).await?;
        self.attempts_of(&[id]).await
    }

    /// The attempts of some jobs, job by job, each job's first to last.
    pub async fn attempts_of(&self, ids: &[JobId]) -> Result<Vec<Attempt>> {
        self.needs(Permission::JobsRead)?;
        let attempts = self.store().attempts_of(ids).await?.into_iter();
        Ok(attempts.map(|one| self.shown_attempt(one)).collect())
    }

    /// The facts about a job, in order.
    pub async fn job_events(&self, id: JobId) -> Result<Vec<Event>> {
        self.look_at(id).await?;
        let events = self.store().job_events(id).await?.into_iter();
        Ok(events.map(|event| self.shown_event(event)).collect())
    }

    /// Cancels a job; a running one is asked to stop, or taken away from its worker by force.
    pub async fn cancel(&self, id: JobId, cancel: Cancel) -> Result<Job> {
        self.needs(Permission::Operate)?;
        for _ in 0..RACES {
            let job = self.find_job(id).await?;
            if self.cancel_from(&job, &cancel).await? {
                self.inner.wakeups.send(Wakeup::Facts);
                return Ok(self.shown_job(self.find_job(id).await?));
            }
        }
        Err(Error::Busy)
    }

    async fn cancel_from(&self, job: &Job, cancel: &Cancel) -> Result<bool> {
        let transition = job.state.on(Trigger::Cancel)?;
        let reason = cancel.reason.as_deref();
        let takes_away = cancel.force && job.state == State::Running;
        let action = match takes_away {
            true => AuditAction::JobForceCancel,
            false => AuditAction::JobCancel,
        };
        let store = self.audited(
            action,
            job.id,
            moved(job, transition, cancel.reason.clone()),
        );
        if job.state != State::Running {
            let reason = cancel.reason.clone();
            return Ok(store
                .transition(
                    &UnclaimedTransition {
                        afresh: false,
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

    /// Runs a job again that has come to an end other than success, as its next run: behind its cursor, if it has one, or
    /// afresh.
    pub async fn retry(&self, id: JobId, afresh: bool) -> Result<Job> {
        self.needs(Permission::Operate)?;
        self.transition(id, Trigger::Redrive, AuditAction::JobRetry, afresh)
            .await
    }

    /// Runs a waiting job now rather than later.
    pub async fn run_now(&self, id: JobId) -> Result<Job> {
        self.needs(Permission::Operate)?;
        self.transition(id, Trigger::RunNow, AuditAction::JobRunNow, false)
            .await
    }

    /// Says what became of a job whose outcome is unknown.
    pub async fn resolve(&self, id: JobId, resolution: Resolution) -> Result<Job> {
        self.needs(Permission::Operate)?;
        let trigger = match resolution {
            Resolution::Succeeded => Trigger::ResolveSucceeded,
            Resolution::Failed => Trigger::ResolveFailed,
        };
        self.transition(id, trigger, AuditAction::JobResolve, false)
            .await
    }

    async fn transition(
        &self,
        id: JobId,
        trigger: Trigger,
        action: AuditAction,
        afresh: bool,
    ) -> Result<Job> {
        for _ in 0..RACES {
            let job = self.find_job(id).await?;
            let transition = job.state.on(trigger)?;
            let reason = (trigger == Trigger::ResolveFailed).then(|| "permanent".to_owned());
            if self
                .audited(action, id, moved(&job, transition, None))
                .transition(
                    &UnclaimedTransition {
                        afresh,
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
                return Ok(self.shown_job(self.find_job(id).await?));
            }
        }
        Err(Error::Busy)
    }
}

impl Engine {
    pub(crate) fn announce(&self, due: bool) {
        if due {
            self.inner.wakeups.send(Wakeup::Due);
        }
        self.inner.wakeups.send(Wakeup::Facts);
    }
}

/// What the audit log is told of a job that moves.
fn moved(job: &Job, transition: Transition, reason: Option<String>) -> Particulars {
    let state = |state: State| Some(json!({ "state": state }));
    Particulars {
        before: state(job.state),
        after: state(transition.to()),
        reason,
        count: None,
    }
}

/// Remote workers follow no hints.
pub(crate) fn hint_of(job: &NewJob) -> Option<Hint> {
    (job.worked_by == WorkedBy::Server).then_some(())?;
    Hint::of(&job.queue, job.id, job.priority)
}

fn not_found(id: JobId) -> Error {
    Error::NotFound {
        what: "job",
        id: id.to_string(),
    }
}
