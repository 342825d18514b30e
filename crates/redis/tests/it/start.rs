//! Meeting a Redis.

use std::time::Duration;

use baton_ports::{Hints, hints::HintState};
use baton_redis::{Options, RedisHints};
use baton_testkit::{Redis, Stopwatch, free_port};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::fixture::{Fixture, GIVEN_UP, quick};

const HOUR: Duration = Duration::from_hours(1);

#[tokio::test]
async fn a_healthy_redis_is_used_at_once() {
    let redis = Redis::start();
    let options = Options {
        heal: HOUR,
        ..Options::new(redis.url(), Uuid::new_v4())
    };

    let fixture = Fixture::with(redis, options).await;

    assert_eq!(fixture.hints.state(), HintState::Building);
}

#[tokio::test]
async fn a_redis_that_is_not_there_is_no_error_and_is_used_once_it_is() {
    let mut redis = Redis::start();
    redis.kill();

    let start = Stopwatch::start();
    let fixture = Fixture::over(redis).await;
    let (waited, is_away) = (start.elapsed(), fixture.says("cannot be reached"));
    let mut fixture = fixture;
    fixture.redis.restart();

    assert!(waited < GIVEN_UP);
    assert!(is_away);
    fixture.is_in(HintState::Building).await;
    fixture.hints.open(1).await.unwrap();
    fixture.comes_back().await;
}

#[tokio::test]
async fn who_meets_a_redis_with_an_open_generation_moves_there_at_once() {
    let fixture = Fixture::open().await;
    let offered = fixture.offer(2).await;

    let options = quick(fixture.redis.url(), fixture.installation);
    let other = RedisHints::connect(options, CancellationToken::new())
        .await
        .unwrap();

    let taken = other
        .take(fixture.worker, "default", 9, Duration::ZERO)
        .await;
    assert_eq!(taken.unwrap(), offered);
}

#[tokio::test]
async fn a_url_that_cannot_be_one_is_refused_with_an_example() {
    for url in ["", "localhost", "http://localhost", "redis://:port:7"] {
        let options = Options::new(url, Uuid::new_v4());
        let refused = RedisHints::connect(options, CancellationToken::new()).await;

        let Err(error) = refused else {
            panic!("{url} was taken")
        };
        assert!(error.to_string().contains("redis://host:6379"), "{error}");
    }
}

#[tokio::test]
async fn a_password_stands_in_no_sentence() {
    let port = free_port();
    let options = quick(
        format!("redis://someone:geheim@127.0.0.1:{port}"),
        Uuid::new_v4(),
    );

    let hints = RedisHints::connect(options, CancellationToken::new())
        .await
        .unwrap();

    let HintState::Away(why) = hints.state() else {
        panic!("it is there")
    };
    assert!(why.contains(&format!("127.0.0.1:{port}")), "{why}");
    assert!(!why.contains("geheim"), "{why}");
}

#[tokio::test]
async fn a_redis_cluster_of_one_keeps_all_of_an_installation_together() {
    let fixture = Fixture::over(Redis::start_with(&["cluster-enabled=yes"])).await;
    fixture.is_given_up("CLUSTERDOWN").await;

    fixture
        .redis
        .command(&["CLUSTER", "ADDSLOTSRANGE", "0", "16383"]);

    fixture.is_in(HintState::Building).await;
    fixture.hints.open(1).await.unwrap();
    fixture.comes_back().await;
    assert_eq!(fixture.hints.give_back(fixture.worker).await.unwrap(), 1);
}
