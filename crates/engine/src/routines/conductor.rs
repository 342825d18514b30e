//! The conductor finds campaigns that are done, and clears up behind those that were canceled.

use std::time::Duration;

use async_trait::async_trait;
use baton_ports::{Wake, store};

use super::{Leading, Tools};
use crate::{Next, Routine};

/// How many deliveries one turn cancels.
const BATCH: u32 = 1_000;
/// How often it looks.
const TICK: Duration = Duration::from_millis(500);

/// Ends campaigns.
pub struct Conductor {
    tools: Tools,
    leading: Leading,
}

impl Conductor {
    /// A conductor.
    #[must_use]
    pub const fn new(tools: Tools, leading: Leading) -> Self {
        Self { tools, leading }
    }
}

#[async_trait]
impl Routine for Conductor {
    fn name(&self) -> &'static str {
        "conductor"
    }

    fn duty(&self) -> &'static str {
        "ends campaigns whose deliveries have ended, and cancels those of canceled ones"
    }

    fn bell(&self) -> Option<Wake> {
        Some(Wake::Campaigns)
    }

    fn rest(&self) -> Duration {
        Duration::from_millis(50)
    }

    async fn turn(&mut self) -> store::Result<Next> {
        if !self.leading.is_true() {
            return Ok(Next::After(TICK));
        }
        let now = self.tools.clock.now();
        let moved = self.tools.store.settle_campaigns(now).await?;
        let canceled = self.tools.store.cancel_deliveries(BATCH, now).await?;
        if moved + canceled > 0 {
            self.tools.signal.ring(Wake::Facts);
            self.tools.signal.ring(Wake::Cancel);
        }
        Ok(Next::now_if(canceled >= BATCH, TICK))
    }
}
