//! Sides: who works which queue off, as far as it is known here.
//!
//! A queue is worked by the servers or by remote workers, whoever named it first, and never changes side while it is there. So
//! what was once read is a fact, and an enqueue costs no look at the store.

use std::collections::HashMap;

use baton_domain::{
    job::{FieldError, NewJob},
    queue::WorkedBy,
};
use parking_lot::RwLock;

use crate::Engine;

/// How many queues are remembered; after that, each is looked up anew.
const MOST: usize = 10_000;

/// Who works which queue off.
#[derive(Default)]
pub struct Sides(RwLock<HashMap<String, WorkedBy>>);

impl Sides {
    /// Takes note of what the store has said.
    pub fn learn(&self, found: impl IntoIterator<Item = (String, WorkedBy)>) {
        let mut known = self.0.write();
        if known.len() >= MOST {
            known.clear();
        }
        known.extend(found);
    }

    /// Whether a queue is known to be worked by remote workers.
    pub fn is_remote(&self, queue: &str) -> bool {
        self.0.read().get(queue) == Some(&WorkedBy::Remote)
    }

    fn is_known_as(&self, queue: &str, worked_by: WorkedBy) -> bool {
        self.0.read().get(queue) == Some(&worked_by)
    }
}

impl Engine {
    /// What is wrong with the queues of these jobs: the place of a job and why its queue is not for its kind.
    pub(crate) async fn on_the_wrong_side(&self, jobs: &[NewJob]) -> Vec<(usize, FieldError)> {
        let sides = &self.inner.sides;
        let doubtful = jobs
            .iter()
            .filter(|job| !sides.is_known_as(&job.queue, job.worked_by));
        let mut names: Vec<_> = doubtful.map(|job| job.queue.clone()).collect();
        if names.is_empty() {
            return Vec::new();
        }
        names.sort_unstable();
        names.dedup();
        // A moment's absence refuses nobody: what gets to the wrong side is put off there.
        let Ok(found) = self.inner.store.worked_by(&names).await else {
            return Vec::new();
        };
        sides.learn(found.iter().cloned());
        let found: HashMap<_, _> = found.into_iter().collect();
        let wrong = jobs.iter().enumerate().filter_map(|(i, job)| {
            let worked_by = *found.get(&job.queue)?;
            (worked_by != job.worked_by).then(|| (i, FieldError::new("queue", why(job))))
        });
        wrong.collect()
    }
}

fn why(job: &NewJob) -> String {
    let (kind, queue) = (&job.kind, &job.queue);
    match job.worked_by {
        WorkedBy::Remote => format!(
            "{queue:?} is worked off by the servers themselves, which do not know the kind {kind:?}; leave the queue out, and the job stands \
             in {kind:?}, or name one of remote workers"
        ),
        WorkedBy::Server => format!(
            "{queue:?} is worked off by remote workers, and {kind:?} is run by the servers themselves; leave the queue out, or name another one"
        ),
    }
}
