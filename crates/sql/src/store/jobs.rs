//! Jobs as clients and operators deal with them.

use std::{
    collections::{BTreeSet, HashMap},
    ops::Range,
    sync::Arc,
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::{
    JobId, Timestamp, Trace,
    checkpoint::Checkpoint,
    fingerprint::fingerprint,
    job::{Attempt, Backoff, Failure, Job, NewJob, Reason, State, Trigger},
    page::{Page, PageRequest},
    queue::WorkedBy,
};
use baton_ports::store::{
    Atomicity, Counted, Enqueued, Error, Forgotten, JobFilter, Jobs, Result, UnclaimedTransition,
};
use uuid::Uuid;

use super::{
    SqlStore,
    audit_log::{has_row, has_rows, says_so},
    blocks, read,
};
use crate::{
    kernel::{CommitIf, ConnectionPool, Unit},
    row::Rows,
    statement::{self as sql, Script},
    value::{Params, Value, column, params},
};

/// How many rows a filtered page looks at, at least.
const SEARCH: u32 = 2_000;
/// How many rows are looked at to count jobs.
const COUNT: u32 = 10_000;

#[async_trait]
impl Jobs for SqlStore {
    async fn enqueue(&self, jobs: Vec<NewJob>, atomicity: Atomicity) -> Result<Vec<Enqueued>> {
        let Some(now) = jobs.iter().map(|job| job.created_at).max() else {
            return Ok(Vec::new());
        };
        if self.audit.is_none() && self.enqueue_new(&jobs, now).await? {
            return Ok(jobs.iter().map(|job| Enqueued::Created(job.id)).collect());
        }
        let keys: Vec<_> = jobs.iter().filter_map(|job| job.key.as_deref()).collect();
        let enqueue = self.columns(&jobs, now);
        if keys.is_empty() && self.audit.is_none() {
            self.write(&sql::jobs::ENQUEUE, enqueue).await?;
            return Ok(jobs.iter().map(|job| Enqueued::Created(job.id)).collect());
        }
        let look = params! { keys: self.list(&keys) };
        let jobs = Arc::new(jobs);
        let keep = keeper(&jobs, atomicity);
        let unit = self.with_entry(Unit {
            scripts: vec![
                (&sql::jobs::ENQUEUE, enqueue),
                (&sql::jobs::KEY_HOLDERS, look),
            ],
            keep,
        });
        let rows = self.kernel.transact(ConnectionPool::Queue, unit).await?;
        let holders = holders(&rows)?;
        if has_forgotten(&jobs, &holders) {
            // The key was taken when the job came and forgotten before we looked: ask again.
            return Err(Error::Unconfirmed(
                "a key was forgotten meanwhile".to_owned(),
            ));
        }
        Ok(answer(&jobs, &holders))
    }

    async fn job(&self, id: JobId) -> Result<Option<Job>> {
        let params = params! { ids: self.list(&[id.uuid()]) };
        let rows = self.read(&sql::jobs::PLACES, params).await?;
        self.the_one("jobs", rows, read::job)
    }

    async fn jobs(&self, filter: &JobFilter, page: &PageRequest) -> Result<Page<Job>> {
        let (lowest, before) = bounds(filter);
        let after = page.cursor()?.map(JobId::uuid);
        let before = after.map_or(before, |after| after.min(before));
        let (ids, next) = self.search(filter, lowest..before, page.limit).await?;
        let rows = self
            .read(&sql::jobs::PLACES, params! { ids: self.list(&ids) })
            .await?;
        let jobs = self.readable("jobs", rows, read::job);
        // A job can have moved on between the search and the look.
        let still = |job: &Job| filter.state.is_none_or(|state| job.state == state);
        let items = jobs.into_iter().filter(still).collect();
        Ok(Page {
            items,
            next: next.map(|id| JobId::from_uuid(id).to_string()),
        })
    }

    async fn count_jobs(&self, filter: &JobFilter) -> Result<Counted> {
        let (lowest, before) = bounds(filter);
        let params = looked_for(filter, lowest..before, COUNT);
        let rows = self.read(candidates(filter), params).await?;
        let is_at_least = rows.len() >= COUNT as usize;
        let (ids, _) = choose(rows, usize::MAX, true)?;
        Ok(Counted {
            n: ids.len() as u64,
            is_at_least,
        })
    }

    async fn longest_running(&self, limit: u32) -> Result<Vec<Job>> {
        let rows = self
            .read(&sql::jobs::LONGEST, params! { limit: limit })
            .await?;
        let ids = rows.into_iter().map(|row| row.cells("held").uuid("job_id"));
        let ids: Vec<_> = ids.collect::<Result<_>>()?;
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let params = params! { ids: self.list(&ids) };
        let rows = self.read(&sql::jobs::PLACES, params).await?;
        let mut running = self.readable("jobs", rows, read::job);
        running.retain(|job| job.state == State::Running);
        running.sort_by_key(|job| (job.updated_at, job.id));
        Ok(running)
    }

    async fn attempts_of(&self, ids: &[JobId]) -> Result<Vec<Attempt>> {
        match (self.attempts_at_once(ids).await, ids) {
            // The database itself cannot read what is kept of one of them.
            (Err(Error::Corrupt { .. }), [_, _, ..]) => {}
            (attempts, _) => return attempts,
        }
        let mut all = Vec::new();
        for id in ids {
            match self.attempts_at_once(&[*id]).await {
                Ok(attempts) => all.extend(attempts),
                Err(Error::Corrupt { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(all)
    }

    async fn forgotten(&self, key: &str) -> Result<Option<Forgotten>> {
        let rows = self
            .read(&sql::jobs::FORGOTTEN, params! { key: key })
            .await?;
        self.the_one("job_keys", rows, |row| {
            let mut cells = row.cells("job_keys");
            Ok(Forgotten {
                job: JobId::from_uuid(cells.uuid("job_id")?),
                created_at: cells.time("created_at")?,
                state: cells.word("ended_as")?,
                finished_at: cells.time("ended_at")?,
            })
        })
    }

    async fn transition(&self, change: &UnclaimedTransition, now: Timestamp) -> Result<bool> {
        let Some(params) = self.shifted(change, now).await? else {
            return Ok(false);
        };
        if change.afresh {
            let anew = params! { job: change.job.uuid(), now: now };
            let scripts = vec![(&sql::jobs::SHIFT, params), (&sql::jobs::BEGIN_ANEW, anew)];
            return self.audited_if(scripts, |rows| has_row(rows, 0)).await;
        }
        let moved = self.operate_audited(&sql::jobs::SHIFT, params, has_rows);
        Ok(has_rows(&moved.await?))
    }

    async fn checkpoints(&self, ids: &[JobId]) -> Result<Vec<Checkpoint>> {
        let uuids: Vec<_> = ids.iter().map(|id| id.uuid()).collect();
        let params = params! { ids: self.list(&uuids) };
        let rows = self.read(&sql::jobs::CHECKPOINTS, params).await?;
        Ok(self.readable("checkpoints", rows, read::checkpoint))
    }

    async fn request_cancel(
        &self,
        id: JobId,
        reason: Option<&str>,
        now: Timestamp,
    ) -> Result<bool> {
        let params = params! { job: id.uuid(), reason: reason, now: now };
        // It says in its second cell whether nobody had asked before.
        let is_new = |rows: &Rows| says_so(rows, 1);
        let running = self.operate_audited(&sql::jobs::REQUEST_CANCEL, params, is_new);
        Ok(has_rows(&running.await?))
    }

    async fn force_cancel(&self, id: JobId, reason: Option<&str>, now: Timestamp) -> Result<bool> {
        let params = params! { job: id.uuid(), reason: reason, now: now };
        let taken = self.operate_audited(&sql::jobs::FORCE_CANCEL, params, has_rows);
        Ok(has_rows(&taken.await?))
    }
}

impl SqlStore {
    /// A move as the statement takes it; nothing of one that no person makes.
    pub(super) async fn shifted(
        &self,
        change: &UnclaimedTransition,
        now: Timestamp,
    ) -> Result<Option<Params>> {
        // What a worker holds is moved by claiming and settling only.
        if [change.transition.from(), change.transition.to()].contains(&State::Running) {
            return Ok(None);
        }
        let failure = Failure::without_attempt(change.transition.trigger());
        let fingerprint = match &failure {
            Some(failure) => self
                .job(change.job)
                .await?
                .map(|job| fingerprint(&job.kind, failure)),
            None => None,
        };
        Ok(Some(params! {
            fingerprint: fingerprint,
            event: if change.transition.trigger() == Trigger::Release { "release" } else { "wish" },
            code: failure.as_ref().map(|failure| failure.code.clone()), message: failure.map(|failure| failure.message),
            job: change.job.uuid(), from: change.transition.from().as_str(), to: change.transition.to().as_str(),
            reason: reason_of(change), now: now,
        }))
    }

    /// A batch as the statement of an enqueue takes it, with who works off the queues that it may make.
    pub(super) fn columns(&self, jobs: &[NewJob], now: Timestamp) -> Params {
        let mut params = columns(jobs, now);
        params.extend(self.sides(jobs));
        params
    }

    /// The queues among those of a batch that are for remote workers, if nobody has named them before.
    pub(super) fn sides(&self, jobs: &[NewJob]) -> Params {
        let remote = jobs.iter().filter(|job| job.worked_by == WorkedBy::Remote);
        let names: BTreeSet<_> = remote.map(|job| job.queue.as_str()).collect();
        params! { remote: self.list(&names.into_iter().collect::<Vec<_>>()) }
    }

    async fn attempts_at_once(&self, ids: &[JobId]) -> Result<Vec<Attempt>> {
        let uuids: Vec<_> = ids.iter().map(|id| id.uuid()).collect();
        let params = params! { ids: self.list(&uuids) };
        let rows = self.read(&sql::jobs::ATTEMPTS, params).await;
        if let (Err(error @ Error::Corrupt { .. }), [id]) = (&rows, ids) {
            self.note_unreadable("settlements", format!("of {id}"), error);
        }
        Ok(self.readable("attempts", rows?, read::attempt))
    }

    /// The ids of the next jobs that match, newest first, and where to go on.
    async fn search(
        &self,
        filter: &JobFilter,
        range: Range<Uuid>,
        limit: u32,
    ) -> Result<(Vec<Uuid>, Option<Uuid>)> {
        let has_other = filter.kind.is_some() || filter.queue.is_some() || filter.tag.is_some();
        let budget = if has_other {
            SEARCH.max(limit + 1)
        } else {
            limit + 1
        };
        let params = looked_for(filter, range, budget);
        let rows = self.read(candidates(filter), params).await?;
        let exhausted = rows.len() < budget as usize;
        choose(rows, limit as usize, exhausted)
    }
}

/// A filter as the statements take it, that look at so many rows of a range.
fn looked_for(filter: &JobFilter, range: Range<Uuid>, budget: u32) -> Params {
    let tag = filter.tag.as_ref().map(|tag| format!("\"{tag}\""));
    params! {
        lowest: range.start, before: range.end, budget: budget, block_rows: budget + 2 * blocks::SIZE, state: filter.state.map(State::as_str), kind: filter.kind.clone(),
        queue: filter.queue.clone(), tag: tag, key: filter.key.clone(),
    }
}

/// The lowest id that can be meant, and the first one beyond.
fn bounds(filter: &JobFilter) -> (Uuid, Uuid) {
    filter
        .campaign
        .map_or((Uuid::nil(), Uuid::max()), |campaign| {
            let (lowest, highest) = campaign.deliveries();
            let beyond = highest.uuid().as_u128().saturating_add(1);
            (lowest.uuid(), Uuid::from_u128(beyond))
        })
}

/// Where to look: in the smallest place that can hold what is asked for.
fn candidates(filter: &JobFilter) -> &'static Script {
    if filter.key.is_some() {
        return &sql::jobs::SCAN_KEY;
    }
    match filter.state {
        None => &sql::jobs::SCAN_ALL,
        Some(State::Pending | State::RetryWait) => &sql::jobs::SCAN_WAITING,
        Some(State::Queued) => &sql::jobs::SCAN_READY,
        Some(State::Running) => &sql::jobs::SCAN_HELD,
        Some(State::Succeeded) => &sql::jobs::SCAN_SUCCEEDED,
        Some(_) => &sql::jobs::SCAN_FINISHED,
    }
}

fn choose(rows: Rows, limit: usize, exhausted: bool) -> Result<(Vec<Uuid>, Option<Uuid>)> {
    let mut ids = Vec::new();
    let mut last = None;
    for row in rows {
        if ids.len() == limit {
            return Ok((ids, last));
        }
        let mut cells = row.cells("jobs");
        let id = cells.uuid("id")?;
        if cells.truth("matches")? {
            ids.push(id);
        }
        last = Some(id);
    }
    Ok((ids, last.filter(|_| !exhausted)))
}

/// Why, as the job will show it; a dead letter always says why.
fn reason_of(change: &UnclaimedTransition) -> Option<String> {
    let usual = match change.transition.trigger() {
        Trigger::Expire => Some(Reason::Expired.as_str()),
        Trigger::ResolveFailed => Some(Reason::Permanent.as_str()),
        _ => None,
    };
    change.reason.clone().or(usual.map(str::to_owned))
}

pub(super) type Holders = HashMap<String, (Uuid, String)>;

/// Decides whether a batch stands, on seeing who holds its keys: under [`Atomicity::All`] a key
/// taken with other content takes everything back.
pub(super) fn keeper(jobs: &Arc<Vec<NewJob>>, atomicity: Atomicity) -> Option<CommitIf> {
    if atomicity == Atomicity::Each {
        return None;
    }
    let jobs = Arc::clone(jobs);
    Some(Box::new(move |rows| {
        let stands = |holders: &Holders, job: &NewJob| {
            let holder = job.key.as_ref().and_then(|key| holders.get(key));
            holder.is_none_or(|(_, kept)| agrees(job, kept))
        };
        holders(rows).is_ok_and(|holders| jobs.iter().all(|job| stands(&holders, job)))
    }))
}

/// Whether what was kept beside a key is the content of this job.
pub(super) fn agrees(job: &NewJob, kept: &str) -> bool {
    job.content.digest() == kept
}

pub(super) fn holders(rows: &[Rows]) -> Result<Holders> {
    let rows = rows.last().cloned().unwrap_or_default();
    rows.into_iter()
        .map(|row| {
            let mut cells = row.cells("job_keys");
            Ok((
                cells.text("key")?,
                (cells.uuid("job_id")?, cells.text("content_hash")?),
            ))
        })
        .collect()
}

/// Whether a key has no holder at all, not even the job that has just come with it.
pub(super) fn has_forgotten(jobs: &[NewJob], holders: &Holders) -> bool {
    let mut keys = jobs.iter().filter_map(|job| job.key.as_ref());
    keys.any(|key| !holders.contains_key(key))
}

pub(super) fn answer(jobs: &[NewJob], holders: &Holders) -> Vec<Enqueued> {
    let one = |job: &NewJob| match job.key.as_ref().and_then(|key| holders.get(key)) {
        Some((holder, _)) if *holder == job.id.uuid() => Enqueued::Created(job.id),
        Some((holder, kept)) if agrees(job, kept) => Enqueued::Known(JobId::from_uuid(*holder)),
        Some((holder, _)) => Enqueued::Conflict(JobId::from_uuid(*holder)),
        None => Enqueued::Created(job.id),
    };
    jobs.iter().map(one).collect()
}

/// A batch as the statement takes it: column by column.
pub(super) fn columns(jobs: &[NewJob], now: Timestamp) -> Params {
    let mut params = params! {
        ids: column(jobs, |job| job.id.uuid()),
        keys: column(jobs, |job| job.key.clone()),
        hashes: column(jobs, |job| job.content.digest().to_owned()),
        queues: column(jobs, |job| job.queue.clone()),
        kinds: column(jobs, |job| job.kind.clone()),
        now: now,
    };
    params.extend(
        ASKED
            .iter()
            .map(|(name, value)| (*name, column(jobs, value))),
    );
    params
}

/// One job as the statement takes it, field by field.
pub(super) fn fields(job: &NewJob, now: Timestamp) -> Params {
    let mut params = params! { id: job.id.uuid(), kind: job.kind.clone(), now: now };
    params.extend(ASKED.iter().map(|(name, value)| (*name, value(job))));
    params
}

/// A column, and what a job has in it.
type Column = (&'static str, fn(&NewJob) -> Value);

/// What is asked of a job, by the columns of `build/asked.rs`.
const ASKED: &[Column] = &[
    ("priority", |job| i64::from(job.priority).into()),
    ("payload", |job| job.payload.clone().into()),
    ("run_at", |job| job.run_at.into()),
    ("max_attempts", |job| job.options.max_attempts.into()),
    ("backoff", |job| written(&job.options.backoff).into()),
    ("timeout_us", |job| microseconds(job.options.timeout).into()),
    ("expires_at", |job| job.expires_at.into()),
    ("delivery", |job| job.options.delivery.as_str().into()),
    ("tags", |job| listed(&job.options.tags).into()),
    ("trace", |job| {
        job.options.trace.as_ref().map(Trace::to_text).into()
    }),
];

/// A span as it is kept.
pub(super) fn microseconds(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}

/// Tags as they are kept.
pub(super) fn listed(tags: &[String]) -> String {
    if tags.is_empty() {
        return "[]".to_owned();
    }
    serde_json::to_string(tags).unwrap_or_default()
}

/// A back-off as it is kept. The default goes without saying: it is on nearly every job, and a tenth of
/// its row.
pub(super) fn written(backoff: &Backoff) -> String {
    if *backoff == Backoff::default() {
        return String::new();
    }
    serde_json::to_string(backoff).unwrap_or_default()
}
