//! Starting: a job is added as a worker's own, as if it had been claimed at once.

use baton_domain::{
    LeaseId,
    job::{Class, JobSpec, NewJob, State},
};
use tokio::task::JoinSet;

use super::{
    bench::{
        ALL, Bench, HOUR, LEASE, MINUTE, SECOND, accepted, at_most, attempt_counters, counters,
        delayed, ids, in_queue, keyed, paused, spec,
    },
    promises,
};
use crate::store::{
    Atomicity, Enqueued, EventFilter, InlineStart, InlineStarted, Renewed, SettleOutcome,
};

impl Bench {
    /// Makes a queue known.
    async fn open(&self, queue: &str) {
        self.change_queue(queue, paused(false)).await;
    }

    fn start_in(&self, queue: &str) -> InlineStart {
        InlineStart {
            worker: self.worker,
            queue: queue.to_owned(),
            lease: LeaseId::random(),
            until: self.now() + LEASE,
        }
    }

    async fn start_under(&self, jobs: Vec<NewJob>, start: &InlineStart) -> InlineStarted {
        self.store
            .enqueue_and_claim(jobs, start)
            .await
            .expect("start")
    }

    async fn start(&self, jobs: Vec<NewJob>) -> InlineStarted {
        self.start_under(jobs, &self.start_in("default")).await
    }

    /// One job in an open queue, started.
    async fn started(&self, spec: JobSpec) -> crate::store::Claimed {
        self.open("default").await;
        let started = self.start(vec![self.new_job(spec)]).await;
        started.claimed.into_iter().next().expect("it is started")
    }
}

