//! What became of a job, and why.

use axum::Json as Reply;
use baton_protocol::{
    CursorQuery, List,
    event::Event,
    job::{Attempt, AttemptsQuery, Explanation},
};

use crate::{
    Api,
    extract::{JobPath, Query},
    pages,
    problem::{ApiResult, told},
};

/// List a job's attempts
///
/// First to last, the running one included. A history with a row that cannot be read is answered with the problem `unreadable`.
#[utoipa::path(
    get, path = "/v1/jobs/{id}/attempts", tag = "jobs",
    params(("id" = String, Path, description = "The job's id."), CursorQuery),
    responses((status = 200, description = "Every attempt.", body = List<Attempt>))
)]
pub async fn attempts(
    api: Api,
    JobPath(id): JobPath,
    Query(cursor): Query<CursorQuery>,
) -> ApiResult<Reply<List<Attempt>>> {
    let attempts = api.engine.attempts(id).await.map_err(told)?;
    let attempts = attempts.into_iter().map(Attempt::from);
    pages::slice(attempts, cursor.after.as_deref(), place)
}

/// List attempts
///
/// Those of some jobs, job by job in the order of their ids, each job's first to last. For programs that
/// read a whole history; a job that does not exist has no attempts. A history with a row that cannot be read is answered with the problem `unreadable`.
#[utoipa::path(
    get, path = "/v1/attempts", tag = "jobs",
    params(AttemptsQuery),
    responses((status = 200, description = "Every attempt of these jobs.", body = List<Attempt>))
)]
pub async fn attempts_of(
    api: Api,
    Query(query): Query<AttemptsQuery>,
) -> ApiResult<Reply<List<Attempt>>> {
    let attempts = api.engine.attempts_of(&query.ids()?).await.map_err(told)?;
    let attempts = attempts.into_iter().map(Attempt::from);
    pages::slice(attempts, query.after.as_deref(), place)
}

/// What an attempt is called by.
fn place(attempt: &Attempt) -> String {
    format!("{}.{}", attempt.job_id, attempt.attempt)
}

/// List a job's events
///
/// Every fact about it that is still kept, in order. A history with a row that cannot be read is answered with the problem `unreadable`.
#[utoipa::path(
    get, path = "/v1/jobs/{id}/events", tag = "jobs",
    params(("id" = String, Path, description = "The job's id."), CursorQuery),
    responses((status = 200, description = "Its events.", body = List<Event>))
)]
pub async fn events(
    api: Api,
    JobPath(id): JobPath,
    Query(cursor): Query<CursorQuery>,
) -> ApiResult<Reply<List<Event>>> {
    let events = api.engine.job_events(id).await.map_err(told)?;
    let events = events.into_iter().map(Event::from);
    pages::slice(events, cursor.after.as_deref(), |event| {
        event.id.to_string()
    })
}

/// Explain a job
///
/// Why it is, or is not, running; what holds it up, and what would move it.
#[utoipa::path(
    get, path = "/v1/jobs/{id}/explain", tag = "jobs",
    params(("id" = String, Path, description = "The job's id.")),
    responses((status = 200, description = "The answer, in sentences.", body = Explanation))
)]
pub async fn explain(api: Api, JobPath(id): JobPath) -> ApiResult<Reply<Explanation>> {
    api.engine.explain(id).await.map(Reply).map_err(told)
}
