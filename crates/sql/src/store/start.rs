//! Jobs that are added as a worker's own.

use baton_domain::{LeaseId, Timestamp, job::NewJob};
use baton_ports::store::{Atomicity, Claimed, Enqueued, Error, Jobs, Result, Start, Started};
use serde_json::json;

use super::{SqlStore, jobs::row_of};
use crate::{
    kernel::Lane,
    statement::{WORK_START, WORK_START_ONE},
    value::{Params, Value, params},
};

impl SqlStore {
    /// Starts what can be started, in one statement. Mostly that is everything; the rest goes the way
    /// of an enqueue, which finds what is there already.
    pub(super) async fn start_jobs(&self, jobs: Vec<NewJob>, start: &Start) -> Result<Started> {
        let Some(now) = jobs.iter().map(|job| job.created_at).max() else {
            return Ok(Started::default());
        };
        let fit: Vec<_> = jobs.iter().filter(|job| is_fit(job, start, now)).collect();
        let started = self.start_fit(&fit, start, now).await?;
        if started == jobs.len() {
            return Ok(all_started(jobs, start.lease, now));
        }
        let in_doubt = |error| match error {
            Error::Unavailable(why) if started > 0 => Error::Unconfirmed(why),
            error => error,
        };
        let answers = self
            .enqueue(jobs, Atomicity::Each)
            .await
            .map_err(in_doubt)?;
        let claimed = self.held_under(Lane::Queue, start.lease, start.worker);
        Ok(Started {
            answers,
            claimed: claimed.await.map_err(in_doubt)?,
        })
    }

    /// Says how many were started.
    async fn start_fit(&self, fit: &[&NewJob], start: &Start, now: Timestamp) -> Result<usize> {
        let mut params = params! {
            queue: start.queue.clone(), lease: start.lease.uuid(), worker: start.worker.uuid(),
            worker_name: start.worker.to_string(), until: start.until, now: now,
        };
        let script = match fit {
            [] => return Ok(0),
            [job] => {
                params.extend(params_of(job));
                &WORK_START_ONE
            }
            jobs => {
                let rows: Vec<_> = jobs.iter().map(|job| row_of(job)).collect();
                params.push(("rows", Value::Text(json!(rows).to_string())));
                &WORK_START
            }
        };
        Ok(self.write(script, params).await?.len())
    }
}

fn is_fit(job: &NewJob, start: &Start, now: Timestamp) -> bool {
    job.queue == start.queue && job.run_at <= now && job.expires_at.is_none_or(|at| at > now)
}

/// The answer needs no look at the store: what was written is here.
fn all_started(mut jobs: Vec<NewJob>, lease: LeaseId, now: Timestamp) -> Started {
    let answers = jobs.iter().map(|job| Enqueued::Created(job.id)).collect();
    jobs.sort_by_key(|job| (job.priority, job.run_at, job.id));
    let claimed = jobs.iter().map(|job| Claimed::first(job, lease, now));
    Started {
        answers,
        claimed: claimed.collect(),
    }
}

fn params_of(job: &NewJob) -> Params {
    params! {
        id: job.id.uuid(), key: job.key.clone(), hash: job.content_hash.clone(), kind: job.kind.clone(),
        priority: i64::from(job.priority), payload: job.payload.clone(), max_attempts: job.max_attempts,
        backoff: serde_json::to_string(&job.backoff).unwrap_or_default(),
        timeout_us: i64::try_from(job.timeout.as_micros()).unwrap_or(i64::MAX),
        run_at: job.run_at, expires_at: job.expires_at, delivery: job.delivery.as_str(),
        tags: serde_json::to_string(&job.tags).unwrap_or_default(),
    }
}
