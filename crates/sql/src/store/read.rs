//! From rows to things.

use std::time::Duration;

use baton_domain::{
    JobId, LeaseId, Timestamp, Trace, WorkerId,
    checkpoint::Checkpoint,
    job::{Attempt, AttemptCounters, DeliveryGuarantee, Failure, Job, JobOptions, Late, State},
};
use baton_ports::store::{Claimed, HeldJob, JobArgs, LeaseView, Result};
use uuid::Uuid;

use super::fleet;
use crate::{
    row::{Cells, Row},
    value::Value,
};

/// A job, from a row of `jobs/places`.
pub fn job(row: Row) -> Result<Job> {
    let mut cells = row.cells("job_places");
    let cells = &mut cells;
    let mut job = Job {
        id: JobId::from_uuid(cells.uuid("id")?),
        state: cells.word("state")?,
        reason: cells.maybe_text("reason")?,
        priority: cells.count("priority")?,
        run_at: cells.time("run_at")?,
        attempt: cells.count("attempt")?,
        tries: cells.count("tries")?,
        losses: cells.count("losses")?,
        run: cells.count("run")?,
        expires_at: cells.maybe_time("expires_at")?,
        kind: cells.text("kind")?,
        queue: cells.text("queue")?,
        created_at: cells.time("created_at")?,
        key: cells.maybe_text("key")?,
        payload: cells.text("payload")?,
        options: options(cells, |cells| cells.json("tags"))?,
        last_error: failure(cells)?,
        result: cells.maybe_text("result")?,
        updated_at: cells.time("updated_at")?,
        finished_at: cells.maybe_time("finished_at")?,
        worker: cells.maybe_uuid("worker_id")?.map(WorkerId::from_uuid),
        leased_until: cells.maybe_time("until")?,
        cancel_asked_at: cells.maybe_time("asked_at")?,
    };
    if job.state != State::Running {
        (job.worker, job.leased_until, job.cancel_asked_at) = (None, None, None);
    }
    if job.state == State::Succeeded {
        job.last_error = None;
    }
    Ok(job)
}

/// An attempt, from a row of `jobs/attempts`.
pub fn attempt(row: Row) -> Result<Attempt> {
    let mut cells = row.cells("attempts");
    let cells = &mut cells;
    Ok(Attempt {
        job: JobId::from_uuid(cells.uuid("job_id")?),
        attempt: cells.count("attempt")?,
        run: cells.count("run")?,
        lease: LeaseId::from_uuid(cells.uuid("lease_id")?),
        worker: WorkerId::from_uuid(cells.uuid("worker_id")?),
        started_at: cells.maybe_time("started_at")?,
        ended_at: cells.maybe_time("ended_at")?,
        outcome: cells.maybe_word("outcome")?,
        state: cells.maybe_word("state")?,
        next_run_at: cells.maybe_time("next_run_at")?,
        error: failure(cells)?,
        late: late(cells)?,
    })
}

fn late(cells: &mut Cells) -> Result<Option<Late>> {
    let outcome = cells.maybe_word("outcome")?;
    let at = cells.maybe_time("at")?;
    let adopted = cells.maybe_int("adopted")? == Some(1);
    Ok(outcome.zip(at).map(|(outcome, at)| Late {
        outcome,
        at,
        adopted,
    }))
}

/// Claimed jobs, from a row of `work/claim`. Others of its lease may stand before them.
pub fn claimed(row: Row, all: &mut Vec<Claimed>) -> Result<()> {
    if row.0.get(KIND) == Some(&Value::Null) {
        return alike(row, all);
    }
    let mut cells = row.cells("ready");
    let one = claimed_one(&mut cells)?;
    // How durable the claim is, which is the database's own affair.
    cells.skip();
    let jobs = cells.maybe_list("jobs")?;
    let payloads = cells.maybe_list("payloads")?;
    match jobs.zip(payloads) {
        Some((jobs, payloads)) => all.extend(batched(vec![one], jobs, payloads)?),
        None => all.push(one),
    }
    Ok(())
}

/// The lease of a row of `work/claim`.
pub fn lease(row: &Row) -> Option<LeaseId> {
    match row.0.get(1)? {
        Value::Uuid(id) => Some(LeaseId::from_uuid(*id)),
        Value::Text(text) => text.parse().ok().map(LeaseId::from_uuid),
        _ => None,
    }
}

