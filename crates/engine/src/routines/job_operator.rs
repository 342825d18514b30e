//! The job operator carries out operations on jobs: page by page from the newest to the oldest, each job with its count in one
//! transaction, and then the place it has come to. Who begins a page again finds moved what was moved.

use async_trait::async_trait;
use baton_domain::{
    Lifecycle,
    job::{Job, State},
    operation::Operation,
    page::PageRequest,
};
use baton_ports::{
    Hint, Wakeup,
    store::{self, Error, JobAct, JobsStep, UnclaimedTransition},
};
use futures::{StreamExt as _, stream};

use super::{SAFETY, Tools};
use crate::{Next, Routine, operations::filter_of, routine::about};

/// How many jobs one turn looks at.
const BATCH: u32 = 200;
/// How many of them are moved side by side.
const AT_ONCE: usize = 4;

/// Carries out operations on jobs.
pub struct JobOperator {
    pub(super) tools: Tools,
}

#[async_trait]
impl Routine for JobOperator {
    about!("job-operator": "cancels or runs again all jobs that matched when somebody asked for it");

    fn woken_by(&self) -> &'static [Wakeup] {
        &[Wakeup::Operations]
    }

    async fn turn(&mut self) -> store::Result<Next> {
        let Some((operation, from)) = self.tools.store.unfinished_on_jobs().await? else {
            return Ok(Next::After(SAFETY));
        };
        let Some(jobs) = &operation.jobs else {
            return Ok(Next::After(SAFETY));
        };
        let page = PageRequest {
            limit: BATCH,
            after: from.map(|job| job.to_string()),
        };
        let page = self.tools.store.jobs(&filter_of(jobs), &page).await?;
        let meant: Vec<_> = page
            .items
            .iter()
            .filter(|job| is_meant(job, &operation))
            .collect();
        let moved = self.act_on(&operation, &meant).await?;
        let next = page.next.as_deref().map(str::parse).transpose();
        let next = next.map_err(|_| Error::BadCursor)?;
        let step = JobsStep {
            operation: operation.id,
            from,
            to: next,
            skipped: u32::try_from(meant.len() - moved).unwrap_or(u32::MAX),
            is_last: next.is_none(),
        };
        let now = self.tools.clock.now();
        self.tools.store.advance_on_jobs(&step, now).await?;
        self.tools.wakeups.send(Wakeup::Facts);
        Ok(Next::Now)
    }
}

/// Whether a job was there when the operation was asked for, and has not moved since.
fn is_meant(job: &Job, operation: &Operation) -> bool {
    job.created_at <= operation.created_at && job.updated_at <= operation.created_at
}

impl JobOperator {
    /// Does it to each; how many were changed. What the store refuses of one is no reason to leave the others.
    async fn act_on(&self, operation: &Operation, jobs: &[&Job]) -> store::Result<usize> {
        let acts = jobs.iter().map(|job| self.act_on_one(operation, job));
        let acts: Vec<_> = acts.collect();
        let acted: Vec<_> = stream::iter(acts).buffered(AT_ONCE).collect().await;
        let mut moved = Vec::new();
        for (job, acted) in jobs.iter().zip(acted) {
            match acted {
                Ok(true) => moved.push(*job),
                Err(error) if error.is_passing() => return Err(error),
                Ok(false) | Err(_) => {}
            }
        }
        self.tell_of(operation, &moved);
        Ok(moved.len())
    }

    async fn act_on_one(&self, operation: &Operation, job: &Job) -> store::Result<bool> {
        let reason = operation.reason.clone();
        let trigger = operation.action.on_jobs();
        let Some(transition) = trigger.and_then(|trigger| job.state.on(trigger).ok()) else {
            return Ok(false);
        };
        let act = match job.state {
            State::Running => JobAct::AskToStop(job.id, reason),
            _ => JobAct::Move(UnclaimedTransition {
                job: job.id,
                transition,
                reason: reason.filter(|_| transition.to() == State::Canceled),
                afresh: false,
            }),
        };
        let (store, now) = (&self.tools.store, self.tools.clock.now());
        store.act_on_job(operation.id, &act, now).await
    }

    /// Tells whoever waits for what was changed.
    fn tell_of(&self, operation: &Operation, moved: &[&Job]) {
        let trigger = operation.action.on_jobs();
        let is_queued = |job: &&&Job| {
            let to = trigger.and_then(|trigger| job.state.on(trigger).ok());
            to.is_some_and(|transition| transition.to() == State::Queued)
        };
        let queued = moved.iter().filter(is_queued);
        let hints = queued.map(|job| Hint::of(&job.queue, job.id, job.priority));
        self.tools.offers.claimable(hints);
        if moved.iter().any(|job| job.state == State::Running) {
            self.tools.wakeups.send(Wakeup::Cancel);
        }
    }
}
