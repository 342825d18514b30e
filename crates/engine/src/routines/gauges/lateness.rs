//! How many jobs of a queue have been due for longer than its target. Only queues whose oldest job has are looked at, and each as far as a bound.

use std::{cmp::Reverse, collections::BTreeMap, time::Duration};

use baton_domain::{
    Timestamp,
    queue::{Queue, WaitTargets, campaign_of},
};
use baton_ports::store::{self, Store};

/// How many late jobs of a queue are counted, however many there are.
const MOST: u32 = 10_000;
/// In how many queues they are counted, those with the longest lines first. Of the others it is known that one is late.
const MOST_QUEUES: usize = 100;

/// The late jobs as they were counted last.
pub struct LatenessGauges {
    targets: WaitTargets,
    late: BTreeMap<String, u64>,
}

impl LatenessGauges {
    /// None are late yet.
    pub const fn new(targets: WaitTargets) -> Self {
        Self {
            targets,
            late: BTreeMap::new(),
        }
    }

    pub async fn read(
        &mut self,
        store: &dyn Store,
        queues: &[Queue],
        now: Timestamp,
    ) -> store::Result<()> {
        let mut late: Vec<_> = queues
            .iter()
            .filter(|queue| campaign_of(&queue.name).is_none() && self.is_late(queue, now))
            .collect();
        late.sort_by_key(|queue| Reverse(queue.queued));
        let known = late.iter().map(|queue| (queue.name.clone(), 1));
        self.late = known.collect();
        for queue in late.into_iter().take(MOST_QUEUES) {
            let before = now - self.target(&queue.name);
            let count = store.late_jobs(&queue.name, before, MOST).await?;
            self.late.insert(queue.name.clone(), count);
        }
        Ok(())
    }

    fn is_late(&self, queue: &Queue, now: Timestamp) -> bool {
        let waited = queue.oldest_queued_at.map(|at| now.since(at));
        waited.is_some_and(|waited| waited > self.target(&queue.name))
    }

    pub fn target(&self, queue: &str) -> Duration {
        self.targets.of(queue)
    }

    pub fn late(&self, queue: &str) -> u64 {
        self.late.get(queue).copied().unwrap_or_default()
    }

    pub fn forget(&mut self) {
        self.late.clear();
    }
}
