//! Hints in memory: the model, and what tests break on purpose.

use std::{
    collections::{BTreeMap, VecDeque},
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::{JobId, WorkerId};
use parking_lot::Mutex;
use tokio::{
    sync::Notify,
    time::{Instant, timeout_at},
};

use super::{Hint, HintError, HintIdentity, HintState, Hints, Result};

/// Hints in memory.
#[derive(Debug, Default)]
pub struct MemoryHints {
    tables: Mutex<Tables>,
    /// Rings when a queue may have hints, or no hints are to be had any more.
    stirred: Notify,
}

#[derive(Debug, Default)]
struct Tables {
    open: Option<i64>,
    /// Grows with each restart.
    incarnation: u64,
    /// Why hints are not to be had.
    away: Option<String>,
    /// Looks are answered although hints are not to be had yet.
    heals: bool,
    /// By generation and queue.
    ready: BTreeMap<(i64, String), VecDeque<JobId>>,
    /// By generation and worker.
    taken: BTreeMap<(i64, WorkerId), Vec<Hint>>,
}

impl MemoryHints {
    /// No hints, and no generation open.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers nothing from now on, for this reason.
    pub fn go_away(&self, why: &str) {
        let mut tables = self.tables.lock();
        (tables.away, tables.heals) = (Some(why.to_owned()), false);
        drop(tables);
        self.stirred.notify_waiters();
    }

    /// Answers looks again, and nothing else yet: it has to be well for a while first.
    pub fn begin_to_heal(&self) {
        self.tables.lock().heals = true;
    }

    /// Answers again.
    pub fn come_back(&self) {
        self.tables.lock().away = None;
        self.stirred.notify_waiters();
    }

    /// Forgets everything, as a restart without a dump does.
    pub fn restart_empty(&self) {
        let mut tables = self.tables.lock();
        *tables = Tables {
            incarnation: tables.incarnation + 1,
            away: tables.away.take(),
            heals: tables.heals,
            ..Tables::default()
        };
        drop(tables);
        self.stirred.notify_waiters();
    }

    /// Puts whatever is given into a queue of the open generation, as nobody who means well would.
    pub fn poison(&self, queue: &str, jobs: impl IntoIterator<Item = JobId>) {
        let mut tables = self.tables.lock();
        if let Some(generation) = tables.open {
            let place = (generation, queue.to_owned());
            tables.ready.entry(place).or_default().extend(jobs);
        }
        drop(tables);
        self.stirred.notify_waiters();
    }
}

#[async_trait]
impl Hints for MemoryHints {
    fn kind(&self) -> &'static str {
        "memory"
    }

    fn state(&self) -> HintState {
        let tables = self.tables.lock();
        match (&tables.away, tables.open) {
            (Some(why), _) => HintState::Away(why.clone()),
            (None, None) => HintState::Building,
            (None, Some(_)) => HintState::Open,
        }
    }

    async fn offer(&self, hints: &[Hint]) -> Result<()> {
        let mut tables = self.tables.lock();
        let generation = tables.generation()?;
        tables.push(generation, hints);
        drop(tables);
        self.stirred.notify_waiters();
        Ok(())
    }

    async fn take(
        &self,
        worker: WorkerId,
        queue: &str,
        limit: u32,
        wait: Duration,
    ) -> Result<Vec<JobId>> {
        let until = Instant::now() + wait;
        loop {
            // In line before the look: what comes in between is not missed.
            let stirred = self.stirred.notified();
            let taken = self.tables.lock().take(worker, queue, limit)?;
            if !taken.is_empty() || timeout_at(until, stirred).await.is_err() {
                return Ok(taken);
            }
        }
    }

    async fn drop_taken(&self, worker: WorkerId, hints: &[Hint]) -> Result<()> {
        let mut tables = self.tables.lock();
        let generation = tables.generation()?;
        if let Some(taken) = tables.taken.get_mut(&(generation, worker)) {
            for hint in hints {
                let same = |one: &Hint| one.job == hint.job && one.queue == hint.queue;
                if let Some(place) = taken.iter().position(same) {
                    taken.remove(place);
                }
            }
        }
        Ok(())
    }

    async fn trim(&self, queue: &str, count: u32) -> Result<()> {
        let mut tables = self.tables.lock();
        let generation = tables.generation()?;
        if let Some(list) = tables.ready.get_mut(&(generation, queue.to_owned())) {
            list.drain(..list.len().min(count as usize));
        }
        Ok(())
    }

    async fn give_back(&self, worker: WorkerId) -> Result<u64> {
        let mut tables = self.tables.lock();
        let generation = tables.generation()?;
        let taken = tables.taken.remove(&(generation, worker));
        let taken = taken.unwrap_or_default();
        for hint in taken.iter().rev() {
            let place = (generation, hint.queue.clone());
            tables.ready.entry(place).or_default().push_front(hint.job);
        }
        drop(tables);
        self.stirred.notify_waiters();
        Ok(taken.len() as u64)
    }

    async fn heartbeat(&self, _worker: WorkerId, _span: Duration) -> Result<()> {
        self.tables.lock().generation().map(|_| ())
    }

    async fn consumers(&self) -> Result<Vec<WorkerId>> {
        let tables = self.tables.lock();
        let generation = tables.generation()?;
        let consumers = tables.taken.keys().filter(|(of, _)| *of == generation);
        Ok(consumers.map(|(_, worker)| *worker).collect())
    }

    async fn lengths(&self, queues: &[String]) -> Result<Vec<u64>> {
        let tables = self.tables.lock();
        let generation = tables.generation()?;
        let length = |queue: &String| {
            let list = tables.ready.get(&(generation, queue.clone()));
            list.map_or(0, VecDeque::len) as u64
        };
        Ok(queues.iter().map(length).collect())
    }

    async fn look(&self) -> Result<HintIdentity> {
        let tables = self.tables.lock();
        if !tables.heals {
            tables.answer()?;
        }
        Ok(HintIdentity {
            generation: tables.open,
            incarnation: tables.incarnation.to_string(),
        })
    }

    async fn build(&self, generation: i64, hints: &[Hint]) -> Result<()> {
        let mut tables = self.tables.lock();
        tables.answer()?;
        tables.push(generation, hints);
        Ok(())
    }

    async fn open(&self, generation: i64) -> Result<()> {
        let mut tables = self.tables.lock();
        tables.answer()?;
        tables.open = Some(generation);
        tables.ready.retain(|(of, _), _| *of == generation);
        tables.taken.retain(|(of, _), _| *of == generation);
        drop(tables);
        self.stirred.notify_waiters();
        Ok(())
    }
}

