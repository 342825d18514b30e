//! Dead letters: look at causes, act on many at once.

use axum::{Json as Reply, response::Response};
use baton_domain::{operation::Action, page::PageRequest};
use baton_protocol::{
    List, PageQuery,
    dead_letter::{DeadLetters, SelectDeadLetters},
    operation::Operation,
};

use super::placed::accepted;
use crate::{
    Api,
    detached::detached,
    extract::{Json, Query, check_texts},
    pages,
    problem::ApiResult,
};

/// List dead letters
///
/// Failed jobs in groups of one kind and one cause, the group that last grew first.
#[utoipa::path(
    get, path = "/v1/dead-letters", tag = "dead letters",
    params(PageQuery),
    responses((status = 200, description = "A page of groups.", body = List<DeadLetters>))
)]
pub async fn list(api: Api, Query(page): Query<PageQuery>) -> ApiResult<Reply<List<DeadLetters>>> {
    let page = PageRequest::try_from(page)?;
    let engine = &api.engine;
    pages::page(page, |page| async move { engine.dead_letters(&page).await }).await
}

/// Run dead letters again
///
/// Begins an operation on those that match now; jobs that fail later are not touched. Its progress is
/// at the address in `Location`.
#[utoipa::path(
    post, path = "/v1/dead-letters/retry", tag = "dead letters",
    request_body = SelectDeadLetters,
    responses((status = 202, description = "The operation has begun.", body = Operation,
        headers(("Location" = String, description = "Where the operation is."))))
)]
pub async fn retry(api: Api, Json(select): Json<SelectDeadLetters>) -> ApiResult<Response> {
    begin(api, Action::Retry, select).await
}

/// Discard dead letters
///
/// Takes those that match now off the list; the jobs stay `failed`.
#[utoipa::path(
    post, path = "/v1/dead-letters/discard", tag = "dead letters",
    request_body = SelectDeadLetters,
    responses((status = 202, description = "The operation has begun.", body = Operation,
        headers(("Location" = String, description = "Where the operation is."))))
)]
pub async fn discard(api: Api, Json(select): Json<SelectDeadLetters>) -> ApiResult<Response> {
    begin(api, Action::Discard, select).await
}

async fn begin(api: Api, action: Action, select: SelectDeadLetters) -> ApiResult<Response> {
    let filter = select.filter;
    check_texts(&[
        ("filter.fingerprint", &filter.fingerprint),
        ("filter.kind", &filter.kind),
        ("filter.queue", &filter.queue),
        ("filter.reason", &filter.reason),
    ])?;
    let operation =
        detached(async move { api.engine.start_operation(action, &filter).await }).await?;
    Ok(accepted(operation))
}
