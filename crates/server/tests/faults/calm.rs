//! Without a fault every job is called exactly as often as its script asks.

use baton_testkit::Postgres;

use crate::fixture::Fixture;

const CALLS: usize = 500;

#[tokio::test(flavor = "multi_thread")]
async fn without_faults_every_call_on_sqlite_is_one_that_was_asked_for() {
    calm(Fixture::on_a_file("calm-sqlite").await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_faults_every_call_on_postgresql_is_one_that_was_asked_for() {
    let database = Postgres::shared().database();
    calm(Fixture::on("calm-postgresql", database.url()).await).await;
}

async fn calm(fixture: Fixture) {
    let process = fixture.start_all().await;
    let subscriber = fixture.subscriber().await;
    let load = fixture.load();

    fixture.more_calls(CALLS).await;
    let history = fixture.judge(load, subscriber).await;

    // The judge holds a history without faults to the letter of its scripts.
    assert!(history.faults.is_empty());
    drop(process);
}
