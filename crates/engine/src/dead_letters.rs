//! Dead letters: look at causes, act on many at once.

use baton_domain::{
    OperationId,
    operation::{Action, DeadLetterFilter, DeadLetterGroup, Operation},
    page::{Page, PageRequest},
};
use baton_ports::Wakeup;

use crate::{Engine, Error, Result};

impl Engine {
    /// Dead letters, grouped by cause.
    pub async fn dead_letters(&self, page: &PageRequest) -> Result<Page<DeadLetterGroup>> {
        Ok(self.store().dead_letters(page).await?)
    }

    /// Begins to do something to every dead letter that matches now.
    pub async fn start_operation(
        &self,
        action: Action,
        filter: &DeadLetterFilter,
    ) -> Result<Operation> {
        let now = self.now();
        let operation = self
            .store()
            .begin(OperationId::new(now), action, filter, now)
            .await?;
        self.inner.wakeups.send(Wakeup::Operations);
        self.inner.wakeups.send(Wakeup::Facts);
        Ok(operation)
    }

    /// One operation, and how far it is.
    pub async fn operation(&self, id: OperationId) -> Result<Operation> {
        let missing = || Error::NotFound {
            what: "operation",
            id: id.to_string(),
        };
        self.store().operation(id).await?.ok_or_else(missing)
    }

    /// Operations, newest first.
    pub async fn operations(&self, page: &PageRequest) -> Result<Page<Operation>> {
        Ok(self.store().operations(page).await?)
    }
}
