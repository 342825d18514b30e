//! Jobs as clients and operators deal with them.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use async_trait::async_trait;
use baton_domain::{
    JobId, Timestamp,
    checkpoint::Checkpoint,
    job::{Attempt, AttemptCounters, Job, NewJob, Outcome, State},
    page::{Page, PageRequest},
};

use super::{
    Cancellation, Key, MemoryStore, Tables, counting::Counting, facts::Fact, moves::Arrival,
};
use crate::store::{
    Atomicity, Counted, Enqueued, Forgotten, JobFilter, Jobs, Result, UnclaimedTransition,
};

/// How many rows one page looks at.
const LOOK: usize = 10_000;

#[async_trait]
impl Jobs for MemoryStore {
    async fn enqueue(&self, jobs: Vec<NewJob>, atomicity: Atomicity) -> Result<Vec<Enqueued>> {
        let mut tables = self.tables();
        let before = tables.jobs.len();
        let answers = tables.enqueue(jobs, atomicity);
        let has_added = tables.jobs.len() > before;
        self.put_down(&mut tables, has_added);
        Ok(answers)
    }

    async fn job(&self, id: JobId) -> Result<Option<Job>> {
        Ok(self.tables().view(id))
    }

    async fn jobs(&self, filter: &JobFilter, page: &PageRequest) -> Result<Page<Job>> {
        self.tables().list(filter, page)
    }

    async fn count_jobs(&self, filter: &JobFilter) -> Result<Counted> {
        let tables = self.tables();
        let newest = tables.jobs.keys().rev().copied();
        let seen = newest.take(LOOK).filter_map(|id| tables.view(id));
        Ok(Counted {
            n: seen.filter(|job| filter.matches(job)).count() as u64,
            is_at_least: tables.jobs.len() > LOOK,
        })
    }

    async fn longest_running(&self, limit: u32) -> Result<Vec<Job>> {
        let tables = self.tables();
        let running = tables.leased.keys().filter_map(|id| tables.view(*id));
        let mut running: Vec<_> = running.collect();
        running.sort_by_key(|job| (job.updated_at, job.id));
        running.truncate(limit as usize);
        Ok(running)
    }

    async fn attempts_of(&self, ids: &[JobId]) -> Result<Vec<Attempt>> {
        let tables = self.tables();
        let ids: BTreeSet<_> = ids.iter().copied().collect();
        Ok(ids.into_iter().flat_map(|id| tables.history(id)).collect())
    }

    async fn forgotten(&self, key: &str) -> Result<Option<Forgotten>> {
        let tables = self.tables();
        let key = tables.keys.get(key);
        Ok(key.and_then(|key| {
            let (state, finished_at) = key.ended?;
            Some(Forgotten {
                job: key.job,
                created_at: key.at,
                state,
                finished_at,
            })
        }))
    }

    async fn transition(&self, change: &UnclaimedTransition, now: Timestamp) -> Result<bool> {
        let mut tables = self.tables();
        let fact = tables.transition(change.job, change.transition, change.reason.as_deref(), now);
        let has_moved = fact.is_some();
        if has_moved && change.afresh {
            tables.begin_anew(change.job, now);
        }
        tables.ledger.tell(fact.into_iter().collect());
        self.put_down(&mut tables, has_moved);
        Ok(has_moved)
    }

    async fn checkpoints(&self, ids: &[JobId]) -> Result<Vec<Checkpoint>> {
        Ok(self.tables().checkpoints_of(ids))
    }

    async fn request_cancel(
        &self,
        id: JobId,
        reason: Option<&str>,
        now: Timestamp,
    ) -> Result<bool> {
        let mut tables = self.tables();
        let was_asked = tables.cancellations.contains_key(&id);
        let is_running = tables.request_cancel(id, reason, now);
        self.put_down(&mut tables, is_running && !was_asked);
        Ok(is_running)
    }

    async fn force_cancel(&self, id: JobId, reason: Option<&str>, now: Timestamp) -> Result<bool> {
        let mut tables = self.tables();
        let is_taken = tables.force_cancel(id, reason, now).is_some();
        self.put_down(&mut tables, is_taken);
        Ok(is_taken)
    }
}

impl Tables {
    pub(super) fn enqueue(&mut self, mut jobs: Vec<NewJob>, atomicity: Atomicity) -> Vec<Enqueued> {
        let now = jobs.iter().map(|job| job.created_at).max();
        let now = now.unwrap_or_default();
        jobs.iter_mut().for_each(|job| job.created_at = now);
        let answers = self.answers(&jobs);
        let is_conflict = |answer: &Enqueued| matches!(answer, Enqueued::Conflict(_));
        if atomicity == Atomicity::All && answers.iter().any(is_conflict) {
            return answers;
        }
        let mut facts = Vec::new();
        for (job, answer) in jobs.into_iter().zip(&answers) {
            let is_new = !self.jobs.contains_key(&job.id);
            if is_new && matches!(answer, Enqueued::Created(_)) {
                facts.push(self.add(job));
            }
        }
        self.ledger.tell(facts);
        answers
    }

