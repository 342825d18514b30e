//! What is looked at before a job is taken in: its fields, who asks for it, and who works its queue off.

use std::slice;

use baton_domain::{
    JobId,
    access::Permission,
    job::{FieldError, JobSpec, NewJob},
};

use crate::{Caller, Engine, Error, Result};

impl Caller {
    /// Refuses a job of a kind or to a queue that the actor may not enqueue.
    pub(crate) fn may_enqueue(&self, kind: &str, queue: &str) -> Result<()> {
        self.needs(Permission::JobsCreate)?;
        if self.actor().may_enqueue(kind, queue) {
            return Ok(());
        }
        Err(self.refused(Error::OutOfBounds {
            kind: kind.to_owned(),
            queue: queue.to_owned(),
        }))
    }

    /// Refuses a job that the actor may not enqueue, or that is to make others which the actor may not: a job is no way round.
    pub(crate) fn may_have(&self, job: &NewJob) -> Result<()> {
        self.may_enqueue(&job.kind, &job.queue)?;
        match self.made_by(job) {
            Some((_, made)) => self.may_enqueue(&made.kind, &made.queue),
            None => Ok(()),
        }
    }

    /// Checks jobs that are asked for together: all come at one moment, in the order in which they were told.
    pub(super) fn check_all(&self, specs: Vec<JobSpec>) -> Result<Vec<NewJob>> {
        let now = self.now();
        let mut ids = JobId::in_a_row(now);
        let mut jobs = Vec::with_capacity(specs.len());
        let mut errors = Vec::new();
        for (i, spec) in specs.into_iter().enumerate() {
            match self.inner.rules.check(spec, now) {
                Ok(job) => jobs.extend(ids.next().map(|id| NewJob { id, ..job })),
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
        self.inner.rules.check(spec, self.now())
    }

    /// Refuses jobs whose queue is worked off by others than run their kind; `at` says where each stands.
    pub(crate) async fn check_sides(
        &self,
        jobs: &[NewJob],
        at: impl Fn(usize, FieldError) -> FieldError,
    ) -> Result<()> {
        let wrong = self.on_wrong_sides(jobs).await;
        if wrong.is_empty() {
            return Ok(());
        }
        let wrong = wrong.into_iter().map(|(i, error)| at(i, error));
        Err(Error::Invalid(wrong.collect()))
    }

    /// Asks the handler of a kind whether it can do with a payload.
    pub(crate) fn check_payload(&self, kind: &str, payload: &str) -> Result<(), Vec<FieldError>> {
        self.inner.rules.check_payload(kind, payload, self.now())
    }
}

impl Engine {
    /// What is wrong with the queues of these jobs, and of those that they are to make again and again: the place of a job, and
    /// why its queue is not for its kind.
    pub(crate) async fn on_wrong_sides(&self, jobs: &[NewJob]) -> Vec<(usize, FieldError)> {
        let mut wrong = self.on_the_wrong_side(jobs).await;
        for (i, job) in jobs.iter().enumerate() {
            if let Some((field, made)) = self.made_by(job) {
                let made = self.on_the_wrong_side(slice::from_ref(&made)).await;
                wrong.extend(made.into_iter().map(|(_, error)| (i, error.within(field))));
            }
        }
        wrong
    }

    /// The job that a job is to make again and again, and where its payload says so.
    fn made_by(&self, job: &NewJob) -> Option<(&'static str, NewJob)> {
        let rules = &self.inner.rules;
        rules.made_by(&job.kind, &job.payload, job.created_at)
    }
}
