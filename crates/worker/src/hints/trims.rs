//! Trims: hints that are being forgotten, because their jobs were found without them.
//!
//! Which jobs they were hints at, nobody knows. A search that is sent when they are forgotten finds what they
//! would have led to; one that is sent before may miss it.

use std::sync::Arc;

use tokio::task::JoinSet;

use crate::{core::Core, queue_slots::QueueSlots};

/// Hints that are being forgotten.
#[derive(Default)]
pub struct Trims {
    underway: JoinSet<()>,
    /// The next search may be the last of its line.
    is_end_near: bool,
}

impl Trims {
    /// Forgets as many hints as a search has found jobs.
    pub fn begin(&mut self, core: &Arc<Core>, slots: &Arc<QueueSlots>, found: u32) {
        self.underway
            .spawn(trim(Arc::clone(core), Arc::clone(slots), found));
    }

    /// Takes note that a search has found less than was wanted.
    pub const fn end_nears(&mut self) {
        self.is_end_near = true;
    }

    /// Whether a search that is sent now finds whatever the forgotten hints would have led to. Where it may
    /// be the last, this waits until it does; in the midst of a line nobody waits for Redis.
    pub async fn are_covered(&mut self) -> bool {
        if std::mem::take(&mut self.is_end_near) {
            self.are_over().await;
        }
        while self.underway.try_join_next().is_some() {}
        self.underway.is_empty()
    }

    /// Waits until the hints are forgotten.
    pub async fn are_over(&mut self) {
        while self.underway.join_next().await.is_some() {}
    }
}

async fn trim(core: Arc<Core>, slots: Arc<QueueSlots>, found: u32) {
    if let Some(hinted) = core.hinted.get()
        && let Err(error) = hinted.hints.trim(&slots.queue, found).await
    {
        core.hints_failed(hinted, &error);
    }
}
