//! Buttons that rule a queue.

use std::str::FromStr;

use axum::{extract::Path, response::Response};
use baton_domain::queue::{Queue, QueueChange};

use super::Button;
use crate::{
    Console,
    errors::PageError,
    receipt::Receipt,
    view::{count, jobs},
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
            max_running: Some(read_limit(&button.pressed.max_running)?),
            rate: Some(read_limit(&button.pressed.rate)?),
            ..QueueChange::default()
        };
        let engine = &button.console.engine;
        let mut queues = engine.queues().await?.into_iter();
        let before = queues.find(|queue| queue.name == name);
        let after = engine.change_queue(&name, &change).await?;
        let was = before.map_or_else(|| tr!("nothing").to_owned(), |queue| told(&queue));
        Ok(Receipt::new(tr!(
            "Queue {queue} was limited to {before}, and is now to {after}.",
            queue = name,
            before = was,
            after = told(&after)
        )))
    };
    button.answer(done.await).await
}

/// A number, or nothing where the field was left empty.
pub fn read_limit<T: FromStr>(text: &str) -> Result<Option<T>, PageError> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    text.parse().map(Some).map_err(|_| {
        PageError::refused(
            tr!(
                "{text} is no number that can be a limit.",
                text = format!("{text:?}")
            ),
            tr!("Give a number, or leave the field empty for no limit. Nothing was changed."),
        )
    })
}

fn told(queue: &Queue) -> String {
    let running = queue.max_running.map_or_else(
        || tr!("any number at once").to_owned(),
        |most| tr!("{n} at once", n = count(most.into())),
    );
    let started = pace(queue.rate);
    tr!(
        "{running} and {started}",
        running = running,
        started = started
    )
}

/// A limit as it was set, to the digit.
pub fn pace(limit: Option<f64>) -> String {
    limit.map_or_else(
        || tr!("any number a second").to_owned(),
        |most| tr!("{n} a second", n = most),
    )
}

async fn change_pause(console: &Console, queue: &str, paused: bool) -> Result<Receipt, PageError> {
    let change = QueueChange {
        paused: Some(paused),
        ..QueueChange::default()
    };
    let queue = console.engine.change_queue(queue, &change).await?;
    let (message, undo) = if paused {
        let message = tr!(
            "Paused queue {queue}: nothing new is started; {jobs} that ran go on.",
            queue = queue.name,
            jobs = jobs(queue.running)
        );
        (message, "resume")
    } else {
        let message = tr!(
            "Resumed queue {queue}: {jobs} can start.",
            queue = queue.name,
            jobs = jobs(queue.queued)
        );
        (message, "pause")
    };
    Ok(Receipt {
        message,
        undo: Some(format!("/queues/{}/{undo}", queue.name)),
    })
}
