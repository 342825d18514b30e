//! Stopping a running job: by asking, or by taking it away.

use baton_domain::job::{Class, Decision, Outcome, State, Trigger, Verdict};

use super::{
    bench::{Bench, LEASE, SECOND, accepted, attempt_counters, counters, failing, ids, spec},
    promises,
};
use crate::store::{By, Claimed, SettleOutcome};

async fn ask(bench: &Bench, claimed: &Claimed, reason: Option<&str>) -> bool {
    let id = claimed.args.id;
    let is_asked = bench.store.request_cancel(id, reason, bench.now()).await;
    is_asked.expect("request_cancel")
}

async fn force_cancel(bench: &Bench, claimed: &Claimed, reason: Option<&str>) -> bool {
    let id = claimed.args.id;
    let is_force_canceled = bench.store.force_cancel(id, reason, bench.now()).await;
    is_force_canceled.expect("force cancel")
}

promises! {
    async fn a_running_job_is_asked_to_stop(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let claimed_at = bench.now();
        bench.pass(SECOND);

        assert!(ask(&bench, &claimed, Some("too late")).await);

        let job = bench.job(claimed.args.id).await;
        assert_eq!(
            (job.state, job.cancel_asked_at),
            (State::Running, Some(bench.now()))
        );
        assert_eq!(job.updated_at, claimed_at);
        let story = bench.story(job.id).await;
        let asked = story.last().expect("it is a fact");
        assert_eq!(asked.kind, "job.cancel_asked");
        assert_eq!((asked.data.get("from"), asked.data.get("to")), (None, None));
    }

    async fn a_second_asking_is_heard_and_is_no_second_fact(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        ask(&bench, &claimed, None).await;
        let first_asked_at = bench.now();
        bench.pass(SECOND);

        assert!(ask(&bench, &claimed, None).await);

        let job = bench.job(claimed.args.id).await;
        assert_eq!(job.cancel_asked_at, Some(first_asked_at));
        assert_eq!(
            bench.plot(job.id).await,
            ["job.queued", "job.running", "job.cancel_asked"]
        );
    }

    async fn only_a_running_job_is_asked_or_revoked(bench: Bench) {
        for state in State::ALL
            .into_iter()
            .filter(|state| *state != State::Running)
        {
            let id = bench.job_in(state).await;
            let before = (bench.job(id).await, bench.plot(id).await);

            let is_asked = bench.store.request_cancel(id, None, bench.now()).await.unwrap();
            let is_force_canceled = bench.store.force_cancel(id, None, bench.now()).await.unwrap();

            assert!(!is_asked && !is_force_canceled, "{state}");
            assert_eq!((bench.job(id).await, bench.plot(id).await), before);
        }
    }

    async fn a_job_asked_to_stop_is_canceled_instead_of_waiting(bench: Bench) {
        let endings = [
            failing(Class::Retry),
            failing(Class::Throttled),
            Verdict::Snoozed { after: LEASE },
        ];
        for verdict in endings {
            let claimed = bench.claimed(spec()).await;
            let id = claimed.args.id;
            ask(&bench, &claimed, Some("no longer wanted")).await;

            let settled = bench.settle(&claimed, verdict).await;

            let job = bench.job(id).await;
            assert_eq!((settled, job.state), (SettleOutcome::Recorded, State::Canceled));
            assert_eq!(job.reason.as_deref(), Some("no longer wanted"));
            assert_eq!(job.finished_at, Some(bench.now()));
            let attempts = bench.store.attempts(id).await.unwrap();
            assert_eq!(
                (attempts[0].state, attempts[0].next_run_at),
                (Some(State::Canceled), None)
            );
            let plot = bench.plot(id).await;
            assert_eq!(
                plot,
                [
                    "job.queued",
                    "job.running",
                    "job.cancel_asked",
                    "job.canceled"
                ]
            );
        }
    }

    async fn a_job_asked_to_stop_is_canceled_instead_of_given_back(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        ask(&bench, &claimed, None).await;
        let decision = Decision::give_back(claimed.counters, bench.now()).unwrap();
        let result = bench.result_of(&claimed, decision);

        bench.settle_as(By::Worker(bench.worker), result).await;

        bench.assert_state(claimed.args.id, State::Canceled).await;
        assert_eq!(bench.claim(1).await, []);
    }

    async fn a_job_asked_to_stop_is_canceled_when_its_worker_is_lost(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        ask(&bench, &claimed, None).await;

        bench.lose(&claimed).await;

        let attempts = bench.store.attempts(claimed.args.id).await.unwrap();
        bench.assert_state(claimed.args.id, State::Canceled).await;
        assert_eq!(attempts[0].outcome, Some(Outcome::Lost));
    }

    async fn a_worker_that_stops_as_asked_gives_the_reason_that_was_given(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        ask(&bench, &claimed, Some("no longer wanted")).await;

        bench.settle(&claimed, Verdict::Canceled).await;

        let job = bench.job(claimed.args.id).await;
        assert_eq!(
            (job.state, job.reason.as_deref()),
            (State::Canceled, Some("no longer wanted"))
        );
    }

    async fn a_job_that_ends_before_it_hears_has_ended_as_it_did(bench: Bench) {
        let endings = [
            (accepted(), State::Succeeded),
            (failing(Class::Permanent), State::Failed),
            (failing(Class::Refused), State::Skipped),
        ];
        for (verdict, state) in endings {
            let claimed = bench.claimed(spec()).await;
            ask(&bench, &claimed, Some("too late")).await;

            bench.settle(&claimed, verdict).await;

            bench.assert_state(claimed.args.id, state).await;
        }
    }

    async fn a_job_run_again_has_forgotten_that_it_was_asked_to_stop(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let id = claimed.args.id;
        ask(&bench, &claimed, None).await;
        bench.fail(&claimed, Class::Retry).await;
        assert!(bench.transition(id, State::Canceled, Trigger::Redrive).await);

        let again = bench.claim(1).await.remove(0);
        let renewed = bench.renew(&[again.lease]).await;
        bench.fail(&again, Class::Retry).await;

        assert_eq!(renewed.cancels, []);
        bench.assert_state(id, State::RetryWait).await;
    }

    async fn a_revoked_job_is_canceled_at_once(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let id = claimed.args.id;
        bench.pass(SECOND);

        assert!(force_cancel(&bench, &claimed, Some("wrong payload")).await);

        let job = bench.job(id).await;
        assert_eq!(
            (job.state, job.finished_at),
            (State::Canceled, Some(bench.now()))
        );
        assert_eq!(
            (job.reason.as_deref(), job.worker),
            (Some("wrong payload"), None)
        );
        assert_eq!(counters(&job), attempt_counters(1, 1, 0, 1));
        let attempts = bench.store.attempts(id).await.unwrap();
        assert_eq!(
            (attempts.len(), attempts[0].outcome),
            (1, Some(Outcome::Canceled))
        );
        assert_eq!(
            (attempts[0].state, attempts[0].ended_at),
            (Some(State::Canceled), Some(bench.now()))
        );
        let story = bench.story(id).await;
        assert_eq!(
            (story[2].kind.as_str(), &story[2].data["attempt"]),
            ("job.canceled", &1.into())
        );
    }

    async fn what_a_worker_says_of_a_revoked_job_is_history(bench: Bench) {
        for verdict in [accepted(), failing(Class::Retry)] {
            let claimed = bench.claimed(spec()).await;
            force_cancel(&bench, &claimed, None).await;
            let before = bench.job(claimed.args.id).await;

            let settled = bench.settle(&claimed, verdict).await;

            let attempts = bench.store.attempts(before.id).await.unwrap();
            assert_eq!(
                (settled, bench.job(before.id).await),
                (SettleOutcome::Stale, before)
            );
            assert_eq!(
                attempts[0].late.as_ref().map(|late| late.adopted),
                Some(false)
            );
        }
    }

    async fn what_a_worker_says_of_a_revoked_job_does_not_end_its_next_run(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let id = claimed.args.id;
        force_cancel(&bench, &claimed, None).await;
        bench.transition(id, State::Canceled, Trigger::Redrive).await;

        let settled = bench.settle(&claimed, accepted()).await;

        assert_eq!(settled, SettleOutcome::Stale);
        bench.assert_state(id, State::Queued).await;
    }

    async fn a_revoked_lease_is_lost_and_its_other_jobs_are_not(bench: Bench) {
        bench.enqueue_many(3, spec()).await;
        let alone = bench.claim(1).await;
        let batch = bench.claim(2).await;
        force_cancel(&bench, &alone[0], None).await;
        force_cancel(&bench, &batch[0], None).await;

        let renewed = bench.renew(&[alone[0].lease, batch[0].lease]).await;

        assert_eq!(renewed.leases, [batch[0].lease]);
        assert_eq!(bench.succeed(&batch[1]).await, SettleOutcome::Recorded);
    }

    async fn a_revoked_job_is_not_rescued(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let loss = bench.loss(&claimed).await;
        force_cancel(&bench, &claimed, None).await;

        let settled = bench.settle_as(By::Rescuer, loss).await;

        assert_eq!((bench.overdue().await, settled), (vec![], SettleOutcome::Stale));
        bench.assert_state(claimed.args.id, State::Canceled).await;
    }

    async fn a_revoked_job_frees_its_slot(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        bench
            .change_queue("default", super::bench::at_most(Some(1)))
            .await;
        let first = bench.claim(2).await;
        force_cancel(&bench, &first[0], None).await;

        let second = bench.claim(2).await;

        assert_eq!((first.len(), second.len()), (1, 1));
        assert_ne!(ids(&first), ids(&second));
    }
}
