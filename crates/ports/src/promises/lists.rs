//! Reading jobs: one clear state each, newest first, page by page.

use baton_domain::{
    JobId,
    job::{Class, Job, JobSpec, State},
    page::PageRequest,
};

use super::{
    bench::{
        Bench, HOUR, LEASE, SECOND, WAIT, attempt_counters, counters, failing, failure, in_queue,
        keyed, spec,
    },
    promises,
};
use crate::store::{Error, JobFilter};

/// Every job that a filter lets through, page by page.
pub(super) async fn listed(bench: &Bench, filter: &JobFilter, limit: u32) -> Vec<Job> {
    let mut jobs = Vec::new();
    let mut page = PageRequest::first(limit);
    loop {
        let found = bench.store.jobs(filter, &page).await.expect("jobs");
        assert!(found.items.len() <= limit as usize, "a page has its limit");
        jobs.extend(found.items);
        match found.next {
            Some(next) => {
                assert_ne!(page.after.as_ref(), Some(&next), "a cursor moves on");
                page.after = Some(next);
            }
            None => return jobs,
        }
    }
}

async fn listed_ids(bench: &Bench, filter: &JobFilter) -> Vec<JobId> {
    let jobs = listed(bench, filter, 100).await;
    jobs.iter().map(|job| job.id).collect()
}

