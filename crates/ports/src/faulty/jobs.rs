//! Jobs, and their runs, over a connection that fails.

use async_trait::async_trait;
use baton_domain::{
    JobId, Timestamp, WorkerId, job::Attempt, job::Job, job::NewJob, page::Page, page::PageRequest,
};

use super::Faulty;
use crate::store::{
    Atomicity, By, Claim, Claimed, Enqueued, Held, JobFilter, Jobs, Released, Renewed, Result,
    Settled, Settlement, Shift, Start, Started, Store, Work,
};

#[async_trait]
impl<S: Store + ?Sized> Jobs for Faulty<S> {
    async fn enqueue(&self, jobs: Vec<NewJob>, atomicity: Atomicity) -> Result<Vec<Enqueued>> {
        self.write(self.store.enqueue(jobs, atomicity)).await
    }

    async fn job(&self, id: JobId) -> Result<Option<Job>> {
        self.read(self.store.job(id)).await
    }

    async fn jobs(&self, filter: &JobFilter, page: &PageRequest) -> Result<Page<Job>> {
        self.read(self.store.jobs(filter, page)).await
    }

    async fn attempts(&self, id: JobId) -> Result<Vec<Attempt>> {
        self.read(self.store.attempts(id)).await
    }

    async fn shift(&self, shift: &Shift, now: Timestamp) -> Result<bool> {
        self.write(self.store.shift(shift, now)).await
    }

    async fn ask_cancel(&self, id: JobId, reason: Option<&str>, now: Timestamp) -> Result<bool> {
        self.write(self.store.ask_cancel(id, reason, now)).await
    }

    async fn revoke(&self, id: JobId, reason: Option<&str>, now: Timestamp) -> Result<bool> {
        self.write(self.store.revoke(id, reason, now)).await
    }
}

#[async_trait]
impl<S: Store + ?Sized> Work for Faulty<S> {
    async fn claim(&self, claim: &Claim, now: Timestamp) -> Result<Vec<Claimed>> {
        self.write(self.store.claim(claim, now)).await
    }

    async fn start(&self, jobs: Vec<NewJob>, start: &Start) -> Result<Started> {
        self.write(self.store.start(jobs, start)).await
    }

    async fn renew(&self, worker: WorkerId, until: Timestamp) -> Result<Renewed> {
        self.write(self.store.renew(worker, until)).await
    }

    async fn settle(
        &self,
        by: By,
        settlements: &[Settlement],
        now: Timestamp,
    ) -> Result<Vec<Settled>> {
        self.write(self.store.settle(by, settlements, now)).await
    }

    async fn overdue(&self, before: Timestamp, limit: u32) -> Result<Vec<Held>> {
        self.read(self.store.overdue(before, limit)).await
    }

    async fn release(&self, limit: u32, now: Timestamp) -> Result<Released> {
        self.write(self.store.release(limit, now)).await
    }

    async fn expire(&self, limit: u32, now: Timestamp) -> Result<u32> {
        self.write(self.store.expire(limit, now)).await
    }
}
