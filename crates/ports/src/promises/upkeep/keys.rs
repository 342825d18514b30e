//! Keys: the same key means the same job for as long as its window is, whatever becomes of the job.

use baton_domain::job::{Class, Job, JobSpec, State, Trigger};

use super::{
    super::{
        bench::{Bench, HOUR, keyed},
        promises,
    },
    FOR_LONG, prune,
};
use crate::store::{Atomicity, Enqueued, Forgotten, Retention};

/// Jobs go after an hour, keys stay.
const JOBS_FIRST: Retention = Retention {
    jobs: HOUR,
    ..FOR_LONG
};

promises! {
    async fn a_key_outlives_its_job_and_says_what_it_ended_as(bench: Bench) {
        let (ended, open) = (ended(&bench).await, bench.enqueue(keyed("open")).await);
        bench.sequence().await;
        bench.pass(2 * HOUR);

        prune(&bench, &JOBS_FIRST).await;

        for job in ended {
            assert_eq!(bench.store.job(job.id).await.unwrap(), None);
            let left = bench.store.forgotten(job.key.as_deref().unwrap()).await.unwrap();
            let expected = Forgotten {
                job: job.id,
                created_at: job.created_at,
                state: job.state,
                finished_at: job.finished_at.unwrap(),
            };
            assert_eq!(left, Some(expected));
        }
        assert_eq!(bench.store.forgotten("open").await.unwrap(), None);
        assert_eq!(bench.store.forgotten("unheard").await.unwrap(), None);
        assert!(bench.store.job(open).await.unwrap().is_some());
    }

    async fn a_key_whose_job_was_forgotten_runs_nothing_again(bench: Bench) {
        let ended = ended(&bench).await;
        bench.sequence().await;
        bench.pass(2 * HOUR);
        prune(&bench, &JOBS_FIRST).await;

        for job in ended {
            let same = bench.new_job(keyed(job.key.as_deref().unwrap()));

            let again = bench.add(vec![same], Atomicity::All).await;

            assert_eq!(again, [Enqueued::Known(job.id)]);
        }
        assert_eq!(bench.claim(10).await, []);
    }

    async fn a_key_whose_job_was_forgotten_is_no_key_of_other_content(bench: Bench) {
        let first = bench.claimed(keyed("k")).await;
        bench.succeed(&first).await;
        bench.sequence().await;
        bench.pass(2 * HOUR);
        prune(&bench, &JOBS_FIRST).await;

        let other = JobSpec { payload: "{\"other\":1}".to_owned(), ..keyed("k") };
        let answer = bench.add(vec![bench.new_job(other)], Atomicity::All).await;

        assert_eq!(answer, [Enqueued::Conflict(first.args.id)]);
    }

    async fn a_key_that_outlived_its_job_is_free_when_its_own_time_is_over(bench: Bench) {
        ended(&bench).await;
        bench.sequence().await;
        bench.pass(2 * HOUR);
        prune(&bench, &JOBS_FIRST).await;

        let pruned = prune(&bench, &Retention { keys: HOUR, ..JOBS_FIRST }).await;

        let job = bench.new_job(keyed("done"));
        let answer = bench.add(vec![job.clone()], Atomicity::All).await;
        assert_eq!((pruned.keys, answer), (3, vec![Enqueued::Created(job.id)]));
    }
}

/// A job with a key for each way in which a store may keep what has ended.
async fn ended(bench: &Bench) -> Vec<Job> {
    let done = bench.enqueue(keyed("done")).await;
    bench.succeed(&bench.claim(1).await[0]).await;
    let failed = bench.enqueue(keyed("failed")).await;
    bench.fail(&bench.claim(1).await[0], Class::Permanent).await;
    let canceled = bench.enqueue(keyed("canceled")).await;
    assert!(
        bench
            .transition(canceled, State::Queued, Trigger::Cancel)
            .await
    );
    let mut jobs = Vec::new();
    for (id, state) in [
        (done, State::Succeeded),
        (failed, State::Failed),
        (canceled, State::Canceled),
    ] {
        bench.assert_state(id, state).await;
        jobs.push(bench.job(id).await);
    }
    jobs
}
