//! Events and upkeep over a connection that fails.

use async_trait::async_trait;
use baton_domain::{JobId, Timestamp, event::Event};

use super::Faulty;
use crate::store::{
    Drift, Durability, EventBounds, EventFilter, Events, Finding, Note, Pruned, Result, Retention,
    Sequenced, Store, Upkeep,
};

#[async_trait]
impl<S: Store + ?Sized> Events for Faulty<S> {
    async fn sequence(&self, limit: u32, now: Timestamp) -> Result<Sequenced> {
        self.write(self.store.sequence(limit, now)).await
    }

    async fn events(
        &self,
        after: i64,
        limit: u32,
        filter: &EventFilter,
    ) -> Result<(Vec<Event>, i64)> {
        self.read(self.store.events(after, limit, filter)).await
    }

    async fn job_events(&self, job: JobId) -> Result<Vec<Event>> {
        self.read(self.store.job_events(job)).await
    }

    async fn bounds(&self) -> Result<EventBounds> {
        self.read(self.store.bounds()).await
    }

    async fn note(&self, note: &Note, now: Timestamp) -> Result<()> {
        self.write(self.store.note(note, now)).await
    }
}

#[async_trait]
impl<S: Store + ?Sized> Upkeep for Faulty<S> {
    fn dialect(&self) -> &'static str {
        self.store.dialect()
    }

    async fn time(&self) -> Result<Timestamp> {
        self.read(self.store.time()).await
    }

    async fn durability(&self) -> Result<Durability> {
        self.read(self.store.durability()).await
    }

    async fn findings(&self) -> Result<Vec<Finding>> {
        self.read(self.store.findings()).await
    }

    async fn prune(&self, retention: &Retention, limit: u32, now: Timestamp) -> Result<Pruned> {
        self.write(self.store.prune(retention, limit, now)).await
    }

    async fn audit(&self, now: Timestamp) -> Result<Vec<Drift>> {
        self.write(self.store.audit(now)).await
    }
}
