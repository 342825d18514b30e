use std::{collections::BTreeMap, sync::atomic::Ordering, time::Duration};

use baton_domain::{
    job::{JobSpec, Outcome, State},
    queue::QueueChange,
};
use baton_ports::store::{Jobs, Queues};
use baton_worker::SlotsConfig;

use crate::world::{World, spec, within_reason};

#[tokio::test(start_paused = true)]
async fn jobs_are_claimed_only_for_free_slots() {
    let world = World::with_slots(4);
    let ids = world.enqueue(&["\"sleep 60\""; 10]).await;

    let running = world.start();
    within_reason(async || world.handler.running() == 4).await;

    assert_eq!(world.count(&ids, State::Running).await, 4);
    assert_eq!(
        world.store.hook.seen.lock().claims,
        [[("default".to_owned(), 4)]]
    );
    assert!(running.status.is_claiming());
}

#[tokio::test(start_paused = true)]
async fn slow_jobs_never_run_beyond_the_slots_and_all_get_their_turn() {
    let world = World::with_slots(4);
    let ids = world.enqueue(&["\"sleep 5\""; 21]).await;

    let _running = world.start();
    world.until_all_are(&ids, State::Succeeded).await;

    assert_eq!(world.handler.most_running.load(Ordering::SeqCst), 4);
    let wanted = world.store.hook.seen.lock().claims.concat();
    assert!(wanted.iter().all(|(_, limit)| *limit <= 4), "{wanted:?}");
}

#[tokio::test(start_paused = true)]
async fn a_queue_that_the_store_refuses_to_claim_from_holds_up_no_other() {
    let mut world = World::new();
    world.config.slots.default = 2;
    let in_queue = |queue: &str| JobSpec {
        queue: Some(queue.to_owned()),
        ..spec("1")
    };
    world.store.hook.mood.lock().refuses_queue = Some("bad");
    let bad = world.enqueue_specs(vec![in_queue("bad"); 3]).await;
    let mut good = world.enqueue_specs(vec![in_queue("default"); 5]).await;
    good.extend(world.enqueue_specs(vec![in_queue("mail"); 5]).await);

    let _running = world.start();
    world.until_all_are(&good, State::Succeeded).await;
    let waiting = world.count(&bad, State::Queued).await;
    world.store.hook.mood.lock().refuses_queue = None;
    world.until_all_are(&bad, State::Succeeded).await;

    assert_eq!(waiting, 3);
}

#[tokio::test(start_paused = true)]
async fn what_was_claimed_runs_though_the_rest_of_the_claim_has_no_answer() {
    let world = World::new();
    let in_queue = |queue: &str| JobSpec {
        queue: Some(queue.to_owned()),
        ..spec("1")
    };
    world.store.hook.mood.lock().refuses_queue = Some("b");
    world.store.hook.mood.lock().loses_an_answer_from = Some("c");
    let ids = world
        .enqueue_specs(["a", "b", "c", "d"].map(in_queue).to_vec())
        .await;
    let good = [ids[0], ids[2], ids[3]];

    let _running = world.start();
    world.until_all_are(&good, State::Succeeded).await;

    let mut outcomes = Vec::new();
    for id in good {
        let attempts = world.store.attempts(id).await.unwrap();
        let ends: Vec<_> = attempts.iter().filter_map(|one| one.outcome).collect();
        outcomes.push(ends);
    }
    let again = vec![Outcome::GivenBack, Outcome::Succeeded];
    assert_eq!(outcomes, [vec![Outcome::Succeeded], again.clone(), again]);
}

#[tokio::test(start_paused = true)]
async fn all_queues_are_claimed_in_one_call_each_to_its_own_slots() {
    let mut world = World::new();
    world.config.slots = SlotsConfig {
        default: 3,
        by_queue: BTreeMap::from([("mail".to_owned(), 1), ("off".to_owned(), 0)]),
    };
    let in_queue = |queue: &str| JobSpec {
        queue: Some(queue.to_owned()),
        ..spec("\"gate\"")
    };
    let queues = ["default", "mail", "off"];
    let specs = queues.iter().flat_map(|queue| vec![in_queue(queue); 5]);
    world.enqueue_specs(specs.collect()).await;

    let _running = world.start();
    within_reason(async || world.handler.running() == 4).await;

    let claims = world.store.hook.seen.lock().claims.clone();
    assert_eq!(
        claims,
        [[("default".to_owned(), 3), ("mail".to_owned(), 1)]]
    );
}

