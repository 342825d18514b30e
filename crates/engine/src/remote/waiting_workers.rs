//! Waiting workers: a claim that waits says that its worker lives, and nobody has to beat beside it.

use std::collections::HashMap;

use baton_domain::{Timestamp, WorkerId, fleet::Worker};

use crate::{Engine, Result};

/// How often it is written of those who wait that they live, in a lease: they are then heard of well before they would be
/// taken for silent.
pub const WORD_SHARE: u32 = 3;
/// What part of a lease is too short to write anew: whoever was seen so lately says by itself that it lives.
const LATELY: u32 = 6;

impl Engine {
    /// Writes of all workers whose claims wait here that they live, in one statement, and ends the claims of those that are
    /// to hear something: they are to drain, or to register again.
    pub(super) async fn speak_for_waiting(&self) -> Result<()> {
        // Read before the rows are: who waits by then has registered by then.
        let workers = self.remote().waiting.workers();
        // And so is the watch: what a worker says meanwhile is later, and stays.
        let now = self.now();
        let since = now - self.inner.settings.remember_workers;
        let rows = self.inner.store.workers(since).await?.into_iter();
        let rows: HashMap<_, _> = rows.map(|row| (row.heartbeat.worker, row)).collect();
        let mut said = Vec::new();
        for worker in workers {
            let Some(row) = rows.get(&worker).filter(|row| row.left_at.is_none()) else {
                self.remote().known.forget(worker);
                self.remote().waiting.end(worker);
                continue;
            };
            self.note_waiting(worker, row.drain, now);
            if self.is_to_be_written(row, now) {
                let mut heartbeat = row.heartbeat.clone();
                if let Some(remote) = &mut heartbeat.remote {
                    remote.asked_at = Some(now);
                }
                said.push((heartbeat, now));
            }
        }
        if !said.is_empty() {
            self.inner.store.heartbeats(&said, now).await?;
        }
        Ok(())
    }

    fn note_waiting(&self, worker: WorkerId, drain: bool, now: Timestamp) {
        let known = &self.remote().known;
        known.asked(worker, now);
        let is_news = known.with(worker, |known| {
            known.drain = drain;
            known.is_claim_told &= drain;
            drain && !known.is_claim_told
        });
        if is_news == Some(true) {
            self.remote().waiting.end(worker);
        }
    }

    fn is_to_be_written(&self, row: &Worker, now: Timestamp) -> bool {
        // What was seen at a moment that is to come was seen by a clock that was put back since.
        now.since(row.seen_at) > self.inner.settings.lease / LATELY || row.seen_at > now
    }
}
