//! Checkpoints: a job's own cursor, moved under its lease together with the jobs it makes.

use std::{collections::HashSet, sync::Arc};

use baton_domain::{
    JobId, LeaseId, Timestamp, WorkerId,
    checkpoint::{Progress, child_id},
    job::NewJob,
};
use baton_ports::store::{
    Atomicity, CheckpointOutcome, CheckpointStep, Enqueued, Error, ProgressReport, Result,
};
use serde_json::json;
use uuid::Uuid;

use super::{
    SqlStore,
    jobs::{Holders, agrees, answer, has_forgotten, holders, keeper},
};
use crate::{
    kernel::{ConnectionPool, Unit},
    row::Rows,
    statement as sql,
    value::{Params, params},
};

impl SqlStore {
    pub(super) async fn save_checkpoint(
        &self,
        worker: WorkerId,
        step: &CheckpointStep,
        now: Timestamp,
    ) -> Result<CheckpointOutcome> {
        let jobs = Arc::new(children(step, now));
        let unit = self.unit_of(worker, step, &jobs, now);
        let rows = self.kernel.transact(ConnectionPool::Queue, unit).await?;
        let found = Found::read(&rows)?;
        let held = held_keys(&jobs, &rows)?;
        if found.is_saved {
            if has_forgotten(&jobs, &held) {
                // The key was taken when the job came and forgotten before we looked: ask again.
                return Err(Error::Unconfirmed(
                    "a key was forgotten meanwhile".to_owned(),
                ));
            }
            return Ok(recorded(answer(&jobs, &held)));
        }
        Ok(match found.stands {
            Some(stands) if stands.is_of(step) => CheckpointOutcome::Recorded {
                is_repeated: true,
                jobs: made_before(step, stands.at, &jobs, &held),
            },
            _ if !found.is_held => CheckpointOutcome::Lost,
            stands => CheckpointOutcome::OutOfOrder {
                seq: stands.map_or(0, |stands| stands.seq),
            },
        })
    }

    /// The move and what comes with it, as one transaction: all of it, or nothing.
    fn unit_of(
        &self,
        worker: WorkerId,
        step: &CheckpointStep,
        jobs: &Arc<Vec<NewJob>>,
        now: Timestamp,
    ) -> Unit {
        let mut unit = Unit::of(&sql::work::CHECKPOINT, moved(worker, step, now));
        if jobs.is_empty() {
            return unit;
        }
        unit.scripts
            .push((&sql::jobs::ENQUEUE, self.columns(jobs, now)));
        let keys: Vec<_> = jobs.iter().filter_map(|job| job.key.as_deref()).collect();
        let agree = if keys.is_empty() {
            None
        } else {
            let look = params! { keys: self.list(&keys) };
            unit.scripts.push((&sql::jobs::KEY_HOLDERS, look));
            keeper(jobs, Atomicity::All)
        };
        unit.keep = Some(Box::new(move |rows| {
            let is_saved = Found::read(rows).is_ok_and(|found| found.is_saved);
            is_saved && agree.as_ref().is_none_or(|agree| agree(rows))
        }));
        unit
    }

    pub(super) async fn save_progress(
        &self,
        worker: WorkerId,
        reports: &[ProgressReport],
        now: Timestamp,
    ) -> Result<()> {
        if reports.is_empty() {
            return Ok(());
        }
        let row = |report: &ProgressReport| {
            json!({
                "lease": report.lease.uuid(), "job": report.job.uuid(), "attempt": report.attempt,
                "progress": written(&report.progress),
            })
        };
        let rows: Vec<_> = reports.iter().map(row).collect();
        let params = params! { worker: worker.uuid(), rows: json!(rows).to_string(), now: now };
        self.write(&sql::work::PROGRESS, params).await.map(drop)
    }
}

/// What a checkpoint's script says.
struct Found {
    is_saved: bool,
    is_held: bool,
    stands: Option<Standing>,
}

/// The checkpoint that stands.
struct Standing {
    seq: u64,
    lease: Option<LeaseId>,
    at: Timestamp,
    /// Whether it is at the place to which the step goes.
    is_there: bool,
}

