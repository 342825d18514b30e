//! The fleet: who is alive, who leads.

use std::collections::BTreeMap;

use baton_domain::{
    WorkerId,
    access::Permission,
    fleet::{Presence, Worker},
};

use crate::{Caller, Result};

impl Caller {
    /// Workers that are alive, or were not long ago.
    pub async fn workers(&self) -> Result<Vec<Worker>> {
        self.needs(Permission::JobsRead)?;
        let since = self.now() - self.inner.settings.remember_workers;
        Ok(self.store().workers(since).await?)
    }

    /// How many jobs the live workers can run at once, by queue.
    pub async fn slots(&self) -> Result<BTreeMap<String, u32>> {
        let (now, lease) = (self.now(), self.inner.settings.lease);
        let mut slots = BTreeMap::new();
        for worker in self.workers().await? {
            if worker.presence(now, lease) == Presence::Live {
                for (queue, count) in worker.heartbeat.slots {
                    *slots.entry(queue).or_default() += count;
                }
            }
        }
        Ok(slots)
    }

    /// Who leads now.
    pub async fn leader(&self) -> Result<Option<WorkerId>> {
        self.needs(Permission::JobsRead)?;
        Ok(self.store().leader(self.now()).await?)
    }
}