/// Where the kind of its job stands in a row of `work/claim`.
const KIND: usize = 7;
/// Where one that tells of several batches says how many.
const BATCHES: usize = 2;

/// Behind each payload that is told in one text with others: no JSON has it.
const END: char = '\u{1e}';

/// The jobs of all batches under a lease, of each of which the first has been told.
fn alike(mut row: Row, all: &mut Vec<Claimed>) -> Result<()> {
    let lease = lease(&row);
    let batches = row.0.get(BATCHES).cloned();
    let lists = row.0.split_off(row.0.len().saturating_sub(2));
    let mut cells = Cells::of("ready_batches", batches.into_iter().chain(lists).collect());
    let batches: usize = cells.count("batches")?;
    let jobs: Vec<Uuid> = cells.json("jobs")?;
    let payloads = cells.text("payloads")?;
    let firsts = all.iter().rev();
    let firsts = firsts.take_while(|one| Some(one.lease) == lease).count();
    let firsts = all.split_off(all.len() - firsts);
    let payloads = payloads.strip_suffix(END);
    let Some(payloads) = payloads.filter(|_| firsts.len() == batches) else {
        return Err(cells.corrupt(
            "payloads",
            &"they are not whole, or a batch has no first job",
        ));
    };
    let jobs = jobs.into_iter().map(Value::Uuid).collect();
    let payloads = payloads.split(END).map(Value::from).collect();
    all.extend(batched(firsts, jobs, payloads)?);
    Ok(())
}

/// Whether a row of `work/claim` says that its jobs are held in blocks. MySQL alone does.
pub fn is_in_block(row: &Row) -> bool {
    let before_lists = row.0.iter().rev().nth(2);
    matches!(before_lists, Some(Value::Int(1)))
}

/// The job that a row of `work/claim` is about.
pub fn named(row: &Row) -> Result<JobId> {
    row.clone()
        .cells("ready")
        .uuid("job_id")
        .map(JobId::from_uuid)
}

/// What a row of `work/claimed` says of a job of which the rest cannot be read.
pub struct Damaged {
    pub lease: LeaseId,
    pub job: JobId,
    pub counters: AttemptCounters,
    pub queued_at: Timestamp,
    pub kind: String,
}

/// What can be read of a job that cannot be run.
pub fn damaged(row: Row) -> Result<Damaged> {
    let mut cells = row.cells("ready");
    let cells = &mut cells;
    Ok(Damaged {
        job: JobId::from_uuid(cells.uuid("job_id")?),
        lease: LeaseId::from_uuid(cells.uuid("lease_id")?),
        counters: counters(cells)?,
        queued_at: cells.time("since")?,
        kind: cells.text("kind")?,
    })
}

/// The jobs of batches, which differ from the first of their batch in their ids and in what they are asked.
fn batched(firsts: Vec<Claimed>, jobs: Vec<Value>, payloads: Vec<Value>) -> Result<Vec<Claimed>> {
    let mut all: Vec<Claimed> = Vec::with_capacity(jobs.len());
    let (mut jobs, mut payloads) = (
        Cells::of("ready_batches", jobs),
        Cells::of("ready_batches", payloads),
    );
    let mut firsts = firsts.into_iter().peekable();
    let mut like = None;
    while !jobs.is_over() {
        let id = JobId::from_uuid(jobs.uuid("jobs")?);
        if let Some(mut first) = firsts.next_if(|first| first.args.id == id) {
            first.args.payload.clear();
            like = Some(first);
        }
        let Some(like) = &like else {
            return Err(jobs.corrupt("jobs", &"it does not begin with the first of a batch"));
        };
        let args = JobArgs {
            id,
            payload: payloads.text("payloads")?,
            ..like.args.clone()
        };
        all.push(Claimed { args, ..*like });
    }
    if firsts.next().is_some() || !payloads.is_over() {
        return Err(jobs.corrupt("payloads", &"they are not those of its jobs"));
    }
    Ok(all)
}

