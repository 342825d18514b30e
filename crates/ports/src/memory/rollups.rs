//! Rollups: what pictures are drawn from.

use std::collections::BTreeMap;

use async_trait::async_trait;
use baton_domain::{
    Timestamp,
    job::State,
    rollup::{Resolution, Rollup},
};

use super::MemoryStore;
use crate::store::{Result, RollupRequest, Rollups};

/// How many came and went, by queue, resolution, span and state. What has no name is of all queues.
#[derive(Default)]
pub(super) struct RollupTable(BTreeMap<(String, Resolution, i64, State), Flow>);

/// How many came, and how many went.
#[derive(Default, Clone, Copy)]
struct Flow {
    came: u64,
    went: u64,
}

#[async_trait]
impl Rollups for MemoryStore {
    async fn rollups(&self, request: &RollupRequest, since: Timestamp) -> Result<Vec<Rollup>> {
        Ok(self.tables().ledger.rollups.told(request, since))
    }
}

impl RollupTable {
    /// Takes note that a job of a queue came to a state, or went from it.
    pub(super) fn count(&mut self, queue: &str, state: State, change: i64, at: Timestamp) {
        for (queue, resolution) in [
            (queue, Resolution::Minute),
            ("", Resolution::Minute),
            ("", Resolution::Hour),
        ] {
            let key = (queue.to_owned(), resolution, resolution.number(at), state);
            let flow = self.0.entry(key).or_default();
            if change > 0 {
                flow.came += change.unsigned_abs();
            } else {
                flow.went += change.unsigned_abs();
            }
        }
    }

    fn told(&self, request: &RollupRequest, since: Timestamp) -> Vec<Rollup> {
        let queue = request.queue.as_deref().unwrap_or_default();
        let resolution = request.resolution;
        let (first, step) = (resolution.number(since), i64::from(request.step.max(1)));
        let mut told = BTreeMap::<(i64, &str), (State, Flow)>::new();
        for ((name, length, span, state), flow) in &self.0 {
            if name == queue && *length == resolution && *span >= first {
                let key = (span.div_euclid(step) * step, state.as_str());
                let (_, sum) = told.entry(key).or_insert((*state, Flow::default()));
                sum.came += flow.came;
                sum.went += flow.went;
            }
        }
        told.into_iter()
            .map(|((span, _), (state, flow))| Rollup {
                start: resolution.start(span),
                state,
                came: flow.came,
                went: flow.went,
            })
            .collect()
    }

    /// Forgets what is kept no longer.
    pub(super) fn prune(&mut self, limit: usize, now: Timestamp) -> u32 {
        let is_old =
            |resolution: Resolution, span: i64| span < resolution.number(now - resolution.kept());
        let old: Vec<_> = self
            .0
            .keys()
            .filter(|(_, resolution, span, _)| is_old(*resolution, *span))
            .take(limit)
            .cloned()
            .collect();
        for key in &old {
            self.0.remove(key);
        }
        u32::try_from(old.len()).unwrap_or(u32::MAX)
    }
}
