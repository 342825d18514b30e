//! The poller finds work that no bell told of: a ring was lost, or nothing rings but the clock.
//!
//! One small look serves every routine that would otherwise look by itself; whoever has something to
//! do hears the bell. It rings in this process only: every node has a poller.

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::Timestamp;
use baton_ports::{
    Wake,
    store::{self, Outstanding},
};

use super::Tools;
use crate::{Next, Routine};

/// How often it looks: how late what nobody rang for can begin.
const PAUSE: Duration = Duration::from_secs(2);
/// How often it looks at the most, however closely moments follow on one another.
const SHORTEST: Duration = Duration::from_millis(500);

/// Finds work that no bell told of.
pub struct Poller {
    tools: Tools,
}

impl Poller {
    /// A poller.
    #[must_use]
    pub const fn new(tools: Tools) -> Self {
        Self { tools }
    }
}

#[async_trait]
impl Routine for Poller {
    fn name(&self) -> &'static str {
        "poller"
    }

    fn duty(&self) -> &'static str {
        "finds work that no bell told of"
    }

    async fn turn(&mut self) -> store::Result<Next> {
        let now = self.tools.clock.now();
        let found = self.tools.store.outstanding(now).await?;
        for wake in bells(&found) {
            self.tools.signal.hear(wake);
        }
        Ok(Next::After(pause(found.next, now)))
    }
}

fn bells(found: &Outstanding) -> impl Iterator<Item = Wake> {
    [
        (found.facts, Wake::Facts),
        (found.jobs, Wake::Due),
        (found.expired, Wake::Expired),
        (found.operations, Wake::Operations),
        (found.campaigns, Wake::Campaigns),
        (found.schedules, Wake::Schedules),
    ]
    .into_iter()
    .filter_map(|(is_found, wake)| is_found.then_some(wake))
}

fn pause(next: Option<Timestamp>, now: Timestamp) -> Duration {
    next.map_or(PAUSE, |at| at.since(now).clamp(SHORTEST, PAUSE))
}
