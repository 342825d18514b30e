//! Dead letters, and the operations on many of them at once.

use baton_domain::{
    OperationId,
    operation::{Action, DeadLetterFilter},
};
use baton_protocol::{
    List, PageQuery,
    dead_letter::{DeadLetters, SelectDeadLetters},
    operation::Operation,
};

use crate::{Client, Result};

impl Client {
    /// One page of dead letters, grouped by cause, the group that last grew first.
    pub async fn dead_letters(&self, page: &PageQuery) -> Result<List<DeadLetters>> {
        self.get_with(&["dead-letters"], page).await
    }

    /// Begins to do something to every dead letter that matches now.
    pub async fn start_operation(
        &self,
        action: Action,
        filter: DeadLetterFilter,
    ) -> Result<Operation> {
        let body = SelectDeadLetters { filter };
        self.post_once(&["dead-letters", action.as_str()], &body)
            .await
    }

    /// One operation, and how far it is.
    pub async fn operation(&self, id: OperationId) -> Result<Operation> {
        self.get(&["operations", &id.to_string()]).await
    }

    /// Stops an operation: what it has done stays done. One that has ended stays as it is.
    pub async fn stop_operation(&self, id: OperationId) -> Result<Operation> {
        self.post(&["operations", &id.to_string(), "stop"], &())
            .await
    }

    /// One page of operations, newest first.
    pub async fn operations(&self, page: &PageQuery) -> Result<List<Operation>> {
        self.get_with(&["operations"], page).await
    }
}
