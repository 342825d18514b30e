//! The poller finds work that no wake-up told of: one was lost, or only the clock knows of it.
//!
//! One small look serves every routine that would otherwise look by itself; whoever has something to
//! do gets a wake-up. It is sent in this process only: every node has a poller.

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::Timestamp;
use baton_ports::{
    Findings, Wakeup,
    store::{self, Outstanding},
};
use tokio::time::Instant;

use super::Tools;
use crate::{Next, Routine, routine::about};

/// How often it looks: how late what no wake-up told of can begin.
const PAUSE: Duration = Duration::from_secs(2);
/// How often it looks at the most, however closely moments follow on one another.
const SHORTEST: Duration = Duration::from_millis(500);

/// Finds work that no wake-up told of.
pub struct Poller {
    pub(super) tools: Tools,
    pub(super) findings: Findings,
}

#[async_trait]
impl Routine for Poller {
    about!("poller": "finds work that no wake-up told of");

    async fn turn(&mut self) -> store::Result<Next> {
        let (now, began) = (self.tools.clock.now(), Instant::now());
        let found = self.tools.store.outstanding(now).await?;
        self.findings.tell(began, found);
        for wakeup in wakeups(&found) {
            self.tools.wakeups.send_here(wakeup);
        }
        Ok(Next::After(pause(found.next, now)))
    }
}

fn wakeups(found: &Outstanding) -> impl Iterator<Item = Wakeup> {
    [
        (found.facts, Wakeup::Facts),
        (found.jobs, Wakeup::Due),
        (found.expired, Wakeup::Expired),
        (found.operations, Wakeup::Operations),
        (found.campaigns, Wakeup::Campaigns),
        (found.schedules, Wakeup::Schedules),
        (found.staged, Wakeup::Staged),
        (found.in_line, Wakeup::Ready),
    ]
    .into_iter()
    .filter_map(|(is_found, wakeup)| is_found.then_some(wakeup))
}

fn pause(next: Option<Timestamp>, now: Timestamp) -> Duration {
    next.map_or(PAUSE, |at| at.since(now).clamp(SHORTEST, PAUSE))
}
