//! Jobs that are all new, on a database that takes each value straight to its place.
//!
//! Nearly all jobs are: ids are drawn for them, and keys are taken once. So nothing is looked for first; what is there already takes the
//! whole batch back, and the careful statement looks at each.

use std::collections::{BTreeMap, BTreeSet};

use baton_domain::{
    Timestamp,
    job::{NewJob, State},
};
use baton_ports::store::{InlineStart, Result};
use serde_json::json;

use super::{SqlStore, jobs::columns, start};
use crate::{
    kernel::{ConnectionPool, Unit},
    statement as sql,
    value::{Params, column, params},
};

/// How many are named in one list at most: of many more, MariaDB looks through the whole table instead.
pub(super) const MOST: usize = 8_000;

/// How many jobs of one request have a row of the line each, at most. No fewer than are hinted at one by one: a hint's job is looked for in
/// a row of its own.
const ALONE: usize = 250;
/// How many of more share a row, at most. Whoever claims some of them, or moves one, has the row in hand meanwhile.
const BATCH: usize = 500;

impl SqlStore {
    /// Adds jobs that are all new. Says no, and does nothing, if one is there already, or if this database has no such way.
    pub(super) async fn enqueue_new(&self, jobs: &[NewJob], now: Timestamp) -> Result<bool> {
        if !self.kernel.has(&sql::jobs::ENQUEUE_NEW) || jobs.len() > MOST {
            return Ok(false);
        }
        let mut params = placed(jobs, now);
        params.extend(self.sides(jobs));
        let unit = Unit::of(&sql::jobs::ENQUEUE_NEW, params);
        let done = self.kernel.attempt(ConnectionPool::Queue, unit).await?;
        Ok(done.is_some())
    }

    /// Starts jobs that are all new. Says no, and does nothing, if one is there already, if their queue is not open, or if this database has
    /// no such way.
    pub(super) async fn start_new(
        &self,
        jobs: &[NewJob],
        start: &InlineStart,
        now: Timestamp,
    ) -> Result<bool> {
        if !self.kernel.has(&sql::work::START_NEW) || jobs.len() > MOST {
            return Ok(false);
        }
        let mut params = start::params_of(jobs, start, now);
        params.extend(keys_of(jobs));
        let ids: Vec<_> = jobs.iter().map(|job| job.id.uuid()).collect();
        params.extend(params! { n: jobs.len() as i64, subjects: json!(ids).to_string() });
        let unit = Unit::of(&sql::work::START_NEW, params);
        let done = self.kernel.attempt(ConnectionPool::Start, unit).await?;
        Ok(done.is_some())
    }
}

/// A batch with the place of each, and the facts.
fn placed(jobs: &[NewJob], now: Timestamp) -> Params {
    let (waiting, due): (Vec<_>, Vec<_>) = jobs.iter().partition(|job| job.run_at > now);
    let (batches, ready) = in_line(&due);
    let mut params = columns(jobs, now);
    params.extend(keys_of(jobs));
    params.extend(params! {
        waiting_ids: column(&waiting, |job| job.id.uuid()), waiting_queues: column(&waiting, |job| job.queue.clone()),
        waiting_priorities: column(&waiting, |job| i64::from(job.priority)), waiting_run_ats: column(&waiting, |job| job.run_at),
        waiting_expire_ats: column(&waiting, |job| job.expires_at),
        ready_ids: column(&ready, |job| job.id.uuid()), ready_queues: column(&ready, |job| job.queue.clone()),
        ready_priorities: column(&ready, |job| i64::from(job.priority)), ready_run_ats: column(&ready, |job| job.run_at),
        ready_expire_ats: column(&ready, |job| job.expires_at),
        batch_queues: column(&batches, |batch| batch.first.queue.clone()), batch_run_ats: column(&batches, |batch| batch.first.run_at),
        batch_firsts: column(&batches, |batch| batch.first.id.uuid()), batch_lasts: column(&batches, |batch| batch.last.id.uuid()),
        batch_counts: column(&batches, |batch| batch.n as i64),
    });
    params.extend(facts_of(jobs, now));
    params
}

