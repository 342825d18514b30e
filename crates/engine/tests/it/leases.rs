//! Rescuing: a node goes by what it has seen with its own watch, and by no clock.

use std::time::Duration;

use baton_domain::{
    Clock, JobId, LeaseId,
    job::{JobSpec, State},
};
use baton_ports::store::{Claim, Claimed, Jobs, QueueClaim, Work};
use metrics_exporter_prometheus::PrometheusBuilder;

use crate::fixture::{Fixture, QUEUE, spec};

const LEASE: Duration = Duration::from_secs(30);
const HOUR: Duration = Duration::from_hours(1);
const LOOK: Duration = Duration::from_secs(3);

async fn claimed(fixture: &Fixture, spec: JobSpec) -> Claimed {
    fixture.accept(spec).await;
    let want = QueueClaim {
        queue: QUEUE.to_owned(),
        lease: LeaseId::random(),
        limit: 1,
        limited: false,
        jobs: None,
    };
    let claim = Claim {
        worker: fixture.worker,
        until: fixture.clock.now() + LEASE,
        queues: vec![want],
    };
    let claimed = fixture
        .store
        .claim(&claim, fixture.clock.now())
        .await
        .unwrap();
    claimed.into_iter().next().unwrap()
}

async fn renew(fixture: &Fixture, lease: LeaseId) {
    let until = fixture.clock.now() + LEASE;
    fixture
        .store
        .renew(fixture.worker, &[lease], until)
        .await
        .unwrap();
}

async fn state(fixture: &Fixture, job: JobId) -> State {
    fixture.store.job(job).await.unwrap().unwrap().state
}

/// Lets real time pass, and the rescuer look; the store's clock is turned by the tests.
async fn watch_for(fixture: &mut Fixture, span: Duration) {
    let mut left = span;
    while !left.is_zero() {
        let step = left.min(LOOK);
        tokio::time::advance(step).await;
        fixture.turn("rescuer").await;
        left -= step;
    }
}

#[tokio::test(start_paused = true)]
async fn a_living_workers_lease_is_never_lost_whatever_the_clock_does() {
    let mut fixture = Fixture::new().await;
    let held = claimed(&fixture, spec()).await;

    for step in [HOUR, Duration::ZERO, HOUR * 24] {
        fixture.clock.advance(step);
        watch_for(&mut fixture, LEASE / 3).await;
        renew(&fixture, held.lease).await;
        fixture.clock.set(fixture.clock.now() - step - step / 2);
        watch_for(&mut fixture, LEASE / 3).await;
        renew(&fixture, held.lease).await;
        watch_for(&mut fixture, LEASE / 3).await;
        renew(&fixture, held.lease).await;
    }

    assert_eq!(state(&fixture, held.args.id).await, State::Running);
}

#[tokio::test(start_paused = true)]
async fn a_dead_workers_job_is_taken_back_a_lease_and_a_second_after_it_was_seen() {
    let mut fixture = Fixture::new().await;
    let held = claimed(&fixture, spec()).await;
    fixture.clock.set(fixture.clock.now() - HOUR);

    fixture.beat_with(LEASE).await;
    fixture.turn("rescuer").await;
    watch_for(&mut fixture, LEASE).await;
    let before = state(&fixture, held.args.id).await;
    watch_for(&mut fixture, Duration::from_secs(1)).await;

    assert_eq!(before, State::Running);
    assert_eq!(state(&fixture, held.args.id).await, State::RetryWait);
}

#[tokio::test(start_paused = true)]
async fn a_node_that_slept_between_two_looks_takes_nothing_from_who_renewed_meanwhile() {
    let mut fixture = Fixture::new().await;
    let held = claimed(&fixture, spec()).await;
    fixture.turn("rescuer").await;

    tokio::time::advance(HOUR).await;
    renew(&fixture, held.lease).await;
    fixture.turn("rescuer").await;

    assert_eq!(state(&fixture, held.args.id).await, State::Running);
}

#[tokio::test(start_paused = true)]
async fn an_attempt_that_was_lost_is_counted_by_its_queue_and_kind() {
    let recorder = PrometheusBuilder::new().build_recorder();
    let _metrics = metrics::set_default_local_recorder(&recorder);
    let mut fixture = Fixture::new().await;
    claimed(&fixture, spec()).await;

    fixture.turn("rescuer").await;
    watch_for(&mut fixture, LEASE + LOOK).await;

    let counter = r#"baton_job_attempts_total{queue="default",kind="note",outcome="lost"} 1"#;
    let told = recorder.handle().render();
    assert!(told.contains(counter), "{told}");
}
