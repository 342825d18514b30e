//! Hints that tell what they were asked.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use baton_domain::{JobId, WorkerId, job::State};
use baton_ports::{
    Hint, Hints,
    hints::{HintIdentity, HintState, MemoryHints, Result},
    store::Jobs,
};
use parking_lot::Mutex;
use tokio::time::{Instant, sleep};

use crate::spy::Spy;

/// Hints that tell what they were asked.
pub struct Listener {
    pub memory: MemoryHints,
    store: Arc<Spy>,
    pub heard: Mutex<Heard>,
    /// How long it takes to forget what is trimmed.
    pub trim_takes: Mutex<Duration>,
}

/// What they were asked.
#[derive(Debug, Default)]
pub struct Heard {
    /// From which queue, and how many hints at most.
    pub takes: Vec<(String, u32)>,
    pub offered: Vec<JobId>,
    /// What was dropped, and where the job was at that moment.
    pub dropped: Vec<(JobId, Option<State>)>,
    /// How many hints, and since when they are gone.
    pub trimmed: Vec<(Instant, u32)>,
    /// How many hints were given back each time.
    pub given_back: Vec<u64>,
    pub beats: usize,
}

impl Listener {
    /// With a generation that is open.
    pub async fn open(store: &Arc<Spy>) -> Arc<Self> {
        let memory = MemoryHints::new();
        memory.open(1).await.unwrap();
        Arc::new(Self {
            memory,
            store: Arc::clone(store),
            heard: Mutex::default(),
            trim_takes: Mutex::default(),
        })
    }

    /// Hints at jobs of a queue, as whoever has added them does.
    pub async fn tell(&self, queue: &str, jobs: &[JobId]) {
        let hints = jobs.iter().map(|job| Hint::of(queue, *job, 0).unwrap());
        let hints: Vec<_> = hints.collect();
        self.memory.offer(&hints).await.unwrap();
    }

    /// How many hints a queue has.
    pub async fn length(&self, queue: &str) -> u64 {
        self.memory.lengths(&[queue.to_owned()]).await.unwrap()[0]
    }

    pub fn dropped(&self) -> Vec<JobId> {
        let heard = self.heard.lock();
        heard.dropped.iter().map(|(job, _)| *job).collect()
    }
}

#[async_trait]
impl Hints for Listener {
    fn kind(&self) -> &'static str {
        self.memory.kind()
    }

    fn state(&self) -> HintState {
        self.memory.state()
    }

    async fn offer(&self, hints: &[Hint]) -> Result<()> {
        let jobs = hints.iter().map(|hint| hint.job);
        self.heard.lock().offered.extend(jobs);
        self.memory.offer(hints).await
    }

    async fn take(
        &self,
        worker: WorkerId,
        queue: &str,
        limit: u32,
        wait: Duration,
    ) -> Result<Vec<JobId>> {
        self.heard.lock().takes.push((queue.to_owned(), limit));
        self.memory.take(worker, queue, limit, wait).await
    }

    async fn drop_taken(&self, worker: WorkerId, hints: &[Hint]) -> Result<()> {
        for hint in hints {
            let job = self.store.job(hint.job).await.unwrap();
            let dropped = (hint.job, job.map(|job| job.state));
            self.heard.lock().dropped.push(dropped);
        }
        self.memory.drop_taken(worker, hints).await
    }

    async fn trim(&self, queue: &str, count: u32) -> Result<()> {
        let takes = *self.trim_takes.lock();
        sleep(takes).await;
        self.memory.trim(queue, count).await?;
        self.heard.lock().trimmed.push((Instant::now(), count));
        Ok(())
    }

    async fn give_back(&self, worker: WorkerId) -> Result<u64> {
        let count = self.memory.give_back(worker).await?;
        self.heard.lock().given_back.push(count);
        Ok(count)
    }

    async fn heartbeat(&self, worker: WorkerId, span: Duration) -> Result<()> {
        self.heard.lock().beats += 1;
        self.memory.heartbeat(worker, span).await
    }

    async fn consumers(&self) -> Result<Vec<WorkerId>> {
        self.memory.consumers().await
    }

    async fn lengths(&self, queues: &[String]) -> Result<Vec<u64>> {
        self.memory.lengths(queues).await
    }

    async fn look(&self) -> Result<HintIdentity> {
        self.memory.look().await
    }

    async fn build(&self, generation: i64, hints: &[Hint]) -> Result<()> {
        self.memory.build(generation, hints).await
    }

    async fn open(&self, generation: i64) -> Result<()> {
        self.memory.open(generation).await
    }
}
