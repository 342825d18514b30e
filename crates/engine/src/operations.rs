//! Operations: what is done to many at once, and the end of it before it is through.

use baton_domain::{
    Lifecycle, OperationId,
    access::Permission,
    audit::AuditAction,
    job::FieldError,
    operation::{Action, JobSelection, Operation},
    page::{Page, PageRequest},
    queue,
};
use baton_ports::{
    Wakeup,
    store::{Counted, JobFilter},
};
use serde_json::json;

use crate::{Caller, Error, Result, caller::Particulars};

impl Caller {
    /// How many jobs an action would be done to now. An action that their state does not allow is refused.
    pub async fn count_for(&self, action: Action, jobs: &JobSelection) -> Result<Counted> {
        self.needs(Permission::Operate)?;
        let trigger = action.on_jobs().ok_or_else(|| {
            let why = format!("{action} is nothing to do to jobs of a state");
            Error::Invalid(vec![FieldError::new("action", why)])
        })?;
        jobs.state.on(trigger)?;
        Ok(self.store().count_jobs(&filter_of(jobs)).await?)
    }

    /// Begins to do something to every job that matches now; those that come or move later are not touched.
    pub async fn start_on_jobs(
        &self,
        action: Action,
        jobs: JobSelection,
        reason: Option<String>,
    ) -> Result<Operation> {
        let counted = self.count_for(action, &jobs).await?;
        let now = self.now();
        let particulars = Particulars {
            after: Some(json!({ "action": action, "jobs": jobs })),
            reason: reason.clone(),
            count: Some(counted.n),
            ..Particulars::default()
        };
        let operation = Operation {
            jobs: Some(jobs),
            reason,
            total: counted.n,
            is_at_least: counted.is_at_least,
            ..Operation::begun(OperationId::new(now), action, now)
        };
        let begun = self
            .audited(AuditAction::OperationStart, operation.id, particulars)
            .begin_on_jobs(&operation)
            .await?;
        self.inner.wakeups.send(Wakeup::Operations);
        self.inner.wakeups.send(Wakeup::Facts);
        Ok(begun)
    }

    /// Stops an operation before it is through; what it has done stays done. One that has ended stays as it is.
    pub async fn stop_operation(&self, id: OperationId) -> Result<Operation> {
        self.needs(Permission::Operate)?;
        let seen = self.operation(id).await?;
        if seen.action == Action::Erase {
            let why = "an erasure goes on to its end: a person is erased or not";
            return Err(Error::Invalid(vec![FieldError::new("id", why)]));
        }
        let particulars = Particulars {
            count: Some(seen.done),
            ..Particulars::default()
        };
        self.audited(AuditAction::OperationStop, id, particulars)
            .stop_operation(id, self.now())
            .await?;
        self.inner.wakeups.send(Wakeup::Facts);
        self.operation(id).await
    }

    /// One operation, and how far it is.
    pub async fn operation(&self, id: OperationId) -> Result<Operation> {
        self.needs(Permission::JobsRead)?;
        let missing = || Error::NotFound {
            what: "operation",
            id: id.to_string(),
        };
        self.store().operation(id).await?.ok_or_else(missing)
    }

    /// Operations, newest first.
    pub async fn operations(&self, page: &PageRequest) -> Result<Page<Operation>> {
        self.needs(Permission::JobsRead)?;
        Ok(self.store().operations(page).await?)
    }
}

/// The jobs of an operation, as they are listed by.
pub(crate) fn filter_of(jobs: &JobSelection) -> JobFilter {
    let JobSelection {
        state,
        kind,
        queue,
        tag,
    } = jobs.clone();
    let campaign = queue.as_deref().and_then(queue::campaign_of);
    JobFilter {
        state: Some(state),
        campaign,
        kind,
        queue,
        tag,
        key: None,
    }
}
