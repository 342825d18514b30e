//! Operations on jobs: who is meant, what becomes of them, and the end before they are through.

use std::time::Duration;

use baton_domain::{
    Clock as _, JobId,
    audit::{AuditAction, AuditFilter},
    job::{JobSpec, State},
    operation::{Action, JobSelection, Operation},
    page::PageRequest,
};
use baton_engine::{Cancel, Error, Next};
use baton_ports::store::{JobAct, Operations as _};

use crate::fixture::{Fixture, delayed, spec};

const SECOND: Duration = Duration::from_secs(1);
const HOUR: Duration = Duration::from_hours(1);

fn all(state: State) -> JobSelection {
    JobSelection {
        state,
        kind: None,
        queue: None,
        tag: None,
    }
}

impl Fixture {
    async fn state(&self, id: JobId) -> State {
        self.engine.job(id).await.unwrap().state
    }

    async fn canceled(&self, spec: JobSpec) -> JobId {
        let id = self.accept(spec).await;
        let canceled = self.engine.cancel(id, Cancel::default()).await;
        canceled.unwrap().id
    }

    /// Works on operations until none is left, and looks at this one.
    async fn carry_out(&mut self, operation: &Operation) -> Operation {
        while self.turn("job-operator").await == Next::Now {}
        self.engine.operation(operation.id).await.unwrap()
    }
}

#[tokio::test]
async fn all_that_match_are_canceled_and_no_others() {
    let mut fixture = Fixture::new().await;
    let red = JobSpec {
        tags: vec!["red".to_owned()],
        ..spec()
    };
    let (plain, mut tagged) = (fixture.accept(spec()).await, Vec::new());
    for _ in 0..3 {
        tagged.push(fixture.accept(red.clone()).await);
    }
    let later = fixture.accept(delayed(SECOND)).await;

    let wanted = JobSelection {
        tag: Some("red".to_owned()),
        ..all(State::Queued)
    };
    let why = Some("wrong batch".to_owned());
    let begun = fixture.engine.start_on_jobs(Action::Cancel, wanted, why);
    let begun = begun.await.unwrap();
    let ended = fixture.carry_out(&begun).await;

    assert_eq!((begun.total, begun.is_at_least), (3, false));
    assert_eq!((ended.total, ended.done, ended.skipped), (3, 3, 0));
    assert!(ended.finished_at.is_some());
    for id in tagged {
        let job = fixture.engine.job(id).await.unwrap();
        assert_eq!(
            (job.state, job.reason.as_deref()),
            (State::Canceled, Some("wrong batch"))
        );
    }
    assert_eq!(fixture.state(plain).await, State::Queued);
    assert_eq!(fixture.state(later).await, State::Pending);
}

#[tokio::test]
async fn what_comes_after_it_was_asked_for_is_not_touched() {
    let mut fixture = Fixture::new().await;
    let before = fixture.accept(spec()).await;
    let begun = fixture
        .engine
        .start_on_jobs(Action::Cancel, all(State::Queued), None);
    let begun = begun.await.unwrap();

    fixture.clock.advance(SECOND);
    let after = fixture.accept(spec()).await;
    let ended = fixture.carry_out(&begun).await;

    assert_eq!((ended.total, ended.done, ended.skipped), (1, 1, 0));
    assert_eq!(fixture.state(before).await, State::Canceled);
    assert_eq!(fixture.state(after).await, State::Queued);
}

#[tokio::test]
async fn what_was_there_before_the_clock_was_put_back_is_meant() {
    let mut fixture = Fixture::new().await;
    let before = fixture.accept(spec()).await;
    fixture.clock.set(fixture.clock.now() - HOUR);

    let begun = fixture
        .engine
        .start_on_jobs(Action::Cancel, all(State::Queued), None);
    let begun = begun.await.unwrap();
    let ended = fixture.carry_out(&begun).await;

    assert_eq!((ended.total, ended.done, ended.skipped), (1, 1, 0));
    assert_eq!(fixture.state(before).await, State::Canceled);
}

#[tokio::test]
async fn a_job_that_a_page_had_come_to_before_it_was_begun_again_is_counted_once() {
    let mut fixture = Fixture::new().await;
    let running = fixture.accept(spec()).await;
    fixture.claim().await;
    let begun = fixture
        .engine
        .start_on_jobs(Action::Cancel, all(State::Running), None);
    let begun = begun.await.unwrap();

    let ask = JobAct::AskToStop(running, None);
    let asked = fixture
        .store
        .act_on_job(begun.id, &ask, fixture.clock.now());
    assert!(asked.await.unwrap());
    let ended = fixture.carry_out(&begun).await;

    assert_eq!((ended.total, ended.done, ended.skipped), (1, 1, 0));
}

#[tokio::test]
async fn more_than_a_page_run_again_and_are_hinted_at() {
    let mut fixture = Fixture::new().await;
    for _ in 0..450 {
        fixture.canceled(spec()).await;
    }
    fixture.taken().await;
    fixture.clock.advance(SECOND);

    let begun = fixture
        .engine
        .start_on_jobs(Action::Retry, all(State::Canceled), None);
    let begun = begun.await.unwrap();
    let ended = fixture.carry_out(&begun).await;

    assert_eq!((ended.total, ended.done, ended.skipped), (450, 450, 0));
    assert_eq!(fixture.taken().await.len(), 450);
}

#[tokio::test]
async fn what_a_state_does_not_allow_is_refused() {
    let fixture = Fixture::new().await;

    let refused = fixture
        .engine
        .start_on_jobs(Action::Cancel, all(State::Failed), None)
        .await;

    assert!(matches!(refused, Err(Error::Illegal(_))), "{refused:?}");
}

#[tokio::test]
async fn one_that_was_stopped_leaves_the_rest_alone_and_both_are_audited_with_their_counts() {
    let mut fixture = Fixture::new().await;
    for _ in 0..450 {
        fixture.accept(spec()).await;
    }
    let begun = fixture
        .engine
        .start_on_jobs(Action::Cancel, all(State::Queued), None);
    let begun = begun.await.unwrap();
    fixture.turn("job-operator").await;
    fixture.clock.advance(SECOND);

    let stopped = fixture.engine.stop_operation(begun.id).await.unwrap();
    let ended = fixture.carry_out(&begun).await;

    assert!(stopped.is_stopped);
    assert_eq!((ended.total, ended.done, ended.skipped), (450, 200, 0));
    let about = AuditFilter {
        object: Some(begun.id.to_string()),
        ..AuditFilter::default()
    };
    let told = fixture
        .engine
        .audit_entries(&about, &PageRequest::default())
        .await;
    let told = told.unwrap().items.into_iter();
    let told: Vec<_> = told.map(|entry| (entry.action, entry.count)).collect();
    assert_eq!(
        told,
        [
            (AuditAction::OperationStop, Some(200)),
            (AuditAction::OperationStart, Some(450))
        ]
    );
}
