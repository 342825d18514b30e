//! What time does by itself: release what is due, expire what came too late.

use baton_domain::job::{Class, JobSpec, State, Trigger};

use super::{
    bench::{Bench, HOUR, MINUTE, SECOND, WAIT, attempt_counters, counters, delayed, spec},
    promises,
};

fn fleeting(bench: &Bench) -> JobSpec {
    JobSpec {
        expires_at: Some(bench.now() + MINUTE),
        ..spec()
    }
}

async fn expire(bench: &Bench, limit: u32) -> u32 {
    let expired = bench.store.expire(limit, bench.now()).await;
    expired.expect("expire")
}

promises! {
    async fn a_due_job_is_released(bench: Bench) {
        let id = bench.enqueue(delayed(MINUTE)).await;
        let due = bench.job(id).await.run_at;
        bench.pass(MINUTE);

        let released = bench.store.release(10, bench.now()).await.unwrap();

        let job = bench.job(id).await;
        assert_eq!((released.count, released.next_due), (1, None));
        assert_eq!(
            (job.state, job.run_at, job.updated_at),
            (State::Queued, due, bench.now())
        );
        assert_eq!(bench.plot(id).await, ["job.pending", "job.queued"]);
    }

    async fn a_job_is_not_released_early(bench: Bench) {
        let id = bench.enqueue(delayed(MINUTE)).await;
        let due = bench.job(id).await.run_at;
        bench.pass(MINUTE - SECOND);

        let released = bench.store.release(10, bench.now()).await.unwrap();

        assert_eq!((released.count, released.next_due), (0, Some(due)));
        bench.assert_state(id, State::Pending).await;
    }

    async fn a_failed_attempt_is_released_when_its_wait_is_over(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.fail(&claimed, Class::Retry).await;

        let at_once = bench.release().await;
        bench.pass(WAIT);
        let in_time = bench.release().await;

        let job = bench.job(claimed.args.id).await;
        assert_eq!((at_once, in_time), (0, 1));
        assert_eq!(
            (job.state, counters(&job)),
            (State::Queued, attempt_counters(1, 1, 0, 1))
        );
    }

    async fn the_earliest_are_released_first_and_the_next_is_named(bench: Bench) {
        let third = bench.enqueue(delayed(3 * MINUTE)).await;
        let first = bench.enqueue(delayed(MINUTE)).await;
        let second = bench.enqueue(delayed(2 * MINUTE)).await;
        bench.pass(HOUR);

        let released = bench.store.release(2, bench.now()).await.unwrap();

        let next_due = bench.job(third).await.run_at;
        assert_eq!((released.count, released.next_due), (2, Some(next_due)));
        bench.assert_state(first, State::Queued).await;
        bench.assert_state(second, State::Queued).await;
        bench.assert_state(third, State::Pending).await;
    }

    async fn with_nothing_waiting_nothing_is_due(bench: Bench) {
        bench.enqueue(spec()).await;

        let released = bench.store.release(10, bench.now()).await.unwrap();

        assert_eq!((released.count, released.next_due), (0, None));
    }

    async fn two_releasers_release_a_job_once(bench: Bench) {
        let jobs = bench.enqueue_many(100, delayed(MINUTE)).await;
        bench.pass(HOUR);
        let mut releasers = tokio::task::JoinSet::new();
        for _ in 0..4 {
            let bench = bench.clone();
            releasers.spawn(async move { bench.release().await });
        }

        let released: u32 = releasers.join_all().await.into_iter().sum();

        let rest = bench.release().await;
        assert_eq!((released + rest) as usize, jobs.len());
        assert_eq!(bench.plot(jobs[0]).await, ["job.pending", "job.queued"]);
    }

    async fn a_job_that_waits_too_long_expires(bench: Bench) {
        let queued = bench.enqueue(fleeting(&bench)).await;
        let waiting = JobSpec {
            run_at: Some(bench.now() + HOUR),
            ..fleeting(&bench)
        };
        let pending = bench.enqueue(waiting).await;
        let claimed = bench.claimed(fleeting(&bench)).await;
        let snooze = baton_domain::job::Verdict::Snoozed { after: HOUR };
        bench.settle(&claimed, snooze).await;
        bench.pass(MINUTE + SECOND);

        let expired = expire(&bench, 10).await;

        assert_eq!(expired, 3);
        for id in [queued, pending, claimed.args.id] {
            let job = bench.job(id).await;
            assert_eq!(
                (job.state, job.reason.as_deref()),
                (State::Failed, Some("expired"))
            );
            assert_eq!(job.finished_at, Some(bench.now()));
        }
        assert_eq!(bench.plot(queued).await, ["job.queued", "job.failed"]);
    }

    async fn a_job_waiting_for_its_next_attempt_expires(bench: Bench) {
        let claimed = bench.claimed(fleeting(&bench)).await;
        bench.fail(&claimed, Class::Retry).await;
        bench.pass(MINUTE + SECOND);

        assert_eq!(expire(&bench, 10).await, 1);

        let job = bench.job(claimed.args.id).await;
        assert_eq!(
            (job.state, counters(&job)),
            (State::Failed, attempt_counters(1, 1, 0, 1))
        );
        assert_eq!(bench.story(job.id).await[3].data["from"], "retry_wait");
    }

    async fn a_job_does_not_expire_early(bench: Bench) {
        let id = bench.enqueue(fleeting(&bench)).await;
        bench.pass(MINUTE - SECOND);

        assert_eq!(expire(&bench, 10).await, 0);
        bench.assert_state(id, State::Queued).await;
    }

    async fn a_running_job_does_not_expire(bench: Bench) {
        let claimed = bench.claimed(fleeting(&bench)).await;
        bench.pass(HOUR);

        assert_eq!(expire(&bench, 10).await, 0);
        assert_eq!(
            bench.succeed(&claimed).await,
            crate::store::SettleOutcome::Recorded
        );
    }

    async fn a_finished_job_does_not_expire(bench: Bench) {
        let claimed = bench.claimed(fleeting(&bench)).await;
        bench.succeed(&claimed).await;
        bench.pass(HOUR);

        assert_eq!(expire(&bench, 10).await, 0);
        bench.assert_state(claimed.args.id, State::Succeeded).await;
    }

    async fn a_job_that_a_person_runs_again_does_not_expire_again(bench: Bench) {
        let id = bench.enqueue(fleeting(&bench)).await;
        bench.pass(HOUR);
        expire(&bench, 10).await;

        bench.transition(id, State::Failed, Trigger::Redrive).await;

        assert_eq!(expire(&bench, 10).await, 0);
        let claimed = bench.claim(1).await;
        assert_eq!(claimed[0].args.id, id);
        assert_eq!(claimed[0].args.expires_at, None);
    }

    async fn jobs_expire_up_to_the_limit(bench: Bench) {
        bench.enqueue_many(5, fleeting(&bench)).await;
        bench.pass(HOUR);

        let turns = [
            expire(&bench, 2).await,
            expire(&bench, 2).await,
            expire(&bench, 2).await,
        ];

        assert_eq!((turns, expire(&bench, 2).await), ([2, 2, 1], 0));
    }
}
