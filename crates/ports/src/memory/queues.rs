//! Queues: lines of jobs that can be paused and limited.

use std::{cmp, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    CampaignId, Timestamp,
    job::State,
    page::{Page, PageRequest},
    queue::{Queue, QueueChange, WorkedBy},
};

use super::{MemoryStore, Tables, facts::Fact, schedules::page_of};
use crate::store::{LATE, Queues, ReadyQueue, Result};

/// What an operator has set, and what is left to start right now.
pub(super) struct Settings {
    paused: bool,
    max_running: Option<u32>,
    rate: Option<Rate>,
    /// When it was made, or a job ended in it last.
    used_at: Timestamp,
    worked_by: WorkedBy,
}

/// A bucket of tokens: one is spent for each start, and they come back at the rate.
struct Rate {
    per_second: f64,
    tokens: f64,
    at: Timestamp,
}

#[async_trait]
impl Queues for MemoryStore {
    async fn queues(&self, now: Timestamp) -> Result<Vec<Queue>> {
        let tables = self.tables();
        let names = tables.queues.keys();
        Ok(names.map(|name| tables.queue(name, now)).collect())
    }

    async fn queue_page(&self, page: &PageRequest, now: Timestamp) -> Result<Page<Queue>> {
        let tables = self.tables();
        let after = page.after.as_deref().unwrap_or_default();
        let later = tables.queues.keys().filter(|name| name.as_str() > after);
        let shown = later.map(|name| tables.queue(name, now));
        Ok(page_of(shown, page.limit, |last| last.name.clone()))
    }

    async fn change_queue(
        &self,
        name: &str,
        change: &QueueChange,
        now: Timestamp,
    ) -> Result<Queue> {
        let mut tables = self.tables();
        let has_changed = tables.change_queue(name, change, now);
        self.put_down(&mut tables, has_changed);
        Ok(tables.queue(name, now))
    }

    async fn ready_queues(&self) -> Result<Vec<ReadyQueue>> {
        Ok(self.tables().ready_queues())
    }

    async fn late_jobs(&self, queue: &str, before: Timestamp, most: u32) -> Result<u64> {
        let tables = self.tables();
        let ready = tables.ready.get(queue).into_iter();
        let due = ready.flat_map(|place| place.in_order().map(|(_, row)| row.run_at));
        Ok(due.filter(|at| *at < before).take(most as usize).count() as u64)
    }

    async fn worked_by(&self, names: &[String]) -> Result<Vec<(String, WorkedBy)>> {
        let tables = self.tables();
        let known = |name: &String| Some((name.clone(), tables.queues.get(name)?.worked_by));
        Ok(names.iter().filter_map(known).collect())
    }
}

impl Tables {
    fn queue(&self, name: &str, now: Timestamp) -> Queue {
        let settings = &self.queues[name];
        let count = |state| u64::try_from(self.ledger.counted(name, state)).unwrap_or(0);
        let ready = self.ready.get(name).into_iter();
        let due = ready.flat_map(|place| place.in_order().map(|(_, row)| row.run_at));
        Queue {
            name: name.to_owned(),
            worked_by: settings.worked_by,
            paused: settings.paused,
            max_running: settings.max_running,
            rate: settings.rate.as_ref().map(|rate| rate.per_second),
            pending: count(State::Pending),
            queued: count(State::Queued),
            running: count(State::Running),
            retry_wait: count(State::RetryWait),
            failed: count(State::Failed),
            uncertain: count(State::Uncertain),
            succeeded: count(State::Succeeded),
            oldest_queued_at: due.min(),
            per_second: self.ledger.per_second(name, Duration::MAX, now),
        }
    }

    /// Changes a queue; says whether anything is another way now.
    pub(super) fn change_queue(
        &mut self,
        name: &str,
        change: &QueueChange,
        now: Timestamp,
    ) -> bool {
        let settings = self.settings_of(name, now);
        let mut facts = Vec::new();
        if let Some(paused) = change.paused.filter(|paused| *paused != settings.paused) {
            settings.paused = paused;
            let kind = if paused {
                "queue.paused"
            } else {
                "queue.resumed"
            };
            facts.push(Fact::about(kind, name, now).with("queue", name));
        }
        if settings.limit(change, now) {
            let rate = settings.rate.as_ref().map(|rate| rate.per_second);
            let fact = Fact::about("queue.changed", name, now)
                .with("queue", name)
                .with("max_running", settings.max_running)
                .with("rate", rate);
            facts.push(fact);
        }
        let has_changed = !facts.is_empty();
        self.ledger.tell(facts);
        has_changed
    }

    /// The settings of a queue, made if there are none.
    pub(super) fn settings_of(&mut self, name: &str, now: Timestamp) -> &mut Settings {
        self.named_by(name, WorkedBy::Server, now)
    }

    /// The settings of a queue, which is made for whoever works it off if nobody has named it before.
    pub(super) fn named_by(
        &mut self,
        name: &str,
        worked_by: WorkedBy,
        now: Timestamp,
    ) -> &mut Settings {
        let settings = self.queues.entry(name.to_owned());
        settings.or_insert_with(|| Settings {
            used_at: now,
            paused: false,
            max_running: None,
            rate: None,
            worked_by,
        })
    }