    /// What becomes of each job. A key is taken by the first job of the batch that names it; a job
    /// that is here already comes from a call whose answer was lost.
    fn answers(&self, jobs: &[NewJob]) -> Vec<Enqueued> {
        let mut named = BTreeMap::new();
        let mut answers = Vec::new();
        for job in jobs {
            if self.jobs.contains_key(&job.id) {
                answers.push(Enqueued::Created(job.id));
                continue;
            }
            let Some(key) = &job.key else {
                answers.push(Enqueued::Created(job.id));
                continue;
            };
            let taken = self
                .keys
                .get(key)
                .map(|key| (key.job, key.content_hash.as_str()));
            let taken = taken.or_else(|| named.get(key).copied());
            answers.push(match taken {
                None => Enqueued::Created(job.id),
                Some((holder, hash)) if job.content.digest() == hash => Enqueued::Known(holder),
                Some((holder, _)) => Enqueued::Conflict(holder),
            });
            named.entry(key).or_insert((job.id, job.content.digest()));
        }
        answers
    }

    pub(super) fn add(&mut self, job: NewJob) -> Fact {
        let (id, now) = (job.id, job.created_at);
        let to = if job.run_at <= now {
            State::Queued
        } else {
            State::Pending
        };
        if let Some(key) = &job.key {
            let row = Key {
                job: id,
                content_hash: job.content.digest().to_owned(),
                at: now,
                ended: None,
            };
            self.keys.insert(key.clone(), row);
        }
        self.named_by(&job.queue, job.worked_by, now);
        let fact = Fact::moved(id, &job.queue, None, to, now);
        let run_at = (to == State::Pending).then(|| job.run_at.to_string());
        let arrival = Arrival::new(AttemptCounters::before_the_first(), job.run_at);
        self.jobs.insert(id, job);
        self.put(id, to, arrival, now);
        fact.with_any("run_at", run_at)
    }

    fn list(&self, filter: &JobFilter, page: &PageRequest) -> Result<Page<Job>> {
        let after = page.cursor::<JobId>()?;
        let older = self.jobs.keys().rev().copied();
        let mut older = older.filter(|id| after.is_none_or(|after| *id < after));
        let mut items = Vec::new();
        let mut looked_at = None;
        for id in older.by_ref().take(LOOK) {
            looked_at = Some(id);
            items.extend(self.view(id).filter(|job| filter.matches(job)));
            if items.len() >= page.limit as usize {
                break;
            }
        }
        let next = older.next().and(looked_at);
        Ok(Page {
            items,
            next: next.map(|id| id.to_string()),
        })
    }

    pub(super) fn request_cancel(
        &mut self,
        id: JobId,
        reason: Option<&str>,
        now: Timestamp,
    ) -> bool {
        if self.state(id) != Some(State::Running) {
            return false;
        }
        if let Entry::Vacant(place) = self.cancellations.entry(id) {
            place.insert(Cancellation {
                at: now,
                reason: reason.map(str::to_owned),
            });
            let fact = Fact::about("job.cancel_asked", id.to_string(), now)
                .with("queue", self.jobs[&id].queue.as_str())
                .with_any("reason", reason);
            self.ledger.tell(vec![fact]);
        }
        true
    }

    fn force_cancel(&mut self, id: JobId, reason: Option<&str>, now: Timestamp) -> Option<()> {
        let mut attempt = self
            .history(id)
            .pop()
            .filter(|last| last.outcome.is_none())?;
        let leased = self.take_leased(id)?;
        attempt.outcome = Some(Outcome::Canceled);
        attempt.state = Some(State::Canceled);
        attempt.ended_at = Some(now);
        self.attempts.insert((id, attempt.attempt), attempt);
        let arrival = Arrival {
            reason: reason.map(str::to_owned),
            ..Arrival::new(leased.counters, leased.run_at)
        };
        self.put(id, State::Canceled, arrival, now);
        let queue = &self.jobs[&id].queue;
        let fact = Fact::moved(id, queue, Some(State::Running), State::Canceled, now)
            .with("attempt", leased.counters.attempt)
            .with_any("reason", reason);
        self.ledger.tell(vec![fact]);
        Some(())
    }
}

impl JobFilter {
    fn matches(&self, job: &Job) -> bool {
        self.state.is_none_or(|state| state == job.state)
            && self.kind.as_ref().is_none_or(|kind| *kind == job.kind)
            && self.queue.as_ref().is_none_or(|queue| *queue == job.queue)
            && self
                .tag
                .as_ref()
                .is_none_or(|tag| job.options.tags.contains(tag))
            && (self.key.is_none() || self.key == job.key)
            && self
                .campaign
                .is_none_or(|id| job.id.recipient_of(id).is_some())
    }
}
