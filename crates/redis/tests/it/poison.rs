//! Others write to our keys.

use std::time::Duration;

use baton_ports::{
    Hints,
    hints::{HintError, HintState},
};
use baton_testkit::Reply;

use crate::house::{House, QUEUE, some};

#[tokio::test]
async fn garbage_in_a_list_is_removed_and_the_rest_is_taken() {
    let house = House::open().await;
    let list = house.key("ready:default");
    let other = uuid::Uuid::new_v4().to_string();
    for garbage in [
        "",
        "x",
        "not:a:hint",
        &other,
        &format!("{other}:other"),
        "\u{0}\u{ffff}",
    ] {
        house.redis.command(&["RPUSH", &list, garbage]);
    }
    let offered = house.offer(2).await;

    let taken = house.take().await;

    assert_eq!(taken, offered);
    let held = house.key(&format!("processing:{}", house.worker.uuid()));
    assert_eq!(house.redis.command(&["LLEN", &held]), Reply::Number(2));
}

#[tokio::test]
async fn garbage_keeps_nobody_from_waiting_for_a_hint() {
    let house = House::open().await;
    for _ in 0..10 {
        house
            .redis
            .command(&["RPUSH", &house.key("ready:default"), "garbage"]);
    }

    let patience = Duration::from_millis(100);
    let taken = house.hints.take(house.worker, QUEUE, 3, patience).await;

    assert_eq!(taken, Ok(vec![]));
    assert_eq!(house.length().await, 0);
}

#[tokio::test]
async fn garbage_among_what_was_taken_is_not_given_back() {
    let house = House::open().await;
    let offered = house.offer(2).await;
    house.take().await;
    let held = house.key(&format!("processing:{}", house.worker.uuid()));
    for garbage in [
        "x",
        "0:default",
        "zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz:default",
    ] {
        house.redis.command(&["RPUSH", &held, garbage]);
    }

    let count = house.hints.give_back(house.worker).await.unwrap();

    assert_eq!(count, 2);
    assert_eq!(house.take().await, offered);
}

#[tokio::test]
async fn a_list_renamed_to_that_of_another_queue_leads_nobody_astray() {
    let house = House::open().await;
    house.hints.offer(&some("other", 3)).await.unwrap();
    house.redis.command(&[
        "RENAME",
        &house.key("ready:other"),
        &house.key("ready:default"),
    ]);
    let offered = house.offer(1).await;

    assert_eq!(house.take().await, offered);
    assert_eq!(house.length().await, 0);
}

#[tokio::test]
async fn the_list_of_a_worker_renamed_to_that_of_a_queue_is_taken_again() {
    let house = House::open().await;
    let offered = house.offer(3).await;
    house.take().await;
    let held = house.key(&format!("processing:{}", house.worker.uuid()));

    house
        .redis
        .command(&["RENAME", &held, &house.key("ready:default")]);

    assert_eq!(house.take().await, offered);
}

#[tokio::test]
async fn a_key_of_ours_that_holds_something_else_ends_its_generation() {
    for name in ["ready:default", "processing", "workers"] {
        let house = House::open().await;
        house.offer(3).await;
        house
            .hints
            .take(house.worker, QUEUE, 1, Duration::ZERO)
            .await
            .unwrap();
        let processing = format!("processing:{}", house.worker.uuid());
        let key = house.key(if name == "processing" {
            &processing
        } else {
            name
        });
        house.redis.command(&["SET", &key, "something else"]);

        let taken = house
            .hints
            .take(house.worker, QUEUE, 1, Duration::ZERO)
            .await;

        assert_eq!(taken, Err(HintError::Building), "{name}");
        assert_eq!(house.hints.look().await.unwrap().generation, None, "{name}");
        house.hints.open(2).await.unwrap();
        assert_eq!(
            house.redis.command(&["EXISTS", &key]),
            Reply::Number(0),
            "{name}"
        );
        house.comes_back().await;
    }
}

#[tokio::test]
async fn a_queue_that_holds_something_else_ends_the_generation_of_who_waits_for_it() {
    let house = House::open().await;
    let held = house.key(&format!("processing:{}", house.worker.uuid()));
    let (hints, worker) = (&house.hints, house.worker);
    let patience = Duration::from_secs(10);

    let wait = hints.take(worker, QUEUE, 1, patience);
    let spoil = async {
        let waits = async || blocked(&house);
        baton_testkit::eventually("somebody waits", patience, waits).await;
        house.redis.command(&["SET", &held, "something else"]);
        hints.offer(&some(QUEUE, 1)).await
    };
    let (taken, offered) = tokio::join!(wait, spoil);

    assert_eq!((taken, offered), (Err(HintError::Building), Ok(())));
    assert_eq!(hints.state(), HintState::Building);
}

#[tokio::test]
async fn a_sentinel_that_holds_something_else_is_replaced() {
    let house = House::open().await;
    house.redis.command(&["DEL", &house.sentinel()]);
    house
        .redis
        .command(&["RPUSH", &house.sentinel(), "something else"]);

    let offered = house.hints.offer(&some(QUEUE, 1)).await;

    assert_eq!(offered, Err(HintError::Building));
    house.is_in(HintState::Building).await;
    house.hints.open(2).await.unwrap();
    house.comes_back().await;
}

fn blocked(house: &House) -> bool {
    let Reply::Text(info) = house.redis.command(&["INFO", "clients"]) else {
        return false;
    };
    info.contains("blocked_clients:1")
}
