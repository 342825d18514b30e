//! Recording results: what nearly all are in few rows, everything else in rows of its own.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use baton_domain::{
    LeaseId, Timestamp, WorkerId,
    job::{AttemptCounters, Outcome},
};
use baton_ports::store::{AttemptResult, By, Result};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{SqlStore, blocks, new_jobs::MOST};
use crate::{
    kernel::{ConnectionPool, Unit},
    row::Rows,
    statement::{self as sql, Script},
    value::{Params, column, params},
};

/// How many successes of one lease make a batch: each is a statement of its own, however few it records.
const BATCH: usize = 16;
/// How many ids that follow each other are told by the first and the last.
const STRETCH: usize = 8;

impl SqlStore {
    /// Records what the leases still hold; says which attempts are recorded.
    ///
    /// Plain successes of one lease are one row, if there are enough of them, and else a narrow row each.
    /// Where a job was asked to stop meanwhile, both leave it alone: it is then settled like everything else.
    pub(super) async fn record(
        &self,
        by: By,
        results: &[AttemptResult],
        now: Timestamp,
    ) -> Result<HashSet<Name>> {
        let mut seen = HashSet::with_capacity(results.len());
        let (plain, others): (Vec<_>, Vec<_>) = results
            .iter()
            .partition(|one| is_plain(by, one) && seen.insert(one.job));
        let leases = leases_of(results.iter());
        let records = |is_optimistic: bool| {
            let mut records = match by {
                By::Worker(worker) => self.successes(worker, &plain, &leases, now, is_optimistic),
                By::Rescuer => Vec::new(),
            };
            if !others.is_empty() {
                records.push(result_of(by, others.clone(), &leases, now));
            }
            records
        };
        let mut recorded = match self.record_optimistically(records(true)).await? {
            Some(recorded) => recorded,
            None => self.record_by(records(false)).await?,
        };
        let left: Vec<_> = plain
            .into_iter()
            .filter(|one| !recorded.contains(&name_of(one)))
            .collect();
        if !left.is_empty() {
            let leases = leases_of(left.iter().copied());
            let records = vec![result_of(by, left, &leases, now)];
            recorded.extend(self.record_by(records).await?);
        }
        Ok(recorded)
    }

    /// What records plain successes: many of one lease by a script of their own, where the database has one. That of MySQL gives up, and
    /// with it all beside it, as soon as anything stands in the way: it is asked first, and only once.
    fn successes<'a>(
        &self,
        worker: WorkerId,
        plain: &[&'a AttemptResult],
        leases: &[Uuid],
        now: Timestamp,
        is_optimistic: bool,
    ) -> Vec<Record<'a>> {
        let has = |script: &Script| self.kernel.has(script);
        let is_of_lease = is_optimistic && has(&sql::work::SUCCEED_LEASE) && plain.len() <= MOST;
        let of_many = match is_of_lease {
            true => Some(&sql::work::SUCCEED_LEASE),
            false => Some(&sql::work::SUCCEED_BATCH).filter(|script| has(script)),
        };
        let Some(script) = of_many else {
            return few_of(worker, plain.to_vec(), leases, now)
                .into_iter()
                .collect();
        };
        let (leases_in_blocks, plain) = match is_of_lease {
            true => self.blocks.parted(plain, BATCH),
            false => (Vec::new(), plain.to_vec()),
        };
        let (mut batches, few) = by_lease(&plain);
        for batch in &mut batches {
            batch.sort_unstable_by_key(|one| one.job);
        }
        // In one order for all: two flushes with two batches each must not wait for each other in a circle.
        batches.sort_unstable_by_key(|batch| batch.first().map(|one| one.job));
        let batches = batches.into_iter().map(|batch| {
            let mut params = batch_params(worker, &batch, leases, now);
            if is_of_lease {
                params.extend(params! { subjects: subjects_of(&batch) });
                params.extend(stretches_of(&batch));
            }
            Record {
                script,
                params,
                of: batch,
            }
        });
        let in_blocks = leases_in_blocks.into_iter().map(|of| Record {
            script: &sql::work::SUCCEED_BLOCKS,
            params: blocks::params(worker, &of, leases, now),
            of: of.into_iter().flatten().collect(),
        });
        let others = batches.chain(few_of(worker, few, leases, now));
        in_blocks.chain(others).collect()
    }

    /// Says what is recorded; `None`, and nothing is, if an optimistic script met something.
    async fn record_optimistically(
        &self,
        records: Vec<Record<'_>>,
    ) -> Result<Option<HashSet<Name>>> {
        let (unit, of) = together(records);
        let permit = self.admission.bulk(of.iter().map(Vec::len).sum()).await;
        let rows = self.kernel.attempt(ConnectionPool::Queue, unit).await?;
        drop(permit);
        rows.map(|rows| names_of(rows, &of)).transpose()
    }

    /// Says what is recorded.
    async fn record_by(&self, records: Vec<Record<'_>>) -> Result<HashSet<Name>> {
        let (unit, of) = together(records);
        let permit = self.admission.bulk(of.iter().map(Vec::len).sum()).await;
        let rows = self.kernel.transact(ConnectionPool::Queue, unit).await?;
        drop(permit);
        names_of(rows, &of)
    }
}

