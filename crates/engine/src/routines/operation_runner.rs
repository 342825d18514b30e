//! The operation runner carries out bulk operations, a bounded step at a time.

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::operation::Action;
use baton_ports::{
    Wakeup,
    store::{self, Erasing},
};

use super::{SAFETY, Tools};
use crate::{Next, Routine, routine::about};

/// How many jobs one step changes.
const BATCH: u32 = 500;
/// How many rows one step of an erasure looks at; nearly all of them name somebody else.
const LOOK: u32 = 2_000;
/// How long an erasure waits before it looks again whether the last deliveries have ended.
const PAUSE: Duration = Duration::from_millis(500);

/// Carries out bulk operations.
pub struct OperationRunner {
    pub(super) tools: Tools,
}

impl OperationRunner {
    async fn erase(&self) -> store::Result<Next> {
        let now = self.tools.clock.now();
        let Some(Erasing { running, .. }) = self.tools.store.step_erasure(LOOK, now).await? else {
            return Ok(Next::After(SAFETY));
        };
        self.tools.wakeups.send(Wakeup::Facts);
        if running > 0 {
            self.tools.wakeups.send(Wakeup::Cancel);
            return Ok(Next::After(PAUSE));
        }
        Ok(Next::Now)
    }
}

#[async_trait]
impl Routine for OperationRunner {
    about!("operation-runner": "carries out bulk operations and erasures step by step");

    fn woken_by(&self) -> &'static [Wakeup] {
        &[Wakeup::Operations]
    }

    async fn turn(&mut self) -> store::Result<Next> {
        let Some(operation) = self.tools.store.step(BATCH, self.tools.clock.now()).await? else {
            return self.erase().await;
        };
        if operation.action == Action::Retry {
            self.tools.wakeups.send(Wakeup::Ready);
        }
        self.tools.wakeups.send(Wakeup::Facts);
        Ok(Next::Now)
    }
}
