//! A server is told to stop under load: in order at once, or twice and at once.

use std::time::Duration;

use baton_faults::{now_us, run::Scenario};
use baton_lab::checker::{self, FaultKind};
use baton_testkit::{Postgres, signal};
use tokio::time::timeout;

use crate::fixture::{Fixture, whom};

const STOPS: usize = 4;
const CALLS_BETWEEN: usize = 90;
const UNDER_WAY: usize = 6;
/// What an end at once may take, on a busy machine.
const MARGIN: Duration = Duration::from_secs(7);

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_in_order_on_sqlite_makes_no_call_twice_and_leaves_nothing_to_be_rescued() {
    stop_in_order(Fixture::on_a_file("shutdown-sqlite").await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_in_order_on_postgresql_makes_no_call_twice_and_leaves_nothing_to_be_rescued() {
    let database = Postgres::shared().database();
    stop_in_order(Fixture::on("shutdown-postgresql", database.url()).await).await;
}

async fn stop_in_order(fixture: Fixture) {
    let mut process = fixture.start_all().await;
    let subscriber = fixture.subscriber().await;
    let load = fixture.load();

    for _ in 0..STOPS {
        fixture.more_calls(CALLS_BETWEEN).await;
        fixture.calls_under_way(UNDER_WAY).await;
        process.stop().await.unwrap();
        process = fixture.start_all().await;
    }
    fixture.more_calls(CALLS_BETWEEN).await;
    let history = fixture.judge(load, subscriber).await;

    // A stop is no fault: without one, the judge holds every call to the letter of its script.
    assert!(history.faults.is_empty());
    assert_eq!(checker::summary(&history).rescued, 0);
    drop(process);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_signal_leaves_at_once_and_nothing_is_lost() {
    let fixture = Fixture::on_a_file("shutdown-twice").await;
    let mut process = fixture.start_all().await;
    let subscriber = fixture.subscriber().await;
    let load = fixture.load();

    for _ in 0..STOPS {
        fixture.more_calls(CALLS_BETWEEN).await;
        fixture.calls_under_way(UNDER_WAY).await;
        let from_us = now_us();
        signal(process.process(), "TERM");
        signal(process.process(), "INT");
        let status = timeout(MARGIN, process.ended()).await.unwrap().unwrap();
        assert!(
            matches!(status.code(), Some(0 | 130)),
            "the second signal ends it by its own hand: {status}"
        );
        let whom = whom(&process);
        fixture.note(FaultKind::Kill, Scenario::KillStopping, whom, from_us);
        process = fixture.start_all().await;
    }
    fixture.more_calls(CALLS_BETWEEN).await;
    fixture.judge(load, subscriber).await;

    drop(process);
}
