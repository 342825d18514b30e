//! The database is killed under a server that stays up.

use baton_client::Error;
use baton_faults::{
    now_us,
    run::{Scenario, Whom},
};
use baton_lab::checker::FaultKind;
use baton_testkit::{Brand, Mysql, Postgres, eventually};
use tokio::task::block_in_place;

use crate::{
    brands::{name, on_each_brand},
    fixture::{Fixture, TIMEOUT},
};

const KILLS: usize = 4;
const CALLS_BETWEEN: usize = 90;
const UNDER_WAY: usize = 4;

#[tokio::test(flavor = "multi_thread")]
async fn a_server_bears_with_a_postgresql_that_is_killed_again_and_again() {
    let postgres = Postgres::start_with(&["fsync=on"]);
    let fixture = Fixture::on("postgres", postgres.url()).await;

    kill_again_and_again(fixture, postgres, Postgres::kill, Postgres::restart).await;
}

on_each_brand!(a_server_bears_with_one_that_is_killed_again_and_again);

async fn a_server_bears_with_one_that_is_killed_again_and_again(brand: Brand) {
    let server = Mysql::start_with(brand, &["innodb-flush-log-at-trx-commit=1"]);
    let name = name("killed", brand);
    let fixture = Fixture::on(name, server.database()).await;

    kill_again_and_again(fixture, server, Mysql::kill, Mysql::restart).await;
}

async fn kill_again_and_again<D>(
    fixture: Fixture,
    mut database: D,
    kill: fn(&mut D),
    restart: fn(&mut D),
) {
    let mut process = fixture.start_all().await;
    let subscriber = fixture.subscriber().await;
    let load = fixture.load();

    for _ in 0..KILLS {
        fixture.more_calls(CALLS_BETWEEN).await;
        fixture.calls_under_way(UNDER_WAY).await;
        let from_us = now_us();
        block_in_place(|| kill(&mut database));
        says_that_it_is_not_ready(&fixture).await;
        block_in_place(|| restart(&mut database));
        is_ready_again(&fixture).await;
        let whom = Whom::Everybody;
        fixture.note(FaultKind::Database, Scenario::KillDatabase, whom, from_us);
    }
    fixture.more_calls(CALLS_BETWEEN).await;
    fixture.judge(load, subscriber).await;

    process.assert_alive().unwrap();
}

/// Alive, not ready, and a problem for everybody who asks for more.
async fn says_that_it_is_not_ready(fixture: &Fixture) {
    eventually("the server is not ready", TIMEOUT, async || {
        fixture
            .client
            .ready()
            .await
            .is_ok_and(|ready| !ready.is_yes())
    })
    .await;
    fixture.client.alive().await.unwrap();
    let Err(Error::Problem(problem)) = fixture.client.queues().await else {
        panic!("a server without its database answers with a problem");
    };
    assert_eq!(problem.status, 503, "{problem}");
}

async fn is_ready_again(fixture: &Fixture) {
    eventually("the server is ready again", TIMEOUT, async || {
        fixture
            .client
            .ready()
            .await
            .is_ok_and(|ready| ready.is_yes())
    })
    .await;
}
