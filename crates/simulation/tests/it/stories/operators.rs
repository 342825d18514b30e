//! Stories of people who act while something is wrong.

use std::time::Duration;

use baton_domain::{
    job::State,
    operation::{Action, DeadLetterFilter},
};
use baton_engine::Cancel;
use tokio::time::sleep;

use super::Stage;
use crate::{
    fleet::LEASE,
    journal::Started,
    link::Condition,
    script::{Answer, Script, Word},
    world::in_virtual_time,
};

#[test]
fn a_job_canceled_while_its_worker_stands_still_is_canceled_by_the_rescue() {
    in_virtual_time(1, async {
        let mut stage = Stage::with_workers(2);
        let job = stage.post_one(&[Answer::new(Word::Ok, 2_000)]).await;
        stage.until_called(1).await;
        for line in stage.world.fleet.everybody() {
            if line.process == stage.world.journal.calls.lock()[0].worker {
                stage.disturb(line, Condition::Frozen, LEASE * 3);
            }
        }

        let asked = stage.engine().cancel(job, Cancel::default()).await.unwrap();
        let history = stage.end().await;

        assert_eq!(asked.state, State::Running);
        assert_eq!(history.jobs[&job].state, State::Canceled);
        assert_eq!(history.calls.len(), 1);
    });
}

/// More than one step of the operator.
const LETTERS: u32 = 700;

#[test]
fn an_operation_goes_on_after_the_store_was_gone_and_touches_each_job_once() {
    in_virtual_time(1, async {
        let mut stage = Stage::with_workers(2);
        let answers = [Answer::new(Word::Permanent, 1), Answer::new(Word::Ok, 1)];
        let scripts = (0..LETTERS).map(|number| Script::of(number, &answers));
        let jobs = stage.post(scripts.collect()).await;
        stage.until_called(jobs.len()).await;
        sleep(Duration::from_secs(1)).await;

        let filter = DeadLetterFilter::default();
        let operation = stage
            .engine()
            .start_operation(Action::Retry, &filter)
            .await
            .unwrap();
        for line in stage.world.fleet.everybody() {
            stage.disturb(line, Condition::Cut, LEASE * 2);
        }
        stage.world.journal.operations.lock().push(Started {
            action: Action::Retry,
            is_confirmed: true,
        });
        let history = stage.end().await;

        assert_eq!(operation.total, u64::from(LETTERS));
        assert_eq!(history.operations[0].done, u64::from(LETTERS));
        assert!(history.jobs.values().all(|job| job.run == 2));
        assert!(
            history
                .jobs
                .values()
                .all(|job| job.state == State::Succeeded)
        );
    });
}
