//! Operations on dead letters, of which one is refused.

use std::time::Duration;

use baton_domain::{
    JobId, OperationId, WorkerId,
    job::{Class, State},
    operation::{Action, DeadLetterFilter, Operation},
};
use baton_ports::store::{By, DeadLetters, Work};

use super::{FEW, HOUR, Shop, pass};
use crate::hands::{DAWN, LEASE, claim, failure, jobs};

/// Longer than an operation is left alone, and shorter than a row is.
const PAUSE: Duration = Duration::from_secs(35);

impl Shop {
    /// Jobs that have failed for good, in the order in which they are stepped through.
    async fn dead_letters(&self, count: usize) -> Vec<JobId> {
        let (worker, mut ids) = (WorkerId::new(DAWN), self.enqueue(jobs(count, DAWN)).await);
        ids.sort();
        let wish = claim(worker, u32::MAX >> 1, DAWN + LEASE);
        let claimed = self.store().claim(&wish, DAWN).await.unwrap();
        let ends = claimed
            .iter()
            .map(|one| failure(one, Class::Permanent, DAWN));
        let ends: Vec<_> = ends.collect();
        let settled = self.store().settle(By::Worker(worker), &ends, DAWN).await;
        assert_eq!(settled.unwrap().len(), count);
        ids
    }

    /// Begins an operation; the one that was begun first has its turn first.
    async fn operate(&self, nth: u64, action: Action, filter: &DeadLetterFilter) -> OperationId {
        let id = OperationId::new(DAWN + HOUR + Duration::from_millis(nth));
        let begun = self.store().begin(id, action, filter, DAWN + HOUR).await;
        begun.unwrap().id
    }

    /// Takes the steps of operations until there is none to take.
    async fn step_to_the_end(&self) {
        for _ in 0..20 {
            let stepped = self.store().step(FEW, DAWN + HOUR).await;
            if matches!(stepped, Ok(None)) {
                return;
            }
        }
        panic!("an operation never ends");
    }

    async fn operation(&self, id: OperationId) -> Operation {
        self.store().operation(id).await.unwrap().unwrap()
    }
}

#[tokio::test]
async fn a_dead_letter_that_cannot_run_again_is_skipped_and_the_others_run() {
    for shop in Shop::of_each_dialect().await {
        let ids = shop.dead_letters(9).await;
        let all = shop
            .operate(2, Action::Retry, &DeadLetterFilter::default())
            .await;
        shop.refuse("ready", "job_id", ids[2].uuid()).await;

        shop.step_to_the_end().await;

        let operation = shop.operation(all).await;
        assert_eq!(shop.those_in(State::Failed, &ids).await, [ids[2]]);
        assert_eq!((operation.done, operation.skipped), (8, 1));
        assert!(operation.finished_at.is_some());
    }
}

#[tokio::test]
async fn a_dead_letter_that_cannot_be_discarded_is_skipped_and_the_next_operation_goes_on() {
    for shop in Shop::of_each_dialect().await {
        let ids = shop.dead_letters(9).await;
        let all = DeadLetterFilter::default();
        let [first, second] = [
            shop.operate(1, Action::Discard, &all).await,
            shop.operate(2, Action::Retry, &all).await,
        ];
        shop.refuse("finished", "job_id", ids[8].uuid()).await;

        shop.step_to_the_end().await;

        let (first, second) = (shop.operation(first).await, shop.operation(second).await);
        assert_eq!((first.done, first.skipped), (8, 1));
        assert_eq!((second.done, second.skipped), (1, 8));
        assert_eq!(shop.those_in(State::Queued, &ids).await, [ids[8]]);
    }
}

#[tokio::test]
async fn an_operation_skips_nothing_where_the_database_refuses_all_of_it() {
    for shop in Shop::of_each_dialect().await {
        let ids = shop.dead_letters(9).await;
        let all = DeadLetterFilter::default();
        let operation = shop.operate(1, Action::Retry, &all).await;
        shop.run(
            "CREATE TRIGGER picky_INSERT BEFORE INSERT ON ready BEGIN SELECT RAISE(ABORT, 'picky'); END;
             CREATE TRIGGER picky_UPDATE BEFORE UPDATE ON ready BEGIN SELECT RAISE(ABORT, 'picky'); END;",
            "ALTER TABLE ready ADD CONSTRAINT picky CHECK (false) NOT VALID",
        )
        .await;

        for _ in 0..3 {
            drop(shop.store().step(100, DAWN + HOUR).await);
            pass(PAUSE).await;
        }
        let refused = shop.operation(operation).await;
        shop.mend("ready").await;
        shop.step_to_the_end().await;

        let mended = shop.operation(operation).await;
        assert_eq!((refused.done, refused.finished_at), (0, None));
        assert_eq!((mended.done, mended.skipped), (9, 0));
        assert_eq!(shop.those_in(State::Queued, &ids).await, ids);
    }
}

#[tokio::test]
async fn an_operation_tries_at_once_what_an_earlier_one_has_skipped() {
    for shop in Shop::of_each_dialect().await {
        let ids = shop.dead_letters(9).await;
        let all = DeadLetterFilter::default();
        let first = shop.operate(1, Action::Retry, &all).await;
        shop.refuse("ready", "job_id", ids[2].uuid()).await;
        shop.step_to_the_end().await;
        shop.take("ready").await;

        let second = shop.operate(2, Action::Retry, &all).await;
        shop.step_to_the_end().await;

        let (first, second) = (shop.operation(first).await, shop.operation(second).await);
        assert_eq!((first.done, first.skipped), (8, 1));
        assert_eq!((second.done, second.skipped), (1, 0));
    }
}

#[tokio::test]
async fn an_operation_that_is_refused_itself_holds_up_no_other() {
    for shop in Shop::of_each_dialect().await {
        let ids = shop.dead_letters(9).await;
        let none = DeadLetterFilter {
            kind: Some("none".to_owned()),
            ..DeadLetterFilter::default()
        };
        let bad = shop.operate(1, Action::Discard, &none).await;
        shop.operate(2, Action::Retry, &DeadLetterFilter::default())
            .await;
        shop.refuse("operations", "id", bad.uuid()).await;

        shop.step_to_the_end().await;

        assert_eq!(shop.those_in(State::Queued, &ids).await, ids);
        assert_eq!(shop.operation(bad).await.finished_at, None);
    }
}
