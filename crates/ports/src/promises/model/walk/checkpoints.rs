//! Cursors that are moved, with jobs that come with them, and progress that is told.

use baton_domain::checkpoint::Progress;
use rand::RngExt;

use super::ModelWalk;
use crate::store::{CheckpointOutcome, CheckpointStep, Enqueued, ProgressReport};

impl ModelWalk {
    /// Moves the cursor of some attempt there was, mostly from where it stands; now and then the answer is lost.
    pub(super) async fn checkpoint(&mut self) {
        let Some((worker, claimed)) = self.some_attempt() else {
            return;
        };
        let (job, now) = (claimed.args.id, self.store.now());
        let progress = self.chance.random_bool(0.5).then(|| Progress {
            done: self.chance.random_range(0..9),
            ..Progress::default()
        });
        if self.chance.random_bool(0.2) {
            let report = ProgressReport {
                lease: claimed.lease,
                job,
                attempt: claimed.counters.attempt,
                progress: progress.unwrap_or_default(),
            };
            let reports = [report];
            both!(self, "progress", |bench| bench
                .store
                .progress(worker, &reports, now));
            return;
        }
        let stands = self.model.store.checkpoints(&[job]).await;
        let stands = stands.expect("the model answers");
        let seq = stands.first().map_or(0, |found| found.seq);
        let count = self.chance.random_range(0..3);
        let specs: Vec<_> = (0..count).map(|_| self.some_spec()).collect();
        let jobs = specs.into_iter().map(|spec| self.store.new_job(spec));
        let step = CheckpointStep {
            lease: claimed.lease,
            job,
            attempt: claimed.counters.attempt,
            seq: (seq + self.chance.random_range(0..5))
                .saturating_sub(2)
                .max(1),
            cursor: self.chance.random_range(0..3).to_string(),
            progress,
            jobs: jobs.collect(),
        };
        let now = self.store.now();
        for _ in 0..self.chance.random_range(1..3) {
            let taken = both!(self, "checkpoint", |bench| of_its_own(
                bench.store.checkpoint(worker, &step, now)
            ));
            if let CheckpointOutcome::Recorded { jobs, .. } = taken {
                self.jobs.extend(jobs.iter().map(Enqueued::id));
            }
        }
    }
}

/// An answer without what stood in the way of those that did not: the first conflict takes all back, and nobody says
/// what would have become of the others.
async fn of_its_own(
    taken: impl Future<Output = crate::store::Result<CheckpointOutcome>>,
) -> crate::store::Result<CheckpointOutcome> {
    taken.await.map(|outcome| match outcome {
        CheckpointOutcome::Conflict { .. } => CheckpointOutcome::Conflict { jobs: Vec::new() },
        other => other,
    })
}
