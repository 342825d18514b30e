//! The hot path: claim, renew, settle; release and rescue.

use std::collections::BTreeSet;

use async_trait::async_trait;
use baton_domain::{
    JobId, LeaseId, Timestamp, WorkerId,
    fingerprint::fingerprint,
    job::{Failure, NewJob, Outcome, Trigger},
};
use baton_ports::{
    Hint,
    store::{
        AttemptResult, BEHIND, By, CheckpointOutcome, CheckpointStep, Claim, Claimed, HeldJob,
        InlineStart, InlineStarted, LATE, LeaseView, ProgressReport, QueueClaim, Released, Renewed,
        Result, SettleOutcome, Work,
    },
};
use serde_json::json;
use uuid::Uuid;

use super::{SqlStore, first, fleet, read, record::name_of};
use crate::{
    kernel::{ConnectionPool, Unit},
    row::Rows,
    statement as sql,
    value::{Params, params},
};

/// How often a claim is made anew that found nothing but jobs that cannot be read.
const ROUNDS: usize = 8;

#[async_trait]
impl Work for SqlStore {
    async fn claim(&self, claim: &Claim, now: Timestamp) -> Result<Vec<Claimed>> {
        let script = |want: &QueueClaim| match (&want.jobs, want.limited) {
            (Some(_), _) => &sql::work::CLAIM_NAMED,
            (None, true) => &sql::work::CLAIM_LIMITED,
            (None, false) => &sql::work::CLAIM,
        };
        let wants = claim.queues.iter();
        let params = wants.map(|want| (script(want), self.claim_params(claim, want, now)));
        let scripts: Vec<_> = params.collect();
        // Mostly one: others shall not wait behind jobs that cannot be read.
        for _ in 0..ROUNDS {
            let unit = Unit {
                scripts: scripts.clone(),
                keep: None,
            };
            let permit = self.admission.bulk(wanted(claim)).await;
            let rows = self.kernel.transact(ConnectionPool::Claim, unit).await?;
            drop(permit);
            let rows: Rows = rows.into_iter().flatten().collect();
            if self.kernel.has_blocks() {
                self.blocks.claimed(&rows);
            }
            if rows.is_empty() {
                return self.claimed_before(claim, now).await;
            }
            let claimed = self.usable(rows, claim.worker, now).await;
            if !claimed.is_empty() {
                self.waits.claimed(&claimed, now);
                return Ok(claimed);
            }
        }
        Ok(Vec::new())
    }

    async fn claimed(
        &self,
        worker: WorkerId,
        leases: &[LeaseId],
        now: Timestamp,
    ) -> Result<Vec<Claimed>> {
        let scripts = leases.iter().map(|lease| {
            let params = params! { lease: lease.uuid(), worker: worker.uuid() };
            (&sql::work::CLAIMED, params)
        });
        let unit = Unit {
            scripts: scripts.collect(),
            keep: None,
        };
        let rows = self.kernel.transact(ConnectionPool::Claim, unit).await?;
        let rows = rows.into_iter().flatten().collect();
        Ok(self.usable(rows, worker, now).await)
    }

    async fn checkpoint(
        &self,
        worker: WorkerId,
        step: &CheckpointStep,
        now: Timestamp,
    ) -> Result<CheckpointOutcome> {
        self.save_checkpoint(worker, step, now).await
    }

    async fn progress(
        &self,
        worker: WorkerId,
        reports: &[ProgressReport],
        now: Timestamp,
    ) -> Result<()> {
        self.save_progress(worker, reports, now).await
    }

    async fn enqueue_and_claim(
        &self,
        jobs: Vec<NewJob>,
        start: &InlineStart,
    ) -> Result<InlineStarted> {
        let now = jobs.iter().map(|job| job.created_at).max();
        let started = self.start_jobs(jobs, start).await?;
        self.waits
            .claimed(&started.claimed, now.unwrap_or_default());
        Ok(started)
    }

    async fn renew(
        &self,
        worker: WorkerId,
        leases: &[LeaseId],
        until: Timestamp,
    ) -> Result<Renewed> {
        let ids = uuids(leases);
        let params = params! {
            worker: worker.uuid(), leases_json: json!(ids).to_string(), leases: ids, until: until,
            behind: fleet::micros(BEHIND),
        };
        let rows = self.write(&sql::work::RENEW, params).await?;
        let mut renewed = Renewed::default();
        for row in rows {
            let mut cells = row.cells("leases");
            match cells.text("what")?.as_str() {
                "lease" => renewed.leases.push(LeaseId::from_uuid(cells.uuid("id")?)),
                _ => renewed.cancels.push(JobId::from_uuid(cells.uuid("id")?)),
            }
        }
        Ok(renewed)
    }

