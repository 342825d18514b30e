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
    view::{jobs, short, state_word},
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
                tr!(
                    "Asked {job} to stop; its worker hears of it now.",
                    job = name(job)
                )
            }
            _ => tr!("Canceled {job}.", job = name(job)),
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
            tr!(
                "Took {job} from its worker; what that one still says is history only.",
                job = name(job)
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
        |job| {
            tr!(
                "Released {job}: the next free slot takes it.",
                job = name(job)
            )
        },
    );
    button.answer(done.await).await
}

/// Runs a job again.
pub async fn retry(Path(id): Path<String>, button: Button) -> Response {
    let afresh = button.pressed.r#as == "afresh";
    let done = on_job(
        &id,
        |id| button.console.engine.retry(id, afresh),
        |job| tr!("Run {n} of {job} is queued.", n = job.run, job = name(job)),
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
                    tr!(
                        "A job cannot be resolved as {word}.",
                        word = format!("{other:?}")
                    ),
                    tr!("Resolve it as succeeded or as failed."),
                ));
            }
        };
        on_job(
            &id,
            |id| button.console.engine.resolve(id, resolution),
            |job| {
                tr!(
                    "Recorded {job} as {state}.",
                    job = name(job),
                    state = state_word(job.state)
                )
            },
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
        let (jobs, id) = (jobs(operation.total), short(operation.id));
        Ok(Receipt::new(match action {
            Action::Retry => tr!(
                "Retrying {jobs} ({id}); the progress is among the operations.",
                jobs = jobs,
                id = id
            ),
            Action::Discard => tr!(
                "Discarding {jobs} ({id}); the progress is among the operations.",
                jobs = jobs,
                id = id
            ),
            Action::Cancel | Action::Erase => tr!(
                "Beginning with {jobs} ({id}); the progress is among the operations.",
                jobs = jobs,
                id = id
            ),
        }))
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
        Receipt::new(tr!(
            "Run {n} of {job} is queued.",
            n = job.run,
            job = name(&job)
        ))
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
