//! Offering: what comes first.

use super::bench::{ALL, HintsBench, QUEUE, jobs, some, urgent};
use crate::promises::promises;

promises! {
    async fn hints_are_taken_in_the_order_they_were_offered(bench: HintsBench) {
        bench.open(1).await;

        let first = bench.offer(QUEUE, 3).await;
        let second = bench.offer(QUEUE, 2).await;

        assert_eq!(bench.take(ALL).await, [first, second].concat());
    }

    async fn urgent_hints_go_in_front_in_the_order_they_were_offered(bench: HintsBench) {
        bench.open(1).await;
        let old = bench.offer(QUEUE, 2).await;
        let (pressing, patient) = (urgent(some(QUEUE, 3)), some(QUEUE, 2));
        let mixed: Vec<_> = [&patient[..1], &pressing[..], &patient[1..]].concat();

        bench.hints.offer(&mixed).await.unwrap();

        assert_eq!(bench.take(ALL).await, [jobs(&pressing), old, jobs(&patient)].concat());
    }

    async fn thousands_of_hints_in_one_call_keep_their_order(bench: HintsBench) {
        bench.open(1).await;
        let (pressing, patient) = (urgent(some(QUEUE, 6_000)), some(QUEUE, 6_000));

        bench.hints.offer(&[patient.clone(), pressing.clone()].concat()).await.unwrap();

        assert_eq!(bench.take(12_000).await, [jobs(&pressing), jobs(&patient)].concat());
    }

    async fn queues_are_apart(bench: HintsBench) {
        bench.open(1).await;
        let (a, b) = (some("a", 2), some("b:a", 3));

        bench.hints.offer(&[a.clone(), b.clone()].concat()).await.unwrap();

        assert_eq!(bench.lengths(&["a", "b:a", "c"]).await, [2, 3, 0]);
        assert_eq!(bench.take_from("b:a", ALL).await, jobs(&b));
        assert_eq!(bench.take_from("a", ALL).await, jobs(&a));
    }

    async fn a_hint_that_is_offered_ten_times_is_there_ten_times(bench: HintsBench) {
        bench.open(1).await;
        let hints = some(QUEUE, 1);

        for _ in 0..10 {
            bench.hints.offer(&hints).await.unwrap();
        }

        assert_eq!(bench.take(ALL).await, vec![hints[0].job; 10]);
    }

    async fn offering_nothing_is_no_mistake(bench: HintsBench) {
        bench.open(1).await;

        bench.hints.offer(&[]).await.unwrap();

        assert_eq!(bench.lengths(&[QUEUE]).await, [0]);
    }

    async fn two_installations_at_one_place_do_not_meet(bench: HintsBench) {
        bench.open(1).await;
        bench.others.open(1).await.unwrap();

        let ours = bench.offer(QUEUE, 2).await;
        bench.others.offer(&some(QUEUE, 3)).await.unwrap();
        bench.others.open(2).await.unwrap();

        assert_eq!(bench.take(ALL).await, ours);
        assert_eq!(bench.others.lengths(&[QUEUE.to_owned()]).await.unwrap(), [0]);
    }
}
