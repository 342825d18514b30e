//! The pruner forgets what is older than its retention, a bounded bite at a time.

use std::time::Duration;

use async_trait::async_trait;
use baton_ports::store::{self, Retention};

use super::Tools;
use crate::{Next, Routine, routine::about};

/// How many rows one turn forgets: short transactions, no long locks.
const BATCH: u32 = 2_000;
/// How long it rests when there is nothing to forget.
const PAUSE: Duration = Duration::from_mins(5);
/// How long it rests between bites, so that work goes first.
const BREATH: Duration = Duration::from_millis(100);

/// Forgets what is older than its retention.
pub struct Pruner {
    pub(super) tools: Tools,
    pub(super) retention: Retention,
}

#[async_trait]
impl Routine for Pruner {
    about!("pruner": "forgets what is older than its retention");

    async fn turn(&mut self) -> store::Result<Next> {
        let pruned = self
            .tools
            .store
            .prune(&self.retention, BATCH, self.tools.clock.now())
            .await?;
        metrics::counter!("baton_jobs_pruned_total").increment(pruned.jobs.into());
        Ok(Next::After(if pruned.is_empty() { PAUSE } else { BREATH }))
    }
}
