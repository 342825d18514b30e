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
use reqwest::Method;

use crate::{Client, Result, repeat::Repeat};

impl Client {
    /// One page of dead letters, grouped by cause, the group that last grew first.
    pub async fn dead_letters(&self, page: &PageQuery) -> Result<List<DeadLetters>> {
        self.get(self.url_with(&["v1", "dead-letters"], page)).await
    }

    /// Begins to do something to every dead letter that matches now.
    pub async fn start_operation(
        &self,
        action: Action,
        filter: DeadLetterFilter,
    ) -> Result<Operation> {
        let url = self.url(&["v1", "dead-letters", action.as_str()]);
        let body = SelectDeadLetters { filter };
        self.send(Method::POST, url, &body, Repeat::IfUnsent).await
    }

    /// One operation, and how far it is.
    pub async fn operation(&self, id: OperationId) -> Result<Operation> {
        self.get(self.url(&["v1", "operations", &id.to_string()]))
            .await
    }

    /// Stops an operation: what it has done stays done. One that has ended stays as it is.
    pub async fn stop_operation(&self, id: OperationId) -> Result<Operation> {
        let url = self.url(&["v1", "operations", &id.to_string(), "stop"]);
        self.send(Method::POST, url, &(), Repeat::Safe).await
    }

    /// One page of operations, newest first.
    pub async fn operations(&self, page: &PageQuery) -> Result<List<Operation>> {
        self.get(self.url_with(&["v1", "operations"], page)).await
    }
}
