//! What was taken: it stays taken until it is dropped or given back.

use std::time::Duration;

use baton_domain::WorkerId;

use super::bench::{ALL, HintsBench, NONE, NOW, QUEUE, another_worker, hint, some, urgent};
use crate::promises::promises;

promises! {
    async fn what_was_taken_stays_taken(bench: HintsBench) {
        bench.open(1).await;
        bench.offer(QUEUE, 3).await;

        bench.take(ALL).await;

        assert_eq!(bench.take(ALL).await, NONE);
        assert_eq!(bench.lengths(&[QUEUE]).await, [0]);
    }

    async fn what_was_given_back_stands_in_front_in_its_old_order(bench: HintsBench) {
        bench.open(1).await;
        let first = bench.offer(QUEUE, 5).await;
        bench.take(2).await;
        bench.take(3).await;
        let second = bench.offer(QUEUE, 2).await;

        let count = bench.give_back().await;

        assert_eq!(count, 5);
        assert_eq!(bench.take(ALL).await, [first, second].concat());
    }

    async fn what_was_given_back_stands_in_the_queues_it_came_from(bench: HintsBench) {
        bench.open(1).await;
        let (a, b) = (bench.offer("a", 2).await, bench.offer("b.c:d", 2).await);
        for queue in ["a", "b.c:d", "a", "b.c:d"] {
            bench.take_from(queue, 1).await;
        }

        let count = bench.give_back().await;

        assert_eq!(count, 4);
        assert_eq!(bench.take_from("a", ALL).await, a);
        assert_eq!(bench.take_from("b.c:d", ALL).await, b);
    }

    async fn thousands_are_given_back_in_order(bench: HintsBench) {
        bench.open(1).await;
        let offered = bench.offer(QUEUE, 4_500).await;
        bench.take(ALL).await;

        let count = bench.give_back().await;

        assert_eq!(count, 4_500);
        assert_eq!(bench.take(ALL).await, offered);
    }

    async fn what_was_dropped_is_not_given_back(bench: HintsBench) {
        bench.open(1).await;
        let offered = bench.offer(QUEUE, 4).await;
        bench.take(ALL).await;

        bench.drop_taken(QUEUE, &[offered[2], offered[0]]).await;

        assert_eq!(bench.give_back().await, 2);
        assert_eq!(bench.take(ALL).await, [offered[1], offered[3]]);
    }

    async fn thousands_are_dropped_at_once(bench: HintsBench) {
        bench.open(1).await;
        let offered = bench.offer(QUEUE, 3_000).await;
        bench.take(ALL).await;

        bench.drop_taken(QUEUE, &offered[..2_999]).await;

        assert_eq!(bench.give_back().await, 1);
        assert_eq!(bench.take(ALL).await, offered[2_999..]);
    }

    async fn dropping_one_of_many_that_are_the_same_leaves_the_others(bench: HintsBench) {
        bench.open(1).await;
        let hints = some(QUEUE, 1);
        bench.hints.offer(&[hints.clone(), hints.clone(), hints.clone()].concat()).await.unwrap();
        bench.take(ALL).await;

        bench.hints.drop_taken(bench.worker, &hints).await.unwrap();

        assert_eq!(bench.give_back().await, 2);
    }

    async fn dropping_what_was_never_taken_changes_nothing(bench: HintsBench) {
        bench.open(1).await;
        let offered = bench.offer(QUEUE, 2).await;
        bench.take(1).await;

        bench.hints.drop_taken(another_worker(), &[hint(QUEUE, offered[0])]).await.unwrap();
        bench.drop_taken(QUEUE, &[offered[1]]).await;
        bench.drop_taken("another", &[offered[0]]).await;

        assert_eq!(bench.give_back().await, 1);
        assert_eq!(bench.take(ALL).await, offered);
    }

    async fn what_was_urgent_is_given_back_like_any_other(bench: HintsBench) {
        bench.open(1).await;
        bench.hints.offer(&urgent(some(QUEUE, 2))).await.unwrap();
        let taken = bench.take(ALL).await;
        bench.offer(QUEUE, 1).await;

        bench.give_back().await;

        assert_eq!(bench.take(2).await, taken);
    }

    async fn takers_are_known_until_they_have_given_back(bench: HintsBench) {
        bench.open(1).await;
        bench.offer(QUEUE, 2).await;
        let other = another_worker();
        bench.take(1).await;
        bench.hints.take(other, QUEUE, 1, NOW).await.unwrap();

        let both = bench.hints.consumers().await.unwrap();
        bench.give_back().await;

        assert_eq!(sorted(both), sorted(vec![bench.worker, other]));
        assert_eq!(bench.hints.consumers().await.unwrap(), [other]);
    }

    async fn a_worker_that_took_nothing_has_nothing_to_give_back(bench: HintsBench) {
        bench.open(1).await;

        assert_eq!(bench.give_back().await, 0);
        assert_eq!(bench.hints.consumers().await.unwrap(), []);
    }

    async fn a_worker_that_has_given_back_may_take_again(bench: HintsBench) {
        bench.open(1).await;
        let offered = bench.offer(QUEUE, 1).await;
        bench.take(ALL).await;
        bench.give_back().await;

        assert_eq!(bench.take(ALL).await, offered);
        assert_eq!(bench.hints.consumers().await.unwrap(), [bench.worker]);
    }

    async fn a_beat_changes_nothing_for_anybody(bench: HintsBench) {
        bench.open(1).await;
        let offered = bench.offer(QUEUE, 1).await;

        bench.hints.heartbeat(bench.worker, Duration::from_secs(30)).await.unwrap();

        assert_eq!(bench.hints.consumers().await.unwrap(), []);
        assert_eq!(bench.take(ALL).await, offered);
    }
}

fn sorted(mut workers: Vec<WorkerId>) -> Vec<WorkerId> {
    workers.sort_unstable();
    workers
}