fn claimed_one(cells: &mut Cells) -> Result<Claimed> {
    let id = JobId::from_uuid(cells.uuid("job_id")?);
    let lease = LeaseId::from_uuid(cells.uuid("lease_id")?);
    let counters = counters(cells)?;
    let queued_at = cells.time("since")?;
    let args = JobArgs {
        id,
        kind: cells.text("kind")?,
        queue: cells.text("queue")?,
        created_at: cells.time("created_at")?,
        // What a job can do without is no reason not to run it.
        key: cells.maybe_text("key").unwrap_or_default(),
        payload: cells.text("payload")?,
        options: options(cells, |cells| Ok(cells.json("tags").unwrap_or_default()))?,
        expires_at: cells.maybe_time("expires_at")?,
    };
    Ok(Claimed {
        lease,
        counters,
        queued_at,
        args,
    })
}

/// A lease as whoever watches it sees it, from a row of `work/leases`.
pub fn lease_view(row: Row) -> Result<LeaseView> {
    let mut cells = row.cells("leases");
    Ok(LeaseView {
        lease: LeaseId::from_uuid(cells.uuid("id")?),
        worker: WorkerId::from_uuid(cells.uuid("worker_id")?),
        until: cells.time("until")?,
        length: cells.maybe_int("lease_us")?.map(fleet::span),
        is_abandoned: cells.truth("left_at")?,
    })
}

/// What somebody holds, from a row of `work/held`.
pub fn held(row: Row) -> Result<HeldJob> {
    let mut cells = row.cells("leases");
    let cells = &mut cells;
    Ok(HeldJob {
        lease: LeaseId::from_uuid(cells.uuid("lease_id")?),
        worker: WorkerId::from_uuid(cells.uuid("worker_id")?),
        queue: cells.text("queue")?,
        job: JobId::from_uuid(cells.uuid("job_id")?),
        kind: cells.text("kind")?,
        counters: counters(cells)?,
        queued_at: cells.time("since")?,
        // Of one that cannot be told, a person decides.
        delivery: cells
            .word("delivery")
            .unwrap_or(DeliveryGuarantee::AtMostOnce),
        moved: cells.truth("moved")?,
    })
}

/// How far a job has come by itself, from a row of `jobs/checkpoints`.
pub fn checkpoint(row: Row) -> Result<Checkpoint> {
    let mut cells = row.cells("checkpoints");
    let cells = &mut cells;
    Ok(Checkpoint {
        job: JobId::from_uuid(cells.uuid("job_id")?),
        seq: cells.count("seq")?,
        era: cells.count("era")?,
        attempt: cells.count("attempt")?,
        cursor: cells.maybe_text("cursor")?,
        progress: cells.maybe_json("progress")?,
        moved: cells.truth("moved")?,
        at: cells.time("at")?,
    })
}

fn counters(cells: &mut Cells) -> Result<AttemptCounters> {
    Ok(AttemptCounters {
        attempt: cells.count("attempt")?,
        tries: cells.count("tries")?,
        losses: cells.count("losses")?,
        run: cells.count("run")?,
    })
}

/// A failure, from the three columns that hold one.
pub fn failure(cells: &mut Cells) -> Result<Option<Failure>> {
    let class = cells.maybe_word("class")?;
    let code = cells.maybe_text("code")?.unwrap_or_default();
    let message = cells.maybe_text("message")?.unwrap_or_default();
    Ok(class.map(|class| Failure {
        class,
        code,
        message,
    }))
}

/// What was asked of a job, from the columns of `build/asked.rs`; who reads it says whether it must have its tags.
fn options(
    cells: &mut Cells,
    tags: impl FnOnce(&mut Cells) -> Result<Vec<String>>,
) -> Result<JobOptions> {
    Ok(JobOptions {
        max_attempts: cells.count("max_attempts")?,
        backoff: cells.json_or_default("backoff")?,
        timeout: span(cells, "timeout_us")?,
        delivery: cells.word("delivery")?,
        tags: tags(cells)?,
        trace: trace(cells),
    })
}

/// A trace, as much of it as can be used.
fn trace(cells: &mut Cells) -> Option<Trace> {
    let text = cells.maybe_text("trace").ok().flatten()?;
    Trace::from_text(&text)
}

fn span(cells: &mut Cells, column: &'static str) -> Result<Duration> {
    Ok(Duration::from_micros(cells.count(column)?))
}
