//! Upkeep: what is forgotten, and what never is.

pub mod keys;
pub mod unused;

use std::time::Duration;

use baton_domain::{
    fleet::Heartbeat,
    job::{Class, JobSpec, State},
};

use tokio::task::JoinSet;

use super::{
    bench::{Bench, HOUR, MINUTE, SECOND, keyed, spec},
    promises,
};
use crate::store::{Atomicity, Enqueued, EventFilter, Pruned, Retention};

pub(super) const LONG: Duration = Duration::from_hours(8760);

/// Keeps everything, so that a promise forgets one thing at a time.
pub(super) const FOR_LONG: Retention = Retention {
    jobs: LONG,
    events: LONG,
    keys: LONG,
    workers: LONG,
    inbox: LONG,
    fires: LONG,
    campaigns: LONG,
    operations: LONG,
    queues: LONG,
    audit: LONG,
};

pub(super) async fn prune(bench: &Bench, retention: &Retention) -> Pruned {
    let mut sum = Pruned::default();
    loop {
        let turn = bench
            .store
            .prune(retention, 100, bench.now())
            .await
            .expect("prune");
        if turn.is_empty() {
            return sum;
        }
        sum.jobs += turn.jobs;
        sum.events += turn.events;
        sum.keys += turn.keys;
        sum.workers += turn.workers;
        sum.campaigns += turn.campaigns;
        sum.operations += turn.operations;
        sum.queues += turn.queues;
        sum.audit += turn.audit;
        sum.sessions += turn.sessions;
    }
}

