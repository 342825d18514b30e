//! The fleet: workers, and who leads.

use std::{collections::BTreeMap, time::Duration};

use async_trait::async_trait;
use baton_domain::{
    JobId, Timestamp, WorkerId,
    fleet::{Heartbeat, Worker},
};
use baton_ports::store::{Fleet, Result, Wish};
use serde_json::{Value, json};

use super::{
    SqlStore,
    audit_log::{has_rows, says_so},
    first,
};
use crate::{
    kernel::ConnectionPool,
    row::{Cells, Row},
    statement as sql,
    value::params,
};

#[async_trait]
impl Fleet for SqlStore {
    async fn heartbeat(&self, heartbeat: &Heartbeat, now: Timestamp) -> Result<Wish> {
        let params = params! {
            id: heartbeat.worker.uuid(), subject: heartbeat.worker.to_string(), name: heartbeat.name.clone(), version: heartbeat.version.clone(),
            lease: heartbeat.lease.map(micros), slots: serde_json::to_string(&heartbeat.slots).unwrap_or_default(), running: heartbeat.running, draining: heartbeat.draining,
            started_at: heartbeat.started_at, now: now, remote: remote(heartbeat),
            data: joined(heartbeat).to_string(),
        };
        let heard = self
            .kernel
            .write(ConnectionPool::Claim, &sql::fleet::HEARTBEAT, params)
            .await?;
        first(heard).map_or_else(
            || Ok(Wish::default()),
            |row| wish(&mut row.cells("workers")),
        )
    }

    async fn heartbeats(&self, said: &[(Heartbeat, Timestamp)], now: Timestamp) -> Result<()> {
        let mut said: Vec<_> = said.iter().collect();
        // In one order, so that nobody who writes of some of them too waits for another in a circle.
        said.sort_by_key(|(one, _)| one.worker);
        let row = |(one, at): &(Heartbeat, Timestamp)| json!({ "id": one.worker.uuid(), "running": one.running, "remote": remote(one), "at": at.as_micros() });
        let rows: Vec<_> = said.into_iter().map(row).collect();
        let params = params! { rows: json!(rows).to_string(), now: now };
        self.kernel
            .write(ConnectionPool::Claim, &sql::fleet::HEARTBEATS, params)
            .await
            .map(drop)
    }

    async fn note_waiting(
        &self,
        workers: &[WorkerId],
        lately: Duration,
        now: Timestamp,
    ) -> Result<Vec<(WorkerId, Wish)>> {
        let mut ids: Vec<_> = workers.iter().map(|worker| worker.uuid()).collect();
        ids.sort_unstable();
        let params = params! {
            workers: self.list(&ids), before: now - lately, now: now, asked_at: now.to_string(),
        };
        let noted = self
            .kernel
            .write(ConnectionPool::Claim, &sql::fleet::NOTE_WAITING, params);
        let wished = noted.await?.into_iter().map(|row| {
            let mut cells = row.cells("workers");
            let worker = WorkerId::from_uuid(cells.uuid("id")?);
            Ok((worker, wish(&mut cells)?))
        });
        wished.collect()
    }

    async fn drain_worker(&self, worker: WorkerId, drain: bool, now: Timestamp) -> Result<bool> {
        let params = params! {
            id: worker.uuid(), subject: worker.to_string(), drain: drain, now: now, data: json!({ "drain": drain }).to_string(),
        };
        // It says in its second cell whether the wish is new.
        let asked = self.operate_audited(&sql::fleet::DRAIN, params, |rows| says_so(rows, 1));
        Ok(has_rows(&asked.await?))
    }

