//! PostgreSQL is killed under a server that stays up.

use baton_client::Error;
use baton_lab::checker::FaultKind;
use baton_testkit::{Postgres, eventually};
use tokio::task::block_in_place;

use crate::{
    house::{House, PATIENCE, now_us},
    load::Load,
    subscriber::Subscriber,
};

const KILLS: usize = 4;
const CALLS_BETWEEN: usize = 90;
const UNDER_WAY: usize = 4;

#[tokio::test(flavor = "multi_thread")]
async fn a_server_bears_with_a_database_that_is_killed_again_and_again() {
    let mut postgres = Postgres::start_with(&["fsync=on"]);
    let house = House::on("postgres", postgres.url()).await;
    let mut process = house.start_all().await;
    let subscriber = Subscriber::start(&house.client).await;
    let load = Load::start(&house);

    for _ in 0..KILLS {
        house.more_calls(CALLS_BETWEEN).await;
        house.calls_under_way(UNDER_WAY).await;
        let from_us = now_us();
        block_in_place(|| postgres.kill());
        says_that_it_is_not_ready(&house).await;
        block_in_place(|| postgres.restart());
        is_ready_again(&house).await;
        house.note(FaultKind::Database, None, from_us);
    }
    house.more_calls(CALLS_BETWEEN).await;
    house.judge(load, subscriber).await;

    process.assert_alive();
}

/// Alive, not ready, and a problem for everybody who asks for more.
async fn says_that_it_is_not_ready(house: &House) {
    eventually("the server is not ready", PATIENCE, async || {
        house
            .client
            .ready()
            .await
            .is_ok_and(|ready| !ready.is_yes())
    })
    .await;
    house.client.alive().await.unwrap();
    let Err(Error::Problem(problem)) = house.client.queues().await else {
        panic!("a server without its database answers with a problem");
    };
    assert_eq!(problem.status, 503, "{problem}");
}

async fn is_ready_again(house: &House) {
    eventually("the server is ready again", PATIENCE, async || {
        house.client.ready().await.is_ok_and(|ready| ready.is_yes())
    })
    .await;
}
