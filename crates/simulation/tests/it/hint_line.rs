//! One process's line to the hints: how long calls take, and whether they arrive.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::{JobId, WorkerId};
use baton_ports::{
    Hint, Hints,
    hints::{HintError, HintIdentity, HintState, MemoryHints, Result},
};
use parking_lot::Mutex;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::time::sleep;

use crate::link::Link;

/// One process's line to the hints.
pub struct HintLine {
    hints: Arc<MemoryHints>,
    /// Its line to the store: a process stands still, or is no more, for both.
    link: Arc<Link>,
    dice: Mutex<StdRng>,
    /// Calls fail: before they have happened, or with nobody to hear of it.
    pub is_cut: AtomicBool,
    /// What is taken is forgotten at once, before it was claimed.
    pub is_hasty: AtomicBool,
    /// Whether a take waits for a hint to come.
    pub is_waiting: AtomicBool,
}

impl HintLine {
    pub fn new(hints: Arc<MemoryHints>, link: Arc<Link>, seed: u64) -> Arc<Self> {
        Arc::new(Self {
            hints,
            link,
            dice: Mutex::new(StdRng::seed_from_u64(seed)),
            is_cut: AtomicBool::new(false),
            is_hasty: AtomicBool::new(false),
            is_waiting: AtomicBool::new(false),
        })
    }

    fn is_cut(&self) -> bool {
        self.is_cut.load(Ordering::SeqCst)
    }

    async fn travel(&self) -> Result<()> {
        self.link.moving().await;
        let micros = self.dice.lock().random_range(0..3_000);
        sleep(Duration::from_micros(micros)).await;
        self.link.moving().await;
        match self.is_cut() {
            true => Err(cut()),
            false => Ok(()),
        }
    }

    async fn there_and_back<T>(&self, call: impl Future<Output = Result<T>>) -> Result<T> {
        self.travel().await?;
        let answer = call.await?;
        self.travel().await.map(|()| answer)
    }
}

fn cut() -> HintError {
    HintError::Away("the line to the hints is cut".to_owned())
}

#[async_trait]
impl Hints for HintLine {
    fn kind(&self) -> &'static str {
        self.hints.kind()
    }

    fn state(&self) -> HintState {
        match self.is_cut() {
            true => HintState::Away(cut().to_string()),
            false => self.hints.state(),
        }
    }

    async fn offer(&self, hints: &[Hint]) -> Result<()> {
        self.there_and_back(self.hints.offer(hints)).await
    }

    async fn take(
        &self,
        worker: WorkerId,
        queue: &str,
        limit: u32,
        wait: Duration,
    ) -> Result<Vec<JobId>> {
        self.there_and_back(async {
            self.is_waiting.store(true, Ordering::SeqCst);
            let taken = self.hints.take(worker, queue, limit, wait).await;
            self.is_waiting.store(false, Ordering::SeqCst);
            let taken = taken?;
            if self.is_hasty.load(Ordering::SeqCst) {
                let hint = |job: &JobId| Hint {
                    queue: queue.to_owned(),
                    job: *job,
                    is_urgent: false,
                };
                let hints: Vec<_> = taken.iter().map(hint).collect();
                self.hints.drop_taken(worker, &hints).await?;
            }
            Ok(taken)
        })
        .await
    }

    async fn drop_taken(&self, worker: WorkerId, hints: &[Hint]) -> Result<()> {
        self.there_and_back(self.hints.drop_taken(worker, hints))
            .await
    }

    async fn trim(&self, queue: &str, count: u32) -> Result<()> {
        self.there_and_back(self.hints.trim(queue, count)).await
    }

    async fn give_back(&self, worker: WorkerId) -> Result<u64> {
        self.there_and_back(self.hints.give_back(worker)).await
    }

    async fn heartbeat(&self, worker: WorkerId, span: Duration) -> Result<()> {
        self.there_and_back(self.hints.heartbeat(worker, span))
            .await
    }

    async fn consumers(&self) -> Result<Vec<WorkerId>> {
        self.there_and_back(self.hints.consumers()).await
    }

    async fn lengths(&self, queues: &[String]) -> Result<Vec<u64>> {
        self.there_and_back(self.hints.lengths(queues)).await
    }

    async fn look(&self) -> Result<HintIdentity> {
        self.there_and_back(self.hints.look()).await
    }

    async fn build(&self, generation: i64, hints: &[Hint]) -> Result<()> {
        self.there_and_back(self.hints.build(generation, hints))
            .await
    }

    async fn open(&self, generation: i64) -> Result<()> {
        self.there_and_back(self.hints.open(generation)).await
    }
}
