//! Claiming: the one thing that permits work.

use std::collections::BTreeSet;

use baton_domain::job::{Class, JobSpec, State, Trigger};
use tokio::task::JoinSet;

use super::{
    bench::{
        ALL, Bench, HOUR, LEASE, MINUTE, SECOND, WAIT, attempt_counters, delayed, ids, in_queue,
        spec, want,
    },
    promises,
};
use crate::store::Claim;

/// As many of one request as no store keeps in rows of their own if it can help it.
const MANY: usize = 600;

fn urgent(priority: i64) -> JobSpec {
    JobSpec {
        priority: Some(priority),
        ..spec()
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

        let args = claimed.args;
        assert_eq!(
            (args.id, args.kind, args.queue),
            (job.id, job.kind, job.queue)
        );
        assert_eq!(
            (args.payload, args.options.max_attempts),
            (job.payload, job.options.max_attempts)
        );
        assert_eq!((args.options.backoff, args.options.timeout), (job.options.backoff, job.options.timeout));
        assert_eq!(
            (args.expires_at, args.options.delivery),
            (job.expires_at, job.options.delivery)
        );
        assert_eq!(args.created_at, job.created_at);
        assert_eq!(
            (claimed.counters, claimed.queued_at),
            (attempt_counters(1, 1, 0, 1), job.created_at)
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

    async fn jobs_of_one_request_are_claimed_in_the_order_in_which_they_were_told(bench: Bench) {
        let jobs = bench.enqueue_many(MANY, spec()).await;

        let first = ids(&bench.claim(7).await);
        let second = ids(&bench.claim(MANY as u32 / 2).await);
        let rest = ids(&bench.claim(ALL).await);

        assert_eq!([first, second, rest].concat(), jobs);
    }

    async fn many_of_one_request_take_their_turn_among_the_others(bench: Bench) {
        let before = bench.enqueue(spec()).await;
        let many = bench.enqueue_many(MANY, spec()).await;
        let behind = bench.enqueue(spec()).await;
        let urgent_one = bench.enqueue(urgent(-1)).await;
        let patient = bench.enqueue(urgent(1)).await;
        let next = bench.enqueue_many(MANY, spec()).await;

        let first = ids(&bench.claim(3).await);
        let rest = ids(&bench.claim(ALL).await);

        assert_eq!(first, [urgent_one, before, many[0]]);
        let at = |id| rest.iter().position(|one| *one == id).expect("it is claimed");
        assert_eq!(rest.len(), 2 * MANY + 1);
        assert!(many[1..].iter().all(|one| at(*one) < at(behind)), "they came first");
        assert!(next.iter().all(|one| at(*one) < at(patient)), "they are more urgent");
    }

    async fn one_that_came_first_goes_before_many_that_came_later(bench: Bench) {
        bench.enqueue_many(MANY, spec()).await;
        bench.claim(MANY as u32 - 1).await;
        let single = bench.enqueue(spec()).await;
        let later = bench.enqueue_many(MANY, spec()).await;
        bench.claim(1).await;

        let claimed = ids(&bench.claim(2).await);

        assert_eq!(claimed, [single, later[0]]);
    }

    async fn one_of_many_that_is_stopped_leaves_the_others_in_line(bench: Bench) {
        let jobs = bench.enqueue_many(MANY, spec()).await;
        let stopped = jobs[MANY / 2];
        bench.claim(1).await;

        assert!(bench.transition(stopped, State::Queued, Trigger::Cancel).await);

        let rest = ids(&bench.claim(ALL).await);
        let expected: Vec<_> = jobs[1..].iter().copied().filter(|id| *id != stopped).collect();
        assert_eq!(rest, expected);
        bench.assert_state(stopped, State::Canceled).await;
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

        let claimed = bench.claim_queues(bench.worker, wants).await;

        let taken: BTreeSet<_> = claimed.iter().map(|c| (c.args.id, c.lease)).collect();
        assert_eq!(taken, BTreeSet::from([(b, leases[0]), (a, leases[1])]));
    }

    async fn a_claim_that_wants_nothing_gets_nothing(bench: Bench) {
        bench.enqueue(spec()).await;

        assert_eq!(bench.claim_queues(bench.worker, vec![]).await, []);
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

        assert_eq!(second.counters, attempt_counters(2, 2, 0, 1));
        assert_ne!(second.lease, first.lease);
    }

    async fn a_claim_is_a_fact_with_its_attempt_and_worker(bench: Bench) {
        let claimed = bench.claimed(in_queue("a")).await;

        let story = bench.story(claimed.args.id).await;

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
            queues: vec![want("default", 2, false)],
        };

        let lost = bench.store.claim(&claim, bench.now()).await.unwrap();
        let heard = bench.store.claim(&claim, bench.now()).await.unwrap();

        assert_eq!(lost, heard);
        assert_eq!(ids(&heard), jobs[..2]);
        bench.assert_state(jobs[2], State::Queued).await;
    }

    async fn a_repeated_claim_is_answered_want_by_want(bench: Bench) {
        bench.enqueue_many(3, in_queue("a")).await;
        let wants = [want("a", 2, false), want("b", 2, false)];
        let leases = [wants[0].lease, wants[1].lease];
        let lost = bench.claim_queues(bench.worker, wants.to_vec()).await;
        let late = bench.enqueue(in_queue("b")).await;

        let held = bench.store.claimed(bench.worker, &leases, bench.now()).await.unwrap();
        let anew = bench.claim_queues(bench.worker, vec![wants[1].clone()]).await;
        bench.succeed(&lost[0]).await;
        let rest = bench.store.claimed(bench.worker, &leases, bench.now()).await.unwrap();
        let of_stranger = bench.store.claimed(bench.another_worker(), &leases, bench.now()).await.unwrap();

        assert_eq!((held, ids(&anew)), (lost.clone(), vec![late]));
        assert_eq!(rest, [lost[1].clone(), anew[0].clone()]);
        assert_eq!(of_stranger, []);
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
}
