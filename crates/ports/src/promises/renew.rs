//! Renewing: a worker keeps what it has, and hears what it has lost.

use super::{
    bench::{Bench, HOUR, LEASE, SECOND, spec},
    promises,
};

promises! {
    async fn a_renewed_lease_lasts_longer(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let until = bench.now() + HOUR;

        let renewed = bench.store.renew(bench.worker, until).await.unwrap();

        assert_eq!(
            (renewed.leases, renewed.cancels),
            (vec![claimed.lease], vec![])
        );
        assert_eq!(bench.job(claimed.order.id).await.leased_until, Some(until));
    }

    async fn a_renewal_extends_the_leases_of_its_worker_alone(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let mine = bench.claim(1).await.remove(0);
        let other = bench.another_worker();
        let theirs = bench.claim_as(other, "default", 1).await.remove(0);

        bench
            .store
            .renew(bench.worker, bench.now() + HOUR)
            .await
            .unwrap();
        bench.pass(LEASE + SECOND);

        let overdue: Vec<_> = bench
            .overdue()
            .await
            .iter()
            .map(|held| held.lease)
            .collect();
        assert_eq!(overdue, [theirs.lease]);
        assert_ne!(mine.lease, theirs.lease);
    }

    async fn a_lease_that_ran_out_is_renewed_while_nobody_took_it_back(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        bench.pass(HOUR);

        let renewed = bench
            .store
            .renew(bench.worker, bench.now() + LEASE)
            .await
            .unwrap();

        assert_eq!(renewed.leases, [claimed.lease]);
        assert_eq!(bench.overdue().await, []);
    }

    async fn a_lost_lease_is_missing_from_the_renewal(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let lost = bench.claim(1).await.remove(0);
        let kept = bench.claim(1).await.remove(0);
        bench.lose(&lost).await;

        let renewed = bench
            .store
            .renew(bench.worker, bench.now() + LEASE)
            .await
            .unwrap();

        assert_eq!(renewed.leases, [kept.lease]);
    }

    async fn a_lease_goes_with_its_last_job(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let batch = bench.claim(2).await;
        let until = bench.now() + LEASE;

        bench.succeed(&batch[0]).await;
        let halfway = bench.store.renew(bench.worker, until).await.unwrap();
        bench.succeed(&batch[1]).await;
        let after = bench.store.renew(bench.worker, until).await.unwrap();

        assert_eq!(
            (halfway.leases, after.leases),
            (vec![batch[0].lease], vec![])
        );
    }

    async fn a_renewal_tells_which_jobs_were_asked_to_stop(bench: Bench) {
        bench.enqueue_many(2, spec()).await;
        let batch = bench.claim(2).await;
        let id = batch[1].order.id;
        assert!(bench.store.ask_cancel(id, None, bench.now()).await.unwrap());

        let until = bench.now() + LEASE;
        let first = bench.store.renew(bench.worker, until).await.unwrap();
        let again = bench.store.renew(bench.worker, until).await.unwrap();

        assert_eq!((first.cancels, again.cancels), (vec![id], vec![id]));
    }
}
