//! Bulk operations, and how far they are.

use axum::Json as Reply;
use baton_domain::page::PageRequest;
use baton_protocol::{List, PageQuery, operation::Operation};

use crate::{
    Api,
    extract::{OperationPath, Query},
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
