//! The pruner forgets what is older than its retention, a bounded bite at a time.

use std::time::Duration;

use async_trait::async_trait;
use baton_ports::store::{self, Retention};

use super::{Leading, Tools};
use crate::{Next, Routine};

/// How many rows one turn forgets: short transactions, no long locks.
const BATCH: u32 = 2_000;
/// How long it rests when there is nothing to forget.
const PAUSE: Duration = Duration::from_mins(5);
/// How often a node looks whether it leads by now.
const LOOK: Duration = Duration::from_secs(6);
/// How long it rests between bites, so that work goes first.
const BREATH: Duration = Duration::from_millis(100);

/// Forgets what is older than its retention.
pub struct Pruner {
    tools: Tools,
    leading: Leading,
    retention: Retention,
}

impl Pruner {
    /// A pruner.
    #[must_use]
    pub const fn new(tools: Tools, leading: Leading, retention: Retention) -> Self {
        Self {
            tools,
            leading,
            retention,
        }
    }
}

#[async_trait]
impl Routine for Pruner {
    fn name(&self) -> &'static str {
        "pruner"
    }

    fn duty(&self) -> &'static str {
        "forgets what is older than its retention"
    }

    async fn turn(&mut self) -> store::Result<Next> {
        if !self.leading.is_true() {
            return Ok(Next::After(LOOK));
        }
        let pruned = self
            .tools
            .store
            .prune(&self.retention, BATCH, self.tools.clock.now())
            .await?;
        metrics::counter!("baton_jobs_pruned_total").increment(pruned.jobs.into());
        Ok(Next::After(if pruned.is_empty() { PAUSE } else { BREATH }))
    }
}
