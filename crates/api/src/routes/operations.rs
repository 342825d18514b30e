//! Bulk operations, and how far they are.

use axum::{Json as Reply, response::Response};
use baton_domain::{operation::Action, page::PageRequest};
use baton_protocol::{
    List, PageQuery,
    operation::{Operation, SelectJobs},
};

use super::placed::accepted;
use crate::{
    Api,
    detached::detached,
    extract::{Json, OperationPath, Query, check_text, check_texts},
    pages,
    problem::{ApiResult, told},
};

/// List operations
///
/// Newest first.
#[utoipa::path(
    get, path = "/v1/operations", tag = "operations",
    params(PageQuery),
    responses((status = 200, description = "A page of operations.", body = List<Operation>))
)]
pub async fn list(api: Api, Query(page): Query<PageQuery>) -> ApiResult<Reply<List<Operation>>> {
    let page = PageRequest::try_from(page)?;
    let engine = &api.engine;
    pages::page(page, |page| async move { engine.operations(&page).await }).await
}

/// Show an operation
#[utoipa::path(
    get, path = "/v1/operations/{id}", tag = "operations",
    params(("id" = String, Path, description = "The operation's id.")),
    responses((status = 200, description = "The operation and its progress.", body = Operation))
)]
pub async fn show(api: Api, OperationPath(id): OperationPath) -> ApiResult<Reply<Operation>> {
    let operation = api.engine.operation(id).await.map_err(told)?;
    Ok(Reply(operation.into()))
}

/// Stop an operation
///
/// What it has done stays done, and the rest is left as it is. One that has ended stays as it is; an erasure cannot be stopped.
#[utoipa::path(
    post, path = "/v1/operations/{id}/stop", tag = "operations",
    params(("id" = String, Path, description = "The operation's id.")),
    responses((status = 200, description = "The operation, stopped.", body = Operation))
)]
pub async fn stop(api: Api, OperationPath(id): OperationPath) -> ApiResult<Reply<Operation>> {
    let stopped = detached(async move { api.engine.stop_operation(id).await }).await?;
    Ok(Reply(stopped.into()))
}

/// Cancel many jobs
///
/// Begins an operation on the jobs that match now; those that come or move later are not touched. Running ones are asked to stop.
/// Its progress is at the address in `Location`.
#[utoipa::path(
    post, path = "/v1/jobs/cancel", tag = "jobs",
    request_body = SelectJobs,
    responses(
        (status = 202, description = "The operation has begun.", body = Operation,
            headers(("Location" = String, description = "Where the operation is."))),
        (status = 409, description = "`illegal-transition`: jobs in this state cannot be canceled.",
            body = baton_protocol::Problem, content_type = "application/problem+json"),
    )
)]
pub async fn cancel_jobs(api: Api, Json(select): Json<SelectJobs>) -> ApiResult<Response> {
    begin(api, Action::Cancel, select).await
}

/// Run many jobs again
///
/// Begins an operation on the jobs that match now; those that come or move later are not touched. Each begins its next run with all
/// its tries. Its progress is at the address in `Location`.
#[utoipa::path(
    post, path = "/v1/jobs/retry", tag = "jobs",
    request_body = SelectJobs,
    responses(
        (status = 202, description = "The operation has begun.", body = Operation,
            headers(("Location" = String, description = "Where the operation is."))),
        (status = 409, description = "`illegal-transition`: jobs in this state cannot be run again.",
            body = baton_protocol::Problem, content_type = "application/problem+json"),
    )
)]
pub async fn retry_jobs(api: Api, Json(select): Json<SelectJobs>) -> ApiResult<Response> {
    begin(api, Action::Retry, select).await
}

async fn begin(api: Api, action: Action, select: SelectJobs) -> ApiResult<Response> {
    let SelectJobs { filter, reason } = select;
    check_texts(&[
        ("filter.kind", &filter.kind),
        ("filter.queue", &filter.queue),
        ("filter.tag", &filter.tag),
    ])?;
    if let Some(reason) = &reason {
        check_text("reason", reason, 500)?;
    }
    let begun = async move { api.engine.start_on_jobs(action, filter, reason).await };
    Ok(accepted(detached(begun).await?))
}
