use std::collections::HashSet;

use baton_domain::{Clock, WorkerId, job::State};

use crate::world::{World, within_reason};

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn workers_that_share_a_store_on_real_threads_call_every_job_once() {
    let mut world = World::with_slots(8);
    let payloads: Vec<_> = (0..5_000).map(|n| n.to_string()).collect();
    let payloads: Vec<_> = payloads.iter().map(String::as_str).collect();
    let ids = world.enqueue(&payloads).await;

    let mut workers = Vec::new();
    for _ in 0..3 {
        world.config.worker = WorkerId::new(world.clock.now());
        workers.push(world.start());
    }
    world.until_all_are(&ids, State::Succeeded).await;

    let calls = world.handler.calls.lock().clone();
    assert_eq!(calls.len(), 5_000);
    assert_eq!(calls.iter().collect::<HashSet<_>>().len(), 5_000);
    within_reason(async || workers.iter().all(|worker| worker.status.unrecorded() == 0)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_worker_that_stops_in_the_middle_leaves_nothing_in_between() {
    let world = World::with_slots(8);
    let ids = world.enqueue(&["{}"; 20_000]).await;
    let running = world.start();
    within_reason(async || world.handler.calls() > 1_000).await;

    let report = running.stop_softly().await;

    let (done, queued) = (
        world.count(&ids, State::Succeeded).await,
        world.count(&ids, State::Queued).await,
    );
    assert_eq!(done + queued, 20_000);
    assert_eq!(done, world.handler.calls());
    assert_eq!(report.left, 0);
}
