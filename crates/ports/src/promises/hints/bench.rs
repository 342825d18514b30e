//! Fixtures: the words in which the promises of hints are written.

use std::{sync::Arc, time::Duration};

use baton_domain::{JobId, Timestamp, WorkerId};
use tokio::time::timeout;

use super::FreshHints;
use crate::{
    Hint, Hints,
    hints::{HintError, HintState},
};

pub(super) const QUEUE: &str = "default";
pub(super) const NONE: &[JobId] = &[];
/// No waiting.
pub(super) const NOW: Duration = Duration::ZERO;
/// Longer than anything on the bench takes.
pub(super) const LONG: Duration = Duration::from_secs(20);
/// More than anything on the bench has.
pub(super) const ALL: u32 = 10_000;

const DAWN: Timestamp = Timestamp::from_micros(1_700_000_040_000_000);

/// Fresh hints, and a worker.
#[derive(Clone)]
pub struct HintsBench {
    /// The hints.
    pub hints: Arc<dyn Hints>,
    pub(super) others: Arc<dyn Hints>,
    pub(super) forget: Arc<dyn Fn() + Send + Sync>,
    pub(super) poison: Arc<dyn Fn(&str) + Send + Sync>,
    pub(super) worker: WorkerId,
}

impl HintsBench {
    pub(super) fn new(fresh: &FreshHints) -> Self {
        Self {
            hints: fresh.hints.clone(),
            others: fresh.others.clone(),
            forget: fresh.forget.clone(),
            poison: fresh.poison.clone(),
            worker: WorkerId::new(DAWN),
        }
    }

    /// With this generation open.
    pub(super) async fn open(&self, generation: i64) {
        self.hints.open(generation).await.unwrap();
    }

    /// Offers new jobs to a queue.
    pub(super) async fn offer(&self, queue: &str, count: usize) -> Vec<JobId> {
        let hints = some(queue, count);
        self.hints.offer(&hints).await.unwrap();
        jobs(&hints)
    }

    pub(super) async fn take(&self, limit: u32) -> Vec<JobId> {
        self.take_from(QUEUE, limit).await
    }

    pub(super) async fn take_from(&self, queue: &str, limit: u32) -> Vec<JobId> {
        let taken = self.hints.take(self.worker, queue, limit, NOW).await;
        taken.unwrap()
    }

    pub(super) async fn lengths(&self, queues: &[&str]) -> Vec<u64> {
        let queues: Vec<_> = queues.iter().map(ToString::to_string).collect();
        self.hints.lengths(&queues).await.unwrap()
    }

    pub(super) async fn drop_taken(&self, queue: &str, jobs: &[JobId]) {
        let hints: Vec<_> = jobs.iter().map(|job| hint(queue, *job)).collect();
        self.hints.drop_taken(self.worker, &hints).await.unwrap();
    }

    pub(super) async fn give_back(&self) -> u64 {
        self.hints.give_back(self.worker).await.unwrap()
    }

    /// Whatever is asked is answered with this, as soon as it is known.
    pub(super) async fn until_building(&self) {
        let is_building = async {
            while self.hints.offer(&some(QUEUE, 1)).await != Err(HintError::Building) {
                tokio::task::yield_now().await;
            }
        };
        timeout(LONG, is_building).await.unwrap();
        assert_eq!(self.hints.state(), HintState::Building);
    }
}

/// Another worker than any before.
pub(super) fn another_worker() -> WorkerId {
    WorkerId::new(DAWN)
}

/// A hint that is not urgent.
pub(super) fn hint(queue: &str, job: JobId) -> Hint {
    Hint {
        queue: queue.to_owned(),
        job,
        is_urgent: false,
    }
}

/// Hints at new jobs.
pub(super) fn some(queue: &str, count: usize) -> Vec<Hint> {
    (0..count).map(|_| hint(queue, JobId::new(DAWN))).collect()
}

pub(super) fn jobs(hints: &[Hint]) -> Vec<JobId> {
    hints.iter().map(|hint| hint.job).collect()
}

/// The same, urgent.
pub(super) fn urgent(hints: Vec<Hint>) -> Vec<Hint> {
    let hints = hints.into_iter();
    hints
        .map(|hint| Hint {
            is_urgent: true,
            ..hint
        })
        .collect()
}