/// One transaction of some records, and what each of its scripts records.
fn together(records: Vec<Record<'_>>) -> (Unit, Vec<Vec<&AttemptResult>>) {
    let mut scripts = Vec::with_capacity(records.len());
    let mut of = Vec::with_capacity(records.len());
    for record in records {
        scripts.push((record.script, record.params));
        of.push(record.of);
    }
    let unit = Unit {
        scripts,
        keep: None,
    };
    (unit, of)
}

/// What the scripts say they have recorded.
fn names_of(rows: Vec<Rows>, of: &[Vec<&AttemptResult>]) -> Result<HashSet<Name>> {
    let mut recorded = HashSet::with_capacity(of.iter().map(Vec::len).sum());
    for (rows, of) in rows.into_iter().zip(of) {
        for row in rows {
            let mut cells = row.cells("attempts");
            let jobs = cells.maybe_uuids("job_id")?;
            let (attempt, lease) = (cells.count("attempt")?, cells.uuid("lease_id")?);
            match jobs {
                Some(jobs) => recorded.extend(jobs.into_iter().map(|job| (job, attempt, lease))),
                None => recorded.extend(of.iter().map(|one| name_of(one))),
            }
        }
    }
    Ok(recorded)
}

/// What one script records.
struct Record<'a> {
    script: &'static Script,
    params: Params,
    of: Vec<&'a AttemptResult>,
}

/// Plain successes that are too few for a batch.
fn few_of<'a>(
    worker: WorkerId,
    few: Vec<&'a AttemptResult>,
    leases: &[Uuid],
    now: Timestamp,
) -> Option<Record<'a>> {
    (!few.is_empty()).then(|| Record {
        script: &sql::work::SUCCEED,
        params: succeed_params(worker, &few, leases, now),
        of: few,
    })
}

fn result_of<'a>(
    by: By,
    of: Vec<&'a AttemptResult>,
    leases: &[Uuid],
    now: Timestamp,
) -> Record<'a> {
    Record {
        script: &sql::work::SETTLE,
        params: settle_params(by, &of, leases, now),
        of,
    }
}

/// An attempt, as a settlement names it: job, number, lease.
pub(super) type Name = (Uuid, u32, Uuid);

pub(super) fn name_of(result: &AttemptResult) -> Name {
    (
        result.job.uuid(),
        result.counters.attempt,
        result.lease.uuid(),
    )
}

/// Whether it is what nearly all are: the success of a first attempt.
fn is_plain(by: By, result: &AttemptResult) -> bool {
    let AttemptCounters {
        attempt,
        tries,
        losses,
        run,
    } = result.counters;
    let decision = &result.decision;
    matches!(by, By::Worker(_))
        && (attempt, tries, losses, run) == (1, 1, 0, 1)
        && decision.outcome == Outcome::Succeeded
        && (decision.tries, decision.losses) == (1, 0)
}

/// Which leases they name, each once.
fn leases_of<'a>(results: impl Iterator<Item = &'a AttemptResult>) -> Vec<Uuid> {
    let leases: BTreeSet<_> = results.map(|one| one.lease.uuid()).collect();
    leases.into_iter().collect()
}

