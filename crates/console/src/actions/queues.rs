//! Buttons that rule a queue.

use std::str::FromStr;

use axum::{extract::Path, response::Response};
use baton_domain::queue::{Queue, QueueChange};

use super::Button;
use crate::{
    Console,
    errors::PageError,
    receipt::Receipt,
    view::{count, jobs, rate},
};

/// Pauses a queue.
pub async fn pause(Path(queue): Path<String>, button: Button) -> Response {
    let done = change_pause(&button.console, &queue, true).await;
    button.answer(done).await
}

/// Resumes a queue.
pub async fn resume(Path(queue): Path<String>, button: Button) -> Response {
    let done = change_pause(&button.console, &queue, false).await;
    button.answer(done).await
}

/// Sets how much of a queue may go on at once.
pub async fn limits(Path(name): Path<String>, button: Button) -> Response {
    let done = async {
        let change = QueueChange {
            max_running: Some(read(&button.pressed.max_running)?),
            rate: Some(read(&button.pressed.rate)?),
            ..QueueChange::default()
        };
        let engine = &button.console.engine;
        let mut queues = engine.queues().await?.into_iter();
        let before = queues.find(|queue| queue.name == name);
        let after = engine.change_queue(&name, &change).await?;
        let was = before.map_or_else(|| "nothing".to_owned(), |queue| told(&queue));
        Ok(Receipt::new(format!(
            "Queue {name} was limited to {was}, and is now to {}.",
            told(&after)
        )))
    };
    button.answer(done.await).await
}

/// A number, or nothing where the field was left empty.
fn read<T: FromStr>(text: &str) -> Result<Option<T>, PageError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| {
        PageError::refused(
            format!("{text:?} is no number that can limit a queue."),
            "Give a number, or leave the field empty for no limit. Nothing was changed.",
        )
    })
}

fn told(queue: &Queue) -> String {
    let running = queue.max_running.map_or_else(
        || "any number at once".to_owned(),
        |most| format!("{} at once", count(most.into())),
    );
    let started = queue.rate.map_or_else(
        || "any number a second".to_owned(),
        |most| format!("{} a second", rate(most)),
    );
    format!("{running} and {started}")
}

async fn change_pause(console: &Console, queue: &str, paused: bool) -> Result<Receipt, PageError> {
    let change = QueueChange {
        paused: Some(paused),
        ..QueueChange::default()
    };
    let queue = console.engine.change_queue(queue, &change).await?;
    let (message, undo) = if paused {
        let message = format!(
            "Paused queue {}: nothing new is started; {} that ran go on.",
            queue.name,
            jobs(queue.running)
        );
        (message, "resume")
    } else {
        let message = format!(
            "Resumed queue {}: {} can start.",
            queue.name,
            jobs(queue.queued)
        );
        (message, "pause")
    };
    Ok(Receipt {
        message,
        undo: Some(format!("/queues/{}/{undo}", queue.name)),
    })
}
