//! Rescuing: what a silent worker held is taken back, and nothing else.

use baton_domain::job::{Class, State};

use super::super::{
    bench::{Bench, HOUR, LEASE, SECOND, spec, ticket},
    promises,
};
use crate::store::Settled;

promises! {
    async fn an_overdue_job_is_rescued_and_runs_again_without_losing_a_try(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.pass(LEASE + SECOND);

        let held = bench.overdue().await;
        let settled = bench.settle_as(bench.rescuer(), bench.loss(&claimed)).await;
        bench.release().await;
        let again = bench.claim(1).await;

        assert_eq!(held.len(), 1);
        assert_eq!(
            (held[0].lease, held[0].worker),
            (claimed.lease, bench.worker)
        );
        assert_eq!(
            (held[0].job, held[0].ticket),
            (claimed.order.id, claimed.ticket)
        );
        assert_eq!(
            (held[0].queue.as_str(), held[0].kind.as_str()),
            ("default", "mail")
        );
        assert_eq!(
            (held[0].queued_at, held[0].delivery),
            (claimed.queued_at, claimed.order.delivery)
        );
        assert_eq!(settled, Settled::Recorded);
        assert_eq!(again[0].ticket, ticket(2, 1, 1, 1));
    }

    async fn a_job_that_is_lost_three_times_is_a_dead_letter(bench: Bench) {
        let mut claimed = bench.claimed(spec()).await;
        let id = claimed.order.id;
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

    async fn nothing_is_overdue_before_its_lease_has_ended(bench: Bench) {
        bench.claimed(spec()).await;
        bench.pass(LEASE);

        assert_eq!(bench.overdue().await, []);
    }

    async fn the_overdue_are_listed_up_to_the_limit(bench: Bench) {
        bench.enqueue_many(5, spec()).await;
        bench.claim(5).await;
        bench.pass(HOUR);

        let some = bench.store.overdue(bench.now(), 2).await.unwrap();

        assert_eq!(some.len(), 2);
        assert_eq!(bench.overdue().await.len(), 5);
    }

    async fn a_lease_that_has_not_ended_is_not_rescued(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.pass(LEASE);

        let settled = bench.settle_as(bench.rescuer(), bench.loss(&claimed)).await;

        assert_eq!(settled, Settled::Stale);
        bench.assert_state(claimed.order.id, State::Running).await;
    }

    async fn a_lease_renewed_at_the_last_moment_is_not_rescued(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.pass(LEASE + SECOND);
        let held = bench.overdue().await;

        bench
            .store
            .renew(bench.worker, bench.now() + LEASE)
            .await
            .unwrap();
        let settled = bench.settle_as(bench.rescuer(), bench.loss(&claimed)).await;

        assert_eq!((held.len(), settled), (1, Settled::Stale));
        bench.assert_state(claimed.order.id, State::Running).await;
        assert_eq!(bench.succeed(&claimed).await, Settled::Recorded);
        assert_eq!(
            bench.store.attempts(claimed.order.id).await.unwrap()[0].late,
            None
        );
    }

    async fn a_rescue_takes_back_one_job_and_leaves_its_neighbours(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let batch = bench.claim(2).await;

        bench.lose(&batch[0]).await;

        bench
            .assert_state(batch[0].order.id, State::RetryWait)
            .await;
        bench.assert_state(batch[1].order.id, State::Running).await;
        assert_eq!(bench.succeed(&batch[1]).await, Settled::Recorded);
    }

    async fn a_rescuer_who_comes_second_changes_nothing(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let id = claimed.order.id;
        bench.pass(LEASE + SECOND);
        let loss = bench.loss(&claimed);
        bench.fail(&claimed, Class::Retry).await;
        let before = bench.store.attempts(id).await.unwrap();

        let settled = bench.settle_as(bench.rescuer(), loss).await;

        assert_eq!(settled, Settled::Stale);
        assert_eq!(bench.store.attempts(id).await.unwrap(), before);
        bench.assert_state(id, State::RetryWait).await;
    }

    async fn two_rescuers_take_a_job_back_once(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let id = claimed.order.id;
        let first = bench.lose(&claimed).await;

        let second = bench.settle_as(bench.rescuer(), bench.loss(&claimed)).await;

        assert_eq!((first, second), (Settled::Recorded, Settled::Recorded));
        assert_eq!(bench.job(id).await.losses, 1);
        assert_eq!(bench.store.attempts(id).await.unwrap().len(), 1);
    }
}
