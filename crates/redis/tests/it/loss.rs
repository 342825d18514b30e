//! Redis forgets: all, some, or the last hour.

use baton_ports::{
    Hints,
    hints::{HintError, HintState},
};
use baton_testkit::{Redis, Reply, eventually};

use crate::fixture::{Fixture, LONG, QUEUE, some};

#[tokio::test]
async fn a_redis_that_was_killed_and_comes_back_empty_is_another_and_its_hints_are_built_anew() {
    let mut fixture = Fixture::open().await;
    fixture.offer(3).await;
    let before = fixture.hints.look().await.unwrap();

    fixture.redis.kill();
    fixture.is_given_up("cannot be reached").await;
    fixture.redis.restart();
    fixture.is_in(HintState::Building).await;

    let after = fixture.hints.look().await.unwrap();
    assert_eq!(after.generation, None);
    assert_ne!(after.incarnation, before.incarnation);
    fixture.hints.open(2).await.unwrap();
    fixture.comes_back().await;
}

#[tokio::test]
async fn a_redis_that_comes_back_with_an_old_dump_is_seen_to_be_another() {
    let mut fixture = Fixture::open().await;
    fixture.offer(3).await;
    let dump = fixture.redis.dump();
    let before = fixture.hints.look().await.unwrap();
    fixture.take().await;

    fixture.redis.restart_from(&dump);
    eventually("it answers", LONG, async || {
        fixture.hints.look().await.is_ok()
    })
    .await;

    let after = fixture.hints.look().await.unwrap();
    assert_eq!(after.generation, before.generation);
    assert_ne!(after.incarnation, before.incarnation);
}

#[tokio::test]
async fn a_replica_that_lags_and_is_promoted_is_seen_to_be_another() {
    let (fixture, other) = (Fixture::open().await, Redis::start());
    let before = fixture.hints.look().await.unwrap();
    follow(&other, fixture.redis.port()).await;
    other.command(&["REPLICAOF", "NO", "ONE"]);
    fixture.hints.open(2).await.unwrap();

    follow(&fixture.redis, other.port()).await;
    fixture.redis.command(&["REPLICAOF", "NO", "ONE"]);
    fixture.is_in(HintState::Open).await;

    let after = fixture.hints.look().await.unwrap();
    assert_eq!(after.generation, Some(1));
    assert_ne!(after.incarnation, before.incarnation);
}

#[tokio::test]
async fn everything_flushed_is_known_to_the_next_who_calls() {
    for flush in ["FLUSHALL", "FLUSHDB"] {
        let fixture = Fixture::open().await;
        fixture.offer(3).await;

        fixture.redis.command(&[flush]);

        let offered = fixture.hints.offer(&some(QUEUE, 1)).await;
        assert_eq!(offered, Err(HintError::Building));
        assert_eq!(
            fixture
                .redis
                .command(&["EXISTS", &fixture.key("ready:default")]),
            Reply::Number(0)
        );
        fixture.hints.open(2).await.unwrap();
        fixture.comes_back().await;
    }
}

#[tokio::test]
async fn a_sentinel_that_was_deleted_is_missed_though_nobody_calls() {
    let fixture = Fixture::open().await;

    fixture.redis.command(&["DEL", &fixture.sentinel()]);

    fixture.is_in(HintState::Building).await;
}

#[tokio::test]
async fn a_sentinel_that_says_garbage_opens_nothing() {
    let fixture = Fixture::open().await;

    fixture
        .redis
        .command(&["SET", &fixture.sentinel(), "1; DROP TABLE jobs"]);

    fixture.is_in(HintState::Building).await;
    assert_eq!(
        fixture.hints.offer(&some(QUEUE, 1)).await,
        Err(HintError::Building)
    );
    assert_eq!(fixture.hints.look().await.unwrap().generation, None);
}

#[tokio::test]
async fn who_has_not_heard_of_a_new_generation_offers_to_it_all_the_same() {
    let fixture = Fixture::open().await;

    fixture.redis.command(&["SET", &fixture.sentinel(), "5"]);
    fixture.offer(2).await;

    let list = fixture.key("ready:default").replace(":g1:", ":g5:");
    assert_eq!(fixture.redis.command(&["LLEN", &list]), Reply::Number(2));
}

#[tokio::test]
async fn a_list_that_was_deleted_is_empty_and_nothing_else_is_lost() {
    let fixture = Fixture::open().await;
    fixture.offer(3).await;
    fixture.hints.offer(&some("other", 2)).await.unwrap();

    fixture
        .redis
        .command(&["DEL", &fixture.key("ready:default")]);

    let queues = [QUEUE.to_owned(), "other".to_owned()];
    assert_eq!(fixture.hints.lengths(&queues).await.unwrap(), [0, 2]);
    assert_eq!(fixture.hints.state(), HintState::Open);
    fixture.comes_back().await;
}

#[tokio::test]
async fn heartbeats_that_were_evicted_take_nothing_from_anybody() {
    let fixture = Fixture::open().await;
    fixture.offer(3).await;
    fixture.take().await;
    fixture.hints.heartbeat(fixture.worker, LONG).await.unwrap();
    let heartbeat = format!(
        "{{baton:{}}}:hb:worker:{}",
        fixture.installation,
        fixture.worker.uuid()
    );
    let lives = fixture.redis.command(&["EXISTS", &heartbeat]);

    fixture
        .redis
        .command(&["CONFIG", "SET", "maxmemory-policy", "volatile-random"]);
    fixture.redis.command(&["CONFIG", "SET", "maxmemory", "1"]);
    let is_gone = async || fixture.redis.command(&["EXISTS", &heartbeat]) == Reply::Number(0);
    eventually("the heartbeat is evicted", LONG, is_gone).await;
    fixture.redis.command(&["CONFIG", "SET", "maxmemory", "0"]);
    fixture.is_in(HintState::Open).await;

    assert_eq!(lives, Reply::Number(1));
    assert_eq!(fixture.hints.consumers().await.unwrap(), [fixture.worker]);
    assert_eq!(fixture.hints.give_back(fixture.worker).await.unwrap(), 3);
}

#[tokio::test]
async fn lists_that_were_evicted_are_built_anew() {
    let fixture = Fixture::open().await;
    fixture.offer(3).await;

    fixture
        .redis
        .command(&["CONFIG", "SET", "maxmemory-policy", "allkeys-random"]);
    fixture.redis.command(&["CONFIG", "SET", "maxmemory", "1"]);
    let is_gone =
        async || fixture.redis.command(&["EXISTS", &fixture.sentinel()]) == Reply::Number(0);
    eventually("the sentinel is evicted", LONG, is_gone).await;
    fixture.redis.command(&["CONFIG", "SET", "maxmemory", "0"]);
    fixture.is_in(HintState::Building).await;

    fixture.hints.open(2).await.unwrap();
    fixture.comes_back().await;
}

/// Makes one a replica, and waits until it holds what its primary holds.
async fn follow(redis: &Redis, primary: u16) {
    redis.command(&["REPLICAOF", "127.0.0.1", &primary.to_string()]);
    let follows = async || {
        let Reply::Text(info) = redis.command(&["INFO", "replication"]) else {
            return false;
        };
        info.contains("master_link_status:up")
    };
    eventually("the replica follows", LONG, follows).await;
}
