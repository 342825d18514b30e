//! Traces: what a job was asked with comes with each of its attempts.

use baton_domain::{
    JobId, LeaseId, Trace,
    job::{Class, JobSpec, NewJob},
};

use super::{
    bench::{ALL, Bench, LEASE, at_most, delayed, failing, in_queue, keyed, paused, spec, want},
    promises,
};
use crate::store::{Atomicity, Claim, Claimed, Enqueued, InlineStart, QueueClaim};

const FIRST: &str = "00f067aa0ba902b7";
const SECOND: &str = "b7ad6b7169203331";

fn under(span: &str, tracestate: Option<&str>) -> Option<Trace> {
    Some(Trace {
        traceparent: format!("00-4bf92f3577b34da6a3ce929d0e0e4736-{span}-01"),
        tracestate: tracestate.map(str::to_owned),
    })
}

/// A job that has all that is passed on, one that has some of it, and one that has nothing.
fn asked() -> Vec<JobSpec> {
    vec![
        JobSpec {
            tags: vec!["a".to_owned(), "b:c".to_owned()],
            trace: under(FIRST, Some("vendor=x y,other=1")),
            ..keyed("order-7 \"ü\" '")
        },
        JobSpec {
            trace: under(SECOND, None),
            ..spec()
        },
        spec(),
    ]
}

/// That each of these came with what it was asked with.
fn assert_passed_on(claimed: &[Claimed], asked: &[NewJob]) {
    assert_eq!(claimed.len(), asked.len());
    for job in asked {
        let args = &claimed
            .iter()
            .find(|one| one.args.id == job.id)
            .unwrap()
            .args;
        assert_eq!(
            (&args.options.trace, &args.key, &args.options.tags),
            (&job.options.trace, &job.key, &job.options.tags)
        );
    }
}

impl Bench {
    async fn add_traced(&self) -> Vec<NewJob> {
        let jobs: Vec<_> = asked().into_iter().map(|spec| self.new_job(spec)).collect();
        self.add(jobs.clone(), Atomicity::All).await;
        jobs
    }

    async fn claim_want(&self, want: QueueClaim) -> Vec<Claimed> {
        let claim = Claim {
            worker: self.worker,
            until: self.now() + LEASE,
            queues: vec![want],
        };
        self.store.claim(&claim, self.now()).await.unwrap()
    }

    async fn trace_of(&self, id: JobId) -> Option<Trace> {
        self.job(id).await.options.trace
    }
}

promises! {
    async fn a_job_is_claimed_with_the_trace_key_and_tags_it_was_asked_with(bench: Bench) {
        let jobs = bench.add_traced().await;

        let claimed = bench.claim(ALL).await;

        assert_passed_on(&claimed, &jobs);
        for job in jobs {
            assert_eq!(bench.trace_of(job.id).await, job.options.trace);
        }
    }

    async fn a_job_is_claimed_by_its_name_with_what_it_was_asked_with(bench: Bench) {
        let jobs = bench.add_traced().await;
        let named = Some(jobs.iter().map(|job| job.id).collect());

        let claimed = bench.claim_want(QueueClaim { jobs: named, ..want("default", ALL, false) }).await;

        assert_passed_on(&claimed, &jobs);
    }

    async fn a_job_is_claimed_within_limits_with_what_it_was_asked_with(bench: Bench) {
        let jobs = bench.add_traced().await;
        bench.change_queue("default", at_most(Some(7))).await;

        let claimed = bench.claim_want(want("default", ALL, true)).await;

        assert_passed_on(&claimed, &jobs);
    }

    async fn a_claim_that_is_asked_again_is_answered_with_the_same(bench: Bench) {
        let jobs = bench.add_traced().await;
        let first = bench.claim(ALL).await;

        let again = bench.store.claimed(bench.worker, &[first[0].lease], bench.now()).await.unwrap();

        assert_eq!(again, first);
        assert_passed_on(&again, &jobs);
    }

    async fn a_started_job_keeps_what_it_was_asked_with(bench: Bench) {
        bench.change_queue("default", paused(false)).await;
        let alone = vec![bench.new_job(JobSpec { trace: under(FIRST, None), ..spec() })];
        let many: Vec<_> = asked().into_iter().map(|spec| bench.new_job(spec)).collect();

        for jobs in [alone, many] {
            let start = InlineStart {
                worker: bench.worker, queue: "default".to_owned(), lease: LeaseId::random(), until: bench.now() + LEASE,
            };
            bench.store.enqueue_and_claim(jobs.clone(), &start).await.unwrap();

            let claimed = bench.store.claimed(bench.worker, &[start.lease], bench.now()).await.unwrap();
            assert_passed_on(&claimed, &jobs);
        }
    }

    async fn a_later_attempt_comes_with_the_same_trace(bench: Bench) {
        let trace = under(FIRST, Some("vendor=1"));
        let first = bench.claimed(JobSpec { trace: trace.clone(), ..spec() }).await;
        bench.settle(&first, failing(Class::Retry)).await;
        bench.pass(super::bench::HOUR);
        bench.release().await;

        let second = bench.claim(1).await.remove(0);

        assert_eq!((second.args.id, second.counters.attempt), (first.args.id, 2));
        assert_eq!((first.args.options.trace, second.args.options.trace), (trace.clone(), trace));
    }

    async fn a_job_that_waits_keeps_its_trace(bench: Bench) {
        let trace = under(FIRST, None);

        let id = bench.enqueue(JobSpec { trace: trace.clone(), ..delayed(super::bench::HOUR) }).await;

        assert_eq!(bench.trace_of(id).await, trace);
    }

    async fn a_repeat_under_another_span_is_the_same_job_and_keeps_the_first_trace(bench: Bench) {
        let first = bench.enqueue(JobSpec { trace: under(FIRST, None), ..keyed("order-7") }).await;
        let again = bench.new_job(JobSpec { trace: under(SECOND, None), ..keyed("order-7") });

        let answers = bench.add(vec![again], Atomicity::All).await;

        assert_eq!(answers, [Enqueued::Known(first)]);
        assert_eq!(bench.trace_of(first).await, under(FIRST, None));
        assert_eq!(bench.claim(1).await[0].args.options.trace, under(FIRST, None));
    }

    async fn the_jobs_of_a_checkpoint_keep_their_traces(bench: Bench) {
        let claimed = bench.claimed(in_queue("walks")).await;
        let jobs: Vec<_> = asked().into_iter().map(|spec| bench.new_job(spec)).collect();
        let traces: Vec<_> = jobs.iter().map(|job| job.options.trace.clone()).collect();
        let step = crate::store::CheckpointStep {
            lease: claimed.lease, job: claimed.args.id, attempt: claimed.counters.attempt, seq: 1,
            cursor: "1".to_owned(), progress: None, jobs,
        };

        let outcome = bench.store.checkpoint(bench.worker, &step, bench.now()).await.unwrap();

        let crate::store::CheckpointOutcome::Recorded { jobs: made, .. } = outcome else { panic!("{outcome:?}") };
        for (made, trace) in made.iter().zip(traces) {
            assert_eq!(bench.trace_of(made.id()).await, trace);
        }
    }
}
