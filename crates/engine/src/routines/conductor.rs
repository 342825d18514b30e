//! The conductor finds campaigns that are done, and clears up behind those that were canceled.

use std::time::Duration;

use async_trait::async_trait;
use baton_ports::{Wakeup, store};

use super::{SAFETY, Tools};
use crate::{Next, Routine, routine::about};

/// How many deliveries one turn cancels.
const BATCH: u32 = 1_000;
/// How often it looks at the most, while facts are numbered: a campaign ends with a fact.
const REST: Duration = Duration::from_millis(500);
/// How often it looks at the most, while campaigns are written.
const BREATH: Duration = Duration::from_millis(50);

/// Ends campaigns.
pub struct Conductor {
    pub(super) tools: Tools,
}

#[async_trait]
impl Routine for Conductor {
    about!("conductor": "ends campaigns whose deliveries have ended, and cancels those of canceled ones");

    fn woken_by(&self) -> &'static [Wakeup] {
        &[Wakeup::Campaigns, Wakeup::Events]
    }

    fn rest(&self, wakeup: Wakeup) -> Duration {
        if wakeup == Wakeup::Campaigns {
            BREATH
        } else {
            REST
        }
    }

    async fn turn(&mut self) -> store::Result<Next> {
        let now = self.tools.clock.now();
        let moved = self.tools.store.settle_campaigns(now).await;
        // Campaigns that cannot end hold up none that is canceled.
        let canceled = self.tools.store.cancel_deliveries(BATCH, now).await;
        let count = |done: &store::Result<u32>| *done.as_ref().unwrap_or(&0);
        if count(&moved) + count(&canceled) > 0 {
            self.tools.wakeups.send(Wakeup::Facts);
            self.tools.wakeups.send(Wakeup::Cancel);
        }
        moved?;
        Ok(Next::now_if(canceled? >= BATCH, SAFETY))
    }
}
