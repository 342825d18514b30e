//! Whose hints are waited for.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use baton_domain::{
    job::{JobSpec, State},
    queue::QueueChange,
};
use baton_ports::Wakeup;
use baton_worker::SlotsConfig;
use tokio::time::{Instant, sleep};

use super::{change, hinted, waiting};
use crate::{
    listener::Listener,
    world::{World, spec, within_reason},
};

fn paused(paused: bool) -> QueueChange {
    QueueChange {
        paused: Some(paused),
        ..QueueChange::default()
    }
}

fn limited() -> QueueChange {
    QueueChange {
        max_running: Some(Some(3)),
        ..QueueChange::default()
    }
}

#[tokio::test(start_paused = true)]
async fn a_queue_that_nobody_knew_is_waited_for_after_the_first_wakeup() {
    let (world, _running, hints) = waiting(4).await;
    let mail = || JobSpec {
        queue: Some("mail".to_owned()),
        ..spec("{}")
    };
    let add = async || {
        let ids = world.add(vec![mail()]).await;
        hints.tell("mail", &ids).await;
    };

    let since = Instant::now();
    add().await;
    world.wakeups.send(Wakeup::Ready);
    within_reason(async || world.handler.calls() == 1).await;
    add().await;
    within_reason(async || world.handler.calls() == 2).await;

    assert!(
        since.elapsed() <= Duration::from_millis(200),
        "{:?}",
        since.elapsed()
    );
}

#[tokio::test(start_paused = true)]
async fn queues_that_are_limited_or_paused_are_not_waited_on() {
    let mut world = World::with_slots(4);
    let hints = Listener::open(&world.store).await;
    world.hints = Some(Arc::clone(&hints));
    change(&world, "limited", limited()).await;
    change(&world, "paused", paused(true)).await;
    change(&world, "open", QueueChange::default()).await;
    let in_queue = |queue: &str| JobSpec {
        queue: Some(queue.to_owned()),
        ..spec("{}")
    };

    let _running = world.start();
    let ids = world
        .add(vec![in_queue("limited"), in_queue("paused")])
        .await;
    world.until_all_are(&ids[..1], State::Succeeded).await;
    sleep(Duration::from_secs(10)).await;

    let takes = hints.heard.lock().takes.clone();
    assert!(takes.iter().all(|(queue, _)| queue == "open"), "{takes:?}");
    assert_eq!(world.job(ids[1]).await.state, State::Queued);
}

#[tokio::test(start_paused = true)]
async fn a_queue_that_is_paused_keeps_most_of_its_hints() {
    let (world, _running, hints) = waiting(4).await;

    change(&world, "default", paused(true)).await;
    let ids = hinted(&world, &hints, "{}", 100).await;
    sleep(Duration::from_secs(10)).await;
    let kept = hints.length("default").await;
    change(&world, "default", paused(false)).await;
    world.until_all_are(&ids, State::Succeeded).await;

    assert!(kept >= 90, "{kept} were kept");
}

#[tokio::test(start_paused = true)]
async fn more_queues_than_can_be_waited_on_are_all_served() {
    let mut world = World::with_slots(4);
    world.config.slots = SlotsConfig {
        default: 4,
        by_queue: BTreeMap::from([("off".to_owned(), 0)]),
    };
    let hints = Listener::open(&world.store).await;
    world.hints = Some(Arc::clone(&hints));
    let names: Vec<_> = (0..50).map(|i| format!("queue-{i}")).collect();
    let in_queue = |queue: &String| JobSpec {
        queue: Some(queue.clone()),
        ..spec("{}")
    };
    world.add(names.iter().map(in_queue).collect()).await;
    change(&world, "off", QueueChange::default()).await;
    let _running = world.start();
    within_reason(async || world.handler.calls() == 50).await;

    sleep(Duration::from_secs(5)).await;
    let ids = world.add(names.iter().map(in_queue).collect()).await;
    for (queue, id) in names.iter().zip(&ids) {
        hints.tell(queue, &[*id]).await;
    }
    let since = Instant::now();
    world.until_all_are(&ids, State::Succeeded).await;

    assert!(
        since.elapsed() < Duration::from_secs(1),
        "{:?}",
        since.elapsed()
    );
    let takes = hints.heard.lock().takes.clone();
    let waited: std::collections::BTreeSet<_> = takes.iter().map(|(queue, _)| queue).collect();
    assert!(waited.len() <= 32 && !waited.contains(&"off".to_owned()));
}
