//! The line to Redis breaks at a bad moment, or is slow, or is there for some only.

use std::{net::SocketAddr, time::Duration};

use baton_ports::{
    Hints,
    hints::{HintError, HintState},
};
use baton_redis::RedisHints;
use baton_testkit::{
    eventually,
    proxy::{ListenerMode, Options, Protocol, Proxy, Upstream},
};
use tokio_util::sync::CancellationToken;

use crate::fixture::{Fixture, GIVEN_UP, LONG, QUEUE, some, strict, worker};

/// Hints of the same installation, over a line that breaks on demand.
async fn over_a_line(fixture: &Fixture) -> (Proxy, RedisHints) {
    let upstream = SocketAddr::from(([127, 0, 0, 1], fixture.redis.port()));
    let options = Options {
        upstream: Upstream::Tcp(upstream),
        protocol: Protocol::Redis,
        seed: 1,
    };
    let proxy = Proxy::start(options).await.expect("it is well");
    let options = strict(format!("redis://{}", proxy.addr()), fixture.installation);
    let hints = RedisHints::connect(options, CancellationToken::new())
        .await
        .expect("it is well");
    (proxy, hints)
}

#[tokio::test]
async fn a_hint_that_was_moved_while_the_line_broke_stays_with_the_worker_until_it_is_given_back() {
    let fixture = Fixture::open().await;
    let (proxy, hints) = over_a_line(&fixture).await;
    proxy.cut_moves(1);

    let worker = worker();
    let wait = hints.take(worker, QUEUE, 1, Duration::from_secs(2));
    let (taken, offered) = tokio::join!(wait, async {
        eventually("somebody waits", LONG, async || is_waited_for(&fixture)).await;
        fixture.offer(1).await
    });

    assert_eq!(taken, Ok(vec![]));
    assert_eq!(proxy.counts().cut_after_move, 1);
    assert_eq!(fixture.length().await, 0);
    assert_eq!(fixture.hints.consumers().await.unwrap(), [worker]);
    assert_eq!(fixture.hints.give_back(worker).await.unwrap(), 1);
    assert_eq!(fixture.take().await, offered);
}

#[tokio::test]
async fn an_offer_whose_answer_was_lost_is_there_once_or_twice_when_it_is_repeated() {
    let fixture = Fixture::open().await;
    let (proxy, hints) = over_a_line(&fixture).await;
    let offered = some(QUEUE, 1);
    proxy.change(|faults| faults.to_client.is_silent = true);

    let unheard = hints.offer(&offered).await;
    proxy.heal();
    eventually("the line is well", LONG, async || {
        hints.offer(&offered).await.is_ok()
    })
    .await;

    assert!(matches!(unheard, Err(HintError::Away(_))), "{unheard:?}");
    let taken = fixture.take().await;
    assert!((1..=2).contains(&taken.len()));
    assert!(taken.iter().all(|job| *job == offered[0].job));
}

#[tokio::test]
async fn a_line_that_is_slower_than_the_deadline_is_away_until_it_is_faster() {
    let fixture = Fixture::open().await;
    let (proxy, hints) = over_a_line(&fixture).await;

    proxy.change(|faults| faults.to_client.delay = Duration::from_millis(400));
    let is_away =
        async || matches!(hints.state(), HintState::Away(why) if why.contains("has not answered"));
    eventually("it is given up", GIVEN_UP, is_away).await;
    proxy.heal();

    eventually("it is back", LONG, async || {
        hints.state() == HintState::Open
    })
    .await;
}

#[tokio::test]
async fn a_redis_that_some_cannot_reach_is_away_for_them_alone() {
    let fixture = Fixture::open().await;
    let (proxy, hints) = over_a_line(&fixture).await;

    proxy.change(|faults| faults.listener = ListenerMode::Refuse);
    proxy.cut_all();
    let is_away = async || matches!(hints.state(), HintState::Away(_));
    eventually("it is given up", GIVEN_UP, is_away).await;

    assert_eq!(fixture.hints.state(), HintState::Open);
    fixture.comes_back().await;
}

#[tokio::test]
async fn a_redis_that_takes_connections_and_says_nothing_is_given_up() {
    let fixture = Fixture::open().await;
    let (proxy, hints) = over_a_line(&fixture).await;

    proxy.change(|faults| faults.listener = ListenerMode::Mute);
    proxy.cut_all();
    let is_away = async || matches!(hints.state(), HintState::Away(_));

    eventually("it is given up", GIVEN_UP, is_away).await;
}

fn is_waited_for(fixture: &Fixture) -> bool {
    let clients = fixture.redis.command(&["INFO", "clients"]);
    format!("{clients:?}").contains("blocked_clients:1")
}
