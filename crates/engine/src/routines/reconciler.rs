//! The reconciler compares the counters with what they count, repairs what has drifted, and says so.

use std::time::Duration;

use async_trait::async_trait;
use baton_ports::{Wakeup, store};
use tokio::time::Instant;

use super::Tools;
use crate::{Next, Routine, routine::about};

/// How long it rests at the least.
const PAUSE: Duration = Duration::from_mins(1);
/// How many times as long as it took it rests at the least: a twentieth of the time goes into it, however much there is to count.
const SHARE: u32 = 20;

/// Compares the counters with what they count.
pub struct Reconciler {
    pub(super) tools: Tools,
}

#[async_trait]
impl Routine for Reconciler {
    about!("reconciler": "compares the counters with what they count and repairs drift");

    async fn turn(&mut self) -> store::Result<Next> {
        let began = Instant::now();
        let drifts = self.tools.store.reconcile(self.tools.clock.now()).await?;
        for drift in &drifts {
            tracing::warn!(
                queue = drift.queue,
                state = drift.state,
                counted = drift.counted,
                found = drift.found,
                "a counter had drifted and was repaired"
            );
        }
        if !drifts.is_empty() {
            metrics::counter!("baton_drifts_total").increment(drifts.len() as u64);
            self.tools.wakeups.send(Wakeup::Facts);
        }
        Ok(Next::After(PAUSE.max(began.elapsed() * SHARE)))
    }
}
