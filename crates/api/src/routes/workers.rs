//! Workers: who is alive, and how.

use axum::Json as Reply;
use baton_protocol::{CursorQuery, List, worker::Worker};

use crate::{
    Api,
    extract::Query,
    pages,
    problem::{ApiResult, told},
};

/// List workers
///
/// Those that are alive, and those that left or went silent not long ago.
#[utoipa::path(
    get, path = "/v1/workers", tag = "workers",
    params(CursorQuery),
    responses((status = 200, description = "Every worker.", body = List<Worker>))
)]
pub async fn list(api: Api, Query(cursor): Query<CursorQuery>) -> ApiResult<Reply<List<Worker>>> {
    let workers = api.engine.workers().await.map_err(told)?;
    let (now, lease) = (api.engine.now(), api.engine.settings().lease);
    let at_present = |worker| Worker::at(worker, now, lease);
    let workers = workers.into_iter().map(at_present);
    pages::slice(workers, cursor.after.as_deref(), |worker| {
        worker.id.to_string()
    })
}