impl Found {
    fn read(rows: &[Rows]) -> Result<Self> {
        let row = rows.first().and_then(|rows| rows.first());
        let row = row.ok_or_else(|| Error::Refused("a checkpoint was not answered".to_owned()))?;
        let mut cells = row.clone().cells("checkpoints");
        let (is_saved, is_held) = (cells.truth("saved")?, cells.truth("held")?);
        let seq = cells.maybe_count("seq")?;
        let lease = cells.maybe_uuid("lease_id")?.map(LeaseId::from_uuid);
        let at = cells.maybe_time("at")?;
        let is_there = cells.truth("is_there")?;
        let stands = seq.zip(at).map(|(seq, at)| Standing {
            seq,
            lease,
            at,
            is_there,
        });
        Ok(Self {
            is_saved,
            is_held,
            stands,
        })
    }
}

impl Standing {
    /// Whether it was written by this very step.
    fn is_of(&self, step: &CheckpointStep) -> bool {
        self.lease == Some(step.lease) && self.seq == step.seq && self.is_there
    }
}

fn moved(worker: WorkerId, step: &CheckpointStep, now: Timestamp) -> Params {
    params! {
        worker: worker.uuid(), lease: step.lease.uuid(), job: step.job.uuid(), attempt: step.attempt,
        seq: i64::try_from(step.seq).unwrap_or(i64::MAX), cursor: step.cursor.clone(),
        progress: step.progress.as_ref().map(written), now: now, told: told(step),
    }
}

fn written(progress: &Progress) -> String {
    serde_json::to_string(progress).unwrap_or_default()
}

/// What an event tells of a checkpoint: never the cursor, which may hold what events should not.
fn told(step: &CheckpointStep) -> String {
    let mut told = json!({ "seq": step.seq });
    if let Some(progress) = &step.progress {
        told["done"] = progress.done.into();
        if let Some(total) = progress.total {
            told["total"] = total.into();
        }
    }
    json!([told]).to_string()
}

/// The jobs of a step that was taken at a moment.
fn children(step: &CheckpointStep, at: Timestamp) -> Vec<NewJob> {
    let jobs = step.jobs.iter().cloned().enumerate();
    jobs.map(|(place, job)| NewJob {
        id: child_id(at, step.job, step.lease, step.seq, place),
        created_at: at,
        run_at: job.run_at.max(at),
        ..job
    })
    .collect()
}

/// Who holds the keys that jobs come with; nobody has looked if there are none.
fn held_keys(jobs: &[NewJob], rows: &[Rows]) -> Result<Holders> {
    if jobs.iter().any(|job| job.key.is_some()) {
        holders(rows)
    } else {
        Ok(Holders::new())
    }
}

/// What becomes of a checkpoint that would have been saved, by what becomes of its jobs.
fn recorded(jobs: Vec<Enqueued>) -> CheckpointOutcome {
    let is_conflict = |one: &Enqueued| matches!(one, Enqueued::Conflict(_));
    if jobs.iter().any(is_conflict) {
        return CheckpointOutcome::Conflict { jobs };
    }
    CheckpointOutcome::Recorded {
        is_repeated: false,
        jobs,
    }
}

/// What became of the jobs of a checkpoint that is asked again. What was taken back just now had other ids: a key that
/// one of those holds had been forgotten since the first time.
fn made_before(
    step: &CheckpointStep,
    at: Timestamp,
    taken_back: &[NewJob],
    held: &Holders,
) -> Vec<Enqueued> {
    let passing: HashSet<Uuid> = taken_back.iter().map(|job| job.id.uuid()).collect();
    let one = |job: NewJob| {
        let holder = job.key.as_ref().and_then(|key| held.get(key));
        match holder {
            Some((holder, kept))
                if *holder != job.id.uuid() && !passing.contains(holder) && agrees(&job, kept) =>
            {
                Enqueued::Known(JobId::from_uuid(*holder))
            }
            _ => Enqueued::Created(job.id),
        }
    };
    children(step, at).into_iter().map(one).collect()
}
