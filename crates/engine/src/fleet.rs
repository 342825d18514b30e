//! The fleet: who is alive, who leads.

use std::collections::{BTreeMap, BTreeSet};

use baton_domain::{
    Timestamp, WorkerId,
    access::Permission,
    audit::AuditAction,
    fleet::{Presence, Worker},
};

use baton_ports::Wakeup;
use serde_json::json;

use crate::{Caller, Error, Result, caller::Particulars};

/// A kind, and who handles it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServedKind {
    /// Its name.
    pub kind: String,
    /// Whether the servers run it themselves.
    pub is_built_in: bool,
    /// How many live workers handle it.
    pub workers: u32,
    /// How many jobs these run at once, of all their kinds together.
    pub slots: u32,
    /// How many more they could run.
    pub free: u32,
    /// The queues they claim from.
    pub queues: BTreeSet<String>,
    /// When a worker that handles it was heard of last.
    pub last_served_at: Option<Timestamp>,
}

impl ServedKind {
    fn new(kind: &str, is_built_in: bool) -> Self {
        Self {
            kind: kind.to_owned(),
            is_built_in,
            workers: 0,
            slots: 0,
            free: 0,
            queues: BTreeSet::new(),
            last_served_at: None,
        }
    }

    fn serve<'a>(
        &mut self,
        presence: Presence,
        slots: u32,
        free: u32,
        queues: impl Iterator<Item = &'a String>,
        seen_at: Timestamp,
    ) {
        self.last_served_at = self.last_served_at.max(Some(seen_at));
        if presence == Presence::Live {
            self.workers += 1;
            self.slots = self.slots.saturating_add(slots);
            self.free = self.free.saturating_add(free);
            self.queues.extend(queues.cloned());
        }
    }
}

impl Caller {
    /// Workers that are alive, or were not long ago.
    pub async fn workers(&self) -> Result<Vec<Worker>> {
        self.needs(Permission::JobsRead)?;
        let since = self.now() - self.inner.settings.remember_workers;
        Ok(self.store().workers(since).await?)
    }

    /// The kinds that there are: those that the servers run, and those of remote workers. Counts no table.
    pub async fn kinds(&self) -> Result<Vec<ServedKind>> {
        let (now, lease) = (self.now(), self.inner.settings.lease);
        let built_in = self.inner.handlers.iter().map(|handler| handler.kind());
        let mut kinds: BTreeMap<String, ServedKind> = built_in
            .map(|kind| (kind.to_owned(), ServedKind::new(kind, true)))
            .collect();
        for worker in self.workers().await? {
            let presence = worker.presence(now, lease);
            let Some(remote) = &worker.heartbeat.remote else {
                let running = worker.heartbeat.running;
                let slots = worker.heartbeat.slots.values().sum::<u32>();
                for kind in kinds.values_mut().filter(|kind| kind.is_built_in) {
                    let queues = worker.heartbeat.slots.keys();
                    kind.serve(
                        presence,
                        slots,
                        slots.saturating_sub(running),
                        queues,
                        worker.seen_at,
                    );
                }
                continue;
            };
            for name in &remote.kinds {
                let kind = kinds.entry(name.clone());
                let kind = kind.or_insert_with(|| ServedKind::new(name, false));
                kind.serve(
                    presence,
                    remote.slots,
                    remote.free,
                    remote.queues.iter(),
                    worker.seen_at,
                );
            }
        }
        Ok(kinds.into_values().collect())
    }

    /// Asks a worker to take nothing new, or to go on.
    pub async fn drain_worker(&self, worker: WorkerId, drain: bool) -> Result<Worker> {
        self.needs(Permission::Operate)?;
        let workers = self.workers().await?;
        let known = workers.iter().find(|one| one.heartbeat.worker == worker);
        let particulars = Particulars {
            before: known.map(|one| json!({ "drain": one.drain })),
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