    async fn wishes(&self, workers: &[WorkerId]) -> Result<Vec<(WorkerId, Wish)>> {
        let ids: Vec<_> = workers.iter().map(|worker| worker.uuid()).collect();
        let params = params! { workers: self.list(&ids) };
        let mut wishes = BTreeMap::<_, Wish>::new();
        for row in self.read(&sql::fleet::WISHES, params).await? {
            let mut cells = row.cells("workers");
            let worker = WorkerId::from_uuid(cells.uuid("id")?);
            let known = wishes.entry(worker).or_default();
            let wish = wish(&mut cells)?;
            known.drain |= wish.drain;
            known.has_left |= wish.has_left;
            let cancel = cells.maybe_uuid("job_id")?;
            known.cancels.extend(cancel.map(JobId::from_uuid));
        }
        Ok(wishes.into_iter().collect())
    }

    async fn leave(&self, worker: WorkerId, now: Timestamp) -> Result<()> {
        let params = params! { id: worker.uuid(), subject: worker.to_string(), now: now };
        self.write(&sql::fleet::LEAVE, params).await.map(drop)
    }

    async fn workers(&self, since: Timestamp) -> Result<Vec<Worker>> {
        let rows = self
            .read(&sql::fleet::WORKERS, params! { since: since })
            .await?;
        Ok(self.readable("workers", rows, worker))
    }

    async fn lead(&self, node: WorkerId, term: Duration, now: Timestamp) -> Result<bool> {
        let params = params! {
            node: node.uuid(), subject: node.to_string(), until: now + term, latest: now + 2 * term, now: now,
        };
        let row = first(self.write(&sql::fleet::LEAD, params).await?);
        row.map_or(Ok(false), |row| row.cells("leadership").truth("leads"))
    }

    async fn resign(&self, node: WorkerId) -> Result<()> {
        self.write(&sql::fleet::RESIGN, params! { node: node.uuid() })
            .await
            .map(drop)
    }

    async fn leader(&self, now: Timestamp) -> Result<Option<WorkerId>> {
        let row = first(self.read(&sql::fleet::LEADER, params! { now: now }).await?);
        row.map(|row| {
            row.cells("leadership")
                .uuid("node")
                .map(WorkerId::from_uuid)
        })
        .transpose()
    }
}

fn worker(row: Row) -> Result<Worker> {
    let mut cells = row.cells("workers");
    let cells = &mut cells;
    let mut heartbeat = Heartbeat {
        remote: None,
        worker: WorkerId::from_uuid(cells.uuid("id")?),
        name: cells.text("name")?,
        version: cells.text("version")?,
        lease: cells.maybe_int("lease_us")?.map(span),
        slots: cells.json("slots")?,
        running: cells.count("running")?,
        draining: cells.truth("draining")?,
        started_at: cells.time("started_at")?,
    };
    let (seen_at, left_at) = (cells.time("seen_at")?, cells.maybe_time("left_at")?);
    heartbeat.remote = cells.maybe_json("remote")?;
    Ok(Worker {
        heartbeat,
        seen_at,
        left_at,
        drain: cells.truth("drain")?,
    })
}

/// What is told of it when it joins.
fn joined(heartbeat: &Heartbeat) -> Value {
    let mut told = json!({ "name": heartbeat.name, "version": heartbeat.version });
    if heartbeat.remote.is_some() {
        told["remote"] = json!(true);
    }
    told
}

/// What it says as a remote one.
fn remote(heartbeat: &Heartbeat) -> Option<String> {
    let remote = heartbeat.remote.as_ref();
    remote.map(|remote| serde_json::to_string(remote).unwrap_or_default())
}

/// What is wanted of a worker, but for what it is to stop.
fn wish(cells: &mut Cells) -> Result<Wish> {
    Ok(Wish {
        drain: cells.truth("drain")?,
        has_left: cells.truth("left_at")?,
        cancels: Vec::new(),
    })
}

/// The microseconds of a span.
pub(super) fn micros(span: Duration) -> i64 {
    i64::try_from(span.as_micros()).unwrap_or(i64::MAX)
}

/// A span, from the microseconds of a column.
pub(super) fn span(micros: i64) -> Duration {
    Duration::from_micros(micros.max(0).unsigned_abs())
}
