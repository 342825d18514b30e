//! The fleet: who is alive, who leads.

use std::collections::BTreeMap;

use baton_domain::{
    WorkerId,
    access::Permission,
    audit::AuditAction,
    fleet::{Presence, Worker},
};

use baton_ports::Wakeup;
use serde_json::json;

use crate::{Caller, Error, Result, caller::Particulars};

impl Caller {
    /// Workers that are alive, or were not long ago.
    pub async fn workers(&self) -> Result<Vec<Worker>> {
        self.needs(Permission::JobsRead)?;
        let since = self.now() - self.inner.settings.remember_workers;
        Ok(self.store().workers(since).await?)
    }

    /// Asks a worker to take nothing new, or to go on.
    pub async fn drain_worker(&self, worker: WorkerId, drain: bool) -> Result<Worker> {
        self.needs(Permission::Operate)?;
        let particulars = Particulars {
            after: Some(json!({ "drain": drain })),
            ..Particulars::default()
        };
        let store = self.audited(AuditAction::WorkerDrain, worker, particulars);
        let not_found = || Error::NotFound {
            what: "worker",
            id: worker.to_string(),
        };
        if !store.drain_worker(worker, drain, self.now()).await? {
            return Err(not_found());
        }
        self.inner.wakeups.send(Wakeup::Cancel);
        self.inner.wakeups.send(Wakeup::Facts);
        let workers = self.workers().await?.into_iter();
        let mut found = workers.filter(|one| one.heartbeat.worker == worker);
        found.next().ok_or_else(not_found)
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
