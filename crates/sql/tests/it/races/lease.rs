//! Two at one lease: the row is locked by a third, so that both have looked before either writes.

use baton_domain::{
    Timestamp, WorkerId,
    job::{Class, State},
};
use baton_ports::store::{Atomicity, By, Claimed, Error, Jobs, SettleOutcome, Work};
use baton_sql::SqlStore;

use crate::{
    hands::{DAWN, LEASE, claim, ending, failure, jobs, loss, success},
    races::onlooker::{self, Onlooker},
};

on_each_server!(
    two_settlements_of_one_lease_at_once_leave_no_empty_lease,
    a_row_that_is_in_the_way_for_good_is_refused_and_not_waited_for,
    a_settlement_and_a_rescue_at_once_give_one_result,
    a_settlement_that_waits_for_a_wish_to_cancel_sees_it,
    a_settlement_and_a_revocation_at_once_give_one_result,
    successes_at_once_of_leases_whose_ids_lie_between_each_other_are_recorded_both,
);

const LATER: Timestamp = Timestamp::from_micros(DAWN.as_micros() + 60_000_000);

async fn two_settlements_of_one_lease_at_once_leave_no_empty_lease(
    store: SqlStore,
    onlooker: Onlooker,
) {
    let bench = Bench::with_a_lease_of(store, onlooker, 2).await;
    let (one, other) = (&bench.claimed[0], &bench.claimed[1]);

    let settle_one = bench.settle(By::Worker(bench.worker), one);
    let settle_other = bench.settle(By::Worker(bench.worker), other);
    let ((), one, other) = tokio::join!(bench.let_go_when_waiting(2), settle_one, settle_other);

    assert_eq!(
        (one, other),
        (SettleOutcome::Recorded, SettleOutcome::Recorded)
    );
    assert_eq!(bench.count("leases").await, 0);
    assert_eq!(bench.count("successes").await, 2);
}

async fn a_row_that_is_in_the_way_for_good_is_refused_and_not_waited_for(
    store: SqlStore,
    onlooker: Onlooker,
) {
    let bench = Bench::with_a_lease_of(store, onlooker, 1).await;
    let failed = [failure(&bench.claimed[0], Class::Retry, DAWN)];
    let in_the_way = "INSERT INTO waiting (job_id, state, queue, priority, run_at, since, attempt, tries, losses, run)
      SELECT id, 'pending', queue, 0, 1, 1, 0, 0, 0, 1 FROM jobs; COMMIT";
    bench.onlooker.say(in_the_way).await;

    let settled = bench
        .store
        .settle(By::Worker(bench.worker), &failed, DAWN)
        .await;

    assert!(matches!(settled, Err(Error::Refused(_))), "{settled:?}");
}

async fn a_settlement_and_a_rescue_at_once_give_one_result(store: SqlStore, onlooker: Onlooker) {
    let bench = Bench::with_a_lease_of(store, onlooker, 1).await;
    let job = &bench.claimed[0];
    let (held, until) = ending(&bench.store, LATER, 9).await.remove(0);
    let lost = [loss(&held, until, LATER)];

    let settle = bench.settle(By::Worker(bench.worker), job);
    let rescue = bench.store.settle(By::Rescuer, &lost, LATER);
    let ((), settled, rescued) = tokio::join!(bench.let_go_when_waiting(2), settle, rescue);

    // Whoever is second: a late success is adopted, a late loss is stale.
    let answers = (settled, rescued.unwrap()[0]);
    assert!(
        answers == (SettleOutcome::Recorded, SettleOutcome::Stale)
            || answers == (SettleOutcome::Adopted, SettleOutcome::Recorded),
        "{answers:?}"
    );
    assert_eq!(bench.count("results").await, 1);
    assert_eq!(bench.count("leases").await, 0);
    assert_eq!(bench.state_of(job).await, State::Succeeded);
}

async fn a_settlement_that_waits_for_a_wish_to_cancel_sees_it(store: SqlStore, onlooker: Onlooker) {
    let bench = Bench::with_a_lease_of(store, onlooker, 1).await;
    let job = &bench.claimed[0];
    let failed = [failure(job, Class::Retry, DAWN)];

    let settle = bench.store.settle(By::Worker(bench.worker), &failed, DAWN);
    let ask = async {
        bench.onlooker.wait_for(1).await;
        let wish = format!(
            "INSERT INTO cancellations (job_id, asked_at) VALUES ('{}', {})",
            job.args.id.uuid(),
            DAWN.as_micros()
        );
        bench.onlooker.say(&wish).await;
        bench.onlooker.say("COMMIT").await;
    };
    let (settled, ()) = tokio::join!(settle, ask);

    assert_eq!(settled.unwrap(), [SettleOutcome::Recorded]);
    assert_eq!(bench.state_of(job).await, State::Canceled);
    assert_eq!(bench.count("cancellations").await, 0);
}

