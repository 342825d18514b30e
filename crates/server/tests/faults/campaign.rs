//! Campaigns while the database loses commits and is killed, Redis forgets, and nodes freeze.
//!
//! Each recipient is written down once, and a stop holds.

mod bulk;
mod killers;

use baton_client::Client;
use baton_faults::now_us;
use baton_lab::proxy::{CutCommits, Moment, Proxy};
use baton_testkit::{Postgres, Redis, eventually, free_port};
use tokio::task::block_in_place;

use self::bulk::Bulk;
use crate::{
    commit::proxy_before,
    fixture::{Fixture, TIMEOUT},
};

/// Many small chunks: there is always one to be hurt.
const CHUNK: i64 = 5;
/// So slow that the walk is alone.
const SLOWLY: Option<f64> = Some(0.1);
/// How late after the answer to a stop a call may start.
const BOUND: i64 = 2_000_000;

#[tokio::test(flavor = "multi_thread")]
async fn chunks_whose_commits_are_lost_are_written_once() {
    let database = Postgres::shared().database();
    let (proxy, url) = proxy_before(&database.url()).await;
    let fixture = Fixture::on("campaign-commit", url).await.with_a_provider();
    let mut process = fixture.start_all().await;
    let campaign = Bulk::begin(&fixture, CHUNK, SLOWLY).await;

    for round in 1..=4 {
        campaign.comes_to(round * 25).await;
        cut_some(&proxy).await;
    }
    proxy.heal();
    let walked = campaign.look().await.progress.walked;
    campaign.let_loose().await;
    campaign.balance().await;

    let counts = proxy.counts();
    eprintln!("walked {walked} when the last commit was cut; {counts:?}");
    assert!(counts.cut_before_commit > 0 && counts.cut_after_commit > 0);
    process.assert_alive().unwrap();
}

async fn cut_some(proxy: &Proxy) {
    let cuts = || proxy.counts().around_commits();
    let wanted = cuts() + 6;
    proxy.cut_commits(CutCommits {
        moment: Moment::Either,
        count: 6,
        one_in: 2,
    });
    eventually("commits were cut", TIMEOUT, async || cuts() >= wanted).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_campaign_bears_with_a_database_that_is_killed_in_its_midst() {
    let mut postgres = Postgres::start_with(&["fsync=on"]);
    let fixture = Fixture::on("campaign-postgres", postgres.url()).await;
    let fixture = fixture.with_a_provider();
    let mut process = fixture.start_all().await;
    let campaign = Bulk::begin(&fixture, CHUNK, None).await;

    for round in 1..=3 {
        campaign.comes_to(round * 30).await;
        block_in_place(|| postgres.kill());
        block_in_place(|| postgres.restart());
    }
    campaign.balance().await;

    process.assert_alive().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_frozen_in_the_midst_of_a_walk_finds_it_taken_over_when_it_wakes() {
    let database = Postgres::shared().database();
    let fixture = Fixture::on("campaign-frozen", database.url()).await;
    let fixture = fixture.with_a_provider();
    let sleeper = fixture.start_all().await;
    let campaign = Bulk::begin(&fixture, CHUNK, SLOWLY).await;
    campaign.comes_to(20).await;

    sleeper.pause().unwrap();
    let port = free_port();
    let _heir = fixture.start_at(port, "heir", "api,engine,worker").await;
    let heir = Client::new(&format!("http://127.0.0.1:{port}")).unwrap();
    let frozen = heir.campaign(campaign.id).await.unwrap().progress.chunks;
    eventually("the heir walks on", TIMEOUT, async || {
        let taken_over = heir.campaign(campaign.id).await.unwrap();
        taken_over.progress.chunks > frozen + 20
    })
    .await;
    sleeper.resume().unwrap();
    campaign.let_loose().await;

    campaign.balance().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_holds_although_redis_forgets_everything() {
    let (redis, database) = (Redis::start(), Postgres::shared().database());
    let fixture = Fixture::on("campaign-redis", database.url()).await;
    let fixture = fixture.told_of(&redis.url()).with_a_provider();
    let _api = fixture.start("api", "api,engine").await;
    let _workers = [
        fixture.start("worker-1", "worker").await,
        fixture.start("worker-2", "worker").await,
    ];
    let campaign = Bulk::begin(&fixture, CHUNK, Some(100.0)).await;

    fixture.more_calls(100).await;
    redis.command(&["FLUSHALL"]);
    let stopped = campaign.stop().await;
    let acknowledged = now_us();
    redis.command(&["FLUSHALL"]);
    eventually("what was in flight has ended", TIMEOUT, async || {
        now_us() > acknowledged + 2 * BOUND
    })
    .await;
    redis.command(&["FLUSHALL"]);

    let arrivals = fixture.target.arrivals();
    let late = arrivals
        .iter()
        .filter(|arrival| arrival.at_us > acknowledged + BOUND);
    assert_eq!(
        late.count(),
        0,
        "{} were in flight",
        stopped.progress.in_flight
    );
    assert!(
        arrivals.len() < bulk::RECIPIENTS,
        "it was stopped on its way"
    );
    campaign.resume().await;
    redis.command(&["FLUSHALL"]);
    campaign.balance().await;
}
