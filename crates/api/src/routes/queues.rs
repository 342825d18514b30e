//! Queues: look, pause, limit.

use axum::{Json as Reply, extract::State};
use baton_domain::queue::{QueueChange, campaign_of};
use baton_protocol::{
    List, Problem,
    queue::{ChangeQueue, Queue},
};

use crate::{
    Api,
    extract::{Json, WordPath},
    problem::{Answer, told},
    unbroken::unbroken,
};

/// List queues
///
/// Every queue that was ever named, by name: how much stands in it, since when the oldest waits, how
/// fast it moves. The lines of campaigns are shown with the campaigns.
#[utoipa::path(
    get, path = "/v1/queues", tag = "queues",
    responses((status = 200, description = "Every queue.", body = List<Queue>))
)]
pub async fn list(State(api): State<Api>) -> Answer<Reply<List<Queue>>> {
    let queues = api.engine.queues().await.map_err(told)?;
    let slots = api.engine.slots().await.map_err(told)?;
    let own = |queue: &baton_domain::queue::Queue| campaign_of(&queue.name).is_none();
    let served = queues.into_iter().filter(own).map(|queue| {
        let slots = slots.get(&queue.name).copied().unwrap_or(0);
        Queue::with_slots(queue, slots)
    });
    Ok(Reply(List::whole(served.collect())))
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
    State(api): State<Api>,
    WordPath(name): WordPath,
    Json(change): Json<ChangeQueue>,
) -> Answer<Reply<Queue>> {
    let change = QueueChange::try_from(change).map_err(Problem::invalid)?;
    let engine = api.engine.clone();
    let queue = unbroken(async move { engine.change_queue(&name, &change).await }).await?;
    // The change is made; a fleet that cannot be read now does not undo it.
    let slots = api.engine.slots().await.unwrap_or_default();
    let slots = slots.get(&queue.name).copied().unwrap_or(0);
    Ok(Reply(Queue::with_slots(queue, slots)))
}
