//! Operations on the jobs of a state, and the end of any operation before it is through.

use async_trait::async_trait;
use baton_domain::{JobId, OperationId, Timestamp, operation::Operation};
use baton_ports::store::{Error, JobAct, JobsStep, Operations, Result};
use serde_json::json;
use uuid::Uuid;

use super::{
    SqlStore,
    audit_log::{has_row, has_rows, says_so},
    dead_letters::operation,
    first,
};
use crate::{
    kernel::{CommitIf, ConnectionPool, Unit},
    row::Rows,
    statement as sql,
    value::params,
};

/// How many unfinished operations are looked at for one that can be read.
const UNFINISHED: u32 = 20;

#[async_trait]
impl Operations for SqlStore {
    async fn begin_on_jobs(&self, begun: &Operation) -> Result<Operation> {
        let data = json!({ "action": begun.action, "jobs": begun.jobs });
        let params = params! {
            id: begun.id.uuid(), subject: begun.id.to_string(), action: begun.action.as_str(), data: data.to_string(),
            filter: serde_json::to_string(&begun.jobs).unwrap_or_default(), reason: begun.reason.clone(),
            total: i64::try_from(begun.total).unwrap_or(i64::MAX), at_least: begun.is_at_least, now: begun.created_at,
        };
        let rows = self.operate_audited(&sql::operations::BEGIN, params, has_rows);
        first(rows.await?).map_or_else(
            || Err(Error::Refused("no operation was begun".to_owned())),
            |row| Ok(operation(row)?.0),
        )
    }

    async fn unfinished_on_jobs(&self) -> Result<Option<(Operation, Option<JobId>)>> {
        let params = params! { limit: UNFINISHED };
        let rows = self.read(&sql::operations::UNFINISHED, params).await?;
        let found = self.readable("job_operations", rows, operation);
        Ok(found.into_iter().next().map(|(operation, cursor)| {
            let has_begun = cursor != Uuid::max();
            (operation, has_begun.then_some(JobId::from_uuid(cursor)))
        }))
    }

    async fn act_on_job(&self, id: OperationId, act: &JobAct, now: Timestamp) -> Result<bool> {
        let count = (&sql::operations::COUNT, params! { id: id.uuid() });
        let (act, has_acted): (_, fn(&[Rows]) -> bool) = match act {
            JobAct::Move(change) => match self.shifted(change, now).await? {
                Some(params) => ((&sql::jobs::SHIFT, params), |rows| has_row(rows, 0)),
                None => return Ok(false),
            },
            JobAct::AskToStop(job, reason) => {
                let params = params! { job: job.uuid(), reason: reason.clone(), now: now };
                ((&sql::jobs::REQUEST_CANCEL, params), |rows| {
                    rows.first().is_some_and(|rows| says_so(rows, 1))
                })
            }
        };
        let stands = move |rows: &[Rows]| has_acted(rows) && has_row(rows, 1);
        let keep: CommitIf = Box::new(stands);
        let unit = Unit {
            scripts: vec![act, count],
            keep: Some(keep),
        };
        Ok(stands(
            &self.kernel.transact(ConnectionPool::Front, unit).await?,
        ))
    }

    async fn advance_on_jobs(&self, step: &JobsStep, now: Timestamp) -> Result<bool> {
        let place = |job: Option<JobId>| job.map_or(Uuid::max(), JobId::uuid);
        let params = params! {
            id: step.operation.uuid(), subject: step.operation.to_string(), from: place(step.from), to: place(step.to.or(step.from)),
            skipped: i64::from(step.skipped), is_last: step.is_last, now: now,
        };
        Ok(has_rows(
            &self.write(&sql::operations::ADVANCE, params).await?,
        ))
    }

    async fn stop_operation(&self, id: OperationId, now: Timestamp) -> Result<bool> {
        let params = params! { id: id.uuid(), subject: id.to_string(), now: now };
        for script in [&sql::operations::STOP_ON_JOBS, &sql::operations::STOP] {
            let stopped = self.operate_audited(script, params.clone(), has_rows);
            if has_rows(&stopped.await?) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}