promises! {
    async fn a_started_job_runs_under_its_lease(bench: Bench) {
        bench.open("default").await;
        let job = bench.new_job(spec());
        let start = bench.start_in("default");

        let started = bench.start_under(vec![job.clone()], &start).await;

        assert_eq!(started.answers, [Enqueued::Created(job.id)]);
        assert_eq!(ids(&started.claimed), [job.id]);
        let seen = bench.job(job.id).await;
        assert_eq!((seen.state, seen.worker), (State::Running, Some(bench.worker)));
        assert_eq!(seen.leased_until, Some(start.until));
        assert_eq!(counters(&seen), attempt_counters(1, 1, 0, 1));
        assert_eq!(bench.claim(ALL).await, []);
    }

    async fn a_started_job_comes_with_all_that_a_claimed_one_has(bench: Bench) {
        bench.open("default").await;
        let asked = JobSpec {
            key: Some("order-7 \"ü\" '".to_owned()),
            priority: Some(-7),
            max_attempts: Some(9),
            timeout: Some(MINUTE),
            expires_at: Some(bench.now() + HOUR),
            tags: vec!["a".to_owned(), "b:c".to_owned()],
            ..spec()
        };
        let job = bench.new_job(asked);
        let start = bench.start_in("default");

        let started = bench.start_under(vec![job.clone()], &start).await;

        let claimed = &started.claimed[0];
        assert_eq!((claimed.lease, claimed.counters), (start.lease, attempt_counters(1, 1, 0, 1)));
        assert_eq!(claimed.queued_at, job.created_at);
        assert_eq!(claimed.args, crate::store::JobArgs::of(&job, claimed.counters));
        let seen = bench.job(job.id).await;
        assert_eq!((seen.key, seen.options.tags), (job.key, job.options.tags));
        assert_eq!((seen.priority, seen.options.max_attempts), (-7, 9));
        assert_eq!((seen.expires_at, seen.options.timeout), (job.expires_at, MINUTE));
        assert_eq!((seen.created_at, seen.run_at), (job.created_at, job.run_at));
    }

    async fn a_start_tells_what_an_enqueue_and_a_claim_tell(bench: Bench) {
        let known = bench.enqueue(spec()).await;
        let claimed = bench.claim(1).await.remove(0);
        bench.succeed(&claimed).await;
        let job = bench.new_job(spec());

        bench.start(vec![job.clone()]).await;

        let (usual, story) = (bench.story(known).await, bench.story(job.id).await);
        let told = |fact: &baton_domain::event::Event| (fact.kind.clone(), fact.data.clone());
        let usual: Vec<_> = usual[..2].iter().map(told).collect();
        assert_eq!(story.iter().map(told).collect::<Vec<_>>(), usual);
        assert!(story.iter().all(|fact| fact.at == job.created_at));
        let queue = bench.queue("default").await;
        assert_eq!((queue.queued, queue.running), (0, 1));
        assert_eq!(bench.store.reconcile(bench.now()).await.unwrap(), []);
    }

    async fn what_started_is_told_from_any_number_on(bench: Bench) {
        let jobs: Vec<_> = (0..3).map(|_| bench.new_job(spec())).collect();
        bench.open("default").await;
        bench.start(jobs).await;

        let facts = bench.facts().await;

        let bounds = bench.store.bounds().await.unwrap();
        assert_eq!((bounds.last - bounds.first + 1) as usize, facts.len());
        for (after, fact) in (bounds.first - 1..).zip(&facts) {
            let (next, seen) = bench.store.events(after, 1, &EventFilter::default()).await.unwrap();
            assert_eq!((next.as_slice(), seen), (std::slice::from_ref(fact), after + 1));
        }
    }

    async fn a_batch_is_started_under_one_lease_the_most_urgent_first(bench: Bench) {
        bench.open("default").await;
        let mut jobs: Vec<_> = (0..20).map(|_| bench.new_job(spec())).collect();
        jobs[7].priority = -1;
        let start = bench.start_in("default");

        let started = bench.start_under(jobs.clone(), &start).await;

        let created: Vec<_> = jobs.iter().map(|job| Enqueued::Created(job.id)).collect();
        assert_eq!(started.answers, created);
        assert_eq!((started.claimed.len(), started.claimed[0].args.id), (20, jobs[7].id));
        assert!(started.claimed.iter().all(|claimed| claimed.lease == start.lease));
        assert_eq!(bench.facts().await.len(), 40);
        assert_eq!(bench.queue("default").await.running, 20);
        for claimed in &started.claimed {
            assert_eq!(bench.succeed(claimed).await, SettleOutcome::Recorded);
        }
        assert_eq!(bench.renew(&[start.lease]).await, Renewed::default());
    }

    async fn an_empty_start_does_nothing(bench: Bench) {
        bench.open("default").await;

        assert_eq!(bench.start(vec![]).await, InlineStarted::default());
        assert_eq!(bench.overdue().await, []);
    }

    async fn a_start_repeated_under_the_same_lease_has_the_same_answer(bench: Bench) {
        bench.open("default").await;
        let jobs = vec![bench.new_job(spec()), bench.new_job(keyed("k"))];
        let start = bench.start_in("default");

        let lost = bench.start_under(jobs.clone(), &start).await;
        let heard = bench.start_under(jobs.clone(), &start).await;

        assert_eq!(lost, heard);
        assert_eq!(heard.claimed.len(), 2);
        for job in &jobs {
            assert_eq!(bench.plot(job.id).await, ["job.queued", "job.running"]);
            assert_eq!(bench.store.attempts(job.id).await.unwrap().len(), 1);
        }
    }

    async fn a_start_repeated_after_the_end_starts_nothing_again(bench: Bench) {
        bench.open("default").await;
        let job = bench.new_job(spec());
        let start = bench.start_in("default");
        let started = bench.start_under(vec![job.clone()], &start).await;
        bench.succeed(&started.claimed[0]).await;

        let again = bench.start_under(vec![job.clone()], &start).await;

        assert_eq!(again.answers, [Enqueued::Created(job.id)]);
        assert_eq!(again.claimed, []);
        bench.assert_state(job.id, State::Succeeded).await;
    }

    async fn an_enqueue_after_a_start_finds_its_jobs(bench: Bench) {
        bench.open("default").await;
        let jobs = vec![bench.new_job(spec()), bench.new_job(keyed("k"))];
        let (first, second) = (jobs[0].id, jobs[1].id);
        bench.start(jobs.clone()).await;

        let answers = bench.add(jobs, Atomicity::Each).await;

        assert_eq!(answers, [Enqueued::Created(first), Enqueued::Created(second)]);
        bench.assert_state(first, State::Running).await;
        bench.assert_state(second, State::Running).await;
        assert_eq!(bench.facts().await.len(), 4);
    }

    async fn a_start_after_an_enqueue_finds_its_jobs_and_leaves_them_alone(bench: Bench) {
        bench.open("default").await;
        let jobs = vec![bench.new_job(spec()), bench.new_job(keyed("k"))];
        bench.add(jobs.clone(), Atomicity::Each).await;

        let started = bench.start(jobs.clone()).await;

        assert_eq!(started.answers.iter().map(Enqueued::id).collect::<Vec<_>>(), [jobs[0].id, jobs[1].id]);
        assert_eq!(started.claimed, []);
        assert_eq!(bench.claim(ALL).await.len(), 2);
    }

    async fn a_known_key_is_answered_and_not_started_again(bench: Bench) {
        let first = bench.enqueue(keyed("k")).await;
        let other = JobSpec {
            priority: Some(1),
            ..keyed("k")
        };

        for (again, expected) in [
            (keyed("k"), Enqueued::Known(first)),
            (other, Enqueued::Conflict(first)),
        ] {
            let started = bench.start(vec![bench.new_job(again)]).await;

            assert_eq!((started.answers, started.claimed), (vec![expected], vec![]));
        }
        bench.assert_state(first, State::Queued).await;
        assert_eq!(bench.facts().await.len(), 1);
    }

    async fn one_known_key_does_not_keep_its_neighbours_from_starting(bench: Bench) {
        let first = bench.enqueue(keyed("k")).await;
        let jobs = vec![bench.new_job(keyed("k")), bench.new_job(keyed("l")), bench.new_job(spec())];
        let (keyed, plain) = (jobs[1].id, jobs[2].id);

        let started = bench.start(jobs).await;

        let expected = [Enqueued::Known(first), Enqueued::Created(keyed), Enqueued::Created(plain)];
        assert_eq!(started.answers, expected);
        assert_eq!(ids(&started.claimed), [keyed, plain]);
        bench.assert_state(first, State::Queued).await;
    }

    async fn a_key_twice_in_a_start_is_one_job(bench: Bench) {
        bench.open("default").await;
        let jobs = vec![bench.new_job(keyed("k")), bench.new_job(keyed("k"))];
        let first = jobs[0].id;

        let started = bench.start(jobs).await;

        assert_eq!(started.answers, [Enqueued::Created(first), Enqueued::Known(first)]);
        assert_eq!(ids(&started.claimed), [first]);
    }

    async fn parallel_starts_of_one_key_start_one_job(bench: Bench) {
        bench.open("default").await;
        let mut callers = JoinSet::new();
        for _ in 0..32 {
            let (job, bench) = (bench.new_job(keyed("k")), bench.clone());
            callers.spawn(async move { bench.start(vec![job]).await });
        }

        let started = callers.join_all().await;

        let created = started.iter().flat_map(|one| &one.answers);
        let created = created.filter(|answer| matches!(answer, Enqueued::Created(_)));
        let claimed: usize = started.iter().map(|one| one.claimed.len()).sum();
        assert_eq!((created.count(), claimed), (1, 1));
        assert_eq!(bench.facts().await.len(), 2);
    }

    async fn jobs_of_a_paused_queue_are_queued_and_not_started(bench: Bench) {
        bench.change_queue("default", paused(true)).await;
        let jobs = vec![bench.new_job(spec()), bench.new_job(keyed("k"))];

        let started = bench.start(jobs.clone()).await;

        let created: Vec<_> = jobs.iter().map(|job| Enqueued::Created(job.id)).collect();
        assert_eq!((started.answers, started.claimed), (created, vec![]));
        bench.assert_state(jobs[0].id, State::Queued).await;
        bench.assert_state(jobs[1].id, State::Queued).await;
        bench.change_queue("default", paused(false)).await;
        assert_eq!(bench.claim(ALL).await.len(), 2);
    }

    async fn jobs_of_a_limited_queue_are_queued_and_not_started(bench: Bench) {
        bench.change_queue("default", at_most(Some(1))).await;

        let started = bench.start(vec![bench.new_job(spec()), bench.new_job(spec())]).await;

        assert_eq!(started.claimed, []);
        assert_eq!(bench.queue("default").await.queued, 2);
        assert_eq!(bench.claim(ALL).await.len(), 1);
    }

    async fn the_first_job_of_a_queue_is_queued_and_not_started(bench: Bench) {
        let job = bench.new_job(in_queue("new"));

        let started = bench.start_under(vec![job.clone()], &bench.start_in("new")).await;

        assert_eq!(started.answers, [Enqueued::Created(job.id)]);
        assert_eq!(started.claimed, []);
        bench.assert_state(job.id, State::Queued).await;
        let second = bench.new_job(in_queue("new"));
        let started = bench.start_under(vec![second], &bench.start_in("new")).await;
        assert_eq!(started.claimed.len(), 1);
    }

    async fn only_due_jobs_of_the_queue_are_started(bench: Bench) {
        bench.open("default").await;
        let jobs = vec![bench.new_job(delayed(HOUR)), bench.new_job(in_queue("other")), bench.new_job(spec())];

        let started = bench.start(jobs.clone()).await;

        let created: Vec<_> = jobs.iter().map(|job| Enqueued::Created(job.id)).collect();
        assert_eq!(started.answers, created);
        assert_eq!(ids(&started.claimed), [jobs[2].id]);
        bench.assert_state(jobs[0].id, State::Pending).await;
        bench.assert_state(jobs[1].id, State::Queued).await;
    }

    async fn a_started_job_is_settled_like_any_other(bench: Bench) {
        let claimed = bench.started(spec()).await;
        bench.pass(SECOND);

        assert_eq!(bench.fail(&claimed, Class::Retry).await, SettleOutcome::Recorded);

        let attempt = bench.store.attempts(claimed.args.id).await.unwrap().remove(0);
        assert_eq!((attempt.attempt, attempt.lease), (1, claimed.lease));
        bench.assert_state(claimed.args.id, State::RetryWait).await;
        assert_eq!(bench.renew(&[claimed.lease]).await, Renewed::default());
    }

    async fn a_started_job_is_renewed_and_asked_to_stop_like_any_other(bench: Bench) {
        let claimed = bench.started(spec()).await;
        let job = claimed.args.id;
        bench.store.request_cancel(job, None, bench.now()).await.unwrap();
        let until = bench.now() + LEASE + LEASE;

        let renewed = bench.renew_until(&[claimed.lease], until).await;

        let expected = Renewed {
            leases: vec![claimed.lease],
            cancels: vec![job],
        };
        assert_eq!(renewed, expected);
        assert_eq!(bench.job(job).await.leased_until, Some(until));
    }

    async fn a_started_job_is_rescued_and_fenced_like_any_other(bench: Bench) {
        let claimed = bench.started(spec()).await;
        let job = claimed.args.id;

        assert_eq!(bench.lose(&claimed).await, SettleOutcome::Recorded);

        bench.assert_state(job, State::RetryWait).await;
        bench.release().await;
        let second = bench.claim(1).await.remove(0);
        assert_eq!(second.counters, attempt_counters(2, 1, 1, 1));
        assert_eq!(bench.settle(&claimed, accepted()).await, SettleOutcome::Stale);
        bench.assert_state(job, State::Running).await;
    }

    async fn a_started_job_that_is_given_back_waits_for_nobody_in_particular(bench: Bench) {
        let claimed = bench.started(spec()).await;
        let decision = baton_domain::job::Decision::give_back(claimed.counters, bench.now()).unwrap();

        let result = bench.result_of(&claimed, decision);
        let settled = bench.settle_as(crate::store::By::Worker(bench.worker), result).await;

        assert_eq!(settled, SettleOutcome::Recorded);
        let other = bench.another_worker();
        assert_eq!(ids(&bench.claim_as(other, "default", ALL).await), [claimed.args.id]);
    }
}
