//! The expirer fails jobs whose time has passed before they ran.

use async_trait::async_trait;
use baton_ports::{Wakeup, store};

use super::{SAFETY, Tools};
use crate::{Next, Routine, routine::about};

/// How many jobs one turn fails.
const BATCH: u32 = 500;

/// Fails jobs whose time has passed before they ran.
pub struct Expirer {
    pub(super) tools: Tools,
}

#[async_trait]
impl Routine for Expirer {
    about!("expirer": "fails jobs whose expires_at passed before they ran");

    fn woken_by(&self) -> &'static [Wakeup] {
        &[Wakeup::Expired]
    }

    async fn turn(&mut self) -> store::Result<Next> {
        let expired = self
            .tools
            .store
            .expire(BATCH, self.tools.clock.now())
            .await?;
        if expired > 0 {
            metrics::counter!("baton_jobs_expired_total").increment(expired.into());
            self.tools.wakeups.send(Wakeup::Facts);
        }
        Ok(Next::now_if(expired >= BATCH, SAFETY))
    }
}
