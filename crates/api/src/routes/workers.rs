//! Workers: who is alive, and how.

use axum::Json as Reply;
use baton_protocol::{
    CursorQuery, List,
    worker::{ChangeWorker, Kind, Worker},
};

use crate::{
    Api,
    extract::{Json, Query, WorkerPath},
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

/// Change a worker
///
/// `{"drain": true}` asks it to take nothing new and to finish what it has; `false` has it go on.
#[utoipa::path(
    patch, path = "/v1/workers/{id}", tag = "workers",
    params(("id" = String, Path, description = "The worker's id.")),
    request_body = ChangeWorker,
    responses((status = 200, description = "The worker, as it is now.", body = Worker))
)]
pub async fn change(
    api: Api,
    WorkerPath(id): WorkerPath,
    Json(change): Json<ChangeWorker>,
) -> ApiResult<Reply<Worker>> {
    let worker = api
        .engine
        .drain_worker(id, change.drain)
        .await
        .map_err(told)?;
    let (now, lease) = (api.engine.now(), api.engine.settings().lease);
    Ok(Reply(Worker::at(worker, now, lease)))
}

/// List kinds
///
/// The kinds that the servers run, and those that remote workers handle or have handled not long ago.
#[utoipa::path(
    get, path = "/v1/kinds", tag = "workers",
    responses((status = 200, description = "Every kind.", body = List<Kind>))
)]
pub async fn kinds(api: Api) -> ApiResult<Reply<List<Kind>>> {
    let kinds = api.engine.kinds().await.map_err(told)?.into_iter();
    let items = kinds.map(|kind| Kind {
        kind: kind.kind,
        built_in: kind.is_built_in,
        workers: kind.workers,
        slots: kind.slots,
        free: kind.free,
        queues: kind.queues.into_iter().collect(),
        last_served_at: kind.last_served_at,
    });
    Ok(Reply(List {
        items: items.collect(),
        next: None,
    }))
}
