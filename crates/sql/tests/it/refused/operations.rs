//! Operations on dead letters, of which one is refused.

use std::time::Duration;

use baton_domain::{
    JobId, OperationId, WorkerId,
    job::{Class, State},
    operation::{Action, DeadLetterFilter, Operation},
};
use baton_ports::store::{By, DeadLetters, Work};

use super::{FEW, Fixture, HOUR, pass};
use crate::hands::{DAWN, LEASE, claim, failure, jobs};

/// Longer than an operation is left alone, and shorter than a row is.
const PAUSE: Duration = Duration::from_secs(35);

impl Fixture {
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
    for fixture in Fixture::of_each_dialect().await {
        let ids = fixture.dead_letters(9).await;
        let all = fixture
            .operate(2, Action::Retry, &DeadLetterFilter::default())
            .await;
        fixture.refuse("ready", "job_id", ids[2].uuid()).await;

        fixture.step_to_the_end().await;

        let operation = fixture.operation(all).await;
        assert_eq!(fixture.those_in(State::Failed, &ids).await, [ids[2]]);
        assert_eq!((operation.done, operation.skipped), (8, 1));
        assert!(operation.finished_at.is_some());
    }
}

#[tokio::test]
async fn a_dead_letter_that_cannot_be_discarded_is_skipped_and_the_next_operation_goes_on() {
    for fixture in Fixture::of_each_dialect().await {
        let ids = fixture.dead_letters(9).await;
        let all = DeadLetterFilter::default();
        let [first, second] = [
            fixture.operate(1, Action::Discard, &all).await,
            fixture.operate(2, Action::Retry, &all).await,
        ];
        fixture.refuse("finished", "job_id", ids[8].uuid()).await;

        fixture.step_to_the_end().await;

        let (first, second) = (
            fixture.operation(first).await,
            fixture.operation(second).await,
        );
        assert_eq!((first.done, first.skipped), (8, 1));
        assert_eq!((second.done, second.skipped), (1, 8));
        assert_eq!(fixture.those_in(State::Queued, &ids).await, [ids[8]]);
    }
}

#[tokio::test]
async fn an_operation_skips_nothing_where_the_database_refuses_all_of_it() {
    for fixture in Fixture::of_each_dialect().await {
        let ids = fixture.dead_letters(9).await;
        let all = DeadLetterFilter::default();
        let operation = fixture.operate(1, Action::Retry, &all).await;
        fixture.run_own(
            "CREATE TRIGGER picky_INSERT BEFORE INSERT ON ready BEGIN SELECT RAISE(ABORT, 'picky'); END;
             CREATE TRIGGER picky_UPDATE BEFORE UPDATE ON ready BEGIN SELECT RAISE(ABORT, 'picky'); END;",
            "ALTER TABLE ready ADD CONSTRAINT picky CHECK (false) NOT VALID",
            "CREATE TRIGGER picky_INSERT BEFORE INSERT ON ready FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'picky';
             CREATE TRIGGER picky_UPDATE BEFORE UPDATE ON ready FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'picky'",
        )
        .await;

        for _ in 0..3 {
            drop(fixture.store().step(100, DAWN + HOUR).await);
            pass(PAUSE).await;
        }
        let refused = fixture.operation(operation).await;
        fixture.mend("ready").await;
        fixture.step_to_the_end().await;

        let mended = fixture.operation(operation).await;
        assert_eq!((refused.done, refused.finished_at), (0, None));
        assert_eq!((mended.done, mended.skipped), (9, 0));
        assert_eq!(fixture.those_in(State::Queued, &ids).await, ids);
    }
}

#[tokio::test]
async fn an_operation_tries_at_once_what_an_earlier_one_has_skipped() {
    for fixture in Fixture::of_each_dialect().await {
        let ids = fixture.dead_letters(9).await;
        let all = DeadLetterFilter::default();
        let first = fixture.operate(1, Action::Retry, &all).await;
        fixture.refuse("ready", "job_id", ids[2].uuid()).await;
        fixture.step_to_the_end().await;
        fixture.take("ready").await;

        let second = fixture.operate(2, Action::Retry, &all).await;
        fixture.step_to_the_end().await;

        let (first, second) = (
            fixture.operation(first).await,
            fixture.operation(second).await,
        );
        assert_eq!((first.done, first.skipped), (8, 1));
        assert_eq!((second.done, second.skipped), (1, 0));
    }
}

#[tokio::test]
async fn an_operation_that_is_refused_itself_holds_up_no_other() {
    for fixture in Fixture::of_each_dialect().await {
        let ids = fixture.dead_letters(9).await;
        let none = DeadLetterFilter {
            kind: Some("none".to_owned()),
            ..DeadLetterFilter::default()
        };
        let bad = fixture.operate(1, Action::Discard, &none).await;
        fixture
            .operate(2, Action::Retry, &DeadLetterFilter::default())
            .await;
        fixture.refuse("operations", "id", bad.uuid()).await;

        fixture.step_to_the_end().await;

        assert_eq!(fixture.those_in(State::Queued, &ids).await, ids);
        assert_eq!(fixture.operation(bad).await.finished_at, None);
    }
}
