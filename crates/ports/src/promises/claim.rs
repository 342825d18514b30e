//! Claiming: the one thing that permits work.

use std::collections::BTreeSet;

use baton_domain::{
    job::{Class, JobSpec, State},
    queue::QueueChange,
};
use tokio::task::JoinSet;

use super::{
    bench::{
        ALL, Bench, HOUR, LEASE, MINUTE, SECOND, WAIT, at_most, delayed, ids, in_queue, paused,
        spec, ticket, want,
    },
    promises,
};
use crate::store::Claim;

fn urgent(priority: i64) -> JobSpec {
    JobSpec {
        priority: Some(priority),
        ..spec()
    }
}

fn at_rate(rate: Option<f64>) -> QueueChange {
    QueueChange {
        rate: Some(rate),
        ..QueueChange::default()
    }
}

promises! {
    async fn a_job_is_claimed_by_one_worker(bench: Bench) {
        let id = bench.enqueue(spec()).await;

        let first = bench.claim(ALL).await;
        let second = bench.claim_as(bench.another_worker(), "default", ALL).await;

        assert_eq!((ids(&first), ids(&second)), (vec![id], vec![]));
        bench.assert_state(id, State::Running).await;
    }

    async fn a_claimed_job_comes_with_all_its_handler_needs(bench: Bench) {
        let asked = JobSpec {
            max_attempts: Some(7),
            timeout: Some(MINUTE),
            expires_at: Some(bench.now() + HOUR),
            ..spec()
        };
        let job = bench.new_job(asked);
        bench
            .add(vec![job.clone()], crate::store::Atomicity::All)
            .await;
        bench.pass(SECOND);

        let claimed = bench.claim(1).await.remove(0);

        let order = claimed.order;
        assert_eq!(
            (order.id, order.kind, order.queue),
            (job.id, job.kind, job.queue)
        );
        assert_eq!(
            (order.payload, order.max_attempts),
            (job.payload, job.max_attempts)
        );
        assert_eq!((order.backoff, order.timeout), (job.backoff, job.timeout));
        assert_eq!(
            (order.expires_at, order.delivery),
            (job.expires_at, job.delivery)
        );
        assert_eq!(order.created_at, job.created_at);
        assert_eq!(
            (claimed.ticket, claimed.queued_at),
            (ticket(1, 1, 0, 1), job.created_at)
        );
    }

    async fn a_job_counts_as_claimable_since_its_release(bench: Bench) {
        bench.enqueue(delayed(MINUTE)).await;
        bench.pass(HOUR);
        bench.release().await;
        let released_at = bench.now();
        bench.pass(SECOND);

        let claimed = bench.claim(1).await.remove(0);

        assert_eq!(claimed.queued_at, released_at);
    }

    async fn the_smallest_priority_goes_first(bench: Bench) {
        let late = bench.enqueue(urgent(100)).await;
        let middle = bench.enqueue(urgent(0)).await;
        let soon = bench.enqueue(urgent(-100)).await;

        assert_eq!(ids(&bench.claim(2).await), [soon, middle]);
        assert_eq!(ids(&bench.claim(2).await), [late]);
    }

    async fn among_equals_the_one_that_is_due_longest_goes_first(bench: Bench) {
        let later = bench.enqueue(delayed(3 * SECOND)).await;
        let sooner = bench.enqueue(delayed(2 * SECOND)).await;
        bench.pass(MINUTE);
        let now = bench.enqueue(spec()).await;
        bench.release().await;

        assert_eq!(ids(&bench.claim(ALL).await), [sooner, later, now]);
    }

    async fn jobs_of_one_moment_are_claimed_in_the_order_of_their_ids(bench: Bench) {
        let mut jobs = bench.enqueue_many(20, delayed(HOUR)).await;
        bench.pass(2 * HOUR);
        bench.release().await;

        let claimed = ids(&bench.claim(ALL).await);

        jobs.sort();
        assert_eq!(claimed, jobs);
    }

    async fn a_claim_takes_no_more_than_it_wants(bench: Bench) {
        bench.enqueue_many(10, spec()).await;

        assert_eq!(bench.claim(3).await.len(), 3);
        assert_eq!(bench.claim(100).await.len(), 7);
        assert_eq!(bench.claim(1).await.len(), 0);
    }

    async fn a_claim_takes_from_the_queues_it_names(bench: Bench) {
        let a = bench.enqueue(in_queue("a")).await;
        let b = bench.enqueue(in_queue("b")).await;
        bench.enqueue(in_queue("c")).await;
        let wants = vec![
            want("b", 5, false),
            want("a", 5, false),
            want("no-such", 5, false),
        ];
        let leases = [wants[0].lease, wants[1].lease];

        let claimed = bench.claim_wants(bench.worker, wants).await;

        let taken: BTreeSet<_> = claimed.iter().map(|c| (c.order.id, c.lease)).collect();
        assert_eq!(taken, BTreeSet::from([(b, leases[0]), (a, leases[1])]));
    }

    async fn a_claim_that_wants_nothing_gets_nothing(bench: Bench) {
        bench.enqueue(spec()).await;

        assert_eq!(bench.claim_wants(bench.worker, vec![]).await, []);
        assert_eq!(bench.claim(0).await, []);
    }

    async fn a_waiting_job_is_not_claimed(bench: Bench) {
        bench.job_in(State::Pending).await;
        bench.job_in(State::RetryWait).await;
        bench.pass(2 * HOUR);

        assert_eq!(bench.claim(ALL).await, []);
    }

    async fn a_finished_job_is_not_claimed(bench: Bench) {
        for state in State::ALL.into_iter().filter(|state| state.is_terminal()) {
            bench.job_in(state).await;
        }

        assert_eq!(bench.claim(ALL).await, []);
    }

    async fn many_claimers_at_once_get_each_job_once(bench: Bench) {
        let jobs = bench.enqueue_many(400, spec()).await;
        let mut claimers = JoinSet::new();
        for _ in 0..8 {
            let (worker, bench) = (bench.another_worker(), bench.clone());
            claimers.spawn(async move {
                let mut mine = Vec::new();
                loop {
                    let claimed = bench.claim_as(worker, "default", 7).await;
                    if claimed.is_empty() {
                        return mine;
                    }
                    mine.extend(ids(&claimed));
                }
            });
        }

        let claimed: Vec<_> = claimers.join_all().await.into_iter().flatten().collect();

        // A claimer may pass over what another one is just taking, so a last look takes the rest.
        let rest = ids(&bench.claim(ALL).await);
        let all: Vec<_> = claimed.into_iter().chain(rest).collect();
        assert_eq!(all.len(), jobs.len());
        assert_eq!(BTreeSet::from_iter(all), BTreeSet::from_iter(jobs));
    }

    async fn a_second_attempt_is_numbered_on(bench: Bench) {
        let first = bench.claimed(spec()).await;
        bench.fail(&first, Class::Retry).await;
        bench.pass(WAIT);
        bench.release().await;

        let second = bench.claim(1).await.remove(0);

        assert_eq!(second.ticket, ticket(2, 2, 0, 1));
        assert_ne!(second.lease, first.lease);
    }

    async fn a_claim_is_a_fact_with_its_attempt_and_worker(bench: Bench) {
        let claimed = bench.claimed(in_queue("a")).await;

        let story = bench.story(claimed.order.id).await;

        let data = &story[1].data;
        assert_eq!((story.len(), story[1].kind.as_str()), (2, "job.running"));
        assert_eq!(
            (&data["from"], &data["to"]),
            (&"queued".into(), &"running".into())
        );
        assert_eq!((&data["queue"], &data["attempt"]), (&"a".into(), &1.into()));
        assert_eq!(data["worker"], bench.worker.to_string());
    }

    async fn a_claim_whose_answer_was_lost_is_repeated_under_the_same_lease(bench: Bench) {
        let jobs = bench.enqueue_many(3, spec()).await;
        let claim = Claim {
            worker: bench.worker,
            until: bench.now() + LEASE,
            wants: vec![want("default", 2, false)],
        };

        let lost = bench.store.claim(&claim, bench.now()).await.unwrap();
        let heard = bench.store.claim(&claim, bench.now()).await.unwrap();

        assert_eq!(lost, heard);
        assert_eq!(ids(&heard), jobs[..2]);
        bench.assert_state(jobs[2], State::Queued).await;
    }

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

        assert_eq!(bench.claim_wants(bench.worker, wants).await, []);
    }

    async fn a_pause_leaves_running_jobs_alone(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.change_queue("default", paused(true)).await;

        bench.succeed(&claimed).await;

        bench.assert_state(claimed.order.id, State::Succeeded).await;
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

        let claimed = bench.claim_wants(bench.worker, wants).await;

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

    async fn an_expired_job_is_not_claimed(bench: Bench) {
        let fleeting = JobSpec {
            expires_at: Some(bench.now() + MINUTE),
            ..spec()
        };
        bench.enqueue(fleeting).await;
        let lasting = bench.enqueue(spec()).await;
        bench.pass(HOUR);

        assert_eq!(ids(&bench.claim(1).await), [lasting]);
        assert_eq!(bench.claim(1).await, []);
    }

    async fn a_renewed_lease_lasts_longer(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let until = bench.now() + HOUR;

        let renewed = bench.store.renew(bench.worker, until).await.unwrap();

        assert_eq!(
            (renewed.leases, renewed.cancels),
            (vec![claimed.lease], vec![])
        );
        assert_eq!(bench.job(claimed.order.id).await.leased_until, Some(until));
    }

    async fn a_renewal_extends_the_leases_of_its_worker_alone(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let mine = bench.claim(1).await.remove(0);
        let other = bench.another_worker();
        let theirs = bench.claim_as(other, "default", 1).await.remove(0);

        bench
            .store
            .renew(bench.worker, bench.now() + HOUR)
            .await
            .unwrap();
        bench.pass(LEASE + SECOND);

        let overdue: Vec<_> = bench
            .overdue()
            .await
            .iter()
            .map(|held| held.lease)
            .collect();
        assert_eq!(overdue, [theirs.lease]);
        assert_ne!(mine.lease, theirs.lease);
    }

    async fn a_lease_that_ran_out_is_renewed_while_nobody_took_it_back(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.pass(HOUR);

        let renewed = bench
            .store
            .renew(bench.worker, bench.now() + LEASE)
            .await
            .unwrap();

        assert_eq!(renewed.leases, [claimed.lease]);
        assert_eq!(bench.overdue().await, []);
    }

    async fn a_lost_lease_is_missing_from_the_renewal(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let lost = bench.claim(1).await.remove(0);
        let kept = bench.claim(1).await.remove(0);
        bench.lose(&lost).await;

        let renewed = bench
            .store
            .renew(bench.worker, bench.now() + LEASE)
            .await
            .unwrap();

        assert_eq!(renewed.leases, [kept.lease]);
    }

    async fn a_lease_goes_with_its_last_job(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let batch = bench.claim(2).await;
        let until = bench.now() + LEASE;

        bench.succeed(&batch[0]).await;
        let halfway = bench.store.renew(bench.worker, until).await.unwrap();
        bench.succeed(&batch[1]).await;
        let after = bench.store.renew(bench.worker, until).await.unwrap();

        assert_eq!(
            (halfway.leases, after.leases),
            (vec![batch[0].lease], vec![])
        );
    }

    async fn a_renewal_tells_which_jobs_were_asked_to_stop(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let batch = bench.claim(2).await;
        let id = batch[1].order.id;
        assert!(bench.store.ask_cancel(id, None, bench.now()).await.unwrap());

        let until = bench.now() + LEASE;
        let first = bench.store.renew(bench.worker, until).await.unwrap();
        let again = bench.store.renew(bench.worker, until).await.unwrap();

        assert_eq!((first.cancels, again.cancels), (vec![id], vec![id]));
    }
}