    async fn settle(
        &self,
        by: By,
        results: &[AttemptResult],
        now: Timestamp,
    ) -> Result<Vec<SettleOutcome>> {
        if results.is_empty() {
            return Ok(Vec::new());
        }
        let mut recorded = self.record(by, results, now).await?;
        let mut settled = Vec::with_capacity(results.len());
        for result in results {
            settled.push(match (recorded.remove(&name_of(result)), by) {
                (true, _) => SettleOutcome::Recorded,
                (false, By::Worker(worker)) => self.settle_late(worker, result, now).await?,
                (false, By::Rescuer) => {
                    self.recorded(result).await?.unwrap_or(SettleOutcome::Stale)
                }
            });
        }
        Ok(settled)
    }

    async fn leases(&self, limit: u32) -> Result<Vec<LeaseView>> {
        let rows = self
            .read(&sql::work::LEASES, params! { limit: limit })
            .await?;
        let mut views = self.readable("leases", rows, read::lease_view);
        for view in &mut views {
            view.is_abandoned |= self.gone.contains(&view.worker);
        }
        Ok(views)
    }

    async fn held(&self, leases: &[LeaseId], limit: u32) -> Result<Vec<HeldJob>> {
        let ids = uuids(leases);
        let params = params! { leases: self.list(&ids), limit: limit };
        let rows = self.read(&sql::work::HELD, params).await?;
        Ok(self.readable("leases", rows, read::held))
    }

    async fn release(&self, limit: u32, now: Timestamp) -> Result<Released> {
        let next = (&sql::work::DUE, params! { now: now });
        let release = |picked: Params| async move {
            let params = picked.into_iter().chain(params! { now: now }).collect();
            self.write(&sql::work::RELEASE, params)
                .await
                .and_then(released)
        };
        let pieces = self.take(&self.refused.release, limit, next, release);
        Ok(together(pieces.await?, now))
    }

    async fn expire(&self, limit: u32, now: Timestamp) -> Result<u32> {
        let next = (&sql::work::EXPIRED, params! { now: now });
        let expire = |picked| self.expire_picked(picked, now);
        let pieces = self.take(&self.refused.expire, limit, next, expire);
        Ok(pieces.await?.into_iter().sum())
    }
}

impl SqlStore {
    fn claim_params(&self, claim: &Claim, want: &QueueClaim, now: Timestamp) -> Params {
        let named = want.jobs.iter().flatten().take(want.limit as usize);
        let once: BTreeSet<_> = named.map(|job| job.uuid()).collect();
        params! {
            queue: want.queue.clone(), lease: want.lease.uuid(), k: want.limit, worker: claim.worker.uuid(),
            worker_name: claim.worker.to_string(), until: claim.until, now: now, late: fleet::micros(LATE),
            in_blocks: self.kernel.has_blocks(),
            jobs: once.into_iter().collect::<Vec<_>>(),
        }
    }

    async fn expire_picked(&self, picked: Params, now: Timestamp) -> Result<u32> {
        let Some(failure) = Failure::without_attempt(Trigger::Expire) else {
            return Ok(0);
        };
        let mut params = params! { now: now };
        params.extend(picked);
        let rows = self
            .write(&sql::work::EXPIRED_KINDS, params.clone())
            .await?;
        let mut kinds = Vec::new();
        for row in rows {
            let kind = row.cells("jobs").text("kind")?;
            kinds.push(json!({ "fingerprint": fingerprint(&kind, &failure), "kind": kind }));
        }
        if kinds.is_empty() {
            return Ok(0);
        }
        params.extend(
            params! { kinds: json!(kinds).to_string(), code: failure.code, message: failure.message },
        );
        let rows = self.write(&sql::work::EXPIRE, params).await?;
        first(rows).map_or(Ok(0), |row| row.cells("waiting").count("count"))
    }

    /// What an earlier claim under the same leases had got, when its answer was lost.
    async fn claimed_before(&self, claim: &Claim, now: Timestamp) -> Result<Vec<Claimed>> {
        let leases: Vec<_> = claim.queues.iter().map(|want| want.lease).collect();
        self.claimed(claim.worker, &leases, now).await
    }

    /// What a worker holds under a lease, the most urgent first.
    pub(super) async fn held_under(
        &self,
        pool: ConnectionPool,
        lease: LeaseId,
        worker: WorkerId,
        now: Timestamp,
    ) -> Result<Vec<Claimed>> {
        let params = params! { lease: lease.uuid(), worker: worker.uuid() };
        let rows = self.kernel.write(pool, &sql::work::CLAIMED, params).await?;
        Ok(self.usable(rows, worker, now).await)
    }

