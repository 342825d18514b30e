//! Mistakes with jobs, facts and queues.

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::{
    JobId, Timestamp,
    event::Event,
    job::NewJob,
    queue::{Queue, QueueChange},
};
use baton_ports::{
    Store,
    store::{Atomicity, Enqueued, EventFilter, Released, Result},
};

use super::{is_caught, with};
use baton_ports::layer::Hook;

/// Releases what is due soon.
struct Early;

#[async_trait]
impl Hook for Early {
    async fn release(&self, below: &dyn Store, limit: u32, now: Timestamp) -> Result<Released> {
        below.release(limit, now + Duration::from_secs(2)).await
    }
}

#[test]
fn a_job_that_is_released_early_is_caught() {
    is_caught(
        |store, _| with(store, Early),
        "no_call_comes_before_its_time",
    );
}

/// Tells every fact but each twentieth, and closes the gaps.
struct Secretive;

#[async_trait]
impl Hook for Secretive {
    async fn events(
        &self,
        below: &dyn Store,
        after: i64,
        limit: u32,
        filter: &EventFilter,
    ) -> Result<(Vec<Event>, i64)> {
        let (mut events, looked_at) = below.events(after, limit, filter).await?;
        events.retain(|event| event.id.seq % 20 != 0);
        for event in &mut events {
            event.id.seq -= event.id.seq / 20;
        }
        Ok((events, looked_at))
    }
}

#[test]
fn a_fact_that_is_not_told_is_caught() {
    is_caught(
        |store, _| with(store, Secretive),
        "every_move_is_legal_and_one_fact",
    );
}

/// Confirms jobs without a key, and forgets those whose priority is highest.
struct Forgetful;

#[async_trait]
impl Hook for Forgetful {
    async fn enqueue(
        &self,
        below: &dyn Store,
        jobs: Vec<NewJob>,
        atomicity: Atomicity,
    ) -> Result<Vec<Enqueued>> {
        let answers = jobs.iter().map(|job| Enqueued::Created(job.id)).collect();
        let is_kept = |job: &NewJob| job.key.is_some() || job.priority > -2;
        if jobs.iter().all(is_kept) {
            return below.enqueue(jobs, atomicity).await;
        }
        let kept = jobs.into_iter().filter(is_kept).collect();
        below.enqueue(kept, atomicity).await?;
        Ok(answers)
    }
}

#[test]
fn a_job_that_is_confirmed_and_forgotten_is_caught() {
    is_caught(
        |store, _| with(store, Forgetful),
        "nothing_accepted_is_lost",
    );
}

/// Adds a job whose key is taken, as another one without a key.
struct Keyless;

#[async_trait]
impl Hook for Keyless {
    async fn enqueue(
        &self,
        below: &dyn Store,
        jobs: Vec<NewJob>,
        atomicity: Atomicity,
    ) -> Result<Vec<Enqueued>> {
        let mut answers = below.enqueue(jobs.clone(), atomicity).await?;
        for (mut job, answer) in jobs.into_iter().zip(&mut answers) {
            if let Enqueued::Known(_) = answer {
                job.key = None;
                *answer = below.enqueue(vec![job], atomicity).await?[0].clone();
            }
        }
        Ok(answers)
    }
}

#[test]
fn a_key_that_is_not_looked_up_is_caught() {
    is_caught(|store, _| with(store, Keyless), "one_key_is_one_job");
}

/// Confirms a wish to stop, and does not write it down.
struct Deaf;

#[async_trait]
impl Hook for Deaf {
    async fn request_cancel(
        &self,
        _: &dyn Store,
        _: JobId,
        _: Option<&str>,
        _: Timestamp,
    ) -> Result<bool> {
        Ok(true)
    }
}

#[test]
fn a_wish_to_stop_that_is_confirmed_and_forgotten_is_caught() {
    is_caught(
        |store, _| with(store, Deaf),
        "a_job_that_was_asked_to_stop_does_not_start_again",
    );
}

/// Confirms a queue's limit, and keeps none.
struct Boundless;

#[async_trait]
impl Hook for Boundless {
    async fn change_queue(
        &self,
        below: &dyn Store,
        name: &str,
        change: &QueueChange,
        now: Timestamp,
    ) -> Result<Queue> {
        let change = QueueChange {
            max_running: None,
            ..change.clone()
        };
        below.change_queue(name, &change, now).await
    }
}

#[test]
fn a_limit_that_is_not_kept_is_caught() {
    is_caught(
        |store, _| with(store, Boundless),
        "a_queue_keeps_its_limits",
    );
}

/// Confirms a queue's rate, and lets start twice as much.
struct Generous;

#[async_trait]
impl Hook for Generous {
    async fn change_queue(
        &self,
        below: &dyn Store,
        name: &str,
        change: &QueueChange,
        now: Timestamp,
    ) -> Result<Queue> {
        let twice = change.rate.map(|rate| rate.map(|rate| 2.0 * rate));
        let change = QueueChange {
            rate: twice,
            ..change.clone()
        };
        below.change_queue(name, &change, now).await
    }
}

#[test]
fn a_rate_that_is_not_kept_is_caught() {
    is_caught(|store, _| with(store, Generous), "a_queue_keeps_its_limits");
}