async fn a_settlement_and_a_revocation_at_once_give_one_result(
    store: SqlStore,
    onlooker: Onlooker,
) {
    let bench = Bench::with_a_lease_of(store, onlooker, 1).await;
    let job = &bench.claimed[0];

    let settle = bench.settle(By::Worker(bench.worker), job);
    let force_cancel = bench.store.force_cancel(job.args.id, None, DAWN);
    let ((), settled, force_canceled) =
        tokio::join!(bench.let_go_when_waiting(2), settle, force_cancel);

    let answers = (settled, force_canceled.unwrap());
    let ends = (answers, bench.state_of(job).await);
    assert!(
        ends == ((SettleOutcome::Recorded, false), State::Succeeded)
            || ends == ((SettleOutcome::Stale, true), State::Canceled),
        "{ends:?}"
    );
    assert_eq!(bench.count("results").await, 1);
    assert_eq!(bench.count("leases").await, 0);
}

async fn successes_at_once_of_leases_whose_ids_lie_between_each_other_are_recorded_both(
    store: SqlStore,
    onlooker: Onlooker,
) {
    let worker = WorkerId::new(DAWN);
    let mut added = jobs(200, DAWN);
    for job in added.iter_mut().step_by(2) {
        job.queue = "other".to_owned();
    }
    store.enqueue(added, Atomicity::All).await.unwrap();
    let [one, other] = ["default", "other"].map(|queue| {
        let mut claim = claim(worker, 100, DAWN + LEASE);
        claim.queues[0].queue = queue.to_owned();
        claim
    });
    let one = store.claim(&one, DAWN).await.unwrap();
    let other = store.claim(&other, DAWN).await.unwrap();
    let bench = Bench::holding(store, onlooker, worker, Vec::new()).await;

    let settle_one = bench.settle_all(&one);
    let settle_other = bench.settle_all(&other);
    let ((), one, other) = tokio::join!(bench.let_go_when_waiting(2), settle_one, settle_other);

    assert_eq!(
        [one, other],
        [(); 2].map(|()| vec![SettleOutcome::Recorded; 100])
    );
    assert_eq!(bench.count("results").await, 200);
    assert_eq!(bench.count("leases").await, 0);
}

#[tokio::test]
async fn on_postgresql_a_batch_of_successes_is_one_row_and_what_comes_after_it_another() {
    let (store, onlooker) = onlooker::on_postgres().await;
    let bench = Bench::with_a_lease_of(store, onlooker, 100).await;
    bench.onlooker.say("COMMIT").await;

    bench.settle_all(&bench.claimed[..40]).await;
    bench.settle_all(&bench.claimed[50..]).await;
    bench.settle_all(&bench.claimed[40..50]).await;

    assert_eq!(
        (
            bench.count("success_batches").await,
            bench.count("successes").await
        ),
        (2, 10)
    );
    assert_eq!(
        (bench.count("results").await, bench.count("leases").await),
        (100, 0)
    );
}

/// A store, one lease, and somebody who has it locked.
struct Bench {
    store: SqlStore,
    worker: WorkerId,
    claimed: Vec<Claimed>,
    onlooker: Onlooker,
}

impl Bench {
    async fn with_a_lease_of(store: SqlStore, onlooker: Onlooker, count: usize) -> Self {
        let worker = WorkerId::new(DAWN);
        store
            .enqueue(jobs(count, DAWN), Atomicity::All)
            .await
            .unwrap();
        let claimed = store.claim(&claim(worker, 100, DAWN + LEASE), DAWN).await;
        Self::holding(store, onlooker, worker, claimed.unwrap()).await
    }

    async fn holding(
        store: SqlStore,
        onlooker: Onlooker,
        worker: WorkerId,
        claimed: Vec<Claimed>,
    ) -> Self {
        onlooker.say("BEGIN").await;
        onlooker.say("SELECT id FROM leases FOR UPDATE").await;
        Self {
            store,
            worker,
            claimed,
            onlooker,
        }
    }

    async fn settle(&self, by: By, claimed: &Claimed) -> SettleOutcome {
        let result = success(claimed, DAWN);
        self.store.settle(by, &[result], DAWN).await.unwrap()[0]
    }

    async fn settle_all(&self, claimed: &[Claimed]) -> Vec<SettleOutcome> {
        let done: Vec<_> = claimed.iter().map(|one| success(one, DAWN)).collect();
        let settled = self.store.settle(By::Worker(self.worker), &done, DAWN);
        settled.await.unwrap()
    }

    async fn let_go_when_waiting(&self, count: i64) {
        self.onlooker.wait_for(count).await;
        self.onlooker.say("COMMIT").await;
    }

    async fn count(&self, table: &str) -> i64 {
        self.onlooker.count(table).await
    }

    async fn state_of(&self, claimed: &Claimed) -> State {
        let job = self.store.job(claimed.args.id).await.unwrap();
        job.unwrap().state
    }
}