#[tokio::test(start_paused = true)]
async fn fast_jobs_are_claimed_ahead_in_big_batches() {
    let world = World::with_slots(10);
    let ids = world.enqueue(&["{}"; 5_000]).await;

    let _running = world.start();
    world.until_all_are(&ids, State::Succeeded).await;

    let claims = world.store.hook.seen.lock().claims.len();
    let settles = world.store.hook.seen.lock().settles.len();
    assert!(claims < 30, "{claims} claims");
    assert!(settles < 60, "{settles} flushes");
    assert_eq!(world.handler.calls(), 5_000);
}

#[tokio::test(start_paused = true)]
async fn freed_slots_gather_before_they_are_claimed_for() {
    let mut world = World::with_slots(100);
    world.config.prefetch = 0;
    let ids = world.enqueue(&["\"gate\""; 120]).await;
    let _running = world.start();
    within_reason(async || world.handler.running() == 100).await;

    world.handler.gate.add_permits(20);
    within_reason(async || world.count(&ids, State::Succeeded).await == 20).await;
    within_reason(async || world.handler.running() == 100).await;

    let claims = world.store.hook.seen.lock().claims.concat();
    assert_eq!(claims[1..], [("default".to_owned(), 20)]);
}

#[tokio::test(start_paused = true)]
async fn jobs_are_found_without_a_wakeup_within_two_seconds() {
    let mut world = World::new();
    let heard = std::mem::take(&mut world.wakeups);
    let _running = world.start();
    within_reason(async || world.store.hook.seen.lock().renewals == 0).await;

    world.wakeups = heard;
    let ids = world.enqueue(&["{}"]).await;
    let since = tokio::time::Instant::now();
    world.until_all_are(&ids, State::Succeeded).await;

    assert!(since.elapsed() <= Duration::from_millis(2_100));
}

#[tokio::test(start_paused = true)]
async fn a_queue_with_limits_is_not_claimed_ahead() {
    let world = World::with_slots(10);
    let change = QueueChange {
        max_running: Some(Some(3)),
        ..QueueChange::default()
    };
    let now = baton_domain::Clock::now(&*world.clock);
    world
        .store
        .change_queue("default", &change, now)
        .await
        .unwrap();
    let ids = world.enqueue(&["{}"; 60]).await;

    let _running = world.start();
    world.until_all_are(&ids, State::Succeeded).await;

    let claims = world.store.hook.seen.lock().claims.concat();
    assert!(claims.iter().all(|(_, limit)| *limit <= 10), "{claims:?}");
}

#[tokio::test(start_paused = true)]
async fn a_job_of_an_unknown_kind_is_put_off_and_uses_no_try() {
    let world = World::new();
    let unknown = JobSpec {
        kind: "foreign".to_owned(),
        ..spec("{}")
    };
    let ids = world.enqueue_specs(vec![unknown]).await;

    let _running = world.start();
    world.until_all_are(&ids, State::Pending).await;

    let job = world.job(ids[0]).await;
    let attempts = world.store.attempts(ids[0]).await.unwrap();
    assert_eq!((job.tries, job.attempt), (0, 1));
    assert_eq!(attempts[0].outcome, Some(Outcome::Snoozed));
    assert_eq!(attempts[0].started_at, None);
    assert!(job.run_at.since(job.updated_at) >= Duration::from_secs(9));
}

#[tokio::test(start_paused = true)]
async fn jobs_that_stand_behind_slow_ones_are_given_back_without_a_try() {
    let world = World::with_slots(2);
    world.enqueue(&["{}"; 100]).await;
    let running = world.start();
    within_reason(async || world.handler.calls() == 100).await;

    let ids = world.enqueue(&["\"gate\""; 50]).await;
    within_reason(async || running.status.slots()[0].buffered > 0).await;
    within_reason(async || world.count(&ids, State::Running).await == 2).await;

    let mut tries = Vec::new();
    for id in ids {
        tries.push(world.job(id).await.tries);
    }
    assert_eq!(tries.iter().sum::<u32>(), 2);
    assert_eq!(running.status.slots()[0].buffered, 0);
}
