//! Pruning: what is older than its retention goes, a bounded bite at a time.

use baton_domain::{CampaignId, InboxItemId, JobId, NotificationId, OperationId, Timestamp, node};
use baton_ports::store::{Error, Pruned, Result, Retention};
use serde_json::json;

use super::{SqlStore, first};
use crate::{
    row::Rows,
    statement::{self as sql, Script},
    value::{Params, params},
};

/// How many campaigns or queues one transaction forgets at the most: it holds the lock of the stream.
const FEW: u32 = 100;

impl SqlStore {
    pub(super) async fn prune_by(
        &self,
        retention: &Retention,
        limit: u32,
        now: Timestamp,
    ) -> Result<Pruned> {
        let jobs = self.prune_jobs(retention, limit, now).await?;
        let params = params! { cutoff: now - retention.events, limit: limit };
        let events = self.gone(&sql::upkeep::PRUNE_EVENTS, params).await?;
        let params = params! { cutoff: now - retention.keys, limit: limit };
        let keys = self.gone(&sql::upkeep::PRUNE_KEYS, params).await?;
        let cutoff = now - retention.workers;
        let params = params! { cutoff: cutoff, minute: cutoff.as_micros() / 60_000_000, gone: now - node::REMEMBERED };
        let workers = self.gone(&sql::upkeep::PRUNE_WORKERS, params).await?;
        let bound = InboxItemId::new(now - retention.inbox).uuid();
        let params = params! { bound: bound, limit: limit };
        let items = self.gone(&sql::upkeep::PRUNE_INBOX, params).await?;
        let bound = NotificationId::new(now - retention.keys).uuid();
        let params = params! { bound: bound, limit: limit };
        let notifications = self.gone(&sql::upkeep::PRUNE_NOTIFICATIONS, params).await?;
        let params = params! { cutoff: now - retention.fires, limit: limit };
        let fires = self.gone(&sql::upkeep::PRUNE_FIRES, params).await?;
        let params = params! { cutoff: now - retention.audit, limit: limit };
        let audit = self.gone(&sql::upkeep::PRUNE_AUDIT, params).await?;
        let params = params! { now: now, limit: limit };
        let sessions = self.gone(&sql::upkeep::PRUNE_SESSIONS, params).await?;
        let rollups = self.prune_rollups(now).await?;
        let pruned = Pruned {
            jobs,
            events,
            keys,
            workers,
            fires,
            items,
            notifications,
            audit,
            sessions,
            rollups,
            ..Pruned::default()
        };
        // What these are looked for by is no index of its own, and they are few: they can wait for a turn with time.
        if pruned.is_empty() {
            self.prune_the_rest(retention, limit.min(FEW), now).await
        } else {
            Ok(pruned)
        }
    }

    async fn prune_jobs(&self, retention: &Retention, limit: u32, now: Timestamp) -> Result<u32> {
        let cutoff = now - retention.jobs;
        // A job that finished before the cutoff was made before it: ids carry their time.
        let bound = JobId::new(cutoff).uuid();
        let params = params! { bound: bound, cutoff: cutoff, limit: limit, now: now };
        let rows = self.forget(&sql::upkeep::PRUNE, params).await?;
        first(rows).map_or(Ok(0), |row| row.cells("finished").count("count"))
    }

    async fn prune_the_rest(
        &self,
        retention: &Retention,
        limit: u32,
        now: Timestamp,
    ) -> Result<Pruned> {
        let cutoff = now - retention.operations;
        let bound = OperationId::new(cutoff).uuid();
        let params = params! { bound: bound, cutoff: cutoff, limit: limit };
        let on_jobs = self.gone(&sql::upkeep::PRUNE_JOB_OPERATIONS, params.clone());
        let operations = on_jobs.await? + self.gone(&sql::upkeep::PRUNE_OPERATIONS, params).await?;
        let whole = retention.campaigns.max(retention.jobs).max(retention.keys);
        let bound = CampaignId::new(now - whole).uuid();
        let params = params! { bound: bound, cutoff: now - whole, limit: limit };
        let campaigns = self.gone(&sql::upkeep::PRUNE_CAMPAIGNS, params).await?;
        let unused = now - retention.queues.max(retention.jobs);
        let bound = JobId::new(now - retention.jobs).uuid();
        let params = params! { bound: bound, limit: limit };
        let staged = self.gone(&sql::upkeep::PRUNE_STAGED, params).await?;
        Ok(Pruned {
            operations,
            campaigns,
            staged,
            queues: self.prune_queues(unused, limit).await?,
            // What else somebody could have signed in by.
            sessions: self
                .gone(&sql::upkeep::PRUNE_SET_UP, params! { now: now })
                .await?,
            ..Pruned::default()
        })
    }

    /// They are looked for without a lock, and looked at once more where they go.
    async fn prune_queues(&self, cutoff: Timestamp, limit: u32) -> Result<u32> {
        let params = params! { cutoff: cutoff, limit: limit };
        let rows = self.read(&sql::upkeep::UNUSED_QUEUES, params).await?;
        let names = rows.into_iter().map(|row| row.cells("queues").text("name"));
        let names = names.collect::<Result<Vec<_>>>()?;
        if names.is_empty() {
            return Ok(0);
        }
        let params = params! { names: json!(names).to_string() };
        self.gone(&sql::upkeep::PRUNE_QUEUES, params).await
    }

    /// How many rows a statement has forgotten.
    pub(super) async fn gone(&self, script: &'static Script, params: Params) -> Result<u32> {
        let rows = self.forget(script, params).await?.len();
        Ok(u32::try_from(rows).unwrap_or(u32::MAX))
    }

    /// Has a statement forget rows. What the database refuses to forget stays, and the others have their turn.
    async fn forget(&self, script: &'static Script, params: Params) -> Result<Rows> {
        match self.write(script, params).await {
            Err(Error::Refused(error)) => {
                let script = script.name;
                tracing::error!(script, %error, "the database does not forget what is past its retention ({script}): {error}; it is tried again later");
                metrics::counter!("baton_rows_refused_total", "what" => "prune").increment(1);
                Ok(Rows::default())
            }
            forgotten => forgotten,
        }
    }
}
