//! The releaser makes due jobs claimable. It sleeps until the next due moment; nobody polls on a tick.

use async_trait::async_trait;
use baton_ports::{Wakeup, store};

use super::{SAFETY, Tools};
use crate::{Next, Routine, routine::about};

/// How many jobs one turn releases.
const BATCH: u32 = 1_000;

/// Makes due jobs claimable.
pub struct Releaser {
    pub(super) tools: Tools,
}

#[async_trait]
impl Routine for Releaser {
    about!("releaser": "makes waiting jobs claimable when they are due");

    fn woken_by(&self) -> &'static [Wakeup] {
        &[Wakeup::Due]
    }

    async fn turn(&mut self) -> store::Result<Next> {
        let now = self.tools.clock.now();
        let released = self.tools.store.release(BATCH, now).await?;
        if released.count > 0 {
            metrics::counter!("baton_jobs_released_total").increment(released.count.into());
            let rest = (released.hints.len() < released.count as usize).then_some(None);
            let hints = released.hints.into_iter().map(Some);
            self.tools.offers.claimable(hints.chain(rest));
            self.tools.wakeups.send(Wakeup::Facts);
        }
        let sleep = released
            .next_due
            .map_or(SAFETY, |due| due.since(now).min(SAFETY));
        Ok(Next::now_if(released.count >= BATCH, sleep))
    }
}
