//! Queues: lines of jobs that can be paused and limited.

use std::time::Duration;

use async_trait::async_trait;
use baton_domain::{
    Timestamp,
    page::{Page, PageRequest},
    queue::{self, Queue, QueueChange, WorkedBy},
};
use baton_ports::store::{Error, Queues, ReadyQueue, Result, Upkeep};
use serde_json::{Map, Value};

use super::{SqlStore, audit_log::has_rows, in_doubt};
use crate::{
    row::Row,
    statement as sql,
    value::{Params, params},
};

/// More queues than there can be.
const MOST: u32 = i32::MAX.unsigned_abs();
const MINUTE: i64 = 60_000_000;

#[async_trait]
impl Queues for SqlStore {
    async fn queues(&self, now: Timestamp) -> Result<Vec<Queue>> {
        let rows = self
            .read(&sql::queues::ALL, shown(now, None, "", MOST))
            .await?;
        Ok(self.readable("queues", rows, |row| queue_of(row, now)))
    }

    async fn queue_page(&self, page: &PageRequest, now: Timestamp) -> Result<Page<Queue>> {
        let after = page.after.as_deref().unwrap_or_default();
        let shown = shown(now, None, after, page.limit + 1);
        let rows = self.read(&sql::queues::ALL, shown).await?;
        let cursor = |row: &Row| row.clone().cells("queues").text("name");
        let read = |row| queue_of(row, now);
        Ok(self.page("queues", rows, page.limit, read, cursor))
    }

    async fn change_queue(
        &self,
        name: &str,
        change: &QueueChange,
        now: Timestamp,
    ) -> Result<Queue> {
        let params = changed(name, change, now);
        let told = self.operate_audited(&sql::queues::CHANGE, params, has_rows);
        if !has_rows(&told.await?) && self.audit.is_some() {
            // All was taken back, but the queue is to be there.
            self.operate(&sql::queues::REMAKE, params! { name: name, now: now })
                .await?;
        }
        let shown = shown(now, Some(name), "", 1);
        let rows = self
            .read(&sql::queues::ALL, shown)
            .await
            .map_err(in_doubt)?;
        let queue = self.the_one("queues", rows, |row| queue_of(row, now))?;
        queue.ok_or_else(|| Error::Refused(format!("queue {name} was not made")))
    }

    async fn ready_queues(&self) -> Result<Vec<ReadyQueue>> {
        let rows = self.read(&sql::queues::READY, params! {}).await?;
        let queues = self.readable("queues", rows, |row| {
            let mut cells = row.cells("queues");
            let ready = ReadyQueue {
                name: cells.text("name")?,
                limited: cells.truth("limited")?,
                worked_by: WorkedBy::Server,
            };
            let is_missing = cells.truth("missing")?;
            let worked_by = cells.word("worked_by")?;
            Ok((ReadyQueue { worked_by, ..ready }, is_missing))
        });
        for (queue, _) in queues.iter().filter(|(_, is_missing)| *is_missing) {
            self.remake(&queue.name).await?;
        }
        Ok(queues.into_iter().map(|(queue, _)| queue).collect())
    }

    async fn late_jobs(&self, queue: &str, before: Timestamp, most: u32) -> Result<u64> {
        let params = params! { queue: queue, before: before, limit: most };
        let row = self
            .read(&sql::queues::LATE, params)
            .await?
            .into_iter()
            .next();
        let Some(row) = row else { return Ok(0) };
        let mut cells = row.cells("ready");
        let late: u64 = cells.count::<u64>("singles")? + cells.count::<u64>("batches")?;
        Ok(late.min(u64::from(most)))
    }

    async fn worked_by(&self, names: &[String]) -> Result<Vec<(String, WorkedBy)>> {
        let params = params! { names: self.list(names) };
        let rows = self.read(&sql::queues::WORKED_BY, params).await?;
        Ok(self.readable("queues", rows, |row| {
            let mut cells = row.cells("queues");
            Ok((cells.text("name")?, cells.word("worked_by")?))
        }))
    }
}

impl SqlStore {
    /// Makes a queue again that was forgotten at the very moment a job came to it.
    async fn remake(&self, name: &str) -> Result<()> {
        let now = self.time().await?;
        let params = params! { name: name, now: now };
        self.write(&sql::queues::REMAKE, params).await.map(drop)
    }
}

/// So many queues after a name, or the one of a name.
fn shown(now: Timestamp, name: Option<&str>, after: &str, limit: u32) -> Params {
    params! { minute: minute(now), name: name, after: after, limit: limit }
}

/// A change as the statement takes it.
pub(super) fn changed(name: &str, change: &QueueChange, now: Timestamp) -> Params {
    params! {
        name: name, now: now, type: kind_of(change), data: data_of(change),
        change_paused: change.paused.is_some(), paused: change.paused,
        change_max: change.max_running.is_some(), max_running: change.max_running.flatten(),
        change_rate: change.rate.is_some(), rate: change.rate.flatten(),
    }
}

/// The minute that `now` lies in.
pub(super) const fn minute(now: Timestamp) -> i64 {
    now.as_micros() / MINUTE
}

const fn kind_of(change: &QueueChange) -> &'static str {
    match change {
        QueueChange {
            paused: Some(true), ..
        } => "queue.paused",
        QueueChange {
            paused: Some(false),
            ..
        } => "queue.resumed",
        _ => "queue.changed",
    }
}

fn data_of(change: &QueueChange) -> String {
    let mut data = Map::new();
    if let Some(paused) = change.paused {
        data.insert("paused".to_owned(), Value::from(paused));
    }
    if let Some(max_running) = change.max_running {
        data.insert("max_running".to_owned(), Value::from(max_running));
    }
    if let Some(rate) = change.rate {
        data.insert("rate".to_owned(), Value::from(rate));
    }
    Value::Object(data).to_string()
}

fn queue_of(row: Row, now: Timestamp) -> Result<Queue> {
    let mut cells = row.cells("queues");
    let cells = &mut cells;
    // A counter can be behind by the facts that have no number yet, and then below nought.
    let counter = |cells: &mut crate::row::Cells, column| {
        Ok::<_, Error>(u64::try_from(cells.int(column)?).unwrap_or(0))
    };
    Ok(Queue {
        name: cells.text("name")?,
        worked_by: cells.word("worked_by")?,
        paused: cells.truth("paused")?,
        max_running: cells.maybe_count("max_running")?,
        rate: cells.maybe_float("rate")?,
        pending: counter(cells, "pending")?,
        queued: counter(cells, "queued")?,
        running: counter(cells, "running")?,
        retry_wait: counter(cells, "retry_wait")?,
        failed: counter(cells, "failed")?,
        uncertain: counter(cells, "uncertain")?,
        succeeded: counter(cells, "succeeded")?,
        oldest_queued_at: cells.maybe_time("oldest")?,
        per_second: {
            let (before, since) = (cells.count("ended_before")?, cells.count("ended_since")?);
            queue::per_second(before, since, Duration::MAX, now)
        },
    })
}
