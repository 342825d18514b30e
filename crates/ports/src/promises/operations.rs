//! Operations on the jobs of a state: each job with its count, where the walk stands, and the end before it is through.

use baton_domain::{
    JobId, Lifecycle,
    job::{State, Trigger},
    operation::{Action, DeadLetterFilter, Operation},
    page::PageRequest,
};

use super::{
    bench::{Bench, spec},
    promises,
};
use crate::store::{Counted, JobAct, JobFilter, JobsStep, UnclaimedTransition};

impl Bench {
    async fn begin_on_jobs(&self, action: Action, state: State) -> Operation {
        let operation = self.on_jobs(action, state);
        let begun = self.store.begin_on_jobs(&operation).await;
        begun.expect("begun")
    }

    async fn seen(&self, operation: &Operation) -> Operation {
        let seen = self.store.operation(operation.id).await;
        seen.expect("a look").expect("an operation")
    }

    async fn act(&self, operation: &Operation, act: &JobAct) -> bool {
        let acted = self.store.act_on_job(operation.id, act, self.now()).await;
        acted.expect("acted")
    }

    async fn advance(&self, step: &JobsStep) -> bool {
        let advanced = self.store.advance_on_jobs(step, self.now()).await;
        advanced.expect("advanced")
    }
}

fn cancel(job: JobId) -> JobAct {
    JobAct::Move(UnclaimedTransition {
        job,
        transition: State::Queued.on(Trigger::Cancel).expect("a move"),
        reason: Some("wrong batch".to_owned()),
        afresh: false,
    })
}

const fn step(operation: &Operation, from: Option<JobId>, to: Option<JobId>) -> JobsStep {
    JobsStep {
        operation: operation.id,
        from,
        to,
        skipped: 0,
        is_last: false,
    }
}

