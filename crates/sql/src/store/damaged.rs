//! Jobs that were claimed and cannot be read: nobody could run them, so they fail for good at once. They would
//! else be claimed again and again, and be lost in the end.

use std::collections::BTreeSet;

use baton_domain::{
    LeaseId, Lifecycle, Timestamp, WorkerId,
    fingerprint::fingerprint,
    job::{Class, Decision, Failure, Outcome, Reason, State, Trigger},
};
use baton_ports::store::{AttemptResult, By, Claimed, Error, Result, Work};

use super::{SqlStore, read};
use crate::{
    kernel::ConnectionPool,
    row::{Row, Rows},
    statement as sql,
    value::params,
};

/// The code of such a failure.
const CODE: &str = "unreadable";

impl SqlStore {
    /// What was claimed and can be read; the rest fails.
    pub(super) async fn usable(
        &self,
        rows: Rows,
        worker: WorkerId,
        now: Timestamp,
    ) -> Vec<Claimed> {
        let mut usable = Vec::with_capacity(rows.len());
        let mut damaged = BTreeSet::new();
        for row in rows {
            let lease = read::lease(&row);
            // A row may rest upon those before it.
            let is_damaged = lease.is_some_and(|lease| damaged.contains(&lease));
            if is_damaged || read::claimed(row, &mut usable).is_err() {
                damaged.extend(lease);
            }
        }
        for lease in damaged {
            if let Err(error) = self.sort_out(lease, worker, now, &mut usable).await {
                // They are taken back when their lease ends, and met again.
                tracing::warn!(%error, "jobs that cannot be read could not be failed yet");
            }
        }
        usable
    }

    /// Looks at each job under a lease by itself. A claim answers with several in one row.
    async fn sort_out(
        &self,
        lease: LeaseId,
        worker: WorkerId,
        now: Timestamp,
        usable: &mut Vec<Claimed>,
    ) -> Result<()> {
        let known: BTreeSet<_> = usable.iter().map(|claimed| claimed.args.id).collect();
        let params = params! { lease: lease.uuid(), worker: worker.uuid() };
        let rows = self
            .kernel
            .write(ConnectionPool::Claim, &sql::work::CLAIMED, params)
            .await?;
        let (mut found, mut damaged) = (Vec::new(), Vec::new());
        for row in rows {
            if let Err(error) = read::claimed(row.clone(), &mut found) {
                damaged.extend(self.ending(row, &error));
            }
        }
        found.retain(|claimed| !known.contains(&claimed.args.id));
        usable.extend(found);
        self.settle(By::Worker(worker), &damaged, now).await?;
        Ok(())
    }

    fn ending(&self, row: Row, error: &Error) -> Option<AttemptResult> {
        let name = match read::named(&row) {
            Ok(job) => job.uuid().to_string(),
            Err(_) => "a row without a name".to_owned(),
        };
        self.note_unreadable("jobs", name, error);
        failed(row, error).ok().flatten()
    }
}

/// How the job of a row ends.
fn failed(row: Row, error: &Error) -> Result<Option<AttemptResult>> {
    let column = match error {
        Error::Corrupt { column, .. } => column,
        _ => "row",
    };
    let message = format!(
        "its {column} cannot be read by this version: it is damaged, or a newer one wrote it"
    );
    let failure = Failure::new(Class::Misconfigured, CODE, message);
    let damaged = read::damaged(row)?;
    let Ok(transition) = State::Running.on(Trigger::FailForGood) else {
        return Ok(None);
    };
    let fingerprint = fingerprint(&damaged.kind, &failure);
    Ok(Some(AttemptResult {
        lease: damaged.lease,
        job: damaged.job,
        counters: damaged.counters,
        queued_at: damaged.queued_at,
        started_at: None,
        decision: Decision {
            transition,
            outcome: Outcome::Failed,
            reason: Some(Reason::Misconfigured.as_str().to_owned()),
            run_at: None,
            asked: None,
            tries: damaged.counters.tries.saturating_sub(1),
            losses: damaged.counters.losses,
            failure: Some(failure),
            result: None,
        },
        fingerprint: Some(fingerprint),
        seen: None,
    }))
}
