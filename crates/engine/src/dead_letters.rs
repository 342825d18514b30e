//! Dead letters: look at causes, act on many at once.

use baton_domain::{
    OperationId,
    access::Permission,
    audit::AuditAction,
    operation::{Action, DeadLetterFilter, DeadLetterGroup, Operation},
    page::{Page, PageRequest},
};
use baton_ports::Wakeup;

use crate::{Caller, Result, caller::Particulars};
use serde_json::json;

impl Caller {
    /// Dead letters, grouped by cause.
    pub async fn dead_letters(&self, page: &PageRequest) -> Result<Page<DeadLetterGroup>> {
        self.needs(Permission::JobsRead)?;
        let groups = self.store().dead_letters(page).await?;
        Ok(groups.map(|group| self.shown_group(group)))
    }

    /// Begins to do something to every dead letter that matches now.
    pub async fn start_operation(
        &self,
        action: Action,
        filter: &DeadLetterFilter,
    ) -> Result<Operation> {
        self.needs(Permission::Operate)?;
        self.begin_operation(action, filter).await
    }

    /// The same for whoever may do it for another reason.
    pub(crate) async fn begin_operation(
        &self,
        action: Action,
        filter: &DeadLetterFilter,
    ) -> Result<Operation> {
        let now = self.now();
        let id = OperationId::new(now);
        let particulars = Particulars {
            after: Some(json!({
                "action": action, "fingerprint": filter.fingerprint, "kind": filter.kind,
                "queue": filter.queue, "reason": filter.reason,
            })),
            ..Particulars::default()
        };
        let operation = self
            .audited(AuditAction::OperationStart, id, particulars)
            .begin(id, action, filter, now)
            .await?;
        self.inner.wakeups.send(Wakeup::Operations);
        self.inner.wakeups.send(Wakeup::Facts);
        Ok(operation)
    }
}
