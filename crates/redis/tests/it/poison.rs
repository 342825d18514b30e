//! Others write to our keys.

use std::time::Duration;

use baton_ports::{
    Hints,
    hints::{HintError, HintState},
};
use baton_testkit::Reply;

use crate::fixture::{Fixture, QUEUE, some};

#[tokio::test]
async fn garbage_in_a_list_is_removed_and_the_rest_is_taken() {
    let fixture = Fixture::open().await;
    let list = fixture.key("ready:default");
    let other = uuid::Uuid::new_v4().to_string();
    for garbage in [
        "",
        "x",
        "not:a:hint",
        &other,
        &format!("{other}:other"),
        "\u{0}\u{ffff}",
    ] {
        fixture.redis.command(&["RPUSH", &list, garbage]);
    }
    let offered = fixture.offer(2).await;

    let taken = fixture.take().await;

    assert_eq!(taken, offered);
    let held = fixture.key(&format!("processing:{}", fixture.worker.uuid()));
    assert_eq!(fixture.redis.command(&["LLEN", &held]), Reply::Number(2));
}

#[tokio::test]
async fn garbage_keeps_nobody_from_waiting_for_a_hint() {
    let fixture = Fixture::open().await;
    for _ in 0..10 {
        fixture
            .redis
            .command(&["RPUSH", &fixture.key("ready:default"), "garbage"]);
    }

    let longest = Duration::from_millis(100);
    let taken = fixture.hints.take(fixture.worker, QUEUE, 3, longest).await;

    assert_eq!(taken, Ok(vec![]));
    assert_eq!(fixture.length().await, 0);
}

#[tokio::test]
async fn garbage_among_what_was_taken_is_not_given_back() {
    let fixture = Fixture::open().await;
    let offered = fixture.offer(2).await;
    fixture.take().await;
    let held = fixture.key(&format!("processing:{}", fixture.worker.uuid()));
    for garbage in [
        "x",
        "0:default",
        "zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz:default",
    ] {
        fixture.redis.command(&["RPUSH", &held, garbage]);
    }

    let count = fixture.hints.give_back(fixture.worker).await.unwrap();

    assert_eq!(count, 2);
    assert_eq!(fixture.take().await, offered);
}

#[tokio::test]
async fn a_list_renamed_to_that_of_another_queue_leads_nobody_astray() {
    let fixture = Fixture::open().await;
    fixture.hints.offer(&some("other", 3)).await.unwrap();
    fixture.redis.command(&[
        "RENAME",
        &fixture.key("ready:other"),
        &fixture.key("ready:default"),
    ]);
    let offered = fixture.offer(1).await;

    assert_eq!(fixture.take().await, offered);
    assert_eq!(fixture.length().await, 0);
}

#[tokio::test]
async fn the_list_of_a_worker_renamed_to_that_of_a_queue_is_taken_again() {
    let fixture = Fixture::open().await;
    let offered = fixture.offer(3).await;
    fixture.take().await;
    let held = fixture.key(&format!("processing:{}", fixture.worker.uuid()));

    fixture
        .redis
        .command(&["RENAME", &held, &fixture.key("ready:default")]);

    assert_eq!(fixture.take().await, offered);
}

#[tokio::test]
async fn a_key_of_ours_that_holds_something_else_ends_its_generation() {
    for name in ["ready:default", "processing", "workers"] {
        let fixture = Fixture::open().await;
        fixture.offer(3).await;
        fixture
            .hints
            .take(fixture.worker, QUEUE, 1, Duration::ZERO)
            .await
            .unwrap();
        let processing = format!("processing:{}", fixture.worker.uuid());
        let key = fixture.key(if name == "processing" {
            &processing
        } else {
            name
        });
        fixture.redis.command(&["SET", &key, "something else"]);

        let taken = fixture
            .hints
            .take(fixture.worker, QUEUE, 1, Duration::ZERO)
            .await;

        assert_eq!(taken, Err(HintError::Building), "{name}");
        assert_eq!(
            fixture.hints.look().await.unwrap().generation,
            None,
            "{name}"
        );
        fixture.hints.open(2).await.unwrap();
        assert_eq!(
            fixture.redis.command(&["EXISTS", &key]),
            Reply::Number(0),
            "{name}"
        );
        fixture.comes_back().await;
    }
}

#[tokio::test]
async fn a_queue_that_holds_something_else_ends_the_generation_of_who_waits_for_it() {
    let fixture = Fixture::open().await;
    let held = fixture.key(&format!("processing:{}", fixture.worker.uuid()));
    let (hints, worker) = (&fixture.hints, fixture.worker);
    let longest = Duration::from_secs(10);

    let wait = hints.take(worker, QUEUE, 1, longest);
    let spoil = async {
        let waits = async || blocked(&fixture);
        baton_testkit::eventually("somebody waits", longest, waits).await;
        fixture.redis.command(&["SET", &held, "something else"]);
        hints.offer(&some(QUEUE, 1)).await
    };
    let (taken, offered) = tokio::join!(wait, spoil);

    assert_eq!((taken, offered), (Err(HintError::Building), Ok(())));
    assert_eq!(hints.state(), HintState::Building);
}

#[tokio::test]
async fn a_sentinel_that_holds_something_else_is_replaced() {
    let fixture = Fixture::open().await;
    fixture.redis.command(&["DEL", &fixture.sentinel()]);
    fixture
        .redis
        .command(&["RPUSH", &fixture.sentinel(), "something else"]);

    let offered = fixture.hints.offer(&some(QUEUE, 1)).await;

    assert_eq!(offered, Err(HintError::Building));
    fixture.is_in(HintState::Building).await;
    fixture.hints.open(2).await.unwrap();
    fixture.comes_back().await;
}

fn blocked(fixture: &Fixture) -> bool {
    let Reply::Text(info) = fixture.redis.command(&["INFO", "clients"]) else {
        return false;
    };
    info.contains("blocked_clients:1")
}