/// Those that come many at a time of a lease, and the others.
fn by_lease<'a>(
    plain: &[&'a AttemptResult],
) -> (Vec<Vec<&'a AttemptResult>>, Vec<&'a AttemptResult>) {
    let mut leases: BTreeMap<LeaseId, Vec<&AttemptResult>> = BTreeMap::new();
    for one in plain {
        leases.entry(one.lease).or_default().push(one);
    }
    let (many, few): (Vec<_>, Vec<_>) = leases.into_values().partition(|some| some.len() >= BATCH);
    (many, few.into_iter().flatten().collect())
}

fn batch_params(
    worker: WorkerId,
    batch: &[&AttemptResult],
    leases: &[Uuid],
    now: Timestamp,
) -> Params {
    let lease = batch.first().map(|one| one.lease.uuid());
    let last = batch.last().map(|one| one.job.uuid());
    // What is not there reads as nothing.
    let told = if batch.iter().all(|one| one.decision.result.is_none()) {
        &[]
    } else {
        batch
    };
    params! {
        worker: worker.uuid(), lease: lease, last: last, leases: leases.to_vec(), least: BATCH as i64,
        n: batch.len() as i64, now: now,
        jobs: column(batch, |one| one.job.uuid()),
        queued_ats: column(batch, |one| one.queued_at),
        started_ats: column(batch, |one| one.started_at),
        results: column(told, |one| one.decision.result.clone()),
    }
}

/// Where their ids follow each other, nobody else's lies between the first and the last: such stretches are told by these two, and the others
/// one by one.
fn stretches_of(batch: &[&AttemptResult]) -> Params {
    let (mut singles, mut firsts, mut lasts) = (Vec::new(), Vec::new(), Vec::new());
    for stretch in batch.chunk_by(|one, next| next.job.follows(one.job)) {
        match stretch {
            [first, .., last] if stretch.len() >= STRETCH => {
                firsts.push(first.job.uuid());
                lasts.push(last.job.uuid());
            }
            few => singles.extend(few.iter().map(|one| one.job.uuid())),
        }
    }
    params! { singles: singles, firsts: firsts, lasts: lasts }
}

/// Their ids as an array of JSON.
pub(super) fn subjects_of(batch: &[&AttemptResult]) -> String {
    let ids: Vec<_> = batch.iter().map(|one| one.job.uuid()).collect();
    json!(ids).to_string()
}

fn succeed_params(
    worker: WorkerId,
    plain: &[&AttemptResult],
    leases: &[Uuid],
    now: Timestamp,
) -> Params {
    let place = |one: &&AttemptResult| {
        leases
            .binary_search(&one.lease.uuid())
            .map_or(0, |i| i as i64 + 1)
    };
    params! {
        worker: worker.uuid(), now: now, leases: leases.to_vec(), leases_json: json!(leases).to_string(),
        jobs: column(plain, |one| one.job.uuid()),
        lease_ids: column(plain, |one| one.lease.uuid()),
        places: column(plain, place),
        queued_ats: column(plain, |one| one.queued_at),
        started_ats: column(plain, |one| one.started_at),
        results: column(plain, |one| one.decision.result.clone()),
    }
}

fn settle_params(by: By, results: &[&AttemptResult], leases: &[Uuid], now: Timestamp) -> Params {
    let worker = match by {
        By::Worker(worker) => Some(worker.uuid()),
        By::Rescuer => None,
    };
    let rows: Vec<_> = results.iter().map(|one| row_of(one)).collect();
    params! {
        rows: json!(rows).to_string(), leases: json!(leases).to_string(), worker: worker, now: now,
    }
}

fn row_of(result: &AttemptResult) -> Value {
    let decision = &result.decision;
    let failure = decision.failure.as_ref();
    json!({
        "lease": result.lease.uuid(), "job": result.job.uuid(), "attempt": result.counters.attempt,
        "run": result.counters.run, "tries": decision.tries, "losses": decision.losses,
        "queued_at": result.queued_at.as_micros(), "started_at": result.started_at.map(Timestamp::as_micros),
        "outcome": decision.outcome.as_str(), "state": decision.transition.to().as_str(), "reason": decision.reason,
        "run_at": decision.run_at.map(Timestamp::as_micros), "class": failure.map(|f| f.class.as_str()),
        "code": failure.map(|f| &f.code), "message": failure.map(|f| &f.message),
        "fingerprint": result.fingerprint, "result": decision.result,
        "seen": result.seen.map(Timestamp::as_micros),
    })
}
