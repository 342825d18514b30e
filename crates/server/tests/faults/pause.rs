//! A worker sleeps past its lease and wakes: what it says then changes nothing it must not.

use std::time::Duration;

use baton_client::JobsQuery;
use baton_domain::job::State;
use baton_faults::{now_us, run::Scenario};
use baton_lab::checker::{self, FaultKind};
use baton_testkit::{Postgres, eventually};
use futures::TryStreamExt;
use rand::RngExt;

use crate::fixture::{Fixture, LEASE, whom};

const PAUSES: usize = 3;
const CALLS_BETWEEN: usize = 90;
const UNDER_WAY: usize = 8;
/// How long after its end a lease is left alone.
const GRACE_OF_RESCUE: Duration = Duration::from_secs(1);
/// The lease, two sweeps, and the locks of a transaction that the sleeper has open, on a busy machine.
const TAKEN_BACK: Duration = Duration::from_secs(24);

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_sleeps_past_its_lease_wakes_to_jobs_that_are_no_longer_its_own() {
    let database = Postgres::shared().database();
    let fixture = Fixture::on("pause", database.url()).await;
    let _api = fixture.start("api", "api,engine").await;
    let workers = [
        fixture.start("worker-1", "worker").await,
        fixture.start("worker-2", "worker").await,
    ];
    let subscriber = fixture.subscriber().await;
    let load = fixture.load();
    let mut chance = fixture.chance(100);

    for _ in 0..PAUSES {
        fixture.more_calls(CALLS_BETWEEN).await;
        let sleeper = &workers[chance.random_range(0..workers.len())];
        let id = fixture.worker_of(sleeper).await;
        fixture.calls_under_way(UNDER_WAY).await;
        let from_us = now_us();
        sleeper.pause().unwrap();
        all_is_taken_from(&fixture, &id).await;
        sleeper.resume().unwrap();
        let whom = whom(sleeper);
        fixture.note(FaultKind::Pause, Scenario::PauseWorker, whom, from_us);
    }
    fixture.more_calls(CALLS_BETWEEN).await;
    let history = fixture.judge(load, subscriber).await;

    assert!(checker::summary(&history).rescued > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_fleet_that_sleeps_past_its_leases_wakes_and_loses_nothing() {
    let database = Postgres::shared().database();
    let fixture = Fixture::on("pause-all", database.url()).await;
    let fleet = [
        fixture.start("api", "api,engine").await,
        fixture.start("worker-1", "worker").await,
        fixture.start("worker-2", "worker").await,
    ];
    let subscriber = fixture.subscriber().await;
    let load = fixture.load();

    for _ in 0..PAUSES {
        fixture.more_calls(CALLS_BETWEEN).await;
        fixture.calls_under_way(UNDER_WAY).await;
        let from_us = now_us();
        fleet.iter().for_each(|process| process.pause().unwrap());
        every_lease_has_ended(from_us).await;
        fleet.iter().for_each(|process| process.resume().unwrap());
        for worker in &fleet[1..] {
            let whom = whom(worker);
            fixture.note(FaultKind::Pause, Scenario::PauseWorker, whom, from_us);
        }
    }
    fixture.more_calls(CALLS_BETWEEN).await;
    fixture.judge(load, subscriber).await;
}

/// Waits until no lease that was granted before this moment can hold any more.
async fn every_lease_has_ended(from_us: i64) {
    let end_us = from_us + i64::try_from((LEASE + GRACE_OF_RESCUE).as_micros()).unwrap();
    let what = "every lease has ended";
    eventually(what, TAKEN_BACK, async || now_us() > end_us).await;
}

/// Waits until nothing runs under a lease of this worker any more.
async fn all_is_taken_from(fixture: &Fixture, worker: &str) {
    let client = fixture.retrying();
    let what = "the leases of the sleeper were taken back";
    eventually(what, TAKEN_BACK, async || {
        let running = JobsQuery {
            state: Some(State::Running),
            limit: Some(500),
            ..JobsQuery::default()
        };
        let running = client.jobs(running).try_concat().await.unwrap();
        let mut workers = running.iter().filter_map(|job| job.worker);
        !workers.any(|id| id.to_string() == worker)
    })
    .await;
}