    /// Forgets queues in which nothing has ended for a while, nothing is left, and that nobody has set anything for. Who
    /// works a queue off is said once, and known to every node from then on: a queue of remote workers stays.
    pub(super) fn prune_queues(&mut self, before: Timestamp, limit: usize) -> u32 {
        let names = self
            .queues
            .keys()
            .filter(|name| self.is_unused(name, before));
        let old: Vec<_> = names.take(limit).cloned().collect();
        for name in &old {
            self.forget_line(name);
        }
        old.len() as u32
    }

    fn is_unused(&self, name: &str, before: Timestamp) -> bool {
        let used = self.queues[name].used_at.max(self.ledger.used_at(name));
        used < before
            && name.parse::<CampaignId>().is_err()
            && self.queues[name].worked_by == WorkedBy::Server
            && self.is_free(name)
            && self.is_empty(name)
    }

    /// Whether no job of a queue is alive or a dead letter, and no fact about one has no number yet.
    pub(super) fn is_empty(&self, name: &str) -> bool {
        let mut kept = State::ALL
            .into_iter()
            .filter(|state| !state.is_terminal() || *state == State::Failed);
        let mut all = State::ALL.into_iter();
        kept.all(|state| self.ledger.counted(name, state) == 0)
            && all.all(|state| self.ledger.unfolded(name, state) == 0)
    }

    /// Forgets a queue with its counters.
    pub(super) fn forget_line(&mut self, name: &str) {
        self.queues.remove(name);
        self.ledger.forget(name);
    }

    /// How many jobs of a queue may start each second.
    pub(super) fn rate_of(&self, name: &str) -> Option<f64> {
        let rate = self.queues.get(name)?.rate.as_ref()?;
        Some(rate.per_second)
    }

    /// Whether there are hints for a queue: not for one of remote workers, who wait at a server.
    pub(super) fn is_hinted_at(&self, queue: &str) -> bool {
        let settings = self.queues.get(queue);
        settings.is_some_and(|settings| settings.worked_by == WorkedBy::Server)
    }

    /// Whether a queue is neither paused nor limited.
    pub(super) fn is_free(&self, queue: &str) -> bool {
        let settings = self.queues.get(queue);
        settings.is_some_and(|settings| {
            !settings.paused && settings.max_running.is_none() && settings.rate.is_none()
        })
    }

    fn ready_queues(&self) -> Vec<ReadyQueue> {
        let ready = self.ready.iter().filter(|(_, rows)| !rows.is_empty());
        let open = ready.filter_map(|(queue, _)| {
            let settings = &self.queues[queue];
            let ready = ReadyQueue {
                name: queue.clone(),
                limited: settings.max_running.is_some() || settings.rate.is_some(),
                worked_by: settings.worked_by,
            };
            (!settings.paused).then_some(ready)
        });
        open.collect()
    }

    /// Whether a queue is known and lets any number of jobs start.
    pub(super) fn is_unlimited(&self, queue: &str) -> bool {
        self.queues.get(queue).is_some_and(|settings| {
            !settings.paused && settings.max_running.is_none() && settings.rate.is_none()
        })
    }

    /// How many jobs of a queue may start now.
    pub(super) fn allowance(&self, queue: &str, now: Timestamp) -> u32 {
        let Some(settings) = self.queues.get(queue) else {
            return 0;
        };
        if settings.paused {
            return 0;
        }
        let leases = self.leases.values().filter(|lease| lease.queue == queue);
        let running: usize = leases.map(|lease| lease.jobs.len()).sum();
        let by_slots = settings
            .max_running
            .map_or(u32::MAX, |max| max.saturating_sub(running as u32));
        let by_rate = settings
            .rate
            .as_ref()
            .map_or(u32::MAX, |rate| rate.tokens_at(now) as u32);
        cmp::min(by_slots, by_rate)
    }

    /// Takes the tokens of jobs that start.
    pub(super) fn spend(&mut self, queue: &str, count: usize, now: Timestamp) {
        let settings = self.queues.get_mut(queue);
        if let Some(rate) = settings.and_then(|settings| settings.rate.as_mut()) {
            rate.tokens = rate.tokens_at(now) - count as f64;
            rate.at = if rate.is_late(now) { rate.at } else { now };
        }
    }
}

impl Settings {
    /// Changes the limits; says whether anything changed.
    fn limit(&mut self, change: &QueueChange, now: Timestamp) -> bool {
        let max_running = change.max_running.unwrap_or(self.max_running);
        let old = self.rate.as_ref().map(|rate| rate.per_second);
        let new = change.rate.unwrap_or(old);
        let has_changed = max_running != self.max_running || new != old;
        self.max_running = max_running;
        if new != old {
            self.rate = new.map(|per_second| Rate::full(per_second, now));
        }
        has_changed
    }
}

impl Rate {
    fn full(per_second: f64, at: Timestamp) -> Self {
        Self {
            per_second,
            tokens: per_second.max(1.0),
            at,
        }
    }

    /// A second's worth at most, but one at least, so that slow rates start anything at all.
    /// Before its own moment the bucket gains nothing.
    fn tokens_at(&self, now: Timestamp) -> f64 {
        let gained = now.since(self.at).as_secs_f64() * self.per_second;
        (self.tokens + gained).min(self.per_second.max(1.0))
    }

    /// Whether somebody asks late, with an old reading of the clock. Else the clock was put back.
    fn is_late(&self, now: Timestamp) -> bool {
        now <= self.at && now >= self.at - LATE
    }
}
