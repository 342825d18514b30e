//! The fleet and its hints over a connection that fails.

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::{Timestamp, WorkerId, fleet::Beat, fleet::Worker};

use super::Faulty;
use crate::store::{Claimable, Fleet, Generation, Hinting, Result, Store, Turn};

#[async_trait]
impl<S: Store + ?Sized> Fleet for Faulty<S> {
    async fn beat(&self, beat: &Beat, now: Timestamp) -> Result<()> {
        self.write(self.store.beat(beat, now)).await
    }

    async fn leave(&self, worker: WorkerId, now: Timestamp) -> Result<()> {
        self.write(self.store.leave(worker, now)).await
    }

    async fn workers(&self, since: Timestamp) -> Result<Vec<Worker>> {
        self.read(self.store.workers(since)).await
    }

    async fn lead(&self, node: WorkerId, term: Duration, now: Timestamp) -> Result<bool> {
        self.write(self.store.lead(node, term, now)).await
    }

    async fn resign(&self, node: WorkerId, now: Timestamp) -> Result<()> {
        self.write(self.store.resign(node, now)).await
    }

    async fn leader(&self, now: Timestamp) -> Result<Option<WorkerId>> {
        self.read(self.store.leader(now)).await
    }
}

#[async_trait]
impl<S: Store + ?Sized> Hinting for Faulty<S> {
    async fn generation(&self) -> Result<Generation> {
        self.read(self.store.generation()).await
    }

    async fn begin_generation(
        &self,
        seen: i64,
        incarnation: &str,
        why: &str,
        now: Timestamp,
    ) -> Result<Option<i64>> {
        self.write(self.store.begin_generation(seen, incarnation, why, now))
            .await
    }

    async fn claimable(
        &self,
        after: Option<&Turn>,
        before: Timestamp,
        limit: u32,
    ) -> Result<Claimable> {
        self.read(self.store.claimable(after, before, limit)).await
    }
}
