//! Limits: what a paused or limited queue gives, over all workers.

use baton_domain::{
    job::{Class, State},
    queue::QueueChange,
};
use tokio::task::JoinSet;

use super::{
    bench::{ALL, Bench, HOUR, LEASE, MINUTE, SECOND, at_most, ids, in_queue, paused, spec, want},
    promises,
};
use crate::store::Claim;

fn at_rate(rate: Option<f64>) -> QueueChange {
    QueueChange {
        rate: Some(rate),
        ..QueueChange::default()
    }
}

promises! {
    async fn a_paused_queue_gives_nothing_until_it_is_resumed(bench: Bench) {
        let id = bench.enqueue(spec()).await;
        let other = bench.enqueue(in_queue("other")).await;
        bench.change_queue("default", paused(true)).await;

        let while_paused = bench.claim(ALL).await;
        let elsewhere = bench.claim_as(bench.worker, "other", ALL).await;
        bench.change_queue("default", paused(false)).await;

        assert_eq!((while_paused, ids(&elsewhere)), (vec![], vec![other]));
        assert_eq!(ids(&bench.claim(ALL).await), [id]);
    }

    async fn a_pause_holds_for_a_worker_that_looked_before(bench: Bench) {
        bench.enqueue(spec()).await;
        let wants = vec![want("default", 5, false)];
        bench.change_queue("default", paused(true)).await;

        assert_eq!(bench.claim_queues(bench.worker, wants).await, []);
    }

    async fn a_pause_leaves_running_jobs_alone(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.change_queue("default", paused(true)).await;

        bench.succeed(&claimed).await;

        bench.assert_state(claimed.args.id, State::Succeeded).await;
    }

    async fn a_limit_of_running_jobs_holds_over_all_workers(bench: Bench) {
        bench.enqueue_many(10, spec()).await;
        bench.change_queue("default", at_most(Some(3))).await;
        let other = bench.another_worker();

        let first = bench.claim(2).await;
        let second = bench.claim_as(other, "default", 5).await;
        let third = bench.claim(5).await;
        bench.succeed(&first[0]).await;
        let fourth = bench.claim_as(other, "default", 5).await;

        assert_eq!((first.len(), second.len()), (2, 1));
        assert_eq!((third.len(), fourth.len()), (0, 1));
    }

    async fn a_limit_holds_for_a_worker_that_looked_before(bench: Bench) {
        bench.enqueue_many(10, spec()).await;
        let wants = vec![want("default", 10, false)];
        bench.change_queue("default", at_most(Some(3))).await;

        let claimed = bench.claim_queues(bench.worker, wants).await;

        assert!(claimed.len() <= 3, "{} were claimed", claimed.len());
    }

    async fn a_limit_holds_when_many_claim_at_once(bench: Bench) {
        bench.enqueue_many(50, spec()).await;
        bench.change_queue("default", at_most(Some(5))).await;
        let mut claimers = JoinSet::new();
        for _ in 0..8 {
            let (worker, bench) = (bench.another_worker(), bench.clone());
            claimers.spawn(async move { bench.claim_as(worker, "default", 4).await.len() });
        }

        let claimed: usize = claimers.join_all().await.into_iter().sum();
        let rest = bench.claim(ALL).await.len();

        assert_eq!(claimed + rest, 5);
    }

    async fn a_rate_lets_so_many_start_each_second(bench: Bench) {
        bench.enqueue_many(20, spec()).await;
        bench.change_queue("default", at_rate(Some(2.0))).await;

        let at_once = bench.claim(ALL).await.len();
        let again = bench.claim(ALL).await.len();
        bench.pass(SECOND);
        let a_second_later = bench.claim(ALL).await.len();
        bench.pass(MINUTE);
        let after_a_rest = bench.claim(ALL).await.len();

        assert_eq!((at_once, again, a_second_later, after_a_rest), (2, 0, 2, 2));
    }

    async fn a_rate_holds_for_second_tries_as_well(bench: Bench) {
        bench.enqueue_many(20, spec()).await;
        for claimed in bench.claim(ALL).await {
            bench.fail(&claimed, Class::Retry).await;
        }
        bench.pass(MINUTE);
        bench.release().await;
        bench.change_queue("default", at_rate(Some(2.0))).await;

        let at_once = bench.claim(ALL).await.len();
        bench.pass(SECOND);
        let a_second_later = bench.claim(ALL).await.len();

        assert_eq!((at_once, a_second_later), (2, 2));
    }

    async fn a_claim_that_comes_late_does_not_fill_the_bucket_again(bench: Bench) {
        bench.enqueue_many(20, spec()).await;
        bench.change_queue("default", at_rate(Some(2.0))).await;
        bench.claim(ALL).await;
        let asked = bench.now();
        bench.pass(SECOND);
        let first = bench.claim(1).await.len();

        let late = Claim {
            worker: bench.worker,
            until: asked + LEASE,
            queues: vec![want("default", ALL, true)],
        };
        let late = bench.store.claim(&late, asked).await.unwrap().len();
        let next = bench.claim(ALL).await.len();

        assert_eq!((first, late + next), (1, 1));
    }

    async fn a_rate_goes_on_from_a_clock_that_was_put_back(bench: Bench) {
        bench.enqueue_many(20, spec()).await;
        bench.change_queue("default", at_rate(Some(2.0))).await;
        bench.claim(ALL).await;

        bench.clock.set(bench.now() - HOUR);
        let at_once = bench.claim(ALL).await.len();
        bench.pass(SECOND);
        let a_second_later = bench.claim(ALL).await.len();
        bench.pass(MINUTE);
        let after_a_rest = bench.claim(ALL).await.len();

        assert_eq!((at_once, a_second_later, after_a_rest), (0, 2, 2));
    }

    async fn a_claim_that_is_repeated_spends_once(bench: Bench) {
        bench.enqueue_many(20, spec()).await;
        bench.change_queue("default", at_rate(Some(4.0))).await;
        let claim = Claim {
            worker: bench.worker,
            until: bench.now() + LEASE,
            queues: vec![want("default", 3, true)],
        };
        bench.store.claim(&claim, bench.now()).await.unwrap();

        bench.store.claim(&claim, bench.now()).await.unwrap();

        assert_eq!(bench.claim(ALL).await.len(), 1);
    }

    async fn a_slow_rate_still_starts_one_at_a_time(bench: Bench) {
        bench.enqueue_many(5, spec()).await;
        bench.change_queue("default", at_rate(Some(0.5))).await;

        let at_once = bench.claim(ALL).await.len();
        bench.pass(SECOND);
        let too_soon = bench.claim(ALL).await.len();
        bench.pass(SECOND);
        let in_time = bench.claim(ALL).await.len();

        assert_eq!((at_once, too_soon, in_time), (1, 0, 1));
    }

    async fn a_limit_that_is_lifted_holds_no_more(bench: Bench) {
        bench.enqueue_many(5, spec()).await;
        bench.change_queue("default", at_most(Some(1))).await;
        bench.change_queue("default", at_rate(Some(1.0))).await;
        let limited = bench.claim(ALL).await.len();

        bench.change_queue("default", at_most(None)).await;
        bench.change_queue("default", at_rate(None)).await;

        assert_eq!((limited, bench.claim(ALL).await.len()), (1, 4));
    }
}
