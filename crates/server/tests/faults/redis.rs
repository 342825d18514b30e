//! Redis is wiped, spoilt, frozen, filled and killed while clients go on.
//!
//! It holds hints only, so not one call more is made than the scripts ask for.

use std::time::Duration;

use baton_client::Ready;
use baton_faults::{
    now_us,
    run::{Scenario, Whom},
};
use baton_lab::checker::FaultKind;
use baton_testkit::{Brand, Mysql, Postgres, Redis, Reply, eventually, free_port};

use crate::fixture::{Fixture, TIMEOUT};

const CALLS_BETWEEN: usize = 60;
const ROUNDS: usize = 3;

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_loses_what_it_knew_costs_no_job_and_no_second_call() {
    let database = Postgres::shared().database();
    lose_what_redis_knew(Fixture::on("redis-loss", database.url()).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn beside_mariadb_a_redis_that_loses_what_it_knew_costs_no_job_and_no_second_call() {
    let database = Mysql::shared(Brand::Mariadb).database();
    lose_what_redis_knew(Fixture::on("redis-loss-mariadb", database).await).await;
}

async fn lose_what_redis_knew(fixture: Fixture) {
    let mut redis = Redis::start();
    let fixture = fixture.told_of(&redis.url());
    let _api = fixture.start("api", "api,engine").await;
    let _workers = [
        fixture.start("worker-1", "worker").await,
        fixture.start("worker-2", "worker").await,
    ];
    redis_is_used(&fixture, &redis).await;
    let subscriber = fixture.subscriber().await;
    let load = fixture.load();

    for _ in 0..ROUNDS {
        fixture.more_calls(CALLS_BETWEEN).await;
        let dump = redis.dump();
        trouble(&fixture, || redis.command(&["FLUSHALL"]));
        fixture.more_calls(CALLS_BETWEEN).await;
        trouble(&fixture, || spoil(&redis));
        fixture.more_calls(CALLS_BETWEEN).await;
        trouble(&fixture, || redis.restart());
        fixture.more_calls(CALLS_BETWEEN).await;
        trouble(&fixture, || redis.restart_from(&dump));
    }
    fixture.more_calls(CALLS_BETWEEN).await;
    fixture.judge(load, subscriber).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redis_that_does_not_work_is_gone_without_and_used_again() {
    let database = Postgres::shared().database();
    go_without_redis(Fixture::on("redis-away", database.url()).await).await;
}

/// Clients cancel some of it while it runs.
#[tokio::test(flavor = "multi_thread")]
async fn beside_mariadb_work_comes_due_without_redis_and_goes_on_with_one_that_comes_back_empty() {
    let database = Mysql::shared(Brand::Mariadb).database();
    go_without_redis(Fixture::on("redis-away-mariadb", database).await).await;
}

async fn go_without_redis(fixture: Fixture) {
    let mut redis = Redis::start();
    let fixture = fixture.told_of(&redis.url());
    let _api = fixture.start("api", "api,engine").await;
    let _workers = [
        fixture.start("worker-1", "worker").await,
        fixture.start("worker-2", "worker").await,
    ];
    redis_is_used(&fixture, &redis).await;
    let subscriber = fixture.subscriber().await;
    let load = fixture.load();

    fixture.more_calls(CALLS_BETWEEN).await;
    trouble(&fixture, || redis.pause());
    redis_is_away(&fixture).await;
    fixture.more_calls(CALLS_BETWEEN).await;
    trouble(&fixture, || redis.resume());
    redis_is_used(&fixture, &redis).await;
    trouble(&fixture, || {
        redis.command(&["CONFIG", "SET", "maxmemory", "1"])
    });
    redis_is_away(&fixture).await;
    fixture.more_calls(CALLS_BETWEEN).await;
    trouble(&fixture, || {
        redis.command(&["CONFIG", "SET", "maxmemory", "0"])
    });
    redis_is_used(&fixture, &redis).await;
    fixture.more_calls(CALLS_BETWEEN).await;
    trouble(&fixture, || redis.kill());
    redis_is_away(&fixture).await;
    fixture.more_calls(CALLS_BETWEEN).await;
    trouble(&fixture, || redis.restart());
    redis_is_used(&fixture, &redis).await;
    fixture.more_calls(CALLS_BETWEEN).await;
    fixture.judge(load, subscriber).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn workers_that_see_redis_and_workers_that_do_not_share_the_work() {
    let (redis, database) = (Redis::start(), Postgres::shared().database());
    let fixture = Fixture::on("redis-halved", database.url()).await;
    let fixture = fixture.told_of(&redis.url());
    let _api = fixture.start("api", "api,engine").await;
    let seeing = fixture.start("worker-1", "worker").await;
    let fixture = fixture.told_of(&format!("redis://127.0.0.1:{}", free_port()));
    let blind = fixture.start("worker-2", "worker").await;
    let workers = [
        fixture.worker_of(&seeing).await,
        fixture.worker_of(&blind).await,
    ];
    let subscriber = fixture.subscriber().await;
    let load = fixture.load();

    fixture.more_calls(10 * CALLS_BETWEEN).await;
    let history = fixture.judge(load, subscriber).await;

    for worker in workers {
        let own = history
            .attempts
            .iter()
            .filter(|attempt| attempt.worker.as_deref() == Some(&worker));
        assert!(own.count() > 0, "{worker} has run jobs");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_installations_on_one_redis_never_meet() {
    let redis = Redis::start();
    let databases = [Postgres::shared().database(), Postgres::shared().database()];
    let one = Fixture::on("redis-shared-1", databases[0].url()).await;
    let other = Fixture::on("redis-shared-2", databases[1].url()).await;
    let fixtures = [one.told_of(&redis.url()), other.told_of(&redis.url())];
    let _processes = [fixtures[0].start_all().await, fixtures[1].start_all().await];

    let mut stories = Vec::new();
    for fixture in &fixtures {
        let subscriber = fixture.subscriber().await;
        stories.push((fixture, fixture.load(), subscriber));
    }
    for fixture in &fixtures {
        fixture.more_calls(3 * CALLS_BETWEEN).await;
    }

    // The judge of each fixture knows no job and no call of the other.
    for (fixture, load, subscriber) in stories {
        fixture.judge(load, subscriber).await;
    }
}

/// Makes trouble with Redis and notes it. It excuses nothing.
fn trouble<T>(fixture: &Fixture, make: impl FnOnce() -> T) {
    let from_us = now_us();
    make();
    let whom = Whom::Everybody;
    fixture.note(FaultKind::Redis, Scenario::WipeRedis, whom, from_us);
}

/// Deletes some keys and puts other things in the place of some.
fn spoil(redis: &Redis) {
    for key in keys(redis, "*:ready:*") {
        redis.command(&["DEL", &key]);
        redis.command(&["SET", &key, "no list"]);
    }
    for key in keys(redis, "*:processing:*") {
        redis.command(&["DEL", &key]);
    }
}

fn keys(redis: &Redis, pattern: &str) -> Vec<String> {
    let Reply::List(keys) = redis.command(&["KEYS", pattern]) else {
        return Vec::new();
    };
    let texts = keys.into_iter().filter_map(|key| match key {
        Reply::Text(key) => Some(key),
        _ => None,
    });
    texts.collect()
}

/// Waits until the API node hints by Redis, and a generation is open.
async fn redis_is_used(fixture: &Fixture, redis: &Redis) {
    eventually("Redis is used", Duration::from_secs(30), async || {
        says(fixture, "hints are to be had").await && !keys(redis, "*:gen").is_empty()
    })
    .await;
}

async fn redis_is_away(fixture: &Fixture) {
    eventually("Redis is gone without", TIMEOUT, async || {
        says(fixture, "claimed from the database").await
    })
    .await;
}

/// Whether the API node says this of its Redis.
async fn says(fixture: &Fixture, words: &str) -> bool {
    let Ok(Ready::Yes(readiness)) = fixture.client.ready().await else {
        return false;
    };
    let mut redis = readiness
        .components
        .iter()
        .filter(|one| one.name == "redis");
    redis.any(|component| component.detail.contains(words))
}
