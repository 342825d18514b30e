//! Redis answers, and does not do its work. Each time hints are away at once, say why in words, and
//! come back by themselves.

use std::{io::Write, net::TcpStream};

use baton_ports::{Hints, hints::HintState};
use baton_testkit::Redis;
use uuid::Uuid;

use crate::fixture::{Fixture, quick, some};

#[tokio::test]
async fn a_full_redis_is_away_until_it_has_room() {
    let fixture = Fixture::open().await;
    fixture.offer(10).await;

    fixture.redis.command(&["CONFIG", "SET", "maxmemory", "1"]);
    fixture.is_given_up("is full (OOM)").await;
    fixture.redis.command(&["CONFIG", "SET", "maxmemory", "0"]);

    fixture.comes_back().await;
}

#[tokio::test]
async fn a_redis_that_fills_up_by_our_own_hints_refuses_more_and_loses_none() {
    let fixture = Fixture::over(Redis::start_with(&["maxmemory=3mb"])).await;
    fixture.hints.open(1).await.unwrap();

    let mut offered = Vec::new();
    loop {
        let hints = some("default", 5_000);
        if fixture.hints.offer(&hints).await.is_err() {
            break;
        }
        offered.extend(hints.into_iter().map(|hint| hint.job));
    }
    fixture.is_given_up("is full (OOM)").await;
    fixture.redis.command(&["CONFIG", "SET", "maxmemory", "0"]);
    fixture.is_in(HintState::Open).await;

    assert!(fixture.length().await >= offered.len() as u64);
    assert!(
        fixture
            .take()
            .await
            .starts_with(&offered[..offered.len().min(10_000)])
    );
}

#[tokio::test]
async fn a_redis_that_became_a_read_only_replica_is_away_until_it_is_promoted() {
    let fixture = Fixture::open().await;

    fixture.redis.command(&["REPLICAOF", "127.0.0.1", "1"]);
    fixture.is_given_up("read-only replica (READONLY)").await;
    fixture.redis.command(&["REPLICAOF", "NO", "ONE"]);

    fixture.comes_back().await;
}

#[tokio::test]
async fn a_replica_without_its_primary_is_away_until_it_is_promoted() {
    let fixture = Fixture::open().await;
    fixture
        .redis
        .command(&["CONFIG", "SET", "replica-serve-stale-data", "no"]);

    fixture.redis.command(&["REPLICAOF", "127.0.0.1", "1"]);
    fixture.is_given_up("(MASTERDOWN)").await;
    fixture.redis.command(&["REPLICAOF", "NO", "ONE"]);

    fixture.comes_back().await;
}

#[tokio::test]
async fn a_redis_that_is_loading_is_away_until_it_has_loaded() {
    let redis = Redis::start_with(&[
        "loading-process-events-interval-bytes=1024",
        "rdbcompression=no",
    ]);
    let fixture = Fixture::over(redis).await;
    fixture.hints.open(1).await.unwrap();
    for key in 0..60 {
        let (key, value) = (format!("key {key}"), "x".repeat(2_000));
        fixture.redis.command(&["SET", &key, &value]);
    }
    fixture
        .redis
        .command(&["CONFIG", "SET", "key-load-delay", "50000"]);

    let _other = say(&fixture, "DEBUG RELOAD");
    fixture.is_given_up("(LOADING)").await;

    fixture.comes_back().await;
}

#[tokio::test]
async fn a_redis_that_asks_for_a_password_is_away_until_it_does_not() {
    let redis = Redis::start_with(&["requirepass=geheim"]);
    let bare = format!("redis://127.0.0.1:{}", redis.port());
    let fixture = Fixture::with(redis, quick(bare, Uuid::new_v4())).await;

    fixture.is_given_up("(NOAUTH)").await;
    fixture.redis.command(&["CONFIG", "SET", "requirepass", ""]);

    fixture.is_in(HintState::Building).await;
}

#[tokio::test]
async fn a_redis_that_knows_another_password_is_away_until_it_knows_ours() {
    let redis = Redis::start_with(&["requirepass=geheim"]);
    let wrong = redis.url().replace("geheim", "wrong");
    let fixture = Fixture::with(redis, quick(wrong, Uuid::new_v4())).await;

    fixture
        .is_given_up("refuses our user or password (WRONGPASS)")
        .await;
    fixture
        .redis
        .command(&["CONFIG", "SET", "requirepass", "wrong"]);

    fixture.is_in(HintState::Building).await;
}

#[tokio::test]
async fn a_user_who_may_not_touch_our_keys_is_told_so_until_he_may() {
    let redis = Redis::start();
    redis.command(&[
        "ACL", "SETUSER", "baton", "on", ">pass", "~other:*", "&*", "+@all",
    ]);
    let url = redis.url().replace("redis://", "redis://baton:pass@");
    let fixture = Fixture::with(redis, quick(url, Uuid::new_v4())).await;

    fixture.is_given_up("(NOPERM)").await;
    fixture
        .redis
        .command(&["ACL", "SETUSER", "baton", "~{baton:*"]);

    fixture.is_in(HintState::Building).await;
}

#[tokio::test]
async fn a_redis_that_is_busy_with_the_script_of_another_is_away_until_it_ends() {
    let fixture = Fixture::over(Redis::start_with(&["busy-reply-threshold=50"])).await;
    fixture.hints.open(1).await.unwrap();

    let _other = say(&fixture, "EVAL 'while true do end' 0");
    fixture.is_given_up("(BUSY)").await;
    fixture.redis.command(&["SCRIPT", "KILL"]);

    fixture.comes_back().await;
}

/// Says something to Redis and waits for no answer.
fn say(fixture: &Fixture, words: &str) -> TcpStream {
    let mut line = TcpStream::connect(("127.0.0.1", fixture.redis.port())).expect("connect");
    line.write_all(format!("{words}\r\n").as_bytes())
        .expect("send");
    line
}
