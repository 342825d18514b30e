//! Checkpoints: a job's own cursor, moved under its lease.

use std::{collections::BTreeSet, time::Duration};

use baton_domain::{
    JobId, LeaseId, Timestamp, WorkerId,
    checkpoint::{Checkpoint, child_id},
    job::NewJob,
};

use super::{Tables, facts::Fact};
use crate::store::{Atomicity, CheckpointOutcome, CheckpointStep, Enqueued, ProgressReport};

/// How often an event tells of a job's checkpoints, at the most.
const TOLD: Duration = Duration::from_secs(1);

/// A checkpoint, and under which lease it was written.
pub(super) struct Row {
    checkpoint: Checkpoint,
    lease: Option<LeaseId>,
    /// When an event told of it last.
    told_at: Option<Timestamp>,
}

impl Tables {
    pub(super) fn checkpoints_of(&self, ids: &[JobId]) -> Vec<Checkpoint> {
        let ids: BTreeSet<_> = ids.iter().collect();
        let rows = ids.into_iter().filter_map(|id| self.checkpoints.get(id));
        rows.map(|row| row.checkpoint.clone()).collect()
    }

    /// Whether an attempt has moved the cursor of its job.
    pub(super) fn has_moved(&self, job: JobId, attempt: u32) -> bool {
        let row = self.checkpoints.get(&job);
        row.is_some_and(|row| row.checkpoint.has_moved_in(attempt))
    }

    pub(super) fn checkpoint(
        &mut self,
        worker: WorkerId,
        step: &CheckpointStep,
        now: Timestamp,
    ) -> CheckpointOutcome {
        let before = self.checkpoints.get(&step.job);
        if let Some(row) = before.filter(|row| row.is_of(step)) {
            return CheckpointOutcome::Recorded {
                is_repeated: true,
                jobs: self.made_before(step, row.checkpoint.at),
            };
        }
        if !self.holds(worker, step.lease, step.job, step.attempt) {
            return CheckpointOutcome::Lost;
        }
        let stands = before.map_or(0, |row| row.checkpoint.seq);
        if step.seq != stands + 1 {
            return CheckpointOutcome::OutOfOrder { seq: stands };
        }
        let jobs = self.enqueue(children(step, now), Atomicity::All);
        if jobs.iter().any(|one| matches!(one, Enqueued::Conflict(_))) {
            return CheckpointOutcome::Conflict { jobs };
        }
        self.move_cursor(step, now);
        CheckpointOutcome::Recorded {
            is_repeated: false,
            jobs,
        }
    }

    fn move_cursor(&mut self, step: &CheckpointStep, now: Timestamp) {
        let before = self.checkpoints.remove(&step.job);
        let told_at = before.as_ref().and_then(|row| row.told_at);
        let is_told = told_at.is_none_or(|at| now.since(at) >= TOLD);
        let moved = match &before {
            Some(row) => row.is_left_by(step),
            None => step.cursor != "null",
        };
        let (era, progress) = before.map_or((1, None), |row| {
            (row.checkpoint.era, row.checkpoint.progress)
        });
        let checkpoint = Checkpoint {
            job: step.job,
            seq: step.seq,
            era,
            attempt: step.attempt,
            cursor: Some(step.cursor.clone()),
            progress: step.progress.clone().or(progress),
            moved,
            at: now,
        };
        if is_told {
            self.tell_of_checkpoint(step, now);
        }
        let row = Row {
            checkpoint,
            lease: Some(step.lease),
            told_at: if is_told { Some(now) } else { told_at },
        };
        self.checkpoints.insert(step.job, row);
    }

    fn tell_of_checkpoint(&mut self, step: &CheckpointStep, now: Timestamp) {
        let progress = step.progress.as_ref();
        let fact = Fact::about("job.checkpointed", step.job.to_string(), now)
            .with("queue", self.jobs[&step.job].queue.as_str())
            .with("attempt", step.attempt)
            .with("seq", step.seq)
            .with_any("done", progress.map(|progress| progress.done))
            .with_any("total", progress.and_then(|progress| progress.total));
        self.ledger.tell(vec![fact]);
    }

    pub(super) fn progress(&mut self, worker: WorkerId, report: &ProgressReport, now: Timestamp) {
        if !self.holds(worker, report.lease, report.job, report.attempt) {
            return;
        }
        let row = self.checkpoints.entry(report.job);
        let row = row.or_insert_with(|| Row::without_cursor(report.job, report.attempt, now));
        row.checkpoint.progress = Some(report.progress.clone());
    }

    /// Has a job begin anew: nothing is left of how far it was, and an era begins.
    pub(super) fn begin_anew(&mut self, job: JobId, now: Timestamp) {
        let row = self.checkpoints.entry(job);
        let row = row.or_insert_with(|| Row::without_cursor(job, 0, now));
        row.lease = None;
        row.checkpoint.era += 1;
        row.empty();
        row.checkpoint.at = now;
    }

    /// Takes out of a checkpoint what its job said of itself.
    pub(super) fn blank_checkpoint(&mut self, job: JobId) {
        if let Some(row) = self.checkpoints.get_mut(&job) {
            row.lease = None;
            row.empty();
        }
    }

    fn holds(&self, worker: WorkerId, lease: LeaseId, job: JobId, attempt: u32) -> bool {
        let lease = self.leases.get(&lease);
        let held = lease
            .filter(|lease| lease.worker == worker)
            .and_then(|lease| lease.jobs.get(&job));
        held.is_some_and(|held| held.counters.attempt == attempt)
    }

    /// What became of the jobs of a checkpoint that is asked again.
    fn made_before(&self, step: &CheckpointStep, at: Timestamp) -> Vec<Enqueued> {
        let jobs = children(step, at).into_iter();
        jobs.map(|job| {
            let holder = job.key.as_ref().and_then(|key| self.keys.get(key));
            match holder {
                Some(holder)
                    if holder.job != job.id && holder.content_hash == job.content.digest() =>
                {
                    Enqueued::Known(holder.job)
                }
                _ => Enqueued::Created(job.id),
            }
        })
        .collect()
    }
}

impl Row {
    fn without_cursor(job: JobId, attempt: u32, now: Timestamp) -> Self {
        Self {
            checkpoint: Checkpoint {
                job,
                seq: 0,
                era: 1,
                attempt,
                cursor: None,
                progress: None,
                moved: false,
                at: now,
            },
            lease: None,
            told_at: None,
        }
    }

    fn empty(&mut self) {
        let checkpoint = &mut self.checkpoint;
        (checkpoint.cursor, checkpoint.progress, checkpoint.moved) = (None, None, false);
    }

    /// Whether it was written by this very step.
    fn is_of(&self, step: &CheckpointStep) -> bool {
        self.lease == Some(step.lease)
            && self.checkpoint.seq == step.seq
            && self.checkpoint.cursor.as_deref() == Some(&step.cursor)
    }

    /// Whether the cursor has moved since the attempt began, once this step is taken. Who only says again where the job
    /// is gets on no further by that.
    fn is_left_by(&self, step: &CheckpointStep) -> bool {
        let cursor = self.checkpoint.cursor.as_deref().unwrap_or("null");
        self.checkpoint.has_moved_in(step.attempt) || cursor != step.cursor
    }
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
