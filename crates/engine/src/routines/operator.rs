//! The operator carries out bulk operations, a bounded step at a time.

use async_trait::async_trait;
use baton_domain::operation::Action;
use baton_ports::{Wake, store};

use super::{SAFETY, Tools};
use crate::{Next, Routine};

/// How many jobs one step changes.
const BATCH: u32 = 500;

/// Carries out bulk operations.
pub struct Operator {
    tools: Tools,
}

impl Operator {
    /// An operator.
    #[must_use]
    pub const fn new(tools: Tools) -> Self {
        Self { tools }
    }
}

#[async_trait]
impl Routine for Operator {
    fn name(&self) -> &'static str {
        "operator"
    }

    fn duty(&self) -> &'static str {
        "carries out bulk operations step by step"
    }

    fn bells(&self) -> &'static [Wake] {
        &[Wake::Operations]
    }

    async fn turn(&mut self) -> store::Result<Next> {
        let Some(operation) = self.tools.store.step(BATCH, self.tools.clock.now()).await? else {
            return Ok(Next::After(SAFETY));
        };
        if operation.action == Action::Retry {
            self.tools.signal.ring(Wake::Ready);
        }
        self.tools.signal.ring(Wake::Facts);
        Ok(Next::Now)
    }
}