promises! {
    async fn a_store_says_what_it_is(bench: Bench) {
        let dialect = bench.store.dialect();
        let findings = bench.store.findings().await.unwrap();

        assert!(!dialect.is_empty());
        assert!(bench.store.durability().await.is_ok());
        assert!(findings.iter().all(|finding| !finding.subject.is_empty()));
    }

    async fn the_time_of_a_store_does_not_run_backwards(bench: Bench) {
        let before = bench.store.time().await.unwrap();
        let after = bench.store.time().await.unwrap();

        assert!(after >= before);
    }

    async fn with_nothing_old_nothing_is_forgotten(bench: Bench) {
        for state in State::ALL {
            bench.job_in(state).await;
        }
        bench.sequence().await;

        assert!(prune(&bench, &Retention::default()).await.is_empty());
    }

    async fn old_finished_jobs_are_forgotten_with_their_attempts(bench: Bench) {
        let old = bench.job_in(State::Succeeded).await;
        bench.sequence().await;
        bench.pass(2 * HOUR);
        let young = bench.job_in(State::Succeeded).await;
        let retention = Retention {
            jobs: HOUR,
            ..FOR_LONG
        };

        let pruned = prune(&bench, &retention).await;

        assert_eq!((pruned.jobs, pruned.keys, pruned.workers), (1, 0, 0));
        assert_eq!(bench.store.job(old).await.unwrap(), None);
        assert_eq!(bench.store.attempts(old).await.unwrap(), []);
        let page = bench
            .store
            .jobs(&Default::default(), &Default::default())
            .await
            .unwrap();
        let left: Vec<_> = page.items.iter().map(|job| job.id).collect();
        assert_eq!(left, [young]);
    }

    async fn a_job_that_is_not_finished_is_never_forgotten(bench: Bench) {
        let mut kept = Vec::new();
        for state in State::ALL.into_iter().filter(|state| !state.is_terminal()) {
            kept.push((bench.job_in(state).await, state));
        }
        let retried = bench.job_in(State::RetryWait).await;
        bench.pass(LONG * 2);

        let pruned = prune(&bench, &Retention::default()).await;

        assert_eq!(pruned.jobs, 0);
        for (id, state) in kept {
            bench.assert_state(id, state).await;
        }
        assert_eq!(bench.store.attempts(retried).await.unwrap().len(), 1);
    }

    async fn a_job_leased_together_with_one_that_still_runs_is_not_forgotten(bench: Bench) {
        let jobs = bench.enqueue_many(2, spec()).await;
        let claimed = bench.claim(2).await;
        bench.succeed(&claimed[0]).await;
        bench.pass(Retention::default().jobs + HOUR);

        let pruned = prune(&bench, &Retention::default()).await;

        let asked = bench.store.request_cancel(jobs[0], None, bench.now()).await;
        assert_eq!((pruned.jobs, asked.unwrap()), (0, false));
        assert_eq!(bench.overdue().await.len(), 1);
        bench.succeed(&claimed[1]).await;
        let pruned = prune(&bench, &Retention::default()).await;
        assert_eq!(pruned.jobs, 1);
    }

    async fn every_terminal_state_is_forgotten_in_time(bench: Bench) {
        for state in State::ALL.into_iter().filter(|state| state.is_terminal()) {
            bench.job_in(state).await;
        }
        bench.sequence().await;
        bench.pass(2 * HOUR);
        let retention = Retention {
            jobs: HOUR,
            ..FOR_LONG
        };

        let pruned = prune(&bench, &retention).await;

        assert_eq!(pruned.jobs, 5);
        assert_eq!(bench.groups().await, []);
    }

    async fn a_turn_forgets_no_more_than_its_limit(bench: Bench) {
        for _ in 0..5 {
            bench.job_in(State::Succeeded).await;
        }
        bench.sequence().await;
        bench.pass(2 * HOUR);
        let retention = Retention {
            jobs: HOUR,
            ..FOR_LONG
        };

        let turn = bench.store.prune(&retention, 2, bench.now()).await.unwrap();

        assert!((1..=2).contains(&turn.jobs), "{turn:?}");
        assert_eq!(prune(&bench, &retention).await.jobs, 5 - turn.jobs);
    }

    async fn a_forgotten_success_is_still_counted_and_a_forgotten_failure_is_not(bench: Bench) {
        bench.job_in(State::Succeeded).await;
        bench.job_in(State::Failed).await;
        bench.job_in(State::Uncertain).await;
        bench.sequence().await;
        bench.pass(2 * HOUR);

        prune(
            &bench,
            &Retention {
                jobs: HOUR,
                ..FOR_LONG
            },
        )
        .await;

        let queue = bench.queue("default").await;
        assert_eq!((queue.succeeded, queue.failed, queue.uncertain), (1, 0, 0));
        assert_eq!(bench.store.reconcile(bench.now()).await.unwrap(), []);
    }

    async fn a_key_is_free_again_when_its_time_is_over(bench: Bench) {
        bench.enqueue(keyed("k")).await;
        let claimed = bench.claim(1).await.remove(0);
        bench.succeed(&claimed).await;
        let retention = Retention {
            keys: HOUR,
            ..FOR_LONG
        };
        bench.pass(MINUTE);
        prune(&bench, &retention).await;
        let early = bench
            .add(vec![bench.new_job(keyed("k"))], Atomicity::All)
            .await;

        bench.pass(2 * HOUR);
        let pruned = prune(&bench, &retention).await;
        let job = bench.new_job(keyed("k"));
        let late = bench.add(vec![job.clone()], Atomicity::All).await;

        assert_eq!(early, [Enqueued::Known(claimed.args.id)]);
        assert_eq!((pruned.keys, late), (1, vec![Enqueued::Created(job.id)]));
    }

    async fn old_events_are_forgotten_from_the_front(bench: Bench) {
        bench.enqueue_many(5, spec()).await;
        bench.sequence().await;
        bench.pass(2 * HOUR);
        bench.enqueue_many(3, spec()).await;
        bench.sequence().await;

        prune(
            &bench,
            &Retention {
                events: HOUR,
                ..FOR_LONG
            },
        )
        .await;

        let bounds = bench.store.bounds().await.unwrap();
        let facts = bench.facts_that(&EventFilter::default()).await;
        let numbers: Vec<_> = facts.iter().map(|fact| fact.id.seq).collect();
        assert_eq!((bounds.first, bounds.last), (6, 8));
        assert_eq!(numbers, [6, 7, 8]);
    }

    async fn when_all_events_are_forgotten_the_numbers_go_on(bench: Bench) {
        bench.enqueue_many(5, spec()).await;
        bench.sequence().await;
        bench.pass(2 * HOUR);
        prune(
            &bench,
            &Retention {
                events: HOUR,
                ..FOR_LONG
            },
        )
        .await;
        let empty = bench.store.bounds().await.unwrap();

        bench.enqueue(spec()).await;
        bench.sequence().await;

        let filter = EventFilter::default();
        let (facts, _) = bench.store.events(5, 10, &filter).await.unwrap();
        assert_eq!((empty.first, empty.last), (6, 5));
        assert_eq!(facts[0].id.seq, 6);
    }

    async fn a_fact_without_a_number_is_never_forgotten(bench: Bench) {
        bench.enqueue_many(5, spec()).await;
        bench.pass(LONG * 2);

        prune(
            &bench,
            &Retention {
                events: HOUR,
                ..FOR_LONG
            },
        )
        .await;

        assert_eq!(bench.facts().await.len(), 5);
    }

    async fn workers_that_left_or_fell_silent_are_forgotten(bench: Bench) {
        let heartbeat = |name: &str, bench: &Bench| Heartbeat { remote: None,
            worker: bench.another_worker(),
            name: name.to_owned(),
            version: "0.1.0".to_owned(),
            lease: None,
            slots: Default::default(),
            running: 0,
            draining: false,
            started_at: bench.now(),
        };
        let (silent, left) = (heartbeat("silent", &bench), heartbeat("left", &bench));
        bench.store.heartbeat(&silent, bench.now()).await.unwrap();
        bench.store.heartbeat(&left, bench.now()).await.unwrap();
        bench.store.leave(left.worker, bench.now()).await.unwrap();
        bench.pass(2 * HOUR);
        bench
            .store
            .heartbeat(&heartbeat("live", &bench), bench.now())
            .await
            .unwrap();

        let pruned = prune(
            &bench,
            &Retention {
                workers: HOUR,
                ..FOR_LONG
            },
        )
        .await;

        let workers = bench.store.workers(bench.now() - LONG).await.unwrap();
        let names: Vec<_> = workers
            .iter()
            .map(|worker| worker.heartbeat.name.as_str())
            .collect();
        assert_eq!((pruned.workers, names), (2, vec!["live"]));
    }

    async fn a_silent_worker_is_not_forgotten_while_it_holds_a_lease(bench: Bench) {
        bench.heartbeat_of(bench.worker, Some(SECOND)).await;
        bench.claimed(spec()).await;
        bench.pass(2 * HOUR);

        let pruned = prune(
            &bench,
            &Retention {
                workers: HOUR,
                ..FOR_LONG
            },
        )
        .await;

        let views = bench.store.leases(10).await.unwrap();
        assert_eq!((pruned.workers, views[0].length), (0, Some(SECOND)));
    }

    async fn reconciling_finds_nothing_after_honest_work(bench: Bench) {
        for state in State::ALL {
            bench.job_in(state).await;
        }
        bench.sequence().await;
        let numbered = bench.store.reconcile(bench.now()).await.unwrap();
        let claimed = bench.claimed(spec()).await;
        bench.fail(&claimed, Class::Permanent).await;
        bench.job_in(State::Pending).await;

        let half_numbered = bench.store.reconcile(bench.now()).await.unwrap();

        assert_eq!((numbered, half_numbered), (vec![], vec![]));
        let queue = bench.queue("default").await;
        assert_eq!((queue.pending, queue.failed, queue.running), (2, 2, 1));
    }

    async fn reconciling_changes_nothing_that_is_right(bench: Bench) {
        let fleeting = JobSpec {
            expires_at: Some(bench.now() + MINUTE),
            ..spec()
        };
        bench.enqueue_many(4, fleeting).await;
        bench.claim(1).await;
        bench.store.reconcile(bench.now()).await.unwrap();
        bench.sequence().await;
        bench.pass(HOUR + SECOND);
        bench.store.expire(2, bench.now()).await.unwrap();
        bench.store.reconcile(bench.now()).await.unwrap();

        let queue = bench.queue("default").await;

        assert_eq!((queue.queued, queue.running, queue.failed), (1, 1, 2));
    }

    async fn the_secret_is_one_for_all_who_ask_at_once(bench: Bench) {
        let mut callers = JoinSet::new();
        for _ in 0..8 {
            let store = bench.store.clone();
            callers.spawn(async move { store.secret().await.unwrap() });
        }

        let secrets = callers.join_all().await;

        assert!(secrets.iter().all(|secret| *secret == secrets[0]));
        assert_ne!(secrets[0], [0; 32]);
    }
}
