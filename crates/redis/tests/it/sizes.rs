//! Many hints.

use std::collections::BTreeSet;

use baton_domain::JobId;
use baton_ports::{Hint, Hints};
use baton_redis::Options;
use baton_testkit::Redis;
use uuid::Uuid;

use crate::fixture::{Fixture, QUEUE, quick, some};

async fn of_length(longest: u32) -> Fixture {
    let redis = Redis::start();
    let options = Options {
        longest,
        ..quick(redis.url(), Uuid::new_v4())
    };
    let fixture = Fixture::with(redis, options).await;
    fixture.hints.open(1).await.expect("it is well");
    fixture
}

#[tokio::test]
async fn a_list_has_an_end_and_what_came_first_stays() {
    let fixture = of_length(10).await;

    let first = fixture.offer(8).await;
    let second = fixture.offer(8).await;

    let kept: Vec<JobId> = [first, second].concat();
    assert_eq!(fixture.take().await, kept[..10]);
}

#[tokio::test]
async fn an_urgent_hint_has_room_in_a_list_that_is_full() {
    let fixture = of_length(10).await;
    fixture.offer(10).await;
    let urgent = Hint {
        is_urgent: true,
        ..some(QUEUE, 1).remove(0)
    };

    fixture
        .hints
        .offer(std::slice::from_ref(&urgent))
        .await
        .unwrap();

    let taken = fixture.take().await;
    assert_eq!((taken.len(), taken[0]), (10, urgent.job));
}

#[tokio::test]
async fn a_hundred_thousand_hints_at_one_job_are_dropped_one_by_one() {
    let fixture = Fixture::open().await;
    let hints = vec![some(QUEUE, 1).remove(0); 5_000];
    for _ in 0..20 {
        fixture.hints.offer(&hints).await.unwrap();
    }

    let mut taken = Vec::new();
    while taken.len() < 100_000 {
        taken.extend(fixture.take().await);
    }
    fixture
        .hints
        .drop_taken(fixture.worker, &hints[..3_000])
        .await
        .unwrap();
    let given_back = fixture.hints.give_back(fixture.worker).await.unwrap();

    assert_eq!(BTreeSet::from_iter(taken).len(), 1);
    assert_eq!(given_back, 97_000);
}

#[tokio::test]
async fn thousands_are_dropped_from_the_far_end_of_a_long_list() {
    let fixture = Fixture::open().await;
    let mut taken = Vec::new();
    for _ in 0..10 {
        fixture.offer(5_000).await;
        taken.extend(fixture.take().await);
    }
    let last = &taken[taken.len() - 3_000..];
    let hints = last.iter().rev().map(|job| Hint {
        job: *job,
        ..some(QUEUE, 1).remove(0)
    });

    fixture
        .hints
        .drop_taken(fixture.worker, &hints.collect::<Vec<_>>())
        .await
        .unwrap();

    assert_eq!(
        fixture.hints.give_back(fixture.worker).await.unwrap(),
        47_000
    );
}
