//! The fleet: workers, and who leads.

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::{
    JobId, Timestamp, WorkerId,
    fleet::{Heartbeat, Worker},
};

use super::{Leader, MemoryStore, Tables, facts::Fact};
use crate::store::{Fleet, Result, Wish};

#[async_trait]
impl Fleet for MemoryStore {
    async fn heartbeat(&self, heartbeat: &Heartbeat, now: Timestamp) -> Result<Wish> {
        let mut tables = self.tables();
        tables.heartbeat(heartbeat, now);
        Ok(tables.wish(heartbeat.worker).unwrap_or_default())
    }

    async fn heartbeats(&self, said: &[(Heartbeat, Timestamp)], now: Timestamp) -> Result<()> {
        self.tables().heartbeats(said, now);
        Ok(())
    }

    async fn note_waiting(
        &self,
        workers: &[WorkerId],
        lately: Duration,
        now: Timestamp,
    ) -> Result<Vec<(WorkerId, Wish)>> {
        let mut tables = self.tables();
        let left = Wish {
            has_left: true,
            ..Wish::default()
        };
        let wished = workers.iter().map(|worker| {
            tables.note_waiting(*worker, lately, now);
            (*worker, tables.wish(*worker).unwrap_or(left.clone()))
        });
        Ok(wished.collect())
    }

    async fn drain_worker(&self, worker: WorkerId, drain: bool, now: Timestamp) -> Result<bool> {
        let mut tables = self.tables();
        let asked = tables.drain_worker(worker, drain, now);
        self.put_down(&mut tables, asked == Some(true));
        Ok(asked.is_some())
    }

    async fn wishes(&self, workers: &[WorkerId]) -> Result<Vec<(WorkerId, Wish)>> {
        let tables = self.tables();
        let wish = |worker: &WorkerId| {
            let cancels = tables.cancels_of(*worker);
            let wish = tables.wish(*worker)?;
            Some((*worker, Wish { cancels, ..wish }))
        };
        Ok(workers.iter().filter_map(wish).collect())
    }

    async fn leave(&self, worker: WorkerId, now: Timestamp) -> Result<()> {
        self.tables().leave(worker, now);
        Ok(())
    }

    async fn workers(&self, since: Timestamp) -> Result<Vec<Worker>> {
        let tables = self.tables();
        let seen = tables.workers.values();
        let seen = seen.filter(|worker| worker.seen_at >= since);
        let mut workers: Vec<_> = seen.cloned().collect();
        workers.sort_by(|a, b| a.heartbeat.name.cmp(&b.heartbeat.name));
        Ok(workers)
    }

    async fn lead(&self, node: WorkerId, term: Duration, now: Timestamp) -> Result<bool> {
        Ok(self.tables().lead(node, term, now))
    }

    async fn resign(&self, node: WorkerId) -> Result<()> {
        let mut tables = self.tables();
        tables.leader = tables.leader.take().filter(|leader| leader.node != node);
        Ok(())
    }

    async fn leader(&self, now: Timestamp) -> Result<Option<WorkerId>> {
        let tables = self.tables();
        let leader = tables.leader.as_ref();
        Ok(leader.filter(|l| l.until > now).map(|l| l.node))
    }
}

impl Leader {
    /// Whether it leads. A term that ends later than two terms from now is from a clock that was put
    /// back since.
    fn holds(&self, term: Duration, now: Timestamp) -> bool {
        self.until > now && self.until <= now + 2 * term
    }
}

impl Tables {
    fn heartbeat(&mut self, heartbeat: &Heartbeat, now: Timestamp) {
        let known = self.workers.get(&heartbeat.worker);
        let left_at = known.and_then(|worker| worker.left_at);
        let drain = known.is_some_and(|worker| worker.drain);
        if known.is_none() {
            let about = heartbeat.worker.to_string();
            let fact = Fact::about("worker.joined", about, now)
                .with("name", heartbeat.name.as_str())
                .with("version", heartbeat.version.as_str())
                .with_any("remote", heartbeat.remote.as_ref().map(|_| true));
            self.ledger.tell(vec![fact]);
        }
        let worker = Worker {
            heartbeat: heartbeat.clone(),
            seen_at: now,
            left_at,
            drain,
        };
        self.workers.insert(heartbeat.worker, worker);
    }

    fn heartbeats(&mut self, said: &[(Heartbeat, Timestamp)], now: Timestamp) {
        for (said, at) in said {
            let is_news = |worker: &&mut Worker| {
                worker.left_at.is_none() && (worker.seen_at < *at || worker.seen_at > now)
            };
            if let Some(worker) = self.workers.get_mut(&said.worker).filter(is_news) {
                worker.seen_at = *at;
                worker.heartbeat.running = said.running;
                worker.heartbeat.remote.clone_from(&said.remote);
            }
        }
    }

    fn note_waiting(&mut self, worker: WorkerId, lately: Duration, now: Timestamp) {
        let is_due = |worker: &&mut Worker| {
            worker.left_at.is_none() && (worker.seen_at < now - lately || worker.seen_at > now)
        };
        let Some(worker) = self.workers.get_mut(&worker).filter(is_due) else {
            return;
        };
        if let Some(remote) = &mut worker.heartbeat.remote {
            remote.asked_at = Some(now);
            worker.seen_at = now;
        }
    }

    /// What is wanted of a worker, but for what it is to stop.
    fn wish(&self, worker: WorkerId) -> Option<Wish> {
        let worker = self.workers.get(&worker)?;
        Some(Wish {
            drain: worker.drain,
            has_left: worker.left_at.is_some(),
            cancels: Vec::new(),
        })
    }

    fn cancels_of(&self, worker: WorkerId) -> Vec<JobId> {
        let leases = self.leases.values().filter(|lease| lease.worker == worker);
        let jobs = leases.flat_map(|lease| lease.jobs.keys());
        jobs.filter(|job| self.cancellations.contains_key(job))
            .copied()
            .collect()
    }

    /// Whether that is new; nothing if there is no such worker any more.
    fn drain_worker(&mut self, worker: WorkerId, drain: bool, now: Timestamp) -> Option<bool> {
        let worker = self.workers.get_mut(&worker)?;
        if worker.left_at.is_some() {
            return None;
        }
        let is_new = worker.drain != drain;
        worker.drain = drain;
        if is_new {
            let subject = worker.heartbeat.worker.to_string();
            let fact = Fact::about("worker.drain_asked", subject, now).with("drain", drain);
            self.ledger.tell(vec![fact]);
        }
        Some(is_new)
    }

    fn leave(&mut self, worker: WorkerId, now: Timestamp) {
        let worker = self.workers.get_mut(&worker);
        if let Some(worker) = worker.filter(|worker| worker.left_at.is_none()) {
            worker.left_at = Some(now);
            let subject = worker.heartbeat.worker.to_string();
            self.ledger
                .tell(vec![Fact::about("worker.left", subject, now)]);
        }
    }

    fn lead(&mut self, node: WorkerId, term: Duration, now: Timestamp) -> bool {
        let before = self.leader.as_ref();
        if before.is_some_and(|leader| leader.node != node && leader.holds(term, now)) {
            return false;
        }
        if before.is_none_or(|leader| leader.node != node) {
            let fact = Fact::about("leader.changed", node.to_string(), now);
            self.ledger.tell(vec![fact]);
        }
        let until = now + term;
        self.leader = Some(Leader { node, until });
        true
    }
}
