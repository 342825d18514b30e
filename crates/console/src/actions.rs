//! Buttons: each is one use case of the engine and one receipt.

pub mod access;
mod button;
pub mod campaigns;
pub mod fleet;
pub mod operations;
pub mod queues;
pub mod recipients;
pub mod schedules;

use std::future::Future;

use axum::{extract::Path, response::Response};
use baton_domain::{
    JobId,
    job::{Job, State as JobState},
    operation::{Action, DeadLetterFilter},
};
use baton_engine::{Cancel, Resolution};

use crate::{
    errors::PageError,
    pages::{confirm, job_id},
    receipt::Receipt,
    view::{jobs, short},
};

pub use self::button::Button;

/// Cancels a job, or asks a running one to stop.
pub async fn cancel(Path(id): Path<String>, button: Button) -> Response {
    let cancel = Cancel {
        force: false,
        reason: button.pressed.reason(),
    };
    let done = on_job(
        &id,
        |id| button.console.engine.cancel(id, cancel),
        |job| match job.state {
            JobState::Running => {
                format!("Asked {} to stop; its worker hears of it now.", name(job))
            }
            _ => format!("Canceled {}.", name(job)),
        },
    );
    button.answer(done.await).await
}

/// Takes a running job away from its worker, once the end of its id was typed.
pub async fn force_stop(Path(id): Path<String>, button: Button) -> Response {
    let cancel = Cancel {
        force: true,
        reason: button.pressed.reason(),
    };
    let done = async {
        confirm::check_typed(&id, &button.pressed.confirm)?;
        let stopped = |job: &Job| {
            format!(
                "Took {} from its worker; what that one still says is history only.",
                name(job)
            )
        };
        on_job(&id, |id| button.console.engine.cancel(id, cancel), stopped).await
    };
    button.answer(done.await).await
}

/// Runs a waiting job now.
pub async fn run_now(Path(id): Path<String>, button: Button) -> Response {
    let done = on_job(
        &id,
        |id| button.console.engine.run_now(id),
        |job| format!("Released {}: the next free slot takes it.", name(job)),
    );
    button.answer(done.await).await
}

/// Runs a job again.
pub async fn retry(Path(id): Path<String>, button: Button) -> Response {
    let afresh = button.pressed.r#as == "afresh";
    let done = on_job(
        &id,
        |id| button.console.engine.retry(id, afresh),
        |job| format!("Run {} of {} is queued.", job.run, name(job)),
    );
    button.answer(done.await).await
}

/// Says what became of a job whose outcome was unknown.
pub async fn resolve(Path(id): Path<String>, button: Button) -> Response {
    let done = async {
        let resolution = match button.pressed.r#as.as_str() {
            "succeeded" => Resolution::Succeeded,
            "failed" => Resolution::Failed,
            other => {
                return Err(PageError::refused(
                    format!("A job cannot be resolved as {other:?}."),
                    "Resolve it as succeeded or as failed.",
                ));
            }
        };
        on_job(
            &id,
            |id| button.console.engine.resolve(id, resolution),
            |job| format!("Recorded {} as {}.", name(job), job.state),
        )
        .await
    };
    button.answer(done.await).await
}

/// Retries or discards the dead letters of one cause.
pub async fn start_operation(
    Path((fingerprint, action)): Path<(String, String)>,
    button: Button,
) -> Response {
    let done = async {
        let action = confirm::action(&action)?;
        let filter = DeadLetterFilter {
            fingerprint: Some(fingerprint),
            ..DeadLetterFilter::default()
        };
        let operation = button
            .console
            .engine
            .start_operation(action, &filter)
            .await?;
        let verb = match action {
            Action::Retry => "Retrying",
            Action::Discard => "Discarding",
            Action::Cancel | Action::Erase => "Beginning with",
        };
        Ok(Receipt::new(format!(
            "{verb} {} ({}); the progress is among the operations.",
            jobs(operation.total),
            short(operation.id)
        )))
    };
    button.answer(done.await).await
}

/// Runs one dead letter of a cause again, and leads to where its end is told.
pub async fn probe(Path(fingerprint): Path<String>, mut button: Button) -> Response {
    let done = async {
        let engine = &button.console.engine;
        let group = confirm::group(engine, &fingerprint).await?;
        let group = group.ok_or_else(|| confirm::no_group(&fingerprint))?;
        let job = engine.retry(group.sample_job, false).await?;
        Ok::<_, PageError>(job)
    };
    let done = done.await.map(|job| {
        button.leads_to(format!("/dead-letters/{fingerprint}/probe/{}", job.id));
        Receipt::new(format!("Run {} of {} is queued.", job.run, name(&job)))
    });
    button.answer(done).await
}

async fn on_job<F>(
    id: &str,
    act: impl FnOnce(JobId) -> F,
    receipt: impl FnOnce(&Job) -> String,
) -> Result<Receipt, PageError>
where
    F: Future<Output = baton_engine::Result<Job>>,
{
    let job = act(job_id(id)?).await?;
    Ok(Receipt::new(receipt(&job)))
}

fn name(job: &Job) -> String {
    format!("{} {}", job.kind, short(job.id))
}
