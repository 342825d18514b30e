use std::time::Duration;

use baton_domain::{
    Clock,
    job::{Class, DeliveryGuarantee, JobSpec, Outcome, State},
};
use baton_ports::{Wakeup, store::Jobs};

use crate::world::{World, spec, within_reason};

#[tokio::test(start_paused = true)]
async fn what_the_handler_says_is_recorded() {
    let world = World::new();
    let good = world.enqueue(&["\"fine\""]).await;
    let bad = world.enqueue(&["\"fail\""]).await;

    let _running = world.start();
    world.until_all_are(&good, State::Succeeded).await;
    world.until_all_are(&bad, State::Failed).await;

    let (good, bad) = (world.job(good[0]).await, world.job(bad[0]).await);
    assert_eq!(good.result.as_deref(), Some("\"fine\""));
    assert_eq!(bad.reason.as_deref(), Some("permanent"));
    assert_eq!(bad.last_error.unwrap().code, "scripted");
    assert_eq!((good.tries, bad.tries), (1, 1));
}

#[tokio::test(start_paused = true)]
async fn a_dead_letter_carries_its_group() {
    use baton_domain::page::PageRequest;
    use baton_ports::store::DeadLetters;
    let world = World::new();
    let ids = world.enqueue(&["\"fail\""; 3]).await;

    let _running = world.start();
    world.until_all_are(&ids, State::Failed).await;

    let groups = world.store.dead_letters(&PageRequest::default()).await;
    let groups = groups.unwrap().items;
    assert_eq!(groups.len(), 1);
    assert_eq!(groups[0].count, 3);
}

#[tokio::test(start_paused = true)]
async fn a_call_that_takes_too_long_is_stopped_and_its_outcome_unknown() {
    let world = World::new();
    let short = JobSpec {
        timeout: Some(Duration::from_secs(2)),
        ..spec("\"gate\"")
    };
    let once = JobSpec {
        delivery: Some(DeliveryGuarantee::AtMostOnce),
        ..short.clone()
    };
    let ids = world.enqueue_specs(vec![short, once]).await;

    let _running = world.start();
    world.until_all_are(&ids[..1], State::RetryWait).await;
    world.until_all_are(&ids[1..], State::Uncertain).await;

    let error = world.job(ids[0]).await.last_error.unwrap();
    assert_eq!(
        (error.class, error.code.as_str()),
        (Class::Unknown, "timeout")
    );
    assert_eq!(world.handler.running(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_panic_leaves_the_outcome_of_its_job_unknown_and_harms_nothing_else() {
    let world = World::with_slots(1);
    let bad = world.enqueue(&["\"panic\""]).await;
    let once = world.enqueue_specs(vec![JobSpec {
        delivery: Some(DeliveryGuarantee::AtMostOnce),
        ..spec("\"panic\"")
    }]);
    let once = once.await;
    let good = world.enqueue(&["{}"]).await;

    let _running = world.start();
    world.until_all_are(&bad, State::RetryWait).await;
    world.until_all_are(&once, State::Uncertain).await;
    world.until_all_are(&good, State::Succeeded).await;

    let error = world.job(bad[0]).await.last_error.unwrap();
    assert_eq!(
        (error.class, error.code.as_str()),
        (Class::Unknown, "panic")
    );
    // A panic may quote anything, so its words are for the log.
    assert!(!error.message.contains("the script says so"));
}

#[tokio::test(start_paused = true)]
async fn a_running_job_hears_within_a_second_that_it_was_asked_to_stop() {
    let world = World::new();
    let ids = world.enqueue(&["\"cancelable\"", "\"gate\""]).await;
    let _running = world.start();
    within_reason(async || world.handler.running() == 2).await;

    let now = world.clock.now();
    world
        .store
        .request_cancel(ids[0], Some("enough"), now)
        .await
        .unwrap();
    world.wakeups.send(Wakeup::Cancel);
    world.until_all_are(&ids[..1], State::Canceled).await;

    assert!(world.clock.now().since(now) < Duration::from_secs(1));
    assert_eq!(world.handler.running(), 1);
}

#[tokio::test(start_paused = true)]
async fn without_a_wakeup_a_job_hears_at_the_next_renewal_that_it_was_asked_to_stop() {
    let world = World::new();
    let ids = world.enqueue(&["\"cancelable\""]).await;
    let _running = world.start();
    within_reason(async || world.handler.running() == 1).await;

    let now = world.clock.now();
    world.store.request_cancel(ids[0], None, now).await.unwrap();
    world.until_all_are(&ids, State::Canceled).await;

    assert!(world.clock.now().since(now) <= world.config.lease / 3 + Duration::from_millis(10));
}

#[tokio::test(start_paused = true)]
async fn a_job_that_has_not_started_is_canceled_without_a_call() {
    let world = World::with_slots(1);
    world.enqueue(&["{}"; 20]).await;
    let running = world.start();
    within_reason(async || world.handler.calls() == 20).await;
    let ids = world.enqueue(&["\"gate\""; 3]).await;
    within_reason(async || running.status.slots()[0].buffered == 2).await;

    for id in &ids {
        let now = world.clock.now();
        world.store.request_cancel(*id, None, now).await.unwrap();
    }
    world.wakeups.send(Wakeup::Cancel);
    within_reason(async || world.count(&ids, State::Canceled).await == 2).await;

    assert_eq!(world.count(&ids, State::Running).await, 1);
    for id in ids {
        for attempt in world.store.attempts(id).await.unwrap() {
            let is_canceled = attempt.outcome == Some(Outcome::Canceled);
            assert!(!is_canceled || attempt.started_at.is_none());
        }
    }
    assert_eq!(world.handler.calls(), 21);
}
