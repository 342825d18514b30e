//! Staging: jobs that programs beside the server ask for, in transactions of their own.

use async_trait::async_trait;
use baton_domain::{JobId, Timestamp, job::NewJob};
use baton_ports::store::{Enqueued, Result, StagedJob, Staging};

use super::{
    SqlStore,
    jobs::{answer, holders},
};
use crate::{
    kernel::{ConnectionPool, Unit},
    row::Row,
    statement as sql,
    value::params,
};

#[async_trait]
impl Staging for SqlStore {
    async fn staged(&self, limit: u32) -> Result<Vec<StagedJob>> {
        let rows = self
            .read(&sql::staging::OPEN, params! { limit: limit })
            .await?;
        Ok(self.readable("staged_jobs", rows, staged))
    }

    async fn staged_job(&self, id: JobId) -> Result<Option<StagedJob>> {
        let rows = self
            .read(&sql::staging::FIND, params! { id: id.uuid() })
            .await?;
        self.the_one("staged_jobs", rows, staged)
    }

    async fn enqueue_staged(&self, jobs: Vec<NewJob>, now: Timestamp) -> Result<Vec<Enqueued>> {
        let ids: Vec<_> = jobs.iter().map(|job| job.id.uuid()).collect();
        let ids = || params! { ids: self.list(&ids) };
        let keys: Vec<_> = jobs.iter().filter_map(|job| job.key.as_deref()).collect();
        let unit = Unit {
            scripts: vec![
                (&sql::staging::HOLD, ids()),
                (&sql::jobs::ENQUEUE, self.columns(&jobs, now)),
                (&sql::staging::TAKE, ids()),
                (&sql::jobs::KEY_HOLDERS, params! { keys: self.list(&keys) }),
            ],
            keep: None,
        };
        let rows = self.kernel.transact(ConnectionPool::Queue, unit).await?;
        Ok(answer(&jobs, &holders(&rows)?))
    }

    async fn refuse_staged(&self, id: JobId, why: &str) -> Result<()> {
        let params = params! { id: id.uuid(), why: why };
        self.write(&sql::staging::REFUSE, params).await.map(drop)
    }
}

fn staged(row: Row) -> Result<StagedJob> {
    let mut cells = row.cells("staged_jobs");
    Ok(StagedJob {
        id: JobId::from_uuid(cells.uuid("id")?),
        job: cells.text("job")?,
        at: cells.time("at")?,
        refused: cells.maybe_text("refused")?,
    })
}
