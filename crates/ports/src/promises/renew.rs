//! Renewing: a worker keeps what it has, and hears what it has lost.

use crate::store::Renewed;

use super::{
    bench::{Bench, HOUR, LEASE, SECOND, spec},
    promises,
};

promises! {
    async fn a_renewed_lease_lasts_longer(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let until = bench.now() + HOUR;

        let renewed = bench.renew_until(&[claimed.lease], until).await;

        assert_eq!(
            (renewed.leases, renewed.cancels),
            (vec![claimed.lease], vec![])
        );
        assert_eq!(bench.job(claimed.args.id).await.leased_until, Some(until));
    }

    async fn a_renewal_extends_the_leases_of_its_worker_alone(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let mine = bench.claim(1).await.remove(0);
        let other = bench.another_worker();
        let theirs = bench.claim_as(other, "default", 1).await.remove(0);

        let both = [mine.lease, theirs.lease];
        let renewed = bench.renew_until(&both, bench.now() + HOUR).await;
        bench.pass(LEASE + SECOND);

        let overdue: Vec<_> = bench
            .overdue()
            .await
            .iter()
            .map(|held| held.lease)
            .collect();
        assert_eq!(renewed.leases, [mine.lease]);
        assert_eq!(overdue, [theirs.lease]);
    }

    async fn a_renewal_extends_the_leases_that_it_names_and_no_other(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let forgotten = bench.claim(1).await.remove(0);
        let named = bench.claim(1).await.remove(0);
        bench.store.request_cancel(forgotten.args.id, None, bench.now()).await.unwrap();
        bench.pass(LEASE);

        let renewed = bench.renew(&[named.lease]).await;
        bench.pass(SECOND);

        let overdue = bench.overdue().await;
        assert_eq!((renewed.leases, renewed.cancels), (vec![named.lease], vec![]));
        assert_eq!(overdue.len(), 1);
        assert_eq!(overdue[0].lease, forgotten.lease);
        assert_eq!(bench.renew(&[]).await, Renewed::default());
    }

    async fn a_renewal_that_comes_late_does_not_shorten_a_lease(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let until = bench.now() + LEASE;
        bench.renew_until(&[claimed.lease], until + SECOND).await;

        bench.renew_until(&[claimed.lease], until).await;

        let view = bench.lease_view(claimed.lease).await.unwrap();
        assert!(view.until > until + SECOND);
    }

    async fn a_renewal_by_a_clock_that_was_put_back_says_when_the_lease_ends_now(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.clock.set(bench.now() - HOUR);

        bench.renew(&[claimed.lease]).await;

        let view = bench.lease_view(claimed.lease).await.unwrap();
        assert_eq!(view.until, bench.now() + LEASE);
    }

    async fn a_lease_that_ran_out_is_renewed_while_nobody_took_it_back(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.pass(HOUR);

        let renewed = bench.renew(&[claimed.lease]).await;

        assert_eq!(renewed.leases, [claimed.lease]);
        assert_eq!(bench.overdue().await, []);
    }

    async fn a_lost_lease_is_missing_from_the_renewal(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let lost = bench.claim(1).await.remove(0);
        let kept = bench.claim(1).await.remove(0);
        bench.lose(&lost).await;

        let renewed = bench.renew(&[lost.lease, kept.lease]).await;

        assert_eq!(renewed.leases, [kept.lease]);
    }

    async fn a_lease_goes_with_its_last_job(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let batch = bench.claim(2).await;
        let lease = [batch[0].lease];

        bench.succeed(&batch[0]).await;
        let halfway = bench.renew(&lease).await;
        bench.succeed(&batch[1]).await;
        let after = bench.renew(&lease).await;

        assert_eq!(
            (halfway.leases, after.leases),
            (vec![batch[0].lease], vec![])
        );
    }

    async fn a_renewal_tells_which_jobs_were_asked_to_stop(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let batch = bench.claim(2).await;
        let id = batch[1].args.id;
        assert!(bench.store.request_cancel(id, None, bench.now()).await.unwrap());

        let first = bench.renew(&[batch[0].lease]).await;
        let again = bench.renew(&[batch[0].lease]).await;

        assert_eq!((first.cancels, again.cancels), (vec![id], vec![id]));
    }
}
