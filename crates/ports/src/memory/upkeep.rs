//! Upkeep: the store's clock and health, forgetting what is old, reconciling what is counted.

use std::{
    collections::{BTreeMap, HashSet},
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::{
    CampaignId, JobId, Timestamp,
    campaign::{self, Campaign},
    chance,
    job::State,
    node,
};
use rand::RngExt;

use super::{MemoryStore, Tables, ordered::OrderedRows};
use crate::store::{
    Backlog, Drift, Durability, Finding, Outstanding, Pruned, Result, Retention, Schema,
    Unreadable, Upkeep,
};

/// The states whose counters say how many there are. `succeeded` says how many there ever were, and
/// nobody is shown the others.
const RECONCILED: [State; 6] = [
    State::Pending,
    State::Queued,
    State::Running,
    State::RetryWait,
    State::Failed,
    State::Uncertain,
];

#[async_trait]
impl Upkeep for MemoryStore {
    fn dialect(&self) -> &'static str {
        "memory"
    }

    async fn time(&self) -> Result<Timestamp> {
        Ok(self.clock.now())
    }

    async fn durability(&self) -> Result<Durability> {
        Ok(Durability::Unsafe)
    }

    async fn secret(&self) -> Result<[u8; 32]> {
        let mut tables = self.tables();
        Ok(*tables
            .secret
            .get_or_insert_with(|| chance::draw(|chance| chance.random())))
    }

    async fn findings(&self) -> Result<Vec<Finding>> {
        Ok(vec![Finding {
            is_good: false,
            subject: "durability".to_owned(),
            message: "everything is kept in memory and is lost when the process ends; \
                      use a database for work that matters"
                .to_owned(),
        }])
    }

    async fn schema(&self) -> Result<Option<Schema>> {
        Ok(None)
    }

    async fn unreadable(&self) -> Result<Vec<Unreadable>> {
        Ok(Vec::new())
    }

    async fn outstanding(&self, now: Timestamp) -> Result<Outstanding> {
        Ok(self.tables().outstanding(now))
    }

    async fn backlog(&self, limit: u32) -> Result<Backlog> {
        Ok(self.tables().backlog(limit as usize))
    }

    async fn prune(&self, retention: &Retention, limit: u32, now: Timestamp) -> Result<Pruned> {
        let limit = limit as usize;
        let mut tables = self.tables();
        let whole = retention.campaigns.max(retention.jobs).max(retention.keys);
        let unused = retention.queues.max(retention.jobs);
        tables.prune_nodes(now - node::REMEMBERED);
        Ok(Pruned {
            jobs: tables.prune_jobs(retention.jobs, limit, now),
            events: tables.prune_events(retention.events, limit, now),
            keys: tables.prune_keys(retention.keys, limit, now),
            workers: tables.prune_workers(retention.workers, limit, now),
            items: tables.prune_inbox(retention.inbox, limit, now),
            notifications: tables.prune_notifications(retention.keys, limit, now),
            fires: tables.prune_fires(retention.fires, limit, now),
            campaigns: tables.prune_campaigns(now - whole, limit),
            operations: tables.prune_operations(now - retention.operations, limit),
            queues: tables.prune_queues(now - unused, limit),
            audit: tables.prune_audit(retention.audit, limit, now),
            sessions: tables.accounts.prune_sessions(limit, now),
            rollups: tables.ledger.rollups.prune(now),
            staged: 0,
        })
    }

    async fn reconcile(&self, _now: Timestamp) -> Result<Vec<Drift>> {
        Ok(self.tables().reconcile())
    }
}

impl Tables {
    fn outstanding(&self, now: Timestamp) -> Outstanding {
        let mut moments = self.expiries();
        let expired = moments.iter().any(|at| *at <= now);
        let campaigns = self.campaigns.by_id.values();
        let open: Vec<_> = campaigns
            .filter(|campaign| campaign.finished_at.is_none())
            .collect();
        let scheduled = open
            .iter()
            .filter(|one| one.state == campaign::State::Scheduled);
        moments.extend(scheduled.map(|one| one.start_at));
        let is_under_way = |one: &&Campaign| match one.state {
            campaign::State::Scheduled => one.start_at <= now,
            state => state != campaign::State::Stopped,
        };
        let mut schedules = self.timetable.schedules.values();
        let mut operations = self.operations.values();
        Outstanding {
            facts: !self.ledger.unnumbered.is_empty(),
            jobs: self.waiting.in_order().any(|(_, row)| row.run_at <= now),
            expired,
            operations: operations.any(|one| one.operation.finished_at.is_none()),
            campaigns: open.iter().any(is_under_way),
            schedules: schedules.any(|one| one.due_at().is_some_and(|at| at <= now)),
            staged: false,
            in_line: self.ready.values().any(|rows| !rows.is_empty()),
            held: !self.leases.is_empty(),
            hints: self.hints.number(),
            next: moments.into_iter().filter(|at| *at > now).min(),
        }
    }

    fn backlog(&self, limit: usize) -> Backlog {
        let facts = || self.ledger.unnumbered.iter().flatten();
        let mut campaigns = BTreeMap::new();
        for campaign in self.campaigns.by_id.values() {
            if campaign.finished_at.is_none() {
                *campaigns.entry(campaign.state).or_default() += 1;
            }
        }
        Backlog {
            facts: facts().take(limit).count() as u64,
            first_fact_at: facts().next().map(|fact| fact.at),
            failure_groups: self.groups().len().min(limit) as u64,
            campaigns,
        }
    }

    /// When the jobs expire that have not run.
    fn expiries(&self) -> Vec<Timestamp> {
        let ready = self.ready.values().flat_map(OrderedRows::in_order);
        let ready = ready.map(|(job, _)| job);
        let waiting = self.waiting.in_order().map(|(job, _)| job);
        let jobs = ready.chain(waiting);
        jobs.filter_map(|job| self.jobs[&job].expires_at).collect()
    }

