//! Schedules: write down, look, change, stop, fire, and see what they have made.

use axum::{
    Json as Reply,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use baton_domain::page::PageRequest;
use baton_protocol::{
    List, PageQuery, Problem,
    job::Nothing,
    schedule::{ChangeSchedule, CreateSchedule, Fire, NextQuery, NextTime, Schedule},
};

use super::placed::created;
use crate::{
    Api,
    detached::detached,
    extract::{Json, OptionalJson, Query, SchedulePath},
    pages,
    problem::{ApiResult, told},
};

/// Create a schedule
///
/// It fires from now on: for each of its times it makes a job once, whatever dies. The same under the
/// same name is the same schedule.
#[utoipa::path(
    post, path = "/v1/schedules", tag = "schedules",
    request_body = CreateSchedule,
    responses(
        (status = 201, description = "The schedule is new.", body = Schedule,
            headers(("Location" = String, description = "Where the schedule is."))),
        (status = 200, description = "The same schedule was known.", body = Schedule),
        (status = 409, description = "`name-taken`: another schedule has the name.", body = Problem,
            content_type = "application/problem+json"),
    )
)]
pub async fn create(api: Api, Json(create): Json<CreateSchedule>) -> ApiResult<Response> {
    let asked = detached(async move { api.engine.create_schedule(create).await });
    let (schedule, is_new) = asked.await?;
    let schedule = Schedule::from(schedule);
    Ok(match is_new {
        true => created(format!("/v1/schedules/{}", schedule.id), schedule),
        false => Reply(schedule).into_response(),
    })
}

/// List schedules
///
/// Newest first.
#[utoipa::path(
    get, path = "/v1/schedules", tag = "schedules",
    params(PageQuery),
    responses((status = 200, description = "A page of schedules.", body = List<Schedule>))
)]
pub async fn list(api: Api, Query(page): Query<PageQuery>) -> ApiResult<Reply<List<Schedule>>> {
    let page = PageRequest::try_from(page)?;
    let engine = &api.engine;
    pages::page(page, |page| async move { engine.schedules(&page).await }).await
}

/// Show a schedule
#[utoipa::path(
    get, path = "/v1/schedules/{id}", tag = "schedules",
    params(("id" = String, Path, description = "The schedule's id.")),
    responses((status = 200, description = "The schedule.", body = Schedule))
)]
pub async fn show(api: Api, SchedulePath(id): SchedulePath) -> ApiResult<Reply<Schedule>> {
    let schedule = api.engine.schedule(id).await.map_err(told)?;
    Ok(Reply(schedule.into()))
}

/// Change a schedule
///
/// What is not given stays. The change holds at once: the next time is that of the new line.
#[utoipa::path(
    patch, path = "/v1/schedules/{id}", tag = "schedules",
    params(("id" = String, Path, description = "The schedule's id.")),
    request_body = ChangeSchedule,
    responses(
        (status = 200, description = "The schedule, changed.", body = Schedule),
        (status = 409, description = "`name-taken`: another schedule has the name.", body = Problem,
            content_type = "application/problem+json"),
    )
)]
pub async fn change(
    api: Api,
    SchedulePath(id): SchedulePath,
    Json(change): Json<ChangeSchedule>,
) -> ApiResult<Reply<Schedule>> {
    let changed = detached(async move { api.engine.change_schedule(id, change).await }).await?;
    Ok(Reply(changed.into()))
}

/// Delete a schedule
///
/// It fires no more; what it has made stays.
#[utoipa::path(
    delete, path = "/v1/schedules/{id}", tag = "schedules",
    params(("id" = String, Path, description = "The schedule's id.")),
    responses((status = 204, description = "The schedule is forgotten."))
)]
pub async fn delete(api: Api, SchedulePath(id): SchedulePath) -> ApiResult<StatusCode> {
    detached(async move { api.engine.delete_schedule(id).await }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Pause a schedule
///
/// It fires no more until it is resumed; what it has made goes on.
#[utoipa::path(
    post, path = "/v1/schedules/{id}/pause", tag = "schedules",
    params(("id" = String, Path, description = "The schedule's id.")),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The schedule, paused.", body = Schedule))
)]
pub async fn pause(
    api: Api,
    SchedulePath(id): SchedulePath,
    OptionalJson(Nothing {}): OptionalJson<Nothing>,
) -> ApiResult<Reply<Schedule>> {
    let paused = detached(async move { api.engine.pause_schedule(id).await }).await?;
    Ok(Reply(paused.into()))
}

/// Resume a schedule
///
/// It goes on with its next time; what was due while it was paused is not made up for.
#[utoipa::path(
    post, path = "/v1/schedules/{id}/resume", tag = "schedules",
    params(("id" = String, Path, description = "The schedule's id.")),
    request_body = Option<Nothing>,
    responses((status = 200, description = "The schedule, resumed.", body = Schedule))
)]
pub async fn resume(
    api: Api,
    SchedulePath(id): SchedulePath,
    OptionalJson(Nothing {}): OptionalJson<Nothing>,
) -> ApiResult<Reply<Schedule>> {
    let resumed = detached(async move { api.engine.resume_schedule(id).await }).await?;
    Ok(Reply(resumed.into()))
}

/// Fire a schedule now
///
/// Out of turn, paused or not; its next time stays.
#[utoipa::path(
    post, path = "/v1/schedules/{id}/fire", tag = "schedules",
    params(("id" = String, Path, description = "The schedule's id.")),
    request_body = Option<Nothing>,
    responses((status = 200, description = "What was made.", body = Fire))
)]
pub async fn fire(
    api: Api,
    SchedulePath(id): SchedulePath,
    OptionalJson(Nothing {}): OptionalJson<Nothing>,
) -> ApiResult<Reply<Fire>> {
    let fire = detached(async move { api.engine.fire_schedule(id).await }).await?;
    Ok(Reply(fire.into()))
}

/// Show the next times of a schedule
///
/// As its time zone has them; also while it is paused.
#[utoipa::path(
    get, path = "/v1/schedules/{id}/next", tag = "schedules",
    params(("id" = String, Path, description = "The schedule's id."), NextQuery),
    responses((status = 200, description = "The next times, the soonest first.", body = List<NextTime>))
)]
pub async fn next(
    api: Api,
    SchedulePath(id): SchedulePath,
    Query(query): Query<NextQuery>,
) -> ApiResult<Reply<List<NextTime>>> {
    let count = query
        .count()
        .map_err(|wrong| Problem::invalid(vec![wrong]))?;
    let (schedule, times) = api.engine.next_times(id, count).await.map_err(told)?;
    let times = times.into_iter().map(|at| NextTime::of(&schedule, at));
    Ok(Reply(List::whole(times.collect())))
}

/// Show what a schedule has made
///
/// The latest nominal time first, with what was made for it, or why nothing was.
#[utoipa::path(
    get, path = "/v1/schedules/{id}/fires", tag = "schedules",
    params(("id" = String, Path, description = "The schedule's id."), PageQuery),
    responses((status = 200, description = "A page of its history.", body = List<Fire>))
)]
pub async fn fires(
    api: Api,
    SchedulePath(id): SchedulePath,
    Query(page): Query<PageQuery>,
) -> ApiResult<Reply<List<Fire>>> {
    let page = PageRequest::try_from(page)?;
    let engine = &api.engine;
    pages::page(page, |page| async move { engine.fires(id, &page).await }).await
}