impl Tables {
    fn answer(&self) -> Result<()> {
        match &self.away {
            Some(why) => Err(HintError::Away(why.clone())),
            None => Ok(()),
        }
    }

    /// The generation that is open.
    fn generation(&self) -> Result<i64> {
        self.answer()?;
        self.open.ok_or(HintError::Building)
    }

    fn push(&mut self, generation: i64, hints: &[Hint]) {
        let queue_of = |hint: &Hint| (generation, hint.queue.clone());
        let (urgent, others): (Vec<_>, Vec<_>) = hints.iter().partition(|hint| hint.is_urgent);
        for hint in urgent.into_iter().rev() {
            let place = queue_of(hint);
            self.ready.entry(place).or_default().push_front(hint.job);
        }
        for hint in others {
            let place = queue_of(hint);
            self.ready.entry(place).or_default().push_back(hint.job);
        }
    }

    fn take(&mut self, worker: WorkerId, queue: &str, limit: u32) -> Result<Vec<JobId>> {
        let generation = self.generation()?;
        let Some(list) = self.ready.get_mut(&(generation, queue.to_owned())) else {
            return Ok(Vec::new());
        };
        let count = list.len().min(limit as usize);
        let jobs: Vec<_> = list.drain(..count).collect();
        if !jobs.is_empty() {
            let taken = self.taken.entry((generation, worker)).or_default();
            taken.extend(jobs.iter().map(|job| Hint {
                queue: queue.to_owned(),
                job: *job,
                is_urgent: false,
            }));
        }
        Ok(jobs)
    }
}