    /// A result whose lease does not hold its job: said before, adopted, or history.
    async fn settle_late(
        &self,
        worker: WorkerId,
        result: &AttemptResult,
        now: Timestamp,
    ) -> Result<SettleOutcome> {
        let attempt = result.counters.attempt;
        let outcome = result.decision.outcome;
        let job = result.job.uuid();
        if let Some(settled) = self.recorded(result).await? {
            return Ok(settled);
        }
        if outcome == Outcome::Succeeded {
            let told = result.decision.result.clone();
            let (tries, losses) = (result.decision.tries, result.decision.losses);
            let params = params! {
                job: job, attempt: attempt, lease: result.lease.uuid(), result: told, tries: tries, losses: losses, now: now,
            };
            if !self.write(&sql::work::ADOPT, params).await?.is_empty()
                || self.adopt_forgotten(worker, result, now).await?
            {
                return Ok(SettleOutcome::Adopted);
            }
        }
        let params = params! { job: job, attempt: attempt, outcome: outcome.as_str(), lease: result.lease.uuid(), now: now };
        self.write(&sql::work::LATE, params).await?;
        Ok(SettleOutcome::Stale)
    }

    /// Takes a success for the job's own whose claim a crash of the database has forgotten.
    async fn adopt_forgotten(
        &self,
        worker: WorkerId,
        result: &AttemptResult,
        now: Timestamp,
    ) -> Result<bool> {
        let (counters, decision) = (result.counters, &result.decision);
        let params = params! {
            job: result.job.uuid(), attempt: counters.attempt, run: counters.run, lease: result.lease.uuid(),
            worker: worker.uuid(), started_at: result.started_at, result: decision.result.clone(),
            tries: decision.tries, losses: decision.losses, now: now,
        };
        let adopted = self.write(&sql::work::ADOPT_FORGOTTEN, params).await?;
        Ok(!adopted.is_empty())
    }

    /// What became of a settlement that was recorded before, in these words.
    async fn recorded(&self, result: &AttemptResult) -> Result<Option<SettleOutcome>> {
        let params = params! { job: result.job.uuid(), attempt: result.counters.attempt };
        let Some(row) = first(self.write(&sql::work::RECORDED, params).await?) else {
            return Ok(None);
        };
        let mut cells = row.cells("attempts");
        let (lease, outcome) = (cells.uuid("lease_id")?, cells.word::<Outcome>("outcome")?);
        let wanted = result.decision.outcome;
        let is_same = lease == result.lease.uuid();
        Ok(match cells.truth("adopted")? {
            true if is_same && wanted == Outcome::Succeeded => Some(SettleOutcome::Adopted),
            _ if is_same && wanted == outcome => Some(SettleOutcome::Recorded),
            _ => None,
        })
    }
}

fn uuids(leases: &[LeaseId]) -> Vec<Uuid> {
    leases.iter().map(|lease| lease.uuid()).collect()
}

fn wanted(claim: &Claim) -> usize {
    claim.queues.iter().map(|want| want.limit as usize).sum()
}

/// What a release did, as its statement says it.
fn released(rows: Rows) -> Result<Released> {
    let Some(row) = first(rows) else {
        return Ok(Released::default());
    };
    let mut cells = row.cells("waiting");
    Ok(Released {
        count: cells.count("count")?,
        hints: hints(cells.json("hints")?),
        next_due: cells.maybe_time("run_at")?,
    })
}

/// What was released piece by piece. Who is due behind one piece may be in the next, and nobody knows where there is none:
/// to look too early is soon enough.
fn together(pieces: Vec<Released>, now: Timestamp) -> Released {
    if pieces.is_empty() {
        return Released {
            next_due: Some(now),
            ..Released::default()
        };
    }
    Released {
        count: pieces.iter().map(|piece| piece.count).sum(),
        next_due: pieces.iter().filter_map(|piece| piece.next_due).min(),
        hints: pieces.into_iter().flat_map(|piece| piece.hints).collect(),
    }
}

/// What there is to hint at among jobs that were released.
fn hints(released: Vec<(String, Uuid, i16)>) -> Vec<Hint> {
    let hint = |(queue, job, priority): (String, Uuid, i16)| {
        Hint::of(&queue, JobId::from_uuid(job), priority)
    };
    released.into_iter().filter_map(hint).collect()
}
