//! Dead letters and queues over a connection that fails.

use async_trait::async_trait;
use baton_domain::{
    OperationId, Timestamp, operation::Action, operation::DeadLetterFilter,
    operation::DeadLetterGroup, operation::Operation, page::Page, page::PageRequest, queue::Queue,
    queue::QueueChange,
};

use super::Faulty;
use crate::store::{DeadLetters, Line, Queues, Result, Store};

#[async_trait]
impl<S: Store + ?Sized> DeadLetters for Faulty<S> {
    async fn dead_letters(&self, page: &PageRequest) -> Result<Page<DeadLetterGroup>> {
        self.read(self.store.dead_letters(page)).await
    }

    async fn begin(
        &self,
        id: OperationId,
        action: Action,
        filter: &DeadLetterFilter,
        now: Timestamp,
    ) -> Result<Operation> {
        self.write(self.store.begin(id, action, filter, now)).await
    }

    async fn step(&self, limit: u32, now: Timestamp) -> Result<Option<Operation>> {
        self.write(self.store.step(limit, now)).await
    }

    async fn operation(&self, id: OperationId) -> Result<Option<Operation>> {
        self.read(self.store.operation(id)).await
    }

    async fn operations(&self, page: &PageRequest) -> Result<Page<Operation>> {
        self.read(self.store.operations(page)).await
    }
}

#[async_trait]
impl<S: Store + ?Sized> Queues for Faulty<S> {
    async fn queues(&self, now: Timestamp) -> Result<Vec<Queue>> {
        self.read(self.store.queues(now)).await
    }

    async fn change_queue(
        &self,
        name: &str,
        change: &QueueChange,
        now: Timestamp,
    ) -> Result<Queue> {
        self.write(self.store.change_queue(name, change, now)).await
    }

    async fn lines(&self) -> Result<Vec<Line>> {
        self.read(self.store.lines()).await
    }
}
