//! The job operator carries out operations on jobs: page by page from the newest to the oldest, each job with its count in one
//! transaction, and then the place it has come to. Who begins a page again finds moved what was moved.

use super::{SAFETY, Tools};
use crate::{Next, Routine, operations::filter_of, routine::about};
use async_trait::async_trait;
use baton_domain::{
    Lifecycle, Timestamp,
    job::{Job, State},
    operation::{JobSelection, Operation},
    page::PageRequest,
};
use baton_ports::{
    Hint, Wakeup,
    store::{self, Error, JobAct, JobsStep, UnclaimedTransition},
};

/// How many jobs one turn looks at.
const BATCH: u32 = 200;

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
        let now = self.tools.clock.now();
        let is_meant = |job: &&Job| is_meant(job, jobs, operation.created_at, now);
        let meant: Vec<_> = page.items.iter().filter(is_meant).collect();
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

/// Whether a job was there when the operation was asked for, and nothing has become of it since. A moment that is still to come is
/// of a clock that was put back meanwhile.
fn is_meant(job: &Job, jobs: &JobSelection, asked_at: Timestamp, now: Timestamp) -> bool {
    let was_before = |at: Timestamp| at <= asked_at || at > now;
    let has_tag = |tag: &String| job.options.tags.contains(tag);
    was_before(job.created_at)
        && was_before(job.updated_at)
        && job.cancel_asked_at.is_none_or(|at| at < asked_at)
        && jobs.tag.as_ref().is_none_or(has_tag)
}

impl JobOperator {
    /// Does it to each; how many were changed. What the store refuses of one is no reason to leave the others.
    async fn act_on(&self, operation: &Operation, jobs: &[&Job]) -> store::Result<usize> {
        let (mut moved, mut trouble) = (Vec::new(), None);
        for job in jobs {
            match self.act_on_one(operation, job).await {
                Ok(true) => moved.push(*job),
                Err(error) if error.is_passing() => {
                    trouble = Some(error);
                    break;
                }
                Ok(false) | Err(_) => {}
            }
        }
        self.tell_of(operation, &moved);
        trouble.map_or(Ok(moved.len()), Err)
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
