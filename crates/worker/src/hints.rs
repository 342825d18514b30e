//! The worker's side of hints: what was taken, and whether hints are to be had at all.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use baton_domain::{JobId, WorkerId};
use baton_ports::{
    Hints,
    hints::{HintError, HintState},
};
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio_util::task::TaskTracker;

pub mod acks;
pub mod consumer;
pub mod trims;

use crate::queue_slots::QueueSlots;
use acks::Acks;

/// The worker's side of hints.
pub struct WorkerHints {
    pub hints: Arc<dyn Hints>,
    pub worker: WorkerId,
    /// What goes back: dropped, or offered again.
    pub acks: Acks,
    /// The tasks that wait for hints.
    pub consumers: TaskTracker,
    batches: Mutex<Vec<HintBatch>>,
    /// A call has failed, and nobody has seen to it that nothing of it is left.
    is_troubled: AtomicBool,
    /// A call has failed, and the claimer has not polled the store since.
    is_alarming: AtomicBool,
}

/// What was taken from the hints of a queue, and is to be claimed.
#[derive(Debug)]
pub struct HintBatch {
    /// Where the jobs are to run.
    pub slots: Arc<QueueSlots>,
    /// Each of them once.
    pub jobs: Vec<JobId>,
    /// Whether there may be more where they come from.
    pub is_full: bool,
    /// The consumer waits until this is dropped.
    pub consumer: oneshot::Sender<()>,
}

impl WorkerHints {
    pub fn new(hints: Arc<dyn Hints>, worker: WorkerId) -> Self {
        Self {
            hints,
            worker,
            acks: Acks::default(),
            consumers: TaskTracker::new(),
            batches: Mutex::default(),
            is_troubled: AtomicBool::new(false),
            is_alarming: AtomicBool::new(false),
        }
    }

    /// Whether hints are to be had.
    pub fn is_open(&self) -> bool {
        !self.is_troubled.load(Ordering::Acquire) && self.hints.state() == HintState::Open
    }

    /// Takes note that a call has failed: what was taken by it, or before it, may have gone unheard.
    pub fn failed(&self, error: &HintError) {
        if !self.is_troubled.swap(true, Ordering::AcqRel) {
            tracing::info!(%error, "hints are not to be had: {error}; jobs are looked for in the store");
        }
        self.is_alarming.store(true, Ordering::Release);
    }

    /// Whether a call has failed since the last time that this was asked.
    pub fn take_alarm(&self) -> bool {
        self.is_alarming.swap(false, Ordering::AcqRel)
    }

    /// Begins anew when hints are to be had again: whatever was taken unheard is put back first.
    pub async fn recover(&self) -> Result<(), HintError> {
        let is_back = self.hints.state() == HintState::Open;
        if is_back && self.is_troubled.load(Ordering::Acquire) {
            self.hints.give_back(self.worker).await?;
            if self.is_troubled.swap(false, Ordering::AcqRel) {
                tracing::info!("hints are to be had again");
            }
        }
        Ok(())
    }

    /// Leaves a batch for the claimer.
    pub fn bring(&self, batch: HintBatch) {
        self.batches.lock().push(batch);
    }

    /// Whether there is something to claim.
    pub fn has_batches(&self) -> bool {
        !self.batches.lock().is_empty()
    }

    /// What there is to claim.
    pub fn take_batches(&self) -> Vec<HintBatch> {
        std::mem::take(&mut *self.batches.lock())
    }
}