/// Jobs that share a row of the line.
struct Batch<'a> {
    first: &'a NewJob,
    last: &'a NewJob,
    n: usize,
}

/// The rows of the line: those that many share, and the jobs that have one each.
fn in_line<'a>(due: &[&'a NewJob]) -> (Vec<Batch<'a>>, Vec<&'a NewJob>) {
    let (mut batches, mut ready) = (Vec::new(), Vec::new());
    for stretch in due.chunk_by(|job, next| is_behind(next, job)) {
        if stretch.len() <= ALONE {
            ready.extend(stretch);
            continue;
        }
        // None is tiny: a claim looks at few of them, and would believe the line to be over.
        let pieces = stretch.len().div_ceil(BATCH);
        for batch in stretch.chunks(stretch.len().div_ceil(pieces)) {
            if let (Some(first), Some(last)) = (batch.first(), batch.last()) {
                let n = batch.len();
                batches.push(Batch { first, last, n });
            }
        }
    }
    (batches, ready)
}

/// Whether a job may stand in the row of the one before it: nothing can come between them, and what a batch says once is so for both.
fn is_behind(job: &NewJob, before: &NewJob) -> bool {
    let is_plain = |job: &NewJob| job.priority == 0 && job.expires_at.is_none();
    job.id.follows(before.id)
        && (&job.queue, job.run_at) == (&before.queue, before.run_at)
        && is_plain(job)
        && is_plain(before)
}

/// The keys they come with, in the order of the keys.
fn keys_of(jobs: &[NewJob]) -> Params {
    let mut keyed: Vec<_> = jobs.iter().filter(|job| job.key.is_some()).collect();
    keyed.sort_unstable_by_key(|job| &job.key);
    params! {
        taken_keys: column(&keyed, |job| job.key.clone()), key_ids: column(&keyed, |job| job.id.uuid()),
        key_hashes: column(&keyed, |job| job.content.digest().to_owned()),
    }
}

/// A fact for each queue and state.
fn facts_of(jobs: &[NewJob], now: Timestamp) -> Params {
    let mut groups: BTreeMap<(&str, bool), Vec<&NewJob>> = BTreeMap::new();
    for job in jobs {
        let is_waiting = job.run_at > now;
        groups
            .entry((&job.queue, is_waiting))
            .or_default()
            .push(job);
    }
    let facts: Vec<_> = groups
        .into_iter()
        .map(|((queue, is_waiting), of)| Accepted {
            queue,
            is_waiting,
            of,
        })
        .collect();
    let queues: BTreeSet<_> = facts.iter().map(|fact| fact.queue.to_owned()).collect();
    params! {
        names: queues.into_iter().collect::<Vec<_>>(),
        fact_ns: column(&facts, |fact| fact.of.len() as i64),
        fact_types: column(&facts, |fact| format!("job.{}", fact.state().as_str())),
        fact_queues: column(&facts, |fact| fact.queue.to_owned()),
        fact_states: column(&facts, |fact| fact.state().as_str()),
        fact_subjects: column(&facts, Accepted::subjects),
        fact_items: column(&facts, Accepted::items),
    }
}

/// Jobs of one queue that begin in one state.
struct Accepted<'a> {
    queue: &'a str,
    is_waiting: bool,
    of: Vec<&'a NewJob>,
}

impl Accepted<'_> {
    const fn state(&self) -> State {
        if self.is_waiting {
            State::Pending
        } else {
            State::Queued
        }
    }

    fn subjects(&self) -> String {
        let ids: Vec<_> = self.of.iter().map(|job| job.id.uuid()).collect();
        json!(ids).to_string()
    }

    /// When each is due, as far as that is not now.
    fn items(&self) -> Option<String> {
        let due = |job: &&NewJob| json!({ "run_at": job.run_at.as_micros() });
        let all = || json!(self.of.iter().map(due).collect::<Vec<_>>()).to_string();
        self.is_waiting.then(all)
    }
}