    fn prune_jobs(&mut self, kept: Duration, limit: usize, now: Timestamp) -> u32 {
        let oldest_lease = self.leases.values().map(|lease| lease.since).min();
        let cutoff = oldest_lease.map_or(now - kept, |since| since.min(now - kept));
        let finished = self.finished.iter();
        let old = finished.filter(|(_, row)| row.at < cutoff);
        let old: Vec<_> = old.map(|(job, _)| *job).take(limit).collect();
        for job in &old {
            self.forget(*job);
        }
        old.len() as u32
    }

    fn forget(&mut self, id: JobId) {
        let (Some(job), Some(row)) = (self.jobs.remove(&id), self.finished.remove(&id)) else {
            return;
        };
        self.checkpoints.remove(&id);
        self.attempts.retain(|(job, _), _| *job != id);
        self.late.retain(|(job, _), _| *job != id);
        let mut keys = self.keys.values_mut();
        if let Some(key) = keys.find(|key| key.job == id) {
            key.ended = Some((row.state, row.at));
        }
        // A success counts for ever; a dead letter or an uncertain job that is forgotten is one no more, but
        // in the books of a campaign.
        let is_counted = matches!(row.state, State::Failed | State::Uncertain);
        if is_counted && !is_line_of_campaign(&job.queue) {
            self.ledger.count(&job.queue, row.state, -1);
        }
    }

    /// Events go from the front only, so that what is left is dense.
    fn prune_events(&mut self, kept: Duration, limit: usize, now: Timestamp) -> u32 {
        let events = self.ledger.events.iter();
        let old = events.take_while(|(_, event)| event.at < now - kept);
        let old: Vec<_> = old.map(|(seq, _)| *seq).take(limit).collect();
        for seq in &old {
            self.ledger.events.remove(seq);
        }
        old.len() as u32
    }

    fn prune_keys(&mut self, kept: Duration, limit: usize, now: Timestamp) -> u32 {
        let old = self.keys.iter().filter(|(_, key)| key.at < now - kept);
        let old: Vec<_> = old.map(|(key, _)| key.clone()).take(limit).collect();
        for key in &old {
            self.keys.remove(key);
        }
        old.len() as u32
    }

    fn prune_workers(&mut self, kept: Duration, limit: usize, now: Timestamp) -> u32 {
        let holders: HashSet<_> = self.leases.values().map(|lease| lease.worker).collect();
        let workers = self.workers.iter();
        let old = workers.filter(|(id, worker)| {
            let seen = worker.left_at.unwrap_or(worker.seen_at).max(worker.seen_at);
            seen < now - kept && !holders.contains(id)
        });
        let old: Vec<_> = old.map(|(id, _)| *id).take(limit).collect();
        for id in &old {
            self.workers.remove(id);
        }
        old.len() as u32
    }

    fn prune_fires(&mut self, kept: Duration, limit: usize, now: Timestamp) -> u32 {
        let fires = self.timetable.fires.iter();
        let old = fires.filter(|(_, fire)| fire.recorded_at < now - kept);
        let old: Vec<_> = old.map(|(key, _)| *key).take(limit).collect();
        for key in &old {
            self.timetable.fires.remove(key);
        }
        old.len() as u32
    }

    fn prune_operations(&mut self, before: Timestamp, limit: usize) -> u32 {
        let ended = self.operations.iter().filter(|(_, running)| {
            let ended = running.operation.finished_at;
            ended.is_some_and(|at| at < before)
        });
        let old: Vec<_> = ended.map(|(id, _)| *id).take(limit).collect();
        for id in &old {
            self.operations.remove(id);
        }
        old.len() as u32
    }

    fn reconcile(&mut self) -> Vec<Drift> {
        let queues = self.queues.keys().cloned();
        let pairs = queues.flat_map(|queue| RECONCILED.map(|state| (queue.clone(), state)));
        let pairs = pairs.filter(|(queue, state)| {
            !matches!(state, State::Failed | State::Uncertain) || !is_line_of_campaign(queue)
        });
        let drifts: Vec<_> = pairs
            .collect::<Vec<_>>()
            .into_iter()
            .filter_map(|(queue, state)| self.drift(&queue, state))
            .collect();
        drifts
    }

    /// Compares one counter with the places, less what has no number yet, and repairs it.
    fn drift(&mut self, queue: &str, state: State) -> Option<Drift> {
        let standing = self.count(queue, state);
        let found = standing - self.ledger.unfolded(queue, state);
        let counted = self.ledger.counted(queue, state);
        self.ledger.count(queue, state, found - counted);
        (counted != found).then(|| Drift {
            queue: queue.to_owned(),
            state: state.to_string(),
            counted,
            found,
        })
    }

    fn count(&self, queue: &str, state: State) -> i64 {
        let jobs = self.jobs.values().filter(|job| job.queue == queue);
        let standing = jobs.filter(|job| self.state(job.id) == Some(state));
        standing.count() as i64
    }
}

fn is_line_of_campaign(queue: &str) -> bool {
    queue.parse::<CampaignId>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_counter_that_drifts_is_reported_and_repaired() {
        let store = MemoryStore::new();
        let now = Timestamp::from_micros(0);
        store.tables().settings_of("mail", now);
        store.tables().ledger.count("mail", State::Queued, 3);

        let first = store.reconcile(now).await.unwrap();
        let second = store.reconcile(now).await.unwrap();

        let drift = Drift {
            queue: "mail".to_owned(),
            state: "queued".to_owned(),
            counted: 3,
            found: 0,
        };
        assert_eq!((first, second), (vec![drift], vec![]));
    }
}