promises! {
    async fn an_operation_on_jobs_is_begun_once_and_told_as_it_was_asked_for(bench: Bench) {
        let mut asked = bench.on_jobs(Action::Cancel, State::Queued);
        asked.reason = Some("wrong batch".to_owned());
        (asked.total, asked.is_at_least) = (3, true);

        let begun = bench.store.begin_on_jobs(&asked).await.unwrap();

        assert_eq!(begun, asked);
        assert_eq!(bench.seen(&asked).await, asked);
        let unfinished = bench.store.unfinished_on_jobs().await.unwrap();
        assert_eq!(unfinished, Some((asked.clone(), None)));
        let listed = bench.store.operations(&PageRequest::default()).await.unwrap();
        assert_eq!(listed.items, [asked]);
        assert!(bench.store.outstanding(bench.now()).await.unwrap().operations);
        assert_eq!(bench.store.step(10, bench.now()).await.unwrap(), None);
    }

    async fn a_job_is_moved_and_counted_in_one(bench: Bench) {
        let job = bench.enqueue(spec()).await;
        let operation = bench.begin_on_jobs(Action::Cancel, State::Queued).await;

        let acted = bench.act(&operation, &cancel(job)).await;
        let again = bench.act(&operation, &cancel(job)).await;

        assert_eq!((acted, again), (true, false));
        let job = bench.job(job).await;
        assert_eq!((job.state, job.reason.as_deref()), (State::Canceled, Some("wrong batch")));
        assert_eq!(bench.seen(&operation).await.done, 1);
    }

    async fn a_running_job_is_asked_to_stop_and_counted_once(bench: Bench) {
        let job = bench.claimed(spec()).await.args.id;
        let operation = bench.begin_on_jobs(Action::Cancel, State::Running).await;
        let ask = JobAct::AskToStop(job, Some("too slow".to_owned()));

        let asked = bench.act(&operation, &ask).await;
        let again = bench.act(&operation, &ask).await;

        assert_eq!((asked, again), (true, false));
        assert!(bench.job(job).await.cancel_asked_at.is_some());
        assert_eq!(bench.seen(&operation).await.done, 1);
    }

    async fn a_walk_goes_on_only_from_where_it_stands(bench: Bench) {
        let jobs = bench.enqueue_many(2, spec()).await;
        let operation = bench.begin_on_jobs(Action::Cancel, State::Queued).await;
        let first = step(&operation, None, Some(jobs[1]));

        let advanced = bench.advance(&first).await;
        let again = bench.advance(&first).await;

        assert_eq!((advanced, again), (true, false));
        let unfinished = bench.store.unfinished_on_jobs().await.unwrap();
        let stands = unfinished.map(|(operation, at)| (operation.id, at));
        assert_eq!(stands, Some((operation.id, Some(jobs[1]))));
    }

    async fn a_walk_that_is_through_tells_how_many_were_gone(bench: Bench) {
        let mut asked = bench.on_jobs(Action::Cancel, State::Queued);
        (asked.total, asked.is_at_least) = (3, true);
        let operation = bench.store.begin_on_jobs(&asked).await.unwrap();
        let job = bench.enqueue(spec()).await;
        bench.act(&operation, &cancel(job)).await;

        let through = JobsStep { skipped: 1, is_last: true, ..step(&operation, None, None) };
        let advanced = bench.advance(&through).await;

        let ended = bench.seen(&operation).await;
        assert!(advanced);
        assert_eq!((ended.total, ended.done, ended.skipped), (3, 1, 2));
        assert_eq!((ended.finished_at, ended.is_at_least), (Some(bench.now()), false));
        assert_eq!(bench.store.unfinished_on_jobs().await.unwrap(), None);
        let facts = bench.facts().await;
        let told: Vec<_> = facts.iter().map(|fact| fact.kind.as_str()).collect();
        assert_eq!(told, ["operation.started", "job.queued", "job.canceled", "operation.finished"]);
    }

    async fn more_than_were_counted_are_told_as_they_come(bench: Bench) {
        let operation = bench.begin_on_jobs(Action::Cancel, State::Queued).await;
        let job = bench.enqueue(spec()).await;
        bench.act(&operation, &cancel(job)).await;

        bench.advance(&JobsStep { skipped: 1, ..step(&operation, None, Some(job)) }).await;

        let seen = bench.seen(&operation).await;
        assert_eq!((seen.total, seen.done, seen.skipped), (2, 1, 1));
    }

    async fn an_operation_that_was_stopped_does_nothing_more(bench: Bench) {
        let mut asked = bench.on_jobs(Action::Cancel, State::Queued);
        asked.total = 2;
        let operation = bench.store.begin_on_jobs(&asked).await.unwrap();
        let jobs = bench.enqueue_many(2, spec()).await;
        bench.act(&operation, &cancel(jobs[0])).await;

        let stopped = bench.store.stop_operation(operation.id, bench.now()).await.unwrap();
        let again = bench.store.stop_operation(operation.id, bench.now()).await.unwrap();

        assert_eq!((stopped, again), (true, false));
        assert!(!bench.act(&operation, &cancel(jobs[1])).await);
        assert!(!bench.advance(&step(&operation, None, Some(jobs[1]))).await);
        bench.assert_state(jobs[1], State::Queued).await;
        let seen = bench.seen(&operation).await;
        assert_eq!((seen.total, seen.done, seen.skipped), (2, 1, 0));
        assert_eq!((seen.finished_at, seen.is_stopped), (Some(bench.now()), true));
        assert!(!bench.store.outstanding(bench.now()).await.unwrap().operations);
    }

    async fn an_operation_on_dead_letters_can_be_stopped_too(bench: Bench) {
        for _ in 0..3 {
            bench.dead_letter(spec(), "no mailbox").await;
        }
        let begun = bench.begin(Action::Discard, DeadLetterFilter::default()).await;
        bench.store.step(1, bench.now()).await.unwrap();

        let stopped = bench.store.stop_operation(begun.id, bench.now()).await.unwrap();

        assert!(stopped);
        assert_eq!(bench.store.step(10, bench.now()).await.unwrap(), None);
        let seen = bench.seen(&begun).await;
        assert_eq!((seen.total, seen.done, seen.skipped, seen.is_stopped), (3, 1, 0, true));
        assert_eq!(bench.groups().await[0].count, 2);
    }

    async fn an_erasure_cannot_be_stopped(bench: Bench) {
        let erasure = bench.on_jobs(Action::Cancel, State::Queued).id;
        bench.store.begin_erasure(erasure, "u1", bench.now()).await.unwrap();

        let stopped = bench.store.stop_operation(erasure, bench.now()).await.unwrap();

        assert!(!stopped);
    }

    async fn jobs_are_counted_by_what_they_are_listed_by(bench: Bench) {
        bench.enqueue_many(3, spec()).await;
        bench.claimed(spec()).await;
        let queued = JobFilter { state: Some(State::Queued), ..JobFilter::default() };
        let push = JobFilter { kind: Some("push".to_owned()), ..queued.clone() };

        let queued = bench.store.count_jobs(&queued).await.unwrap();
        let push = bench.store.count_jobs(&push).await.unwrap();

        assert_eq!((queued, push), (exactly(3), exactly(0)));
    }
}

const fn exactly(n: u64) -> Counted {
    Counted {
        n,
        is_at_least: false,
    }
}
