//! Staging: nobody beside this process writes into its memory, so nothing is ever staged here.

use async_trait::async_trait;
use baton_domain::{JobId, Timestamp, job::NewJob};

use super::MemoryStore;
use crate::store::{Atomicity, Enqueued, Jobs, Result, StagedJob, Staging};

#[async_trait]
impl Staging for MemoryStore {
    async fn staged(&self, _limit: u32) -> Result<Vec<StagedJob>> {
        Ok(Vec::new())
    }

    async fn staged_job(&self, _id: JobId) -> Result<Option<StagedJob>> {
        Ok(None)
    }

    async fn enqueue_staged(&self, jobs: Vec<NewJob>, _now: Timestamp) -> Result<Vec<Enqueued>> {
        self.enqueue(jobs, Atomicity::Each).await
    }

    async fn refuse_staged(&self, _id: JobId, _why: &str) -> Result<()> {
        Ok(())
    }
}
