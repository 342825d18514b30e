//! Dead letters: failed jobs, grouped by cause, and what is done to many of them at once.

use async_trait::async_trait;
use baton_domain::{
    JobId, OperationId, Timestamp,
    job::{Class, Failure},
    operation::{Action, DeadLetterFilter, DeadLetterGroup, Operation},
    page::{Page, PageRequest},
};
use baton_ports::store::{DeadLetters, Error, Result};
use serde_json::json;
use uuid::Uuid;

use super::{SqlStore, audit_log::has_rows, first};
use crate::{
    row::Row,
    statement as sql,
    value::{Params, params},
};

/// How many unfinished operations are looked at for one that can go on.
const UNFINISHED: u32 = 20;

#[async_trait]
impl DeadLetters for SqlStore {
    async fn dead_letters(&self, page: &PageRequest) -> Result<Page<DeadLetterGroup>> {
        let (before_at, after) = match &page.after {
            Some(cursor) => group_cursor(cursor).ok_or(Error::BadCursor)?,
            None => (Timestamp::from_micros(i64::MAX), String::new()),
        };
        let params = params! { before_at: before_at, after: after, limit: page.limit + 1 };
        let rows = self.read(&sql::dead_letters::GROUPS, params).await?;
        let cursor = |row: &Row| {
            let mut cells = row.clone().cells("dead_letter_groups");
            let fingerprint = cells.text("fingerprint")?;
            // Kind, reason, the three of the sample, its job, the count, the first moment.
            (0..8).for_each(|_| cells.skip());
            Ok(format!(
                "{}.{fingerprint}",
                cells.time("last_at")?.as_micros()
            ))
        };
        Ok(self.page("dead_letter_groups", rows, page.limit, group, cursor))
    }

    async fn begin(
        &self,
        id: OperationId,
        action: Action,
        filter: &DeadLetterFilter,
        now: Timestamp,
    ) -> Result<Operation> {
        let text = serde_json::to_string(filter).unwrap_or_default();
        let mut params = params! {
            id: id.uuid(), subject: id.to_string(), action: action.as_str(), filter: text,
            data: json!({ "action": action, "filter": filter }).to_string(), now: now,
        };
        params.extend(filter_params(filter));
        let row = first(
            self.operate_audited(&sql::dead_letters::BEGIN, params, has_rows)
                .await?,
        );
        row.map_or_else(
            || Err(Error::Refused("no operation was begun".to_owned())),
            |row| Ok(operation(row)?.0),
        )
    }

    async fn step(&self, limit: u32, now: Timestamp) -> Result<Option<Operation>> {
        let refused = &self.refused.operations;
        let quarantine = refused.all().into_iter().map(OperationId::uuid);
        let params = self.others(quarantine, UNFINISHED);
        let rows = self.read(&sql::dead_letters::UNFINISHED, params).await?;
        for (operation, cursor) in self.readable("operations", rows, operation) {
            match self.step_on(&operation, cursor, limit, now).await {
                // The next one goes on.
                Err(error) if !error.is_passing() => refused.leave(operation.id, &error),
                step => return step,
            }
        }
        Ok(None)
    }

    async fn operation(&self, id: OperationId) -> Result<Option<Operation>> {
        let params = params! { id: id.uuid() };
        let rows = self.read(&sql::dead_letters::OPERATION, params).await?;
        self.the_one("operations", rows, |row| Ok(operation(row)?.0))
    }

    async fn operations(&self, page: &PageRequest) -> Result<Page<Operation>> {
        let before = page.cursor()?.map_or(Uuid::max(), OperationId::uuid);
        let rows = self
            .read(
                &sql::dead_letters::OPERATIONS,
                params! { before: before, limit: page.limit + 1 },
            )
            .await?;
        let read = |row| Ok(operation(row)?.0);
        let cursor = |row: &Row| {
            let id = row.clone().cells("operations").uuid("id")?;
            Ok(OperationId::from_uuid(id).to_string())
        };
        Ok(self.page("operations", rows, page.limit, read, cursor))
    }
}

impl SqlStore {
    /// Takes a step of an operation from its cursor on.
    async fn step_on(
        &self,
        operation: &Operation,
        cursor: Uuid,
        limit: u32,
        now: Timestamp,
    ) -> Result<Option<Operation>> {
        let (script, refused) = match operation.action {
            Action::Retry => (&sql::dead_letters::STEP_RETRY, &self.refused.retry),
            Action::Discard => (&sql::dead_letters::STEP_DISCARD, &self.refused.discard),
            // They take steps of their own.
            Action::Cancel | Action::Erase => return Ok(None),
        };
        refused.belong_to(operation.id);
        let mut params = params! {
            operation: operation.id.uuid(), subject: operation.id.to_string(), cursor: cursor, now: now,
        };
        params.extend(filter_params(&operation.filter));
        let next = (&sql::dead_letters::NEXT, params.clone());
        let step = |picked| self.write(script, params.iter().cloned().chain(picked).collect());
        self.take(refused, limit, next, step).await?;
        self.operation(operation.id).await
    }
}

fn group_cursor(text: &str) -> Option<(Timestamp, String)> {
    let (at, fingerprint) = text.split_once('.')?;
    Some((
        Timestamp::from_micros(at.parse().ok()?),
        fingerprint.to_owned(),
    ))
}

fn filter_params(filter: &DeadLetterFilter) -> Params {
    let DeadLetterFilter {
        fingerprint,
        kind,
        queue,
        reason,
    } = filter.clone();
    params! { fingerprint: fingerprint, kind: kind, queue: queue, reason: reason }
}

pub(super) fn group(row: Row) -> Result<DeadLetterGroup> {
    let mut cells = row.cells("dead_letter_groups");
    let cells = &mut cells;
    let fingerprint = cells.text("fingerprint")?;
    let kind = cells.text("kind")?;
    let reason = cells.text("reason")?;
    let class = cells.text("class")?.parse().unwrap_or(Class::Permanent);
    let (code, message) = (cells.text("code")?, cells.text("message")?);
    Ok(DeadLetterGroup {
        fingerprint,
        kind,
        reason,
        sample: Failure {
            class,
            code,
            message,
        },
        sample_job: JobId::from_uuid(cells.uuid("sample_job")?),
        count: cells.count("n")?,
        first_at: cells.time("first_at")?,
        last_at: cells.time("last_at")?,
    })
}

/// An operation, and where it goes on.
pub(super) fn operation(row: Row) -> Result<(Operation, Uuid)> {
    let mut cells = row.cells("operations");
    let cells = &mut cells;
    let id = OperationId::from_uuid(cells.uuid("id")?);
    let action = cells.word("action")?;
    let filter = cells.json("filter")?;
    let (total, done) = (cells.count("total")?, cells.count("done")?);
    let (created_at, finished_at) = (cells.time("created_at")?, cells.maybe_time("finished_at")?);
    let cursor = cells.uuid("cursor")?;
    let stage = cells.maybe_word("stage")?;
    let (jobs, reason) = (cells.maybe_json("jobs")?, cells.maybe_text("reason")?);
    let (at_least, seen) = (cells.truth("at_least")?, cells.count::<u64>("skipped")?);
    let is_stopped = cells.truth("stopped")?;
    let is_through = finished_at.is_some() && !is_stopped;
    let total = u64::max(total, done + seen);
    let operation = Operation {
        filter,
        jobs,
        reason,
        total,
        is_at_least: at_least && !is_through,
        done,
        skipped: if is_through { total - done } else { seen },
        stage,
        finished_at,
        is_stopped,
        ..Operation::begun(id, action, created_at)
    };
    Ok((operation, cursor))
}
