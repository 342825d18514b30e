//! A server that does everything is killed again and again while clients go on.

use baton_lab::checker;
use baton_testkit::{Brand, Mysql, Postgres};

use crate::fixture::Fixture;

const KILLS: usize = 5;
const CALLS_BETWEEN: usize = 90;
/// So many calls are cut off by a kill at least.
const UNDER_WAY: usize = 6;

#[tokio::test(flavor = "multi_thread")]
async fn a_server_on_sqlite_that_is_killed_again_and_again_loses_nothing() {
    kill_again_and_again(Fixture::on_a_file("server-sqlite").await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_on_postgresql_that_is_killed_again_and_again_loses_nothing() {
    let database = Postgres::shared().database();
    kill_again_and_again(Fixture::on("server-postgresql", database.url()).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_on_mariadb_that_is_killed_again_and_again_loses_nothing() {
    let database = Mysql::shared(Brand::Mariadb).database();
    kill_again_and_again(Fixture::on("server-mariadb", database).await).await;
}

async fn kill_again_and_again(fixture: Fixture) {
    let mut process = fixture.start_all().await;
    let subscriber = fixture.subscriber().await;
    let load = fixture.load();

    for _ in 0..KILLS {
        fixture.more_calls(CALLS_BETWEEN).await;
        fixture.calls_under_way(UNDER_WAY).await;
        fixture.kill(process).await;
        process = fixture.start_all().await;
    }
    fixture.more_calls(CALLS_BETWEEN).await;
    let history = fixture.judge(load, subscriber).await;

    assert!(checker::summary(&history).rescued >= KILLS);
    drop(process);
}
