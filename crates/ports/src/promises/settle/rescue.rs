//! Rescuing: what a silent worker held is taken back, and nothing else.

use std::time::Duration;

use baton_domain::job::{Class, Decision, State};

use super::super::{
    bench::{ALL, Bench, HOUR, LEASE, MINUTE, SECOND, attempt_counters, spec},
    promises,
};
use crate::store::{AttemptResult, By, Claimed, LeaseView, SettleOutcome};

promises! {
    async fn an_overdue_job_is_rescued_and_runs_again_without_losing_a_try(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.pass(LEASE + SECOND);

        let held = bench.overdue().await;
        let settled = bench.lose(&claimed).await;
        bench.release().await;
        let again = bench.claim(1).await;

        assert_eq!(held.len(), 1);
        assert_eq!(
            (held[0].lease, held[0].worker),
            (claimed.lease, bench.worker)
        );
        assert_eq!(
            (held[0].job, held[0].counters),
            (claimed.args.id, claimed.counters)
        );
        assert_eq!(
            (held[0].queue.as_str(), held[0].kind.as_str()),
            ("default", "mail")
        );
        assert_eq!(
            (held[0].queued_at, held[0].delivery),
            (claimed.queued_at, claimed.args.options.delivery)
        );
        assert_eq!(settled, SettleOutcome::Recorded);
        assert_eq!(again[0].counters, attempt_counters(2, 1, 1, 1));
    }

    async fn a_job_that_is_lost_three_times_is_a_dead_letter(bench: Bench) {
        let mut claimed = bench.claimed(spec()).await;
        let id = claimed.args.id;
        for _ in 0..2 {
            bench.lose(&claimed).await;
            bench.release().await;
            claimed = bench.claim(1).await.remove(0);
        }
        bench.lose(&claimed).await;

        let job = bench.job(id).await;
        assert_eq!(
            (job.state, job.reason.as_deref()),
            (State::Failed, Some("lost"))
        );
        assert_eq!((job.attempt, job.losses), (3, 3));
    }

    async fn what_is_held_is_listed_up_to_the_limit(bench: Bench) {
        bench.enqueue_many(5, spec()).await;
        let lease = bench.claim(5).await[0].lease;

        let some = bench.store.held(&[lease], 2).await.unwrap();
        let all = bench.store.held(&[lease], ALL).await.unwrap();
        let none = bench.store.held(&[], ALL).await.unwrap();

        assert_eq!((some.len(), all.len(), none.len()), (2, 5, 0));
    }

    async fn leases_are_shown_with_what_their_workers_say_of_them(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let other = bench.another_worker();
        let first = bench.claim(1).await.remove(0);
        bench.pass(SECOND);
        let second = bench.claim_as(other, "default", 1).await.remove(0);
        bench.heartbeat_of(other, Some(MINUTE)).await;

        let all = bench.store.leases(ALL).await.unwrap();
        let some = bench.store.leases(1).await.unwrap();

        let shown = |claimed: &Claimed, worker, until, length| LeaseView {
            lease: claimed.lease,
            worker,
            until,
            length,
            is_abandoned: false,
        };
        let end = bench.now() + LEASE;
        let first = shown(&first, bench.worker, end - SECOND, None);
        assert_eq!(all, [first, shown(&second, other, end, Some(MINUTE))]);
        assert_eq!(some, [first]);
    }

    async fn what_a_worker_holds_that_said_goodbye_is_abandoned(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.heartbeat_of(bench.worker, Some(LEASE)).await;
        bench.store.leave(bench.worker, bench.now()).await.unwrap();

        let view = bench.lease_view(claimed.lease).await.unwrap();

        assert!(view.is_abandoned);
    }

    async fn a_lease_is_rescued_whatever_the_clock_says(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.clock.set(bench.now() - HOUR);

        let loss = bench.loss(&claimed).await;
        let settled = bench.settle_as(By::Rescuer, loss).await;

        assert_eq!(settled, SettleOutcome::Recorded);
    }

    async fn a_lease_renewed_at_the_last_moment_is_not_rescued(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.pass(LEASE + SECOND);
        let loss = bench.loss(&claimed).await;

        bench.renew(&[claimed.lease]).await;
        let settled = bench.settle_as(By::Rescuer, loss).await;

        assert_eq!(settled, SettleOutcome::Stale);
        bench.assert_state(claimed.args.id, State::Running).await;
        assert_eq!(bench.succeed(&claimed).await, SettleOutcome::Recorded);
        assert_eq!(
            bench.store.attempts(claimed.args.id).await.unwrap()[0].late,
            None
        );
    }

    async fn a_lease_renewed_by_a_clock_that_went_back_or_stood_still_is_not_rescued(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        for back in [HOUR, SECOND, Duration::ZERO] {
            let loss = bench.loss(&claimed).await;

            bench.clock.set(bench.now() - back);
            let renewed = bench.renew(&[claimed.lease]).await;
            let settled = bench.settle_as(By::Rescuer, loss).await;

            assert_eq!(renewed.leases, [claimed.lease]);
            assert_eq!(settled, SettleOutcome::Stale, "{back:?}");
        }
    }

    async fn a_rescue_takes_back_one_job_and_leaves_its_neighbours(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let batch = bench.claim(2).await;

        bench.lose(&batch[0]).await;

        bench
            .assert_state(batch[0].args.id, State::RetryWait)
            .await;
        bench.assert_state(batch[1].args.id, State::Running).await;
        assert_eq!(bench.succeed(&batch[1]).await, SettleOutcome::Recorded);
    }

    async fn a_rescuer_who_comes_second_changes_nothing(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let id = claimed.args.id;
        bench.pass(LEASE + SECOND);
        let loss = bench.loss(&claimed).await;
        bench.fail(&claimed, Class::Retry).await;
        let before = bench.store.attempts(id).await.unwrap();

        let settled = bench.settle_as(By::Rescuer, loss).await;

        assert_eq!(settled, SettleOutcome::Stale);
        assert_eq!(bench.store.attempts(id).await.unwrap(), before);
        bench.assert_state(id, State::RetryWait).await;
    }

    async fn two_rescuers_take_a_job_back_once(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let id = claimed.args.id;
        bench.pass(LEASE + SECOND);
        let loss = bench.loss(&claimed).await;

        let first = bench.settle_as(By::Rescuer, loss.clone()).await;
        let second = bench.settle_as(By::Rescuer, loss).await;

        assert_eq!((first, second), (SettleOutcome::Recorded, SettleOutcome::Recorded));
        assert_eq!(bench.job(id).await.losses, 1);
        assert_eq!(bench.store.attempts(id).await.unwrap().len(), 1);
    }

    async fn what_nobody_heard_of_is_given_back_unless_its_lease_was_renewed_at_whatever_moment(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let (heard, unheard) = (bench.claim(1).await.remove(0), bench.claim(1).await.remove(0));
        let give_back = |claimed: &Claimed| AttemptResult {
            started_at: None,
            seen: Some(bench.now() + LEASE),
            ..bench.result_of(claimed, Decision::give_back(claimed.counters, bench.now()).unwrap())
        };
        bench.renew(&[heard.lease]).await;

        let results = [give_back(&heard), give_back(&unheard)];
        let settled = bench.store.settle(By::Rescuer, &results, bench.now()).await.unwrap();

        assert_eq!(settled, [SettleOutcome::Stale, SettleOutcome::Recorded]);
        let state = async |claimed: &Claimed| bench.job(claimed.args.id).await.state;
        assert_eq!([state(&heard).await, state(&unheard).await], [State::Running, State::Queued]);
    }
}
