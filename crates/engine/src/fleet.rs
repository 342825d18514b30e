//! The fleet: who is alive, who leads.

use baton_domain::{WorkerId, fleet::Worker};

use crate::{Engine, Result};

impl Engine {
    /// Workers that are alive, or were not long ago.
    pub async fn workers(&self) -> Result<Vec<Worker>> {
        let since = self.now() - self.inner.settings.remember_workers;
        Ok(self.store().workers(since).await?)
    }

    /// Who leads now.
    pub async fn leader(&self) -> Result<Option<WorkerId>> {
        Ok(self.store().leader(self.now()).await?)
    }
}
