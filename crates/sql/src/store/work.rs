//! The hot path: claim, renew, settle; release and rescue.

use std::collections::{BTreeSet, HashSet};

use async_trait::async_trait;
use baton_domain::{
    JobId, LeaseId, Timestamp, WorkerId,
    fingerprint::fingerprint,
    job::{Event, Failure, NewJob, Outcome},
};
use baton_ports::store::{
    By, Claim, Claimed, Held, Released, Renewed, Result, Settled, Settlement, Start, Started, Want,
    Work,
};
use serde_json::{Value, json};

use super::{SqlStore, first, read};
use crate::{
    kernel::{Lane, Unit},
    statement::{
        WORK_ADOPT, WORK_CLAIM, WORK_CLAIM_LIMITED, WORK_CLAIMED, WORK_EXPIRE, WORK_EXPIRED_KINDS,
        WORK_LATE, WORK_OVERDUE, WORK_RECORDED, WORK_RELEASE, WORK_RENEW, WORK_SETTLE,
    },
    value::{Params, params},
};

#[async_trait]
impl Work for SqlStore {
    async fn claim(&self, claim: &Claim, now: Timestamp) -> Result<Vec<Claimed>> {
        let script = |want: &Want| {
            if want.limited {
                &WORK_CLAIM_LIMITED
            } else {
                &WORK_CLAIM
            }
        };
        let scripts = claim
            .wants
            .iter()
            .map(|want| (script(want), claim_params(claim, want, now)));
        let unit = Unit {
            scripts: scripts.collect(),
            keep: Box::new(|_| true),
        };
        let rows = self.kernel.transact(Lane::Claim, unit).await?;
        let claimed = rows
            .into_iter()
            .flatten()
            .map(read::claimed)
            .collect::<Result<Vec<_>>>()?;
        if claimed.is_empty() {
            self.claimed_before(claim).await
        } else {
            Ok(claimed)
        }
    }

    async fn start(&self, jobs: Vec<NewJob>, start: &Start) -> Result<Started> {
        self.start_jobs(jobs, start).await
    }

    async fn renew(&self, worker: WorkerId, until: Timestamp) -> Result<Renewed> {
        let rows = self
            .write(&WORK_RENEW, params! { worker: worker.uuid(), until: until })
            .await?;
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
        settlements: &[Settlement],
        now: Timestamp,
    ) -> Result<Vec<Settled>> {
        if settlements.is_empty() {
            return Ok(Vec::new());
        }
        let (worker, overdue) = match by {
            By::Worker(worker) => (Some(worker.uuid()), None),
            By::Rescuer { overdue_before } => (None, Some(overdue_before)),
        };
        let rows: Vec<_> = settlements.iter().map(row_of).collect();
        let leases: BTreeSet<_> = settlements.iter().map(|one| one.lease.uuid()).collect();
        let params = params! {
            rows: json!(rows).to_string(), leases: json!(leases).to_string(), worker: worker, overdue: overdue, now: now,
        };
        let mut recorded = HashSet::new();
        for row in self.write(&WORK_SETTLE, params).await? {
            let mut cells = row.cells("attempts");
            recorded.insert((
                cells.uuid("job_id")?,
                cells.count::<u32>("attempt")?,
                cells.uuid("lease_id")?,
            ));
        }
        let mut settled = Vec::with_capacity(settlements.len());
        for settlement in settlements {
            let name = (
                settlement.job.uuid(),
                settlement.ticket.attempt,
                settlement.lease.uuid(),
            );
            settled.push(match (recorded.remove(&name), by) {
                (true, _) => Settled::Recorded,
                (false, By::Worker(_)) => self.settle_late(settlement, now).await?,
                (false, By::Rescuer { .. }) => {
                    self.recorded(settlement).await?.unwrap_or(Settled::Stale)
                }
            });
        }
        Ok(settled)
    }

    async fn overdue(&self, before: Timestamp, limit: u32) -> Result<Vec<Held>> {
        let rows = self
            .read(&WORK_OVERDUE, params! { before: before, limit: limit })
            .await?;
        rows.into_iter().map(read::held).collect()
    }

    async fn release(&self, limit: u32, now: Timestamp) -> Result<Released> {
        let rows = self
            .write(&WORK_RELEASE, params! { limit: limit, now: now })
            .await?;
        let Some(row) = first(rows) else {
            return Ok(Released::default());
        };
        let mut cells = row.cells("waiting");
        Ok(Released {
            count: cells.count("count")?,
            next_due: cells.maybe_time("run_at")?,
        })
    }

