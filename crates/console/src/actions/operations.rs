//! Operations on all jobs of a search: begun, and stopped before they are through.

use axum::{
    extract::{Path, Query},
    response::Response,
};
use baton_domain::operation::{Action, Operation};

use super::Button;
use crate::{
    errors::PageError,
    pages::{confirm::matching, operation::operation_id, search::Search},
    receipt::Receipt,
    view::{jobs, short},
};

/// Begins to do something to every job that matches now, and leads to where its progress is told.
pub async fn start_on_jobs(
    Path(word): Path<String>,
    Query(search): Query<Search>,
    mut button: Button,
) -> Response {
    let done = async {
        let (action, selection) = matching::wanted(&word, &search)?;
        let reason = button.pressed.reason();
        let engine = &button.console.engine;
        let begun = engine.start_on_jobs(action, selection, reason).await?;
        Ok::<_, PageError>(begun)
    };
    let done = done.await.map(|begun| {
        button.leads_to(format!("/operations/{}", begun.id));
        Receipt::new(began(&begun))
    });
    button.answer(done).await
}

fn began(operation: &Operation) -> String {
    let (jobs, id) = (jobs(operation.total), short(operation.id));
    match (operation.action, operation.is_at_least) {
        (Action::Retry, true) => tr!("Retrying at least {jobs} ({id}).", jobs = jobs, id = id),
        (Action::Retry, false) => tr!("Retrying {jobs} ({id}).", jobs = jobs, id = id),
        (_, true) => tr!("Canceling at least {jobs} ({id}).", jobs = jobs, id = id),
        (_, false) => tr!("Canceling {jobs} ({id}).", jobs = jobs, id = id),
    }
}

/// Stops an operation before it is through.
pub async fn stop(Path(id): Path<String>, button: Button) -> Response {
    let done = async {
        let id = operation_id(&id)?;
        let stopped = button.console.engine.stop_operation(id).await?;
        Ok(Receipt::new(match stopped.is_stopped {
            true => tr!("Stopped {id}; what it had done stays done.", id = short(id)),
            false => tr!("{id} had ended before.", id = short(id)),
        }))
    };
    button.answer(done.await).await
}