promises! {
    async fn a_running_job_shows_who_has_it_and_until_when(bench: Bench) {
        let claimed = bench.claimed(spec()).await;

        let job = bench.job(claimed.args.id).await;
        assert_eq!(
            (job.state, job.worker),
            (State::Running, Some(bench.worker))
        );
        assert_eq!(job.leased_until, Some(bench.now() + LEASE));
        assert_eq!(
            (counters(&job), job.updated_at),
            (attempt_counters(1, 1, 0, 1), bench.now())
        );
    }

    async fn what_runs_for_longest_was_claimed_first(bench: Bench) {
        let mut claimed = Vec::new();
        for _ in 0..4 {
            bench.pass(SECOND);
            claimed.push(bench.claimed(spec()).await);
        }
        bench.enqueue(spec()).await;
        bench.succeed(&claimed[0]).await;

        let longest = bench.store.longest_running(2).await.unwrap();

        let ids: Vec<_> = longest.iter().map(|job| job.id).collect();
        assert_eq!(ids, [claimed[1].args.id, claimed[2].args.id]);
        assert_eq!(longest[0], bench.job(ids[0]).await);
    }

    async fn nothing_runs_for_long_where_nothing_runs(bench: Bench) {
        bench.enqueue(spec()).await;

        let longest = bench.store.longest_running(5).await.unwrap();

        assert_eq!(longest, []);
    }

    async fn a_waiting_job_shows_why_and_until_when(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.fail(&claimed, Class::Retry).await;

        let job = bench.job(claimed.args.id).await;
        assert_eq!(
            (job.state, job.run_at),
            (State::RetryWait, bench.now() + WAIT)
        );
        assert_eq!(job.last_error, Some(failure(Class::Retry)));
        assert_eq!(
            (job.worker, job.leased_until, job.finished_at),
            (None, None, None)
        );
        assert_eq!(counters(&job), attempt_counters(1, 1, 0, 1));
    }

    async fn a_finished_job_shows_its_result_and_since_when(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.pass(WAIT);
        bench.succeed(&claimed).await;

        let job = bench.job(claimed.args.id).await;
        assert_eq!(job.result.as_deref(), Some(r#"{"ok":true}"#));
        assert_eq!(
            (job.finished_at, job.updated_at),
            (Some(bench.now()), bench.now())
        );
        assert_eq!((job.last_error, job.reason, job.worker), (None, None, None));
    }

    async fn every_state_reads_as_itself_alone_and_in_a_list(bench: Bench) {
        for state in State::ALL {
            let id = bench.job_in(state).await;

            let job = bench.job(id).await;
            let filter = JobFilter {
                state: Some(state),
                ..JobFilter::default()
            };
            assert_eq!(job.state, state);
            assert_eq!(listed(&bench, &filter, 100).await, [job]);
        }

        let everywhere = listed(&bench, &JobFilter::default(), 100).await;
        assert_eq!(everywhere.len(), State::ALL.len());
    }

    async fn the_finished_moment_is_there_exactly_in_terminal_states(bench: Bench) {
        for state in State::ALL {
            let id = bench.job_in(state).await;

            let finished_at = bench.job(id).await.finished_at;

            assert_eq!(finished_at.is_some(), state.is_terminal(), "{state}");
        }
    }

    async fn attempts_of_several_jobs_are_listed_job_by_job(bench: Bench) {
        let first = bench.claimed(spec()).await;
        bench.settle(&first, failing(Class::Retry)).await;
        bench.pass(WAIT);
        bench.release().await;
        bench.claim(1).await;
        let second = bench.claimed(spec()).await;
        let waiting = bench.enqueue(spec()).await;
        let (first, second) = (first.args.id, second.args.id);

        let jobs = [second, waiting, first, second];
        let attempts = bench.store.attempts_of(&jobs).await.unwrap();
        let none = bench.store.attempts_of(&[]).await.unwrap();

        let told: Vec<_> = attempts.iter().map(|one| (one.job, one.attempt)).collect();
        assert_eq!(told, [(first, 1), (first, 2), (second, 1)]);
        assert_eq!(none, []);
    }

    async fn attempts_are_listed_first_to_last_with_the_running_one(bench: Bench) {
        let first = bench.claimed(spec()).await;
        let id = first.args.id;
        bench.settle(&first, failing(Class::Retry)).await;
        let failed_at = bench.now();
        bench.pass(WAIT);
        bench.release().await;
        let second = bench.claim(1).await.remove(0);

        let attempts = bench.store.attempts(id).await.unwrap();

        let [failed, running] = &attempts[..] else {
            panic!("two attempts, not {attempts:?}");
        };
        assert_eq!((failed.attempt, running.attempt), (1, 2));
        assert_eq!((failed.lease, failed.worker), (first.lease, bench.worker));
        assert_eq!(
            (failed.started_at, failed.ended_at),
            (Some(failed_at), Some(failed_at))
        );
        assert_eq!(failed.state, Some(State::RetryWait));
        assert_eq!(failed.next_run_at, Some(failed_at + WAIT));
        assert_eq!(failed.error, Some(failure(Class::Retry)));
        assert_eq!(
            (running.lease, running.worker),
            (second.lease, bench.worker)
        );
        assert_eq!(
            (running.outcome, running.state, running.ended_at),
            (None, None, None)
        );
    }

    async fn jobs_are_listed_newest_first(bench: Bench) {
        let mut ids = Vec::new();
        for queue in ["b", "a", "c", "a"] {
            ids.push(bench.enqueue(in_queue(queue)).await);
        }
        ids.reverse();

        assert_eq!(listed_ids(&bench, &JobFilter::default()).await, ids);
    }

    async fn a_list_shows_what_its_filter_lets_through(bench: Bench) {
        let plain = bench.enqueue(spec()).await;
        let tagged = JobSpec {
            tags: vec!["red".to_owned(), "blue".to_owned()],
            ..spec()
        };
        let tagged = bench.enqueue(tagged).await;
        let other_kind = JobSpec {
            kind: "http".to_owned(),
            ..spec()
        };
        let other_kind = bench.enqueue(other_kind).await;
        let other_queue = bench.enqueue(in_queue("slow")).await;
        let keyed = bench.enqueue(keyed("k")).await;
        let pending = bench.job_in(State::Pending).await;

        let text = |text: &str| Some(text.to_owned());
        let all = JobFilter::default;
        let by_tag = JobFilter {
            tag: text("blue"),
            ..all()
        };
        let by_kind = JobFilter {
            kind: text("http"),
            ..all()
        };
        let by_queue = JobFilter {
            queue: text("slow"),
            ..all()
        };
        let by_key = JobFilter {
            key: text("k"),
            ..all()
        };
        let by_state = JobFilter {
            state: Some(State::Pending),
            ..all()
        };
        let by_two = JobFilter {
            kind: text("mail"),
            state: Some(State::Queued),
            ..all()
        };
        let by_none = JobFilter {
            tag: text("re"),
            ..all()
        };
        assert_eq!(listed_ids(&bench, &by_tag).await, [tagged]);
        assert_eq!(listed_ids(&bench, &by_kind).await, [other_kind]);
        assert_eq!(listed_ids(&bench, &by_queue).await, [other_queue]);
        assert_eq!(listed_ids(&bench, &by_key).await, [keyed]);
        assert_eq!(listed_ids(&bench, &by_state).await, [pending]);
        assert_eq!(
            listed_ids(&bench, &by_two).await,
            [keyed, other_queue, tagged, plain]
        );
        assert_eq!(listed_ids(&bench, &by_none).await, []);
    }

    async fn a_tag_is_looked_for_letter_by_letter(bench: Bench) {
        let tagged = |tag: &str| JobSpec { tags: vec![tag.to_owned()], ..spec() };
        let meant = bench.enqueue(tagged("night_a")).await;
        bench.enqueue_many(1, tagged("night-a")).await;
        bench.enqueue_many(1, tagged("Night_a")).await;
        bench.enqueue_many(1, tagged("night_ab")).await;

        let by_tag = JobFilter { tag: Some("night_a".to_owned()), ..JobFilter::default() };

        assert_eq!(listed_ids(&bench, &by_tag).await, [meant]);
        assert_eq!(bench.store.count_jobs(&by_tag).await.unwrap().n, 1);
    }

    async fn pages_follow_each_other_without_gap_or_repeat(bench: Bench) {
        let mut ids = bench.enqueue_many(23, spec()).await;
        ids.reverse();

        for limit in [1, 5, 23, 100] {
            let jobs = listed(&bench, &JobFilter::default(), limit).await;
            let listed: Vec<_> = jobs.iter().map(|job| job.id).collect();
            assert_eq!(listed, ids, "by {limit}");
        }
    }

    async fn filtered_pages_follow_each_other_without_gap_or_repeat(bench: Bench) {
        let mut wanted = Vec::new();
        for n in 0..30 {
            let id = bench.enqueue(in_queue(["a", "b", "c"][n % 3])).await;
            if n % 3 == 1 {
                wanted.push(id);
            }
        }
        wanted.reverse();

        let filter = JobFilter {
            queue: Some("b".to_owned()),
            ..JobFilter::default()
        };
        let jobs = listed(&bench, &filter, 4).await;

        let listed: Vec<_> = jobs.iter().map(|job| job.id).collect();
        assert_eq!(listed, wanted);
    }

    async fn a_job_that_comes_meanwhile_does_not_shift_the_pages(bench: Bench) {
        let mut ids = bench.enqueue_many(6, spec()).await;
        ids.reverse();
        let first = PageRequest::first(3);
        let page = bench
            .store
            .jobs(&JobFilter::default(), &first)
            .await
            .unwrap();

        bench.enqueue(spec()).await;
        let second = PageRequest {
            limit: 3,
            after: page.next,
        };
        let rest = bench
            .store
            .jobs(&JobFilter::default(), &second)
            .await
            .unwrap();

        let rest: Vec<_> = rest.items.iter().map(|job| job.id).collect();
        assert_eq!(rest, ids[3..]);
    }

    async fn a_cursor_of_elsewhere_is_refused(bench: Bench) {
        bench.enqueue(spec()).await;

        for cursor in ["", "nonsense", "-1", "job_", "' OR 1=1 --"] {
            let page = PageRequest {
                limit: 10,
                after: Some(cursor.to_owned()),
            };
            let refused = bench.store.jobs(&JobFilter::default(), &page).await;
            assert!(
                matches!(refused, Err(Error::BadCursor)),
                "{cursor:?}: {refused:?}"
            );
        }
    }

    async fn a_job_in_the_future_is_listed_like_any_other(bench: Bench) {
        let later = bench.job_in(State::Pending).await;
        bench.pass(HOUR);
        let sooner = bench.enqueue(spec()).await;

        assert_eq!(
            listed_ids(&bench, &JobFilter::default()).await,
            [sooner, later]
        );
    }
}