    async fn expire(&self, limit: u32, now: Timestamp) -> Result<u32> {
        let Some(failure) = Failure::without_attempt(Event::Expire) else {
            return Ok(0);
        };
        let rows = self
            .write(&WORK_EXPIRED_KINDS, params! { limit: limit, now: now })
            .await?;
        let mut kinds = Vec::new();
        for row in rows {
            let kind = row.cells("jobs").text("kind")?;
            kinds.push(json!({ "fingerprint": fingerprint(&kind, &failure), "kind": kind }));
        }
        if kinds.is_empty() {
            return Ok(0);
        }
        let params = params! {
            kinds: json!(kinds).to_string(), code: failure.code, message: failure.message, limit: limit, now: now,
        };
        let rows = self.write(&WORK_EXPIRE, params).await?;
        first(rows).map_or(Ok(0), |row| row.cells("waiting").count("count"))
    }
}

impl SqlStore {
    /// What an earlier claim under the same leases had got, when its answer was lost.
    async fn claimed_before(&self, claim: &Claim) -> Result<Vec<Claimed>> {
        let mut claimed = Vec::new();
        for want in &claim.wants {
            let held = self.held_under(Lane::Claim, want.lease, claim.worker);
            claimed.extend(held.await?);
        }
        Ok(claimed)
    }

    /// What a worker holds under a lease, the most urgent first.
    pub(super) async fn held_under(
        &self,
        lane: Lane,
        lease: LeaseId,
        worker: WorkerId,
    ) -> Result<Vec<Claimed>> {
        let params = params! { lease: lease.uuid(), worker: worker.uuid() };
        let rows = self.kernel.write(lane, &WORK_CLAIMED, params).await?;
        rows.into_iter().map(read::claimed).collect()
    }

    /// A result whose lease does not hold its job: said before, adopted, or history.
    async fn settle_late(&self, settlement: &Settlement, now: Timestamp) -> Result<Settled> {
        let attempt = settlement.ticket.attempt;
        let outcome = settlement.decision.outcome;
        let job = settlement.job.uuid();
        if let Some(settled) = self.recorded(settlement).await? {
            return Ok(settled);
        }
        if outcome == Outcome::Succeeded {
            let result = settlement.decision.result.clone();
            let (tries, losses) = (settlement.decision.tries, settlement.decision.losses);
            let params = params! {
                job: job, attempt: attempt, lease: settlement.lease.uuid(), result: result, tries: tries, losses: losses, now: now,
            };
            if !self.write(&WORK_ADOPT, params).await?.is_empty() {
                return Ok(Settled::Adopted);
            }
        }
        let params = params! { job: job, attempt: attempt, outcome: outcome.as_str(), lease: settlement.lease.uuid(), now: now };
        self.write(&WORK_LATE, params).await?;
        Ok(Settled::Stale)
    }

    /// What became of a settlement that was recorded before, in these words.
    async fn recorded(&self, settlement: &Settlement) -> Result<Option<Settled>> {
        let params = params! { job: settlement.job.uuid(), attempt: settlement.ticket.attempt };
        let Some(row) = first(self.write(&WORK_RECORDED, params).await?) else {
            return Ok(None);
        };
        let mut cells = row.cells("attempts");
        let (lease, outcome) = (cells.uuid("lease_id")?, cells.word::<Outcome>("outcome")?);
        let wanted = settlement.decision.outcome;
        let is_same = lease == settlement.lease.uuid();
        Ok(match cells.truth("adopted")? {
            true if is_same && wanted == Outcome::Succeeded => Some(Settled::Adopted),
            _ if is_same && wanted == outcome => Some(Settled::Recorded),
            _ => None,
        })
    }
}

fn claim_params(claim: &Claim, want: &Want, now: Timestamp) -> Params {
    params! {
        queue: want.queue.clone(), lease: want.lease.uuid(), k: want.limit, worker: claim.worker.uuid(),
        worker_name: claim.worker.to_string(), until: claim.until, now: now,
    }
}

fn row_of(settlement: &Settlement) -> Value {
    let decision = &settlement.decision;
    let failure = decision.failure.as_ref();
    json!({
        "lease": settlement.lease.uuid(), "job": settlement.job.uuid(), "attempt": settlement.ticket.attempt,
        "run": settlement.ticket.run, "tries": decision.tries, "losses": decision.losses,
        "queued_at": settlement.queued_at.as_micros(), "started_at": settlement.started_at.map(Timestamp::as_micros),
        "outcome": decision.outcome.as_str(), "state": decision.transition.to().as_str(), "reason": decision.reason,
        "run_at": decision.run_at.map(Timestamp::as_micros), "class": failure.map(|f| f.class.as_str()),
        "code": failure.map(|f| &f.code), "message": failure.map(|f| &f.message),
        "fingerprint": settlement.fingerprint, "result": decision.result,
    })
}
