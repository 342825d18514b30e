use std::time::Duration;

use baton_domain::{
    Clock, LeaseId,
    job::{JobSpec, Outcome, State, lose},
};
use baton_ports::store::{AttemptResult, By, Claim, HeldJob, Jobs, QueueClaim, Work};

use crate::world::{World, spec, within_reason};

fn long(payload: &str) -> JobSpec {
    JobSpec {
        timeout: Some(Duration::from_mins(10)),
        ..spec(payload)
    }
}

/// Takes everything held back from its worker, as if its lease had ended.
async fn rescue(world: &World) {
    let now = world.clock.now();
    let standings = world.store.leases(1_000).await.unwrap();
    let seen = |lease| {
        standings
            .iter()
            .find(|one| one.lease == lease)
            .map(|one| one.until)
    };
    let settle = |held: HeldJob| AttemptResult {
        lease: held.lease,
        job: held.job,
        counters: held.counters,
        queued_at: held.queued_at,
        started_at: None,
        decision: lose(held.counters, held.delivery, now).unwrap(),
        fingerprint: None,
        seen: seen(held.lease),
    };
    let leases: Vec<_> = standings.iter().map(|one| one.lease).collect();
    let held = world.store.held(&leases, 1_000).await.unwrap();
    let lost: Vec<_> = held.into_iter().map(settle).collect();
    world.store.settle(By::Rescuer, &lost, now).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn renewals_keep_a_job_that_runs_for_longer_than_its_lease() {
    let world = World::new();
    let ids = world.enqueue_specs(vec![long("\"sleep 200\"")]).await;

    let _running = world.start();
    within_reason(async || {
        let now = world.clock.now();
        let leases = world.store.leases(10).await.unwrap();
        assert!(
            leases.iter().all(|one| one.until >= now),
            "the lease ran out"
        );
        world.job(ids[0]).await.state == State::Succeeded
    })
    .await;

    assert_eq!(world.job(ids[0]).await.attempt, 1);
    assert!(world.store.hook.seen.lock().renewals >= 19);
}

#[tokio::test(start_paused = true)]
async fn work_under_a_lost_lease_is_dropped_and_nothing_recorded() {
    let world = World::new();
    let ids = world.enqueue_specs(vec![long("\"gate\"")]).await;
    let running = world.start();
    within_reason(async || world.handler.running() == 1).await;

    rescue(&world).await;
    let lost = world.job(ids[0]).await;
    let settles = world.store.hook.seen.lock().settles.len();
    within_reason(async || world.handler.running() == 0).await;
    let report = running.stop_softly().await;

    assert_eq!(world.job(ids[0]).await, lost);
    assert_eq!(world.store.hook.seen.lock().settles.len(), settles);
    assert_eq!(world.handler.calls(), 1);
    assert_eq!(report.left, 0);
}

#[tokio::test(start_paused = true)]
async fn work_stops_before_a_lease_ends_that_cannot_be_renewed_and_is_tried_again() {
    let world = World::new();
    let ids = world.enqueue_specs(vec![long("\"gate\"")]).await;
    let _running = world.start();
    within_reason(async || world.handler.running() == 1).await;
    let leased_until = world.job(ids[0]).await.leased_until.unwrap();

    world.store.hook.mood.lock().renews_nothing = true;
    within_reason(async || world.handler.running() == 0).await;
    let stopped_at = world.clock.now();
    world.until_all_are(&ids, State::RetryWait).await;

    assert!(stopped_at < leased_until);
    assert!(leased_until.since(stopped_at) <= world.config.lease / 10 + Duration::from_secs(10));
    let error = world.job(ids[0]).await.last_error.unwrap();
    assert_eq!(error.code, "lease_deadline");
}

#[tokio::test(start_paused = true)]
async fn nothing_is_claimed_before_the_store_knows_how_long_the_worker_s_leases_last() {
    let world = World::with_slots(2);
    let ids = world.enqueue(&["{}"]).await;

    world.store.hook.mood.lock().hears_no_beat = true;
    let (running, dispatch) = world.start_with_dispatch();
    tokio::time::sleep(Duration::from_mins(1)).await;
    let is_left_alone = world.count(&ids, State::Queued).await == 1;
    let is_dispatched = dispatch.reserve("default", 1).is_some();
    world.store.hook.mood.lock().hears_no_beat = false;
    let told = world.clock.now();
    world.until_all_are(&ids, State::Succeeded).await;

    assert!(is_left_alone && !is_dispatched);
    assert!(world.clock.now().since(told) < Duration::from_secs(3));
    assert!(running.status.is_claiming());
}

#[tokio::test(start_paused = true)]
async fn nothing_is_claimed_while_leases_cannot_be_renewed() {
    let world = World::with_slots(2);
    world.enqueue_specs(vec![long("\"gate\"")]).await;
    let running = world.start();
    within_reason(async || world.handler.running() == 1).await;

    world.store.hook.mood.lock().renews_nothing = true;
    within_reason(async || !running.status.is_claiming()).await;
    let ids = world.enqueue(&["{}"]).await;
    let is_left_alone = world.count(&ids, State::Queued).await == 1;
    world.store.hook.mood.lock().renews_nothing = false;
    world.until_all_are(&ids, State::Succeeded).await;

    assert!(is_left_alone);
    assert!(running.status.is_claiming());
}

#[tokio::test(start_paused = true)]
async fn jobs_of_a_claim_that_was_never_answered_are_given_back() {
    let world = World::new();
    world.store.hook.mood.lock().loses_an_answer = true;
    let ids = world.enqueue(&["{}"; 3]).await;

    let _running = world.start();
    world.until_all_are(&ids, State::Succeeded).await;

    let attempts = world.store.attempts(ids[0]).await.unwrap();
    let outcomes: Vec<_> = attempts.iter().filter_map(|a| a.outcome).collect();
    assert_eq!(outcomes, [Outcome::GivenBack, Outcome::Succeeded]);
    assert_eq!(world.job(ids[0]).await.tries, 1);
    assert_eq!(world.handler.calls(), 3);
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_the_worker_has_forgotten_is_not_renewed() {
    let world = World::new();
    let queue = "forgotten";
    let elsewhere = JobSpec {
        queue: Some(queue.to_owned()),
        ..long("\"gate\"")
    };
    world.add(vec![elsewhere]).await;
    let forgotten = claimed_behind_its_back(&world, queue).await;
    let known = world.enqueue_specs(vec![long("\"gate\"")]).await;

    let _running = world.start();
    within_reason(async || world.store.hook.seen.lock().renewals >= 4).await;

    let leases = world.store.leases(10).await.unwrap();
    let until = |lease| leases.iter().find(|one| one.lease == lease).unwrap().until;
    let now = world.clock.now();
    assert!(until(forgotten) < now);
    assert!(world.job(known[0]).await.leased_until > Some(now));
}

/// Claims for the worker, without its knowing.
async fn claimed_behind_its_back(world: &World, queue: &str) -> LeaseId {
    let want = QueueClaim {
        queue: queue.to_owned(),
        lease: LeaseId::random(),
        limit: 1,
        limited: false,
        jobs: None,
    };
    let claim = Claim {
        worker: world.config.worker,
        until: world.clock.now() + world.config.lease,
        queues: vec![want],
    };
    let claimed = world.store.claim(&claim, world.clock.now()).await.unwrap();
    claimed[0].lease
}
