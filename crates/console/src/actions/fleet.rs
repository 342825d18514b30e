//! Buttons that rule a worker.

use axum::{extract::Path, response::Response};
use baton_domain::WorkerId;

use super::Button;
use crate::{errors::PageError, pages::read_id, receipt::Receipt};

/// Asks a worker to take nothing new.
pub async fn drain(Path(worker): Path<String>, button: Button) -> Response {
    let done = ask(&button, &worker, true).await;
    button.answer(done).await
}

/// Takes that back.
pub async fn undrain(Path(worker): Path<String>, button: Button) -> Response {
    let done = ask(&button, &worker, false).await;
    button.answer(done).await
}

async fn ask(button: &Button, worker: &str, drain: bool) -> Result<Receipt, PageError> {
    let id: WorkerId = read_id(
        worker,
        tr!("{text} is not the id of a worker: {error}."),
        tr!("The fleet has a button for each."),
    )?;
    let worker = button.console.engine.drain_worker(id, drain).await?;
    let name = worker.heartbeat.name;
    let (message, undo) = match drain {
        true => (
            tr!(
                "Asked {name} to drain: it finishes what it has and takes nothing new.",
                name = name
            ),
            "undrain",
        ),
        false => (tr!("{name} takes new jobs again.", name = name), "drain"),
    };
    Ok(Receipt {
        message,
        undo: Some(format!("/fleet/{id}/{undo}")),
    })
}
