//! Jobs that are added as a worker's own.

use std::collections::BTreeSet;

use baton_domain::{LeaseId, Timestamp, job::NewJob};
use baton_ports::store::{
    Atomicity, Claimed, Enqueued, Error, InlineStart, InlineStarted, Jobs, Result,
};

use super::{
    SqlStore, in_doubt,
    jobs::{columns, fields},
};
use crate::{
    kernel::ConnectionPool,
    row::{Row, Rows},
    statement as sql,
    value::{Params, params},
};

impl SqlStore {
    /// Starts what can be started, in one statement. Mostly that is everything; the rest goes the way
    /// of an enqueue, which finds what is there already.
    pub(super) async fn start_jobs(
        &self,
        jobs: Vec<NewJob>,
        start: &InlineStart,
    ) -> Result<InlineStarted> {
        let Some(now) = jobs.iter().map(|job| job.created_at).max() else {
            return Ok(InlineStarted::default());
        };
        let started = if are_fit(&jobs, start, now) {
            self.start_fit(&jobs, start, now).await?
        } else {
            let fit = jobs.iter().filter(|job| is_fit(job, start, now));
            let fit: Vec<_> = fit.cloned().collect();
            self.start_fit(&fit, start, now).await?
        };
        if started == jobs.len() {
            return Ok(all_started(&jobs, start.lease, now));
        }
        let enqueued = self.enqueue(jobs, Atomicity::Each).await;
        let answers = enqueued.map_err(|error| match started {
            0 => error,
            _ => in_doubt(error),
        })?;
        let claimed = self.held_under(ConnectionPool::Queue, start.lease, start.worker, now);
        Ok(InlineStarted {
            answers,
            claimed: claimed.await.map_err(in_doubt)?,
        })
    }

    /// Says how many were started.
    async fn start_fit(
        &self,
        fit: &[NewJob],
        start: &InlineStart,
        now: Timestamp,
    ) -> Result<usize> {
        if fit.is_empty() {
            return Ok(0);
        }
        if self.start_new(fit, start, now).await? {
            return Ok(fit.len());
        }
        let (script, params) = match fit {
            [job] if job.key.is_none() && self.kernel.has(&sql::work::START_ONE) => {
                (&sql::work::START_ONE, leased(fields(job, now), start))
            }
            jobs => (&sql::work::START, params_of(jobs, start, now)),
        };
        match self
            .kernel
            .write(ConnectionPool::Start, script, params)
            .await
        {
            Ok(rows) => Ok(rows.len()),
            // Its id is taken, as only a repeated start can find it: the enqueue that follows knows more.
            Err(Error::Refused(_)) => Ok(0),
            Err(error) => Err(error),
        }
    }
}

/// Whether jobs can be started in the transaction that adds them.
pub(super) fn are_fit(jobs: &[NewJob], start: &InlineStart, now: Timestamp) -> bool {
    !jobs.is_empty() && jobs.iter().all(|job| is_fit(job, start, now))
}

/// What `work/start` asks for.
pub(super) fn params_of(jobs: &[NewJob], start: &InlineStart, now: Timestamp) -> Params {
    leased(columns(jobs, now), start)
}

/// Those of the jobs that `work/start` has answered with.
pub(super) fn claimed_of(
    jobs: &[NewJob],
    rows: Rows,
    start: &InlineStart,
    now: Timestamp,
) -> Result<Vec<Claimed>> {
    let id = |row: Row| row.cells("jobs").uuid("id");
    let ids: BTreeSet<_> = rows.into_iter().map(id).collect::<Result<_>>()?;
    let started = jobs.iter().filter(|job| ids.contains(&job.id.uuid()));
    Ok(claimed(started, start.lease, now))
}

fn leased(mut params: Params, start: &InlineStart) -> Params {
    params.extend(params! {
        queue: start.queue.clone(), lease: start.lease.uuid(), worker: start.worker.uuid(),
        data: format!(r#"{{"attempt":1,"worker":"{}"}}"#, start.worker), until: start.until,
    });
    params
}

fn is_fit(job: &NewJob, start: &InlineStart, now: Timestamp) -> bool {
    job.queue == start.queue && job.run_at <= now && job.expires_at.is_none_or(|at| at > now)
}

/// The answer needs no look at the store: what was written is here.
fn all_started(jobs: &[NewJob], lease: LeaseId, now: Timestamp) -> InlineStarted {
    InlineStarted {
        answers: jobs.iter().map(|job| Enqueued::Created(job.id)).collect(),
        claimed: claimed(jobs.iter(), lease, now),
    }
}

/// Jobs as their first claim, in the order of a claim.
fn claimed<'a>(
    jobs: impl Iterator<Item = &'a NewJob>,
    lease: LeaseId,
    now: Timestamp,
) -> Vec<Claimed> {
    let mut jobs: Vec<_> = jobs.collect();
    jobs.sort_by_key(|job| (job.priority, job.run_at, job.id));
    let first = |job: &NewJob| Claimed::first(job, lease, now);
    jobs.into_iter().map(first).collect()
}
