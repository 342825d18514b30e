//! Settling: how attempts end, each once.

pub(super) mod late;
pub(super) mod many;
pub(super) mod rescue;

use baton_domain::job::{Class, Decision, DeliveryGuarantee, JobSpec, Outcome, State, Verdict};

use super::{
    bench::{
        ALL, Bench, HOUR, LEASE, SECOND, WAIT, accepted, attempt_counters, counters, failing, ids,
        in_queue, spec, want,
    },
    promises,
};
use crate::store::{By, Claimed, SettleOutcome};

fn tries(max_attempts: i64) -> JobSpec {
    JobSpec {
        max_attempts: Some(max_attempts),
        ..spec()
    }
}

promises! {
    async fn each_verdict_leads_where_the_decision_says(bench: Bench) {
        let verdicts = [
            (accepted(), State::Succeeded, Outcome::Succeeded),
            (
                Verdict::Skipped {
                    why: "opted out".to_owned(),
                },
                State::Skipped,
                Outcome::Skipped,
            ),
            (
                Verdict::Snoozed { after: WAIT },
                State::Pending,
                Outcome::Snoozed,
            ),
            (Verdict::Canceled, State::Canceled, Outcome::Canceled),
            (failing(Class::Retry), State::RetryWait, Outcome::Failed),
            (failing(Class::Unknown), State::RetryWait, Outcome::Failed),
            (
                failing(Class::Throttled),
                State::Pending,
                Outcome::Throttled,
            ),
            (failing(Class::Refused), State::Skipped, Outcome::Skipped),
            (failing(Class::Permanent), State::Failed, Outcome::Failed),
            (failing(Class::Gone), State::Failed, Outcome::Failed),
            (
                failing(Class::Misconfigured),
                State::Failed,
                Outcome::Failed,
            ),
        ];
        for (verdict, state, outcome) in verdicts {
            let claimed = bench.claimed(spec()).await;
            let result = bench.result(&claimed, verdict);
            let decision = result.decision.clone();

            let settled = bench.settle_as(By::Worker(bench.worker), result).await;

            let job = bench.job(claimed.args.id).await;
            let attempts = bench.store.attempts(job.id).await.unwrap();
            assert_eq!((settled, job.state), (SettleOutcome::Recorded, state));
            assert_eq!(
                (job.tries, job.losses),
                (decision.tries, decision.losses),
                "{outcome}"
            );
            assert_eq!(job.reason, decision.reason, "{outcome}");
            assert_eq!(job.last_error, decision.failure, "{outcome}");
            assert_eq!(job.result, decision.result, "{outcome}");
            assert_eq!(attempts.len(), 1);
            assert_eq!(
                (attempts[0].outcome, attempts[0].state),
                (Some(outcome), Some(state))
            );
            assert_eq!(attempts[0].next_run_at, decision.run_at, "{outcome}");
            assert_eq!(attempts[0].error, decision.failure, "{outcome}");
            if let Some(run_at) = decision.run_at {
                assert_eq!(job.run_at, run_at, "{outcome}");
            }
        }
    }

    async fn a_job_that_may_run_once_at_most_is_parked_in_doubt(bench: Bench) {
        let once = JobSpec {
            delivery: Some(DeliveryGuarantee::AtMostOnce),
            ..spec()
        };
        let claimed = bench.claimed(once).await;

        bench.fail(&claimed, Class::Unknown).await;

        bench.assert_state(claimed.args.id, State::Uncertain).await;
    }

    async fn a_job_without_tries_left_is_a_dead_letter(bench: Bench) {
        let claimed = bench.claimed(tries(1)).await;

        bench.fail(&claimed, Class::Retry).await;

        let job = bench.job(claimed.args.id).await;
        assert_eq!(
            (job.state, job.reason.as_deref()),
            (State::Failed, Some("exhausted"))
        );
    }

    async fn an_attempt_given_back_can_be_claimed_at_once(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.pass(SECOND);
        let decision = Decision::give_back(claimed.counters, bench.now()).unwrap();
        let result = bench.result_of(&claimed, decision);

        let settled = bench.settle_as(By::Worker(bench.worker), result).await;
        let again = bench.claim(1).await;

        assert_eq!(
            (settled, ids(&again)),
            (SettleOutcome::Recorded, vec![claimed.args.id])
        );
        assert_eq!(
            (again[0].counters, again[0].queued_at),
            (attempt_counters(2, 1, 0, 1), bench.now())
        );
    }

    async fn attempts_are_numbered_without_a_gap_to_the_last(bench: Bench) {
        let mut claimed = bench.claimed(tries(4)).await;
        let id = claimed.args.id;
        for _ in 0..3 {
            bench.fail(&claimed, Class::Retry).await;
            bench.pass(WAIT);
            bench.release().await;
            claimed = bench.claim(1).await.remove(0);
        }
        bench.succeed(&claimed).await;

        let attempts = bench.store.attempts(id).await.unwrap();

        let numbers: Vec<_> = attempts.iter().map(|attempt| attempt.attempt).collect();
        let job = bench.job(id).await;
        assert_eq!(numbers, [1, 2, 3, 4]);
        assert_eq!(
            (job.state, counters(&job)),
            (State::Succeeded, attempt_counters(4, 4, 0, 1))
        );
        assert_eq!(job.last_error, None);
    }

    async fn one_call_settles_attempts_of_many_leases_and_queues(bench: Bench) {
        let a = bench.claimed(in_queue("a")).await;
        let b = bench.claimed(in_queue("b")).await;
        let c = bench.claimed(in_queue("b")).await;
        let results = [
            bench.result(&c, failing(Class::Retry)),
            bench.result(&a, accepted()),
            bench.result(&b, failing(Class::Permanent)),
        ];

        let answers = bench
            .settle_all(By::Worker(bench.worker), &results)
            .await;

        assert_eq!(answers, [SettleOutcome::Recorded; 3]);
        bench.assert_state(a.args.id, State::Succeeded).await;
        bench.assert_state(b.args.id, State::Failed).await;
        bench.assert_state(c.args.id, State::RetryWait).await;
    }

    async fn answers_of_settling_are_in_order(bench: Bench) {
        bench.enqueue_many(3, spec()).await;
        let batch = bench.claim(3).await;
        bench
            .store
            .force_cancel(batch[1].args.id, None, bench.now())
            .await
            .unwrap();
        let results: Vec<_> = batch
            .iter()
            .map(|claimed| bench.result(claimed, accepted()))
            .collect();

        let answers = bench
            .settle_all(By::Worker(bench.worker), &results)
            .await;

        assert_eq!(
            answers,
            [SettleOutcome::Recorded, SettleOutcome::Stale, SettleOutcome::Recorded]
        );
    }

    async fn nothing_to_settle_is_nothing_settled(bench: Bench) {
        let answers = bench.settle_all(By::Worker(bench.worker), &[]).await;

        assert_eq!(answers, []);
        assert_eq!(bench.facts().await, []);
    }

    async fn a_settlement_that_is_repeated_is_recorded_once(bench: Bench) {
        for verdict in [accepted(), failing(Class::Retry), failing(Class::Permanent)] {
            let claimed = bench.claimed(spec()).await;
            let id = claimed.args.id;

            let first = bench.settle(&claimed, verdict.clone()).await;
            let before = (bench.job(id).await, bench.plot(id).await);
            bench.pass(SECOND);
            let second = bench.settle(&claimed, verdict).await;

            assert_eq!((first, second), (SettleOutcome::Recorded, SettleOutcome::Recorded));
            assert_eq!((bench.job(id).await, bench.plot(id).await), before);
            assert_eq!(bench.store.attempts(id).await.unwrap().len(), 1);
        }
    }

    async fn successes_repeated_beside_new_ones_of_their_lease_are_recorded_once(bench: Bench) {
        bench.enqueue_many(4, spec()).await;
        let batch = bench.claim(4).await;
        let said = |upto: usize| -> Vec<_> {
            let said = batch[..upto].iter();
            said.map(|claimed| bench.result(claimed, accepted()))
                .collect()
        };
        let worker = By::Worker(bench.worker);

        let first = bench.settle_all(worker, &said(2)).await;
        let beside = bench.settle_all(worker, &said(3)).await;
        let last = bench.settle_all(worker, &said(4)).await;

        assert_eq!([first, beside, last].concat(), [SettleOutcome::Recorded; 9]);
        for claimed in &batch {
            let id = claimed.args.id;
            bench.assert_state(id, State::Succeeded).await;
            assert_eq!(bench.store.attempts(id).await.unwrap().len(), 1);
            assert_eq!(bench.plot(id).await.len(), 3);
        }
    }

    async fn a_success_is_too_late_for_a_job_that_ended_otherwise_under_the_same_lease(bench: Bench) {
        bench.enqueue_many(3, spec()).await;
        let batch = bench.claim(3).await;
        bench.settle(&batch[0], failing(Class::Permanent)).await;
        bench.settle(&batch[1], accepted()).await;

        let settled = bench.settle(&batch[0], accepted()).await;

        assert_eq!(settled, SettleOutcome::Stale);
        bench.assert_state(batch[0].args.id, State::Failed).await;
        bench.assert_state(batch[1].args.id, State::Succeeded).await;
        bench.assert_state(batch[2].args.id, State::Running).await;
    }

    async fn the_same_words_under_another_lease_are_not_the_same_settlement(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.succeed(&claimed).await;
        let stranger = Claimed {
            lease: want("default", 1, false).lease,
            ..claimed.clone()
        };

        let settled = bench.succeed(&stranger).await;

        let attempts = bench.store.attempts(claimed.args.id).await.unwrap();
        assert_eq!(settled, SettleOutcome::Stale);
        assert_eq!((attempts.len(), attempts[0].lease), (1, claimed.lease));
    }

    async fn an_attempt_settles_once_however_many_try(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let id = claimed.args.id;
        bench.pass(LEASE + SECOND);
        let mut callers = tokio::task::JoinSet::new();
        for n in 0..8 {
            let (by, result) = match n % 2 {
                0 => (
                    By::Worker(bench.worker),
                    bench.result(&claimed, failing(Class::Permanent)),
                ),
                _ => (By::Rescuer, bench.loss(&claimed).await),
            };
            let bench = bench.clone();
            callers.spawn(async move { bench.settle_as(by, result).await });
        }

        callers.join_all().await;

        let attempts = bench.store.attempts(id).await.unwrap();
        assert_eq!(attempts.len(), 1);
        assert_eq!(attempts[0].state, Some(bench.state(id).await));
        assert_eq!(bench.plot(id).await.len(), 3);
    }

    async fn a_worker_settles_after_its_lease_while_nobody_took_it_back(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.pass(HOUR);

        let settled = bench.succeed(&claimed).await;

        assert_eq!(settled, SettleOutcome::Recorded);
        bench.assert_state(claimed.args.id, State::Succeeded).await;
    }

    async fn a_worker_does_not_settle_what_another_one_has(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let stranger = By::Worker(bench.another_worker());
        let result = bench.result(&claimed, accepted());

        let settled = bench.settle_as(stranger, result).await;

        assert_eq!(settled, SettleOutcome::Stale);
        bench.assert_state(claimed.args.id, State::Running).await;
        assert_eq!(bench.succeed(&claimed).await, SettleOutcome::Recorded);
    }

    async fn a_settlement_under_a_lease_that_never_was_changes_nothing(bench: Bench) {
        let mut claimed = bench.claimed(spec()).await;
        claimed.lease = want("default", 1, false).lease;

        let settled = bench.succeed(&claimed).await;

        assert_eq!(settled, SettleOutcome::Stale);
        bench.assert_state(claimed.args.id, State::Running).await;
    }

    async fn an_outcome_is_a_fact_with_its_attempt_and_cause(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.fail(&claimed, Class::Retry).await;
        let dead = bench.claimed(spec()).await;
        bench.fail(&dead, Class::Permanent).await;

        let waiting = bench.story(claimed.args.id).await.remove(2);
        let failed = bench.story(dead.args.id).await.remove(2);

        assert_eq!(
            (waiting.kind.as_str(), failed.kind.as_str()),
            ("job.retry_wait", "job.failed")
        );
        assert_eq!(
            (&waiting.data["from"], &waiting.data["attempt"]),
            (&"running".into(), &1.into())
        );
        assert_eq!(
            (&waiting.data["class"], &waiting.data["code"]),
            (&"retry".into(), &"http_503".into())
        );
        assert_eq!(
            waiting.data["run_at"],
            bench.job(claimed.args.id).await.run_at.to_string()
        );
        assert_eq!(
            (&failed.data["to"], &failed.data["reason"]),
            (&"failed".into(), &"permanent".into())
        );
        assert_eq!(
            (&failed.data["class"], &failed.data["queue"]),
            (&"permanent".into(), &"default".into())
        );
    }

    async fn a_thousand_attempts_settle_in_one_call(bench: Bench) {
        bench.enqueue_many(1_000, spec()).await;
        let batch = bench.claim(ALL).await;
        let results: Vec<_> = batch
            .iter()
            .map(|claimed| bench.result(claimed, accepted()))
            .collect();

        let answers = bench
            .settle_all(By::Worker(bench.worker), &results)
            .await;

        assert_eq!(answers, vec![SettleOutcome::Recorded; 1_000]);
        assert_eq!(bench.queue("default").await.succeeded, 1_000);
    }
}
