//! Buttons: each is one use case of the engine and one receipt.

pub mod campaigns;
pub mod schedules;

use std::future::Future;

use axum::{
    Form,
    extract::{Path, State},
    http::HeaderMap,
    response::Response,
};
use baton_domain::{
    JobId,
    job::{Job, State as JobState},
    operation::{Action, DeadLetterFilter},
    queue::QueueChange,
};
use baton_engine::{Cancel, Resolution};
use serde::Deserialize;

use crate::{
    Console,
    pages::{confirm, job_id},
    receipt::{Receipt, answer},
    shell::Shell,
    trouble::Trouble,
    view::{jobs, short},
};

/// What a button sends along.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Pressed {
    back: String,
    reason: String,
    confirm: String,
    r#as: String,
}

impl Pressed {
    fn reason(&self) -> Option<String> {
        let reason = self.reason.trim();
        (!reason.is_empty()).then(|| reason.chars().take(200).collect())
    }
}

/// Cancels a job, or asks a running one to stop.
pub async fn cancel(
    State(console): State<Console>,
    shell: Shell,
    headers: HeaderMap,
    Path(id): Path<String>,
    Form(pressed): Form<Pressed>,
) -> Response {
    let cancel = Cancel {
        force: false,
        reason: pressed.reason(),
    };
    let done = on_job(
        &id,
        |id| console.engine.cancel(id, cancel),
        |job| match job.state {
            JobState::Running => {
                format!("Asked {} to stop; its worker hears of it now.", name(job))
            }
            _ => format!("Canceled {}.", name(job)),
        },
    );
    finish(&console, &shell, &headers, &pressed, done.await).await
}

/// Takes a running job away from its worker, once the end of its id was typed.
pub async fn force_stop(
    State(console): State<Console>,
    shell: Shell,
    headers: HeaderMap,
    Path(id): Path<String>,
    Form(pressed): Form<Pressed>,
) -> Response {
    let cancel = Cancel {
        force: true,
        reason: pressed.reason(),
    };
    let done = async {
        confirm::check_typed(&id, &pressed.confirm)?;
        let stopped = |job: &Job| {
            format!(
                "Took {} from its worker; what that one still says is history only.",
                name(job)
            )
        };
        on_job(&id, |id| console.engine.cancel(id, cancel), stopped).await
    };
    finish(&console, &shell, &headers, &pressed, done.await).await
}

/// Runs a waiting job now.
pub async fn run_now(
    State(console): State<Console>,
    shell: Shell,
    headers: HeaderMap,
    Path(id): Path<String>,
    Form(pressed): Form<Pressed>,
) -> Response {
    let done = on_job(
        &id,
        |id| console.engine.run_now(id),
        |job| format!("Released {}: the next free slot takes it.", name(job)),
    );
    finish(&console, &shell, &headers, &pressed, done.await).await
}

/// Runs a job again.
pub async fn retry(
    State(console): State<Console>,
    shell: Shell,
    headers: HeaderMap,
    Path(id): Path<String>,
    Form(pressed): Form<Pressed>,
) -> Response {
    let done = on_job(
        &id,
        |id| console.engine.retry(id),
        |job| format!("Run {} of {} is queued.", job.run, name(job)),
    );
    finish(&console, &shell, &headers, &pressed, done.await).await
}

/// Says what became of a job whose outcome was unknown.
pub async fn resolve(
    State(console): State<Console>,
    shell: Shell,
    headers: HeaderMap,
    Path(id): Path<String>,
    Form(pressed): Form<Pressed>,
) -> Response {
    let done = async {
        let resolution = match pressed.r#as.as_str() {
            "succeeded" => Resolution::Succeeded,
            "failed" => Resolution::Failed,
            other => {
                return Err(Trouble::refused(
                    format!("A job cannot be resolved as {other:?}."),
                    "Resolve it as succeeded or as failed.",
                ));
            }
        };
        on_job(
            &id,
            |id| console.engine.resolve(id, resolution),
            |job| format!("Recorded {} as {}.", name(job), job.state),
        )
        .await
    };
    finish(&console, &shell, &headers, &pressed, done.await).await
}

/// Pauses a queue.
pub async fn pause_queue(
    State(console): State<Console>,
    shell: Shell,
    headers: HeaderMap,
    Path(queue): Path<String>,
    Form(pressed): Form<Pressed>,
) -> Response {
    let done = pause(&console, &queue, true).await;
    finish(&console, &shell, &headers, &pressed, done).await
}

/// Resumes a queue.
pub async fn resume_queue(
    State(console): State<Console>,
    shell: Shell,
    headers: HeaderMap,
    Path(queue): Path<String>,
    Form(pressed): Form<Pressed>,
) -> Response {
    let done = pause(&console, &queue, false).await;
    finish(&console, &shell, &headers, &pressed, done).await
}

/// Retries or discards the dead letters of one cause.
pub async fn start_operation(
    State(console): State<Console>,
    shell: Shell,
    headers: HeaderMap,
    Path((fingerprint, action)): Path<(String, String)>,
    Form(pressed): Form<Pressed>,
) -> Response {
    let done = async {
        let action = confirm::action(&action)?;
        let filter = DeadLetterFilter {
            fingerprint: Some(fingerprint),
            ..DeadLetterFilter::default()
        };
        let operation = console.engine.start_operation(action, &filter).await?;
        let verb = match action {
            Action::Retry => "Retrying",
            Action::Discard => "Discarding",
        };
        Ok(Receipt::new(format!(
            "{verb} {} ({}); the progress is under Operations.",
            jobs(operation.total),
            short(operation.id)
        )))
    };
    finish(&console, &shell, &headers, &pressed, done.await).await
}

async fn on_job<F>(
    id: &str,
    act: impl FnOnce(JobId) -> F,
    receipt: impl FnOnce(&Job) -> String,
) -> Result<Receipt, Trouble>
where
    F: Future<Output = baton_engine::Result<Job>>,
{
    let job = act(job_id(id)?).await?;
    Ok(Receipt::new(receipt(&job)))
}

async fn pause(console: &Console, queue: &str, paused: bool) -> Result<Receipt, Trouble> {
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

async fn finish(
    console: &Console,
    shell: &Shell,
    headers: &HeaderMap,
    pressed: &Pressed,
    outcome: Result<Receipt, Trouble>,
) -> Response {
    console.desk.spend().await;
    answer(shell, headers, &pressed.back, outcome)
}

fn name(job: &Job) -> String {
    format!("{} {}", job.kind, short(job.id))
}
