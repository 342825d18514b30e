//! The hot path: claim, renew, settle; release and rescue.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use async_trait::async_trait;
use baton_domain::{
    JobId, LeaseId, Timestamp, WorkerId,
    fingerprint::fingerprint,
    job::{Event, Failure, NewJob, Outcome, Ticket},
};
use baton_ports::{
    Hint,
    store::{
        By, Claim, Claimed, Held, Released, Renewed, Result, Settled, Settlement, Start, Started,
        Want, Work,
    },
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{SqlStore, first, read};
use crate::{
    kernel::{Lane, Unit},
    row::Row,
    statement::{
        Script, WORK_ADOPT, WORK_CLAIM, WORK_CLAIM_HINTED, WORK_CLAIM_LIMITED, WORK_CLAIMED,
        WORK_EXPIRE, WORK_EXPIRED_KINDS, WORK_LATE, WORK_OVERDUE, WORK_RECORDED, WORK_RELEASE,
        WORK_RENEW, WORK_SETTLE, WORK_STREAK, WORK_SUCCEED,
    },
    value::{Params, column, params},
};

/// How many successes of one lease are worth a streak: less than that cost more in one row than in a row each.
const STREAK: usize = 32;

#[async_trait]
impl Work for SqlStore {
    async fn claim(&self, claim: &Claim, now: Timestamp) -> Result<Vec<Claimed>> {
        let script = |want: &Want| match (&want.hinted, want.limited) {
            (Some(_), _) => &WORK_CLAIM_HINTED,
            (None, true) => &WORK_CLAIM_LIMITED,
            (None, false) => &WORK_CLAIM,
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
        let mut recorded = self.record(by, settlements, now).await?;
        let mut settled = Vec::with_capacity(settlements.len());
        for settlement in settlements {
            settled.push(match (recorded.remove(&name_of(settlement)), by) {
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
            hints: hints(cells.json("hints")?),
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
    /// Records what the leases still hold; says which attempts are recorded.
    ///
    /// Plain successes of one lease are one row, if there are enough of them, and else a narrow row each.
    /// Where a job was asked to stop meanwhile, both leave it alone: it is then settled like everything else.
    async fn record(
        &self,
        by: By,
        settlements: &[Settlement],
        now: Timestamp,
    ) -> Result<HashSet<Name>> {
        let mut seen = HashSet::new();
        let (plain, others): (Vec<_>, Vec<_>) = settlements
            .iter()
            .partition(|one| is_plain(by, one) && seen.insert(one.job));
        let leases = leases_of(settlements.iter());
        let mut scripts = match by {
            By::Worker(worker) => self.successes(worker, &plain, &leases, now),
            By::Rescuer { .. } => Vec::new(),
        };
        if !others.is_empty() {
            scripts.push((&WORK_SETTLE, settle_params(by, &others, &leases, now)));
        }
        let mut recorded = self.record_by(scripts).await?;
        let left: Vec<_> = plain
            .into_iter()
            .filter(|one| !recorded.contains(&name_of(one)))
            .collect();
        if !left.is_empty() {
            let leases = leases_of(left.iter().copied());
            let scripts = vec![(&WORK_SETTLE, settle_params(by, &left, &leases, now))];
            recorded.extend(self.record_by(scripts).await?);
        }
        Ok(recorded)
    }

    /// What records plain successes.
    fn successes(
        &self,
        worker: WorkerId,
        plain: &[&Settlement],
        leases: &[Uuid],
        now: Timestamp,
    ) -> Vec<(&'static Script, Params)> {
        let (mut streaks, few) = if self.kernel.keeps_streaks() {
            by_lease(plain)
        } else {
            (Vec::new(), plain.to_vec())
        };
        let mut scripts = Vec::new();
        for streak in &mut streaks {
            streak.sort_unstable_by_key(|one| one.job);
            scripts.push((&WORK_STREAK, streak_params(worker, streak, leases, now)));
        }
        if !few.is_empty() {
            scripts.push((&WORK_SUCCEED, succeed_params(worker, &few, leases, now)));
        }
        scripts
    }

    async fn record_by(&self, scripts: Vec<(&'static Script, Params)>) -> Result<HashSet<Name>> {
        let unit = Unit {
            scripts,
            keep: Box::new(|_| true),
        };
        let rows = self.kernel.transact(Lane::Queue, unit).await?;
        let named = |row: Row| {
            let mut cells = row.cells("attempts");
            Ok((
                cells.uuid("job_id")?,
                cells.count::<u32>("attempt")?,
                cells.uuid("lease_id")?,
            ))
        };
        rows.into_iter().flatten().map(named).collect()
    }

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
    let hinted = want.hinted.iter().flatten().take(want.limit as usize);
    let once: BTreeSet<_> = hinted.map(|job| job.uuid()).collect();
    params! {
        queue: want.queue.clone(), lease: want.lease.uuid(), k: want.limit, worker: claim.worker.uuid(),
        worker_name: claim.worker.to_string(), until: claim.until, now: now,
        jobs: once.into_iter().collect::<Vec<_>>(),
    }
}

/// What there is to hint at among jobs that were released.
fn hints(released: Vec<(String, Uuid, i16)>) -> Vec<Hint> {
    let hint = |(queue, job, priority): (String, Uuid, i16)| {
        Hint::of(&queue, JobId::from_uuid(job), priority)
    };
    released.into_iter().filter_map(hint).collect()
}

/// An attempt, as a settlement names it: job, number, lease.
type Name = (Uuid, u32, Uuid);

fn name_of(settlement: &Settlement) -> Name {
    (
        settlement.job.uuid(),
        settlement.ticket.attempt,
        settlement.lease.uuid(),
    )
}

/// Whether it is what nearly all are: the success of a first attempt.
fn is_plain(by: By, settlement: &Settlement) -> bool {
    let Ticket {
        attempt,
        tries,
        losses,
        run,
    } = settlement.ticket;
    let decision = &settlement.decision;
    matches!(by, By::Worker(_))
        && (attempt, tries, losses, run) == (1, 1, 0, 1)
        && decision.outcome == Outcome::Succeeded
        && (decision.tries, decision.losses) == (1, 0)
}

/// Which leases they name, each once.
fn leases_of<'a>(settlements: impl Iterator<Item = &'a Settlement>) -> Vec<Uuid> {
    let leases: BTreeSet<_> = settlements.map(|one| one.lease.uuid()).collect();
    leases.into_iter().collect()
}

/// Those that come many at a time of a lease, and the others.
fn by_lease<'a>(plain: &[&'a Settlement]) -> (Vec<Vec<&'a Settlement>>, Vec<&'a Settlement>) {
    let mut leases: BTreeMap<LeaseId, Vec<&Settlement>> = BTreeMap::new();
    for one in plain {
        leases.entry(one.lease).or_default().push(one);
    }
    let (many, few): (Vec<_>, Vec<_>) = leases.into_values().partition(|some| some.len() >= STREAK);
    (many, few.into_iter().flatten().collect())
}

fn streak_params(
    worker: WorkerId,
    streak: &[&Settlement],
    leases: &[Uuid],
    now: Timestamp,
) -> Params {
    let lease = streak.first().map(|one| one.lease.uuid());
    let last = streak.last().map(|one| one.job.uuid());
    // What is not there reads as nothing.
    let told = if streak.iter().all(|one| one.decision.result.is_none()) {
        &[]
    } else {
        streak
    };
    params! {
        worker: worker.uuid(), lease: lease, last: last, leases: leases.to_vec(), least: STREAK as i64, now: now,
        jobs: column(streak, |one| one.job.uuid()),
        queued_ats: column(streak, |one| one.queued_at),
        started_ats: column(streak, |one| one.started_at),
        results: column(told, |one| one.decision.result.clone()),
    }
}

fn succeed_params(
    worker: WorkerId,
    plain: &[&Settlement],
    leases: &[Uuid],
    now: Timestamp,
) -> Params {
    let place = |one: &&Settlement| {
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

fn settle_params(by: By, settlements: &[&Settlement], leases: &[Uuid], now: Timestamp) -> Params {
    let (worker, overdue) = match by {
        By::Worker(worker) => (Some(worker.uuid()), None),
        By::Rescuer { overdue_before } => (None, Some(overdue_before)),
    };
    let rows: Vec<_> = settlements.iter().map(|one| row_of(one)).collect();
    params! {
        rows: json!(rows).to_string(), leases: json!(leases).to_string(), worker: worker, overdue: overdue, now: now,
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
