//! Redis is there and does not answer, or not in time.

use std::time::{Duration, Instant};

use baton_ports::{Hints, hints::HintError};
use baton_testkit::{Stopwatch, eventually};
use futures::future::join_all;

use crate::fixture::{Fixture, GIVEN_UP, HEAL, LONG, QUEUE, some};

#[tokio::test]
async fn a_redis_that_hangs_is_given_up_within_two_seconds_and_used_again_when_it_answers() {
    let fixture = Fixture::strict().await;

    fixture.redis.pause();
    fixture.is_given_up("has not answered within").await;
    fixture.redis.resume();

    fixture.comes_back().await;
}

#[tokio::test]
async fn no_call_waits_for_a_redis_that_hangs_longer_than_its_deadline() {
    let fixture = Fixture::strict().await;
    fixture.redis.pause();

    for _ in 0..5 {
        let start = Stopwatch::start();
        let offered = fixture.hints.offer(&some(QUEUE, 1)).await;

        assert!(matches!(offered, Err(HintError::Away(_))), "{offered:?}");
        assert!(
            start.elapsed() < Duration::from_secs(1),
            "{:?}",
            start.elapsed()
        );
    }
}

#[tokio::test]
async fn who_waits_for_a_hint_is_told_at_once_that_redis_hangs() {
    let fixture = Fixture::strict().await;
    let (hints, worker) = (&fixture.hints, fixture.worker);

    let wait = async {
        let start = Stopwatch::start();
        let taken = hints.take(worker, QUEUE, 1, LONG).await;
        (taken, start.elapsed())
    };
    let hang = async { fixture.redis.pause() };
    let ((taken, waited), ()) = tokio::join!(wait, hang);

    assert!(matches!(taken, Err(HintError::Away(_))), "{taken:?}");
    assert!(waited < GIVEN_UP, "{waited:?}");
}

#[tokio::test]
async fn nothing_is_moved_to_who_gave_up_waiting_while_redis_hung() {
    let fixture = Fixture::strict().await;
    let (hints, worker) = (&fixture.hints, fixture.worker);
    let wait = hints.take(worker, QUEUE, 1, LONG);
    let hang = async { fixture.redis.pause() };
    let (_, ()) = tokio::join!(wait, hang);

    fixture.redis.resume();
    fixture.is_in(baton_ports::hints::HintState::Open).await;
    fixture.offer(1).await;

    assert_eq!(fixture.length().await, 1);
}

#[tokio::test]
async fn a_redis_that_is_back_is_used_only_when_it_has_been_well_for_a_while() {
    let mut fixture = Fixture::strict().await;
    fixture.redis.kill();
    fixture.is_given_up("cannot be reached").await;

    fixture.redis.restart();
    let back = Instant::now();
    let is_used = async || {
        !matches!(
            fixture.hints.state(),
            baton_ports::hints::HintState::Away(_)
        )
    };
    eventually("it is used", LONG, is_used).await;

    assert!(back.elapsed() >= HEAL, "{:?}", back.elapsed());
}

#[tokio::test]
async fn a_connection_that_breaks_once_is_replaced_and_nobody_is_away() {
    let fixture = Fixture::strict().await;
    fixture.offer(1).await;
    let mut errors = 0;

    for _ in 0..10 {
        fixture
            .redis
            .command(&["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
        while fixture.hints.offer(&some(QUEUE, 1)).await.is_err() {
            errors += 1;
        }
    }

    assert!(errors <= 20, "{errors}");
    assert_eq!(fixture.length().await, 11);
}

#[tokio::test]
async fn many_connections_that_break_at_once_are_one_accident() {
    let fixture = Fixture::open().await;
    let queues: Vec<_> = (0..20).map(|number| format!("queue-{number}")).collect();
    let waiting = queues
        .iter()
        .map(|queue| fixture.hints.take(fixture.worker, queue, 1, LONG));

    let break_all = async {
        let all_wait = async || {
            let clients = fixture.redis.command(&["INFO", "clients"]);
            format!("{clients:?}").contains("blocked_clients:20")
        };
        eventually("all wait", LONG, all_wait).await;
        fixture
            .redis
            .command(&["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"]);
        eventually("all wait again", LONG, all_wait).await;
        let hints: Vec<_> = queues.iter().flat_map(|queue| some(queue, 1)).collect();
        fixture.hints.offer(&hints).await
    };
    let (taken, offered) = tokio::join!(join_all(waiting), break_all);

    assert_eq!(offered, Ok(()));
    assert!(
        taken
            .iter()
            .all(|taken| taken.as_ref().is_ok_and(|jobs| jobs.len() == 1)),
        "{taken:?}"
    );
}
