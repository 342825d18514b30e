//! Redis forgets: all, some, or the last hour.

use baton_ports::{
    Hints,
    hints::{HintError, HintState},
};
use baton_testkit::{Redis, Reply, eventually};

use crate::house::{House, LONG, QUEUE, some};

#[tokio::test]
async fn a_redis_that_was_killed_and_comes_back_empty_is_another_and_its_hints_are_built_anew() {
    let mut house = House::open().await;
    house.offer(3).await;
    let before = house.hints.look().await.unwrap();

    house.redis.kill();
    house.is_given_up("cannot be reached").await;
    house.redis.restart();
    house.is_in(HintState::Building).await;

    let after = house.hints.look().await.unwrap();
    assert_eq!(after.generation, None);
    assert_ne!(after.incarnation, before.incarnation);
    house.hints.open(2).await.unwrap();
    house.comes_back().await;
}

#[tokio::test]
async fn a_redis_that_comes_back_with_an_old_dump_is_seen_to_be_another() {
    let mut house = House::open().await;
    house.offer(3).await;
    let dump = house.redis.dump();
    let before = house.hints.look().await.unwrap();
    house.take().await;

    house.redis.restart_from(&dump);
    eventually("it answers", LONG, async || {
        house.hints.look().await.is_ok()
    })
    .await;

    let after = house.hints.look().await.unwrap();
    assert_eq!(after.generation, before.generation);
    assert_ne!(after.incarnation, before.incarnation);
}

#[tokio::test]
async fn a_replica_that_lags_and_is_promoted_is_seen_to_be_another() {
    let (house, other) = (House::open().await, Redis::start());
    let before = house.hints.look().await.unwrap();
    follow(&other, house.redis.port()).await;
    other.command(&["REPLICAOF", "NO", "ONE"]);
    house.hints.open(2).await.unwrap();

    follow(&house.redis, other.port()).await;
    house.redis.command(&["REPLICAOF", "NO", "ONE"]);
    house.is_in(HintState::Open).await;

    let after = house.hints.look().await.unwrap();
    assert_eq!(after.generation, Some(1));
    assert_ne!(after.incarnation, before.incarnation);
}

#[tokio::test]
async fn everything_flushed_is_known_to_the_next_who_calls() {
    for flush in ["FLUSHALL", "FLUSHDB"] {
        let house = House::open().await;
        house.offer(3).await;

        house.redis.command(&[flush]);

        let offered = house.hints.offer(&some(QUEUE, 1)).await;
        assert_eq!(offered, Err(HintError::Building));
        assert_eq!(
            house
                .redis
                .command(&["EXISTS", &house.key("ready:default")]),
            Reply::Number(0)
        );
        house.hints.open(2).await.unwrap();
        house.comes_back().await;
    }
}

#[tokio::test]
async fn a_sentinel_that_was_deleted_is_missed_though_nobody_calls() {
    let house = House::open().await;

    house.redis.command(&["DEL", &house.sentinel()]);

    house.is_in(HintState::Building).await;
}

#[tokio::test]
async fn a_sentinel_that_says_garbage_opens_nothing() {
    let house = House::open().await;

    house
        .redis
        .command(&["SET", &house.sentinel(), "1; DROP TABLE jobs"]);

    house.is_in(HintState::Building).await;
    assert_eq!(
        house.hints.offer(&some(QUEUE, 1)).await,
        Err(HintError::Building)
    );
    assert_eq!(house.hints.look().await.unwrap().generation, None);
}

#[tokio::test]
async fn who_has_not_heard_of_a_new_generation_offers_to_it_all_the_same() {
    let house = House::open().await;

    house.redis.command(&["SET", &house.sentinel(), "5"]);
    house.offer(2).await;

    let list = house.key("ready:default").replace(":g1:", ":g5:");
    assert_eq!(house.redis.command(&["LLEN", &list]), Reply::Number(2));
}

#[tokio::test]
async fn a_list_that_was_deleted_is_empty_and_nothing_else_is_lost() {
    let house = House::open().await;
    house.offer(3).await;
    house.hints.offer(&some("other", 2)).await.unwrap();

    house.redis.command(&["DEL", &house.key("ready:default")]);

    let queues = [QUEUE.to_owned(), "other".to_owned()];
    assert_eq!(house.hints.lengths(&queues).await.unwrap(), [0, 2]);
    assert_eq!(house.hints.state(), HintState::Open);
    house.comes_back().await;
}

#[tokio::test]
async fn heartbeats_that_were_evicted_take_nothing_from_anybody() {
    let house = House::open().await;
    house.offer(3).await;
    house.take().await;
    house.hints.beat(house.worker, LONG).await.unwrap();
    let heartbeat = format!(
        "{{baton:{}}}:hb:worker:{}",
        house.installation,
        house.worker.uuid()
    );
    let lives = house.redis.command(&["EXISTS", &heartbeat]);

    house
        .redis
        .command(&["CONFIG", "SET", "maxmemory-policy", "volatile-random"]);
    house.redis.command(&["CONFIG", "SET", "maxmemory", "1"]);
    let is_gone = async || house.redis.command(&["EXISTS", &heartbeat]) == Reply::Number(0);
    eventually("the heartbeat is evicted", LONG, is_gone).await;
    house.redis.command(&["CONFIG", "SET", "maxmemory", "0"]);
    house.is_in(HintState::Open).await;

    assert_eq!(lives, Reply::Number(1));
    assert_eq!(house.hints.consumers().await.unwrap(), [house.worker]);
    assert_eq!(house.hints.give_back(house.worker).await.unwrap(), 3);
}

#[tokio::test]
async fn lists_that_were_evicted_are_built_anew() {
    let house = House::open().await;
    house.offer(3).await;

    house
        .redis
        .command(&["CONFIG", "SET", "maxmemory-policy", "allkeys-random"]);
    house.redis.command(&["CONFIG", "SET", "maxmemory", "1"]);
    let is_gone = async || house.redis.command(&["EXISTS", &house.sentinel()]) == Reply::Number(0);
    eventually("the sentinel is evicted", LONG, is_gone).await;
    house.redis.command(&["CONFIG", "SET", "maxmemory", "0"]);
    house.is_in(HintState::Building).await;

    house.hints.open(2).await.unwrap();
    house.comes_back().await;
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
