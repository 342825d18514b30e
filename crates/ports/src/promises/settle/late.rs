//! Results that come when the lease is lost: a success may count, anything else is history.

use baton_domain::{
    JobId, LeaseId,
    job::{Class, Outcome, State, Trigger},
};

use super::super::{
    bench::{Bench, SECOND, accepted, attempt_counters, counters, failing, in_queue, spec},
    promises,
};
use crate::store::{By, Claimed, SettleOutcome};

promises! {
    async fn a_late_success_is_adopted_while_the_job_waits(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let id = claimed.args.id;
        bench.lose(&claimed).await;
        bench.pass(SECOND);

        let settled = bench.succeed(&claimed).await;

        let job = bench.job(id).await;
        let attempts = bench.store.attempts(id).await.unwrap();
        let late = attempts[0].late.clone().expect("the late result is kept");
        assert_eq!((settled, job.state), (SettleOutcome::Adopted, State::Succeeded));
        assert_eq!(job.result.as_deref(), Some(r#"{"ok":true}"#));
        assert_eq!((job.finished_at, job.attempt), (Some(bench.now()), 1));
        assert_eq!(
            (attempts.len(), attempts[0].outcome),
            (1, Some(Outcome::Lost))
        );
        assert_eq!(
            (late.outcome, late.at, late.adopted),
            (Outcome::Succeeded, bench.now(), true)
        );
    }

    async fn a_late_success_is_adopted_while_the_job_is_queued_again(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.lose(&claimed).await;
        bench.release().await;

        let settled = bench.succeed(&claimed).await;

        assert_eq!(settled, SettleOutcome::Adopted);
        bench.assert_state(claimed.args.id, State::Succeeded).await;
        assert_eq!(bench.claim(1).await, []);
        assert_eq!(
            bench.plot(claimed.args.id).await,
            [
                "job.queued",
                "job.running",
                "job.retry_wait",
                "job.queued",
                "job.succeeded"
            ]
        );
    }

    async fn a_late_success_of_a_worker_that_slept_is_not_dated_before_what_it_overtakes(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let asleep = bench.now();
        bench.lose(&claimed).await;
        bench.release().await;
        let queued = bench.now();

        let result = bench.result(&claimed, accepted());
        let settled = bench.store.settle(By::Worker(bench.worker), &[result], asleep).await;

        assert_eq!(settled.unwrap(), [SettleOutcome::Adopted]);
        let told = bench.story(claimed.args.id).await;
        assert!(told.is_sorted_by_key(|fact| fact.at), "{told:?}");
        assert_eq!(bench.job(claimed.args.id).await.finished_at, Some(queued));
    }

    async fn a_late_success_is_history_when_the_job_was_claimed_since(bench: Bench) {
        let first = bench.claimed(spec()).await;
        let id = first.args.id;
        bench.lose(&first).await;
        bench.release().await;
        let second = bench.claim(1).await.remove(0);

        let settled = bench.succeed(&first).await;

        assert_eq!(settled, SettleOutcome::Stale);
        bench.assert_state(id, State::Running).await;
        let attempts = bench.store.attempts(id).await.unwrap();
        let late = attempts[0].late.clone().expect("the late result is kept");
        assert_eq!((late.outcome, late.adopted), (Outcome::Succeeded, false));
        assert_eq!(bench.succeed(&second).await, SettleOutcome::Recorded);
    }

    async fn a_late_success_is_history_when_a_later_attempt_failed(bench: Bench) {
        let first = bench.claimed(spec()).await;
        let id = first.args.id;
        bench.lose(&first).await;
        bench.release().await;
        let second = bench.claim(1).await.remove(0);
        bench.fail(&second, Class::Retry).await;

        let settled = bench.succeed(&first).await;

        assert_eq!(settled, SettleOutcome::Stale);
        bench.assert_state(id, State::RetryWait).await;
    }

    async fn a_late_success_does_not_wake_a_finished_job(bench: Bench) {
        for event in [Trigger::Cancel, Trigger::Expire] {
            let claimed = bench.claimed(spec()).await;
            let id = claimed.args.id;
            bench.lose(&claimed).await;
            assert!(bench.transition(id, State::RetryWait, event).await);
            let before = bench.job(id).await;

            let settled = bench.succeed(&claimed).await;

            assert_eq!((settled, bench.job(id).await), (SettleOutcome::Stale, before));
        }
    }

    async fn a_late_failure_is_history(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let id = claimed.args.id;
        bench.lose(&claimed).await;
        let before = bench.job(id).await;

        let settled = bench.fail(&claimed, Class::Permanent).await;

        let attempts = bench.store.attempts(id).await.unwrap();
        let late = attempts[0].late.clone().expect("the late result is kept");
        assert_eq!((settled, bench.job(id).await), (SettleOutcome::Stale, before));
        assert_eq!((late.outcome, late.adopted), (Outcome::Failed, false));
    }

    async fn the_first_late_word_of_an_attempt_is_kept(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let id = claimed.args.id;
        bench.lose(&claimed).await;
        bench.fail(&claimed, Class::Permanent).await;
        let first_word = bench.store.attempts(id).await.unwrap();
        bench.pass(SECOND);

        let settled = bench.fail(&claimed, Class::Gone).await;

        assert_eq!(settled, SettleOutcome::Stale);
        assert_eq!(bench.store.attempts(id).await.unwrap(), first_word);
    }

    async fn an_adopted_success_that_is_repeated_is_adopted_once(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let id = claimed.args.id;
        bench.lose(&claimed).await;
        bench.succeed(&claimed).await;
        let before = (bench.job(id).await, bench.plot(id).await);
        bench.pass(SECOND);

        let again = bench.succeed(&claimed).await;

        assert_eq!(again, SettleOutcome::Adopted);
        assert_eq!((bench.job(id).await, bench.plot(id).await), before);
    }

    async fn an_adopted_success_counts_as_the_try_it_was(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.lose(&claimed).await;
        bench.succeed(&claimed).await;

        let job = bench.job(claimed.args.id).await;

        assert_eq!(counters(&job), attempt_counters(1, 1, 0, 1));
        assert_eq!(job.last_error, None);
    }

    async fn a_success_under_a_claim_that_was_forgotten_is_adopted_while_the_job_waits(bench: Bench) {
        let job = bench.enqueue(spec()).await;
        let forgotten = forgotten(&bench, job).await;

        let settled = bench.succeed(&forgotten).await;
        let again = bench.succeed(&forgotten).await;

        let shown = bench.job(job).await;
        let attempts = bench.store.attempts(job).await.unwrap();
        assert_eq!((settled, again), (SettleOutcome::Adopted, SettleOutcome::Adopted));
        assert_eq!((shown.state, counters(&shown)), (State::Succeeded, attempt_counters(1, 1, 0, 1)));
        assert_eq!(shown.result.as_deref(), Some(r#"{"ok":true}"#));
        assert_eq!((attempts.len(), attempts[0].outcome), (1, Some(Outcome::Succeeded)));
        assert!(attempts[0].late.as_ref().is_some_and(|late| late.adopted));
        assert_eq!(bench.plot(job).await, ["job.queued", "job.succeeded"]);
        assert_eq!(bench.claim(1).await, []);
        bench.sequence().await;
        assert_eq!(bench.store.reconcile(bench.now()).await.unwrap(), []);
    }

    async fn a_success_under_a_claim_that_was_forgotten_is_stale_when_the_job_was_claimed_since(bench: Bench) {
        let job = bench.enqueue(spec()).await;
        let forgotten = forgotten(&bench, job).await;
        let claimed = bench.claim(1).await.remove(0);

        let while_it_runs = bench.succeed(&forgotten).await;
        bench.fail(&claimed, Class::Retry).await;
        let while_it_waits = bench.succeed(&forgotten).await;

        assert_eq!((while_it_runs, while_it_waits), (SettleOutcome::Stale, SettleOutcome::Stale));
        bench.assert_state(job, State::RetryWait).await;
        let attempts = bench.store.attempts(job).await.unwrap();
        assert!(attempts.len() == 1 && attempts[0].late.is_none(), "{attempts:?}");
    }

    async fn a_success_under_a_claim_that_was_forgotten_is_stale_in_another_run(bench: Bench) {
        let job = bench.job_in(State::Failed).await;
        let mut forgotten = forgotten(&bench, job).await;
        assert!(bench.transition(job, State::Failed, Trigger::Redrive).await);
        forgotten.counters.attempt = 2;

        let settled = bench.succeed(&forgotten).await;

        assert_eq!(settled, SettleOutcome::Stale);
        bench.assert_state(job, State::Queued).await;
    }

    async fn a_failure_under_a_claim_that_was_forgotten_changes_nothing(bench: Bench) {
        let job = bench.enqueue(spec()).await;
        let forgotten = forgotten(&bench, job).await;
        let before = bench.job(job).await;

        let settled = bench.fail(&forgotten, Class::Permanent).await;

        assert_eq!((settled, bench.job(job).await), (SettleOutcome::Stale, before));
        assert_eq!(bench.store.attempts(job).await.unwrap(), []);
    }

    async fn late_and_timely_results_share_a_call(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let batch = bench.claim(2).await;
        bench.lose(&batch[0]).await;
        let results = [
            bench.result(&batch[0], accepted()),
            bench.result(&batch[1], failing(Class::Retry)),
        ];

        let answers = bench
            .settle_all(By::Worker(bench.worker), &results)
            .await;

        assert_eq!(answers, [SettleOutcome::Adopted, SettleOutcome::Recorded]);
        bench
            .assert_state(batch[0].args.id, State::Succeeded)
            .await;
        bench
            .assert_state(batch[1].args.id, State::RetryWait)
            .await;
    }
}

/// A claim of the first attempt of a job that the worker was told of, and that the store knows nothing of any more.
async fn forgotten(bench: &Bench, job: JobId) -> Claimed {
    let mut claimed = bench.claimed(in_queue("elsewhere")).await;
    claimed.args.id = job;
    claimed.lease = LeaseId::random();
    claimed
}
