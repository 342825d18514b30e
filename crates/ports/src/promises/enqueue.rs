//! Adding jobs: each once, or not at all.

use std::collections::BTreeSet;

use baton_domain::{
    JobId,
    content::RequestDigest,
    job::{DeliveryGuarantee, JobSpec, State},
};
use tokio::task::JoinSet;

use super::{
    bench::{ALL, Bench, HOUR, MINUTE, attempt_counters, counters, delayed, keyed, spec},
    promises,
};
use crate::store::{Atomicity, Enqueued, JobFilter};

promises! {
    async fn a_due_job_is_queued_straight_away(bench: Bench) {
        let id = bench.enqueue(spec()).await;

        bench.assert_state(id, State::Queued).await;
        assert_eq!(bench.plot(id).await, ["job.queued"]);
    }

    async fn a_job_whose_time_has_not_come_is_pending(bench: Bench) {
        let id = bench.enqueue(delayed(HOUR)).await;

        let job = bench.job(id).await;
        assert_eq!(job.state, State::Pending);
        assert_eq!(job.run_at, job.created_at + HOUR);
        assert_eq!(bench.plot(id).await, ["job.pending"]);
    }

    async fn a_job_shows_what_was_asked(bench: Bench) {
        let asked = bench.new_job(JobSpec {
            key: Some("order-7 \"ü\" '".to_owned()),
            queue: Some("mail.high".to_owned()),
            priority: Some(-7),
            max_attempts: Some(9),
            timeout: Some(MINUTE),
            expires_at: Some(bench.now() + HOUR),
            delivery: Some(DeliveryGuarantee::AtMostOnce),
            tags: vec!["a".to_owned(), "b:c".to_owned()],
            ..spec()
        });

        bench.add(vec![asked.clone()], Atomicity::All).await;

        let job = bench.job(asked.id).await;
        assert_eq!((job.key, job.kind), (asked.key, asked.kind));
        assert_eq!((job.queue, job.priority), (asked.queue, asked.priority));
        assert_eq!((job.payload, job.run_at), (asked.payload, asked.run_at));
        assert_eq!(
            (job.options.max_attempts, job.options.timeout),
            (asked.options.max_attempts, asked.options.timeout)
        );
        assert_eq!((job.options.backoff, job.options.delivery), (asked.options.backoff, asked.options.delivery));
        assert_eq!((job.expires_at, job.options.tags), (asked.expires_at, asked.options.tags));
        assert_eq!(
            (job.created_at, job.updated_at),
            (asked.created_at, asked.created_at)
        );
    }

    async fn a_new_job_has_nothing_behind_it(bench: Bench) {
        let id = bench.enqueue(spec()).await;

        let job = bench.job(id).await;
        assert_eq!(counters(&job), attempt_counters(0, 0, 0, 1));
        assert_eq!((job.reason, job.last_error, job.result), (None, None, None));
        assert_eq!((job.finished_at, job.cancel_asked_at), (None, None));
        assert_eq!((job.worker, job.leased_until), (None, None));
        assert_eq!(bench.store.attempts(id).await.unwrap(), []);
    }

    async fn a_key_that_was_taken_before_an_upgrade_means_the_same_job_after_it(bench: Bench) {
        let asked = || JobSpec {
            kind: "http".to_owned(),
            payload: r#"{"url":"https://example.com"}"#.to_owned(),
            key: Some("k".to_owned()),
            ..JobSpec::default()
        };
        let mut before = bench.new_job(asked());
        before.content = RequestDigest::with_digest("2:aec9ff12490844c4dc0ee109a31bb98e");
        bench.add(vec![before.clone()], Atomicity::All).await;

        let one = bench.add(vec![bench.new_job(asked())], Atomicity::Each).await;
        let all = bench.add(vec![bench.new_job(asked())], Atomicity::All).await;
        let other = JobSpec { priority: Some(1), ..asked() };
        let other = bench.add(vec![bench.new_job(other)], Atomicity::Each).await;

        assert_eq!(one, [Enqueued::Known(before.id)]);
        assert_eq!(all, [Enqueued::Known(before.id)]);
        assert_eq!(other, [Enqueued::Conflict(before.id)]);
    }

    async fn a_payload_is_kept_to_the_letter(bench: Bench) {
        let payload =
            "{ \"b\" : 1.0,\n\t\"a\": \"\\u00e9 ü 漢 🦀 ' \\\\ \\u0000 %s $1 ?\",\"a\":1e3 }";

        let claimed = bench
            .claimed(JobSpec {
                payload: payload.to_owned(),
                ..spec()
            })
            .await;

        assert_eq!(claimed.args.payload, payload);
        assert_eq!(bench.job(claimed.args.id).await.payload, payload);
    }

    async fn a_job_that_was_never_added_is_unknown(bench: Bench) {
        let id = JobId::new(bench.now());

        assert_eq!(bench.store.job(id).await.unwrap(), None);
        assert_eq!(bench.store.attempts(id).await.unwrap(), []);
        assert_eq!(bench.store.job_events(id).await.unwrap(), []);
        assert!(!bench.store.request_cancel(id, None, bench.now()).await.unwrap());
        assert!(!bench.store.force_cancel(id, None, bench.now()).await.unwrap());
    }

    async fn a_known_key_with_the_same_content_is_answered_with_its_job(bench: Bench) {
        let first = bench.enqueue(keyed("k")).await;
        bench.pass(MINUTE);

        let again = bench.new_job(keyed("k"));
        let answers = bench.add(vec![again.clone()], Atomicity::All).await;

        assert_eq!(answers, [Enqueued::Known(first)]);
        assert_eq!(bench.store.job(again.id).await.unwrap(), None);
        assert_eq!(bench.facts().await.len(), 1);
    }

    async fn a_known_key_with_other_content_is_a_conflict(bench: Bench) {
        let first = bench.enqueue(keyed("k")).await;
        let other = JobSpec {
            priority: Some(1),
            ..keyed("k")
        };

        let answers = bench.add(vec![bench.new_job(other)], Atomicity::Each).await;

        assert_eq!(answers, [Enqueued::Conflict(first)]);
        assert_eq!(bench.job(first).await.priority, 0);
        assert_eq!(bench.facts().await.len(), 1);
    }

    async fn a_key_stays_taken_when_its_job_has_finished(bench: Bench) {
        bench.enqueue(keyed("k")).await;
        let claimed = bench.claim(1).await.remove(0);
        bench.succeed(&claimed).await;

        let answers = bench
            .add(vec![bench.new_job(keyed("k"))], Atomicity::All)
            .await;

        assert_eq!(answers, [Enqueued::Known(claimed.args.id)]);
        bench.assert_state(claimed.args.id, State::Succeeded).await;
    }

    async fn one_conflict_among_all_adds_nothing(bench: Bench) {
        let first = bench.enqueue(keyed("k")).await;
        let other = JobSpec {
            priority: Some(1),
            ..keyed("k")
        };
        let jobs = vec![
            bench.new_job(keyed("free")),
            bench.new_job(other),
            bench.new_job(spec()),
        ];

        let answers = bench.add(jobs.clone(), Atomicity::All).await;

        assert_eq!(answers.len(), 3);
        assert_eq!(answers[1], Enqueued::Conflict(first));
        for job in jobs {
            assert_eq!(bench.store.job(job.id).await.unwrap(), None);
        }
        assert_eq!(bench.facts().await.len(), 1);
        bench.enqueue(keyed("free")).await;
    }

    async fn one_conflict_among_each_leaves_the_others_alone(bench: Bench) {
        let first = bench.enqueue(keyed("k")).await;
        let other = JobSpec {
            priority: Some(1),
            ..keyed("k")
        };
        let jobs = vec![
            bench.new_job(keyed("free")),
            bench.new_job(other),
            bench.new_job(spec()),
        ];

        let answers = bench.add(jobs.clone(), Atomicity::Each).await;

        let expected = [
            Enqueued::Created(jobs[0].id),
            Enqueued::Conflict(first),
            Enqueued::Created(jobs[2].id),
        ];
        assert_eq!(answers, expected);
        bench.assert_state(jobs[0].id, State::Queued).await;
        bench.assert_state(jobs[2].id, State::Queued).await;
    }

    async fn a_known_key_among_all_does_not_stop_the_others(bench: Bench) {
        let first = bench.enqueue(keyed("k")).await;
        let jobs = vec![bench.new_job(keyed("k")), bench.new_job(spec())];
        let new = jobs[1].id;

        let answers = bench.add(jobs, Atomicity::All).await;

        assert_eq!(answers, [Enqueued::Known(first), Enqueued::Created(new)]);
        bench.assert_state(new, State::Queued).await;
    }

    async fn a_key_twice_in_a_batch_is_one_job(bench: Bench) {
        let other = JobSpec {
            priority: Some(1),
            ..keyed("k")
        };
        let jobs = vec![
            bench.new_job(keyed("k")),
            bench.new_job(keyed("k")),
            bench.new_job(other),
        ];
        let first = jobs[0].id;

        let answers = bench.add(jobs, Atomicity::Each).await;

        let expected = [
            Enqueued::Created(first),
            Enqueued::Known(first),
            Enqueued::Conflict(first),
        ];
        assert_eq!(answers, expected);
        assert_eq!(bench.claim(ALL).await.len(), 1);
    }

    async fn answers_are_in_the_order_of_the_jobs(bench: Bench) {
        let mut jobs: Vec<_> = (0..50)
            .map(|n| bench.new_job(keyed(&format!("k{n}"))))
            .collect();
        jobs.reverse();
        let expected: Vec<_> = jobs.iter().map(|job| Enqueued::Created(job.id)).collect();

        let answers = bench.add(jobs, Atomicity::Each).await;

        assert_eq!(answers, expected);
    }

    async fn a_large_batch_is_added_whole(bench: Bench) {
        let ids = bench.enqueue_many(3_000, spec()).await;

        bench.assert_state(ids[2_999], State::Queued).await;
        assert_eq!(bench.facts().await.len(), 3_000);
        assert_eq!(bench.queue("default").await.queued, 3_000);
    }

    async fn an_empty_batch_adds_nothing(bench: Bench) {
        let answers = bench.add(vec![], Atomicity::All).await;

        assert_eq!(answers, []);
        assert_eq!(bench.facts().await, []);
    }

    async fn a_batch_that_is_sent_again_is_added_once(bench: Bench) {
        let jobs = vec![bench.new_job(spec()), bench.new_job(keyed("k"))];
        let ids: Vec<_> = jobs.iter().map(|job| job.id).collect();

        let first = bench.add(jobs.clone(), Atomicity::Each).await;
        let second = bench.add(jobs, Atomicity::Each).await;

        let named = |answers: &[Enqueued]| answers.iter().map(Enqueued::id).collect::<Vec<_>>();
        assert_eq!((named(&first), named(&second)), (ids.clone(), ids));
        assert!(
            !second
                .iter()
                .any(|answer| matches!(answer, Enqueued::Conflict(_)))
        );
        assert_eq!(bench.facts().await.len(), 2);
        assert_eq!(bench.claim(ALL).await.len(), 2);
    }

    async fn sixty_four_parallel_enqueues_of_one_key_give_one_job(bench: Bench) {
        let mut callers = JoinSet::new();
        for _ in 0..64 {
            let (job, bench) = (bench.new_job(keyed("k")), bench.clone());
            callers.spawn(async move { bench.add(vec![job], Atomicity::All).await });
        }

        let answers: Vec<_> = callers.join_all().await.into_iter().flatten().collect();

        let created = answers.iter().filter(|a| matches!(a, Enqueued::Created(_)));
        let jobs: BTreeSet<_> = answers.iter().map(Enqueued::id).collect();
        assert_eq!((answers.len(), created.count(), jobs.len()), (64, 1, 1));
        let filter = JobFilter {
            key: Some("k".to_owned()),
            ..JobFilter::default()
        };
        let page = bench
            .store
            .jobs(&filter, &Default::default())
            .await
            .unwrap();
        assert_eq!(page.items.len(), 1);
        assert_eq!(bench.facts().await.len(), 1);
    }

    async fn parallel_batches_that_share_keys_give_each_key_one_job(bench: Bench) {
        let mut callers = JoinSet::new();
        for turn in 0..8 {
            let mut jobs: Vec<_> = (0..10)
                .map(|n| bench.new_job(keyed(&format!("k{n}"))))
                .collect();
            // Opposite orders are what locks do not like.
            if turn % 2 == 1 {
                jobs.reverse();
            }
            let bench = bench.clone();
            callers.spawn(async move { bench.add(jobs, Atomicity::Each).await });
        }

        let answers: Vec<_> = callers.join_all().await.into_iter().flatten().collect();

        let created = answers.iter().filter(|a| matches!(a, Enqueued::Created(_)));
        let jobs: BTreeSet<_> = answers.iter().map(Enqueued::id).collect();
        assert_eq!((answers.len(), created.count(), jobs.len()), (80, 10, 10));
    }
}
