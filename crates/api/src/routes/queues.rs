//! Queues: look, pause, limit.

use axum::Json as Reply;
use baton_domain::{page::PageRequest, queue::QueueChange};
use baton_protocol::{
    List, PageQuery, Problem,
    queue::{ChangeQueue, Queue},
};

use crate::{
    Api,
    detached::detached,
    extract::{Json, Query, WordPath},
    pages,
    problem::{ApiResult, told},
};

/// List queues
///
/// A page of the queues that were ever named, by name: how much stands in each, since when the oldest waits, how
/// fast it moves. The lines of campaigns are shown with the campaigns.
#[utoipa::path(
    get, path = "/v1/queues", tag = "queues",
    params(PageQuery),
    responses((status = 200, description = "A page of queues.", body = List<Queue>))
)]
pub async fn list(api: Api, Query(page): Query<PageQuery>) -> ApiResult<Reply<List<Queue>>> {
    let page = PageRequest::try_from(page)?;
    let slots = api.engine.slots().await.map_err(told)?;
    let served = |queue: baton_domain::queue::Queue| {
        let slots = slots.get(&queue.name).copied().unwrap_or(0);
        Queue::with_slots(queue, slots)
    };
    let (engine, served) = (&api.engine, &served);
    pages::page(page, |page| async move {
        Ok(engine.queue_page(&page).await?.map(served))
    })
    .await
}

/// Change a queue
///
/// Pauses, resumes or limits it; what is not given stays. A queue that does not exist yet is made.
#[utoipa::path(
    patch, path = "/v1/queues/{name}", tag = "queues",
    params(("name" = String, Path, description = "The queue's name.")),
    request_body = ChangeQueue,
    responses((status = 200, description = "The queue, changed.", body = Queue))
)]
pub async fn change(
    api: Api,
    WordPath(name): WordPath,
    Json(change): Json<ChangeQueue>,
) -> ApiResult<Reply<Queue>> {
    let change = QueueChange::try_from(change).map_err(Problem::invalid)?;
    let engine = api.engine.clone();
    let queue = detached(async move { engine.change_queue(&name, &change).await }).await?;
    // The change is made; a fleet that cannot be read now does not undo it.
    let slots = api.engine.slots().await.unwrap_or_default();
    let slots = slots.get(&queue.name).copied().unwrap_or(0);
    Ok(Reply(Queue::with_slots(queue, slots)))
}
