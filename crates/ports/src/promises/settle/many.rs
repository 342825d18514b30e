//! Successes that come many at a time, as a busy worker has them: however a store keeps them, each is a job's own.

use baton_domain::job::{Class, JobSpec, Outcome, State, Verdict};
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};

use super::super::{
    bench::{
        ALL, Bench, HOUR, LEASE, SECOND, accepted, attempt_counters, counters, failing, ids, spec,
    },
    promises,
};
use crate::store::{AttemptResult, By, Claimed, JobFilter, Retention, SettleOutcome};

/// A verdict with a result of its own.
fn saying(number: usize) -> Verdict {
    let result = (!number.is_multiple_of(3)).then(|| format!(r#"{{"number":{number}}}"#));
    Verdict::Accepted { result }
}

fn successes(bench: &Bench, claimed: &[Claimed]) -> Vec<AttemptResult> {
    let success = |claimed| bench.result(claimed, accepted());
    claimed.iter().map(success).collect()
}

async fn succeed(bench: &Bench, claimed: &[Claimed]) -> Vec<SettleOutcome> {
    let worker = By::Worker(bench.worker);
    bench.settle_all(worker, &successes(bench, claimed)).await
}

/// Each has succeeded, by one attempt, and says so once.
async fn assert_succeeded_once(bench: &Bench, claimed: &[Claimed]) {
    for claimed in claimed {
        let job = bench.job(claimed.args.id).await;
        let attempts = bench.store.attempts(job.id).await.unwrap();
        assert_eq!(
            (job.state, counters(&job)),
            (State::Succeeded, attempt_counters(1, 1, 0, 1))
        );
        assert_eq!(attempts.len(), 1, "{}", job.id);
        let plot = bench.plot(job.id).await;
        assert_eq!(plot, ["job.queued", "job.running", "job.succeeded"]);
    }
}

promises! {
    async fn each_of_many_successes_reads_as_if_it_had_come_alone(bench: Bench) {
        bench.enqueue_many(100, spec()).await;
        let claimed = bench.claim(ALL).await;
        bench.pass(SECOND);
        let started_at = bench.now();
        let numbered = claimed.iter().take(60).enumerate();
        let results: Vec<_> = numbered
            .map(|(number, claimed)| bench.result(claimed, saying(number)))
            .collect();
        bench.pass(SECOND);

        let settled = bench.settle_all(By::Worker(bench.worker), &results).await;

        assert_eq!(settled, vec![SettleOutcome::Recorded; 60]);
        for (number, claimed) in claimed.iter().take(60).enumerate() {
            let job = bench.job(claimed.args.id).await;
            let attempts = bench.store.attempts(job.id).await.unwrap();
            let Verdict::Accepted { result } = saying(number) else { unreachable!() };
            assert_eq!((job.state, counters(&job)), (State::Succeeded, attempt_counters(1, 1, 0, 1)));
            assert_eq!((job.finished_at, job.updated_at), (Some(bench.now()), bench.now()));
            assert_eq!((job.result, job.worker), (result, None));
            assert_eq!(attempts.len(), 1);
            assert_eq!((attempts[0].outcome, attempts[0].state), (Some(Outcome::Succeeded), Some(State::Succeeded)));
            assert_eq!((attempts[0].started_at, attempts[0].ended_at), (Some(started_at), Some(bench.now())));
            assert_eq!((attempts[0].worker, attempts[0].lease), (bench.worker, claimed.lease));
        }
        for claimed in claimed.iter().skip(60) {
            bench.assert_state(claimed.args.id, State::Running).await;
        }
        assert_eq!((bench.queue("default").await.succeeded, bench.queue("default").await.running), (60, 40));
    }

    async fn many_successes_are_listed_among_other_ends_newest_first(bench: Bench) {
        bench.enqueue_many(120, spec()).await;
        let claimed = bench.claim(ALL).await;
        succeed(&bench, &claimed[10..60]).await;
        for few in [&claimed[3..5], &claimed[60..70]] {
            succeed(&bench, few).await;
        }
        succeed(&bench, &claimed[80..120]).await;
        let mut wanted = ids(&[&claimed[3..5], &claimed[10..70], &claimed[80..120]].concat());
        wanted.sort_unstable_by(|a, b| b.cmp(a));

        let succeeded = JobFilter { state: Some(State::Succeeded), ..JobFilter::default() };
        let found = [7, 1_000].map(|limit| super::super::lists::listed(&bench, &succeeded, limit));
        let [page_by_page, at_once] = found;

        for listed in [page_by_page.await, at_once.await] {
            let listed: Vec<_> = listed.iter().map(|job| job.id).collect();
            assert_eq!(listed, wanted);
        }
    }

    async fn many_successes_in_any_order_and_said_again_are_recorded_once(bench: Bench) {
        bench.enqueue_many(300, spec()).await;
        let mut claimed = bench.claim(ALL).await;
        claimed.shuffle(&mut StdRng::seed_from_u64(7));

        let mut settled = Vec::new();
        for some in claimed.chunks(70) {
            settled.extend(succeed(&bench, some).await);
            settled.extend(succeed(&bench, some).await);
        }
        settled.extend(succeed(&bench, &claimed).await);

        assert_eq!(settled, vec![SettleOutcome::Recorded; 900]);
        assert_eq!(bench.queue("default").await.succeeded, 300);
        assert_succeeded_once(&bench, &claimed[100..160]).await;
        bench.pass(LEASE + HOUR);
        assert_eq!(bench.overdue().await, []);
    }

    async fn many_successes_of_two_leases_may_lie_between_each_other(bench: Bench) {
        let (mut one, mut other) = (Vec::new(), Vec::new());
        for place in 0..50 {
            bench.enqueue(spec()).await;
            let urgent = JobSpec { priority: Some(-1), ..spec() };
            bench.enqueue_many(1 + place % 2, urgent).await;
        }
        one.extend(bench.claim(75).await);
        other.extend(bench.claim(ALL).await);

        let settled = succeed(&bench, &one).await;
        let at_once = succeed(&bench, &[&one[..], &other[..]].concat()).await;

        assert_eq!((settled, at_once), (vec![SettleOutcome::Recorded; 75], vec![SettleOutcome::Recorded; 125]));
        assert_succeeded_once(&bench, &one).await;
        assert_succeeded_once(&bench, &other).await;
    }

    async fn among_many_successes_other_ends_and_wishes_keep_their_own(bench: Bench) {
        bench.enqueue_many(100, spec()).await;
        let claimed = bench.claim(ALL).await;
        let asked = claimed[50].args.id;
        bench.store.request_cancel(asked, None, bench.now()).await.unwrap();
        let mut results = successes(&bench, &claimed[..90]);
        results[20] = bench.result(&claimed[20], failing(Class::Retry));
        results[30] = bench.result(&claimed[30], failing(Class::Permanent));

        let settled = bench.settle_all(By::Worker(bench.worker), &results).await;
        let again = succeed(&bench, &claimed[40..]).await;

        assert_eq!((settled, again), (vec![SettleOutcome::Recorded; 90], vec![SettleOutcome::Recorded; 60]));
        bench.assert_state(claimed[20].args.id, State::RetryWait).await;
        bench.assert_state(claimed[30].args.id, State::Failed).await;
        assert_eq!(bench.job(asked).await.state, State::Succeeded);
        assert_succeeded_once(&bench, &claimed[31..50]).await;
        assert_succeeded_once(&bench, &claimed[51..]).await;
    }

    async fn of_many_successes_those_that_were_taken_back_are_late(bench: Bench) {
        bench.enqueue_many(100, spec()).await;
        let claimed = bench.claim(ALL).await;
        succeed(&bench, &claimed[..40]).await;
        bench.pass(LEASE + SECOND);
        let mut lost = Vec::new();
        for one in &claimed[35..50] {
            lost.push(bench.loss(one).await);
        }
        let rescued = bench.settle_all(By::Rescuer, &lost).await;

        let settled = succeed(&bench, &claimed).await;

        assert_eq!(rescued, [vec![SettleOutcome::Stale; 5], vec![SettleOutcome::Recorded; 10]].concat());
        let wanted = [vec![SettleOutcome::Recorded; 40], vec![SettleOutcome::Adopted; 10], vec![SettleOutcome::Recorded; 50]];
        assert_eq!(settled, wanted.concat());
        assert_succeeded_once(&bench, &claimed[..40]).await;
        assert_succeeded_once(&bench, &claimed[50..]).await;
        assert_eq!(bench.queue("default").await.succeeded, 100);
    }

    async fn many_successes_under_a_lease_of_somebody_else_change_nothing(bench: Bench) {
        bench.enqueue_many(50, spec()).await;
        let claimed = bench.claim(ALL).await;
        let stranger = By::Worker(bench.another_worker());

        let settled = bench.settle_all(stranger, &successes(&bench, &claimed)).await;

        assert_eq!(settled, vec![SettleOutcome::Stale; 50]);
        bench.assert_state(claimed[0].args.id, State::Running).await;
        assert_eq!(succeed(&bench, &claimed).await, vec![SettleOutcome::Recorded; 50]);
    }

    async fn a_running_job_beside_many_successes_can_be_taken_away(bench: Bench) {
        bench.enqueue_many(100, spec()).await;
        let claimed = bench.claim(ALL).await;
        succeed(&bench, &claimed[..40]).await;
        let force_cancel = async |claimed: &Claimed| {
            bench.store.force_cancel(claimed.args.id, None, bench.now()).await.unwrap()
        };

        let force_canceled = [force_cancel(&claimed[7]).await, force_cancel(&claimed[60]).await];
        let settled = succeed(&bench, &claimed[40..]).await;

        assert_eq!(force_canceled, [false, true]);
        assert_eq!(settled[20], SettleOutcome::Stale);
        assert_eq!(settled.iter().filter(|one| **one == SettleOutcome::Recorded).count(), 59);
        bench.assert_state(claimed[7].args.id, State::Succeeded).await;
        bench.assert_state(claimed[60].args.id, State::Canceled).await;
    }

    async fn many_successes_are_forgotten_after_their_time(bench: Bench) {
        bench.enqueue_many(100, spec()).await;
        let claimed = bench.claim(ALL).await;
        succeed(&bench, &claimed[..50]).await;
        bench.sequence().await;
        bench.pass(HOUR * 24 * 30);
        bench.settle_all(By::Worker(bench.worker), &successes(&bench, &claimed[50..])).await;
        bench.sequence().await;
        bench.pass(SECOND);

        while bench.store.prune(&Retention::default(), 20, bench.now()).await.unwrap().jobs > 0 {}

        for (place, claimed) in claimed.iter().enumerate() {
            let job = bench.store.job(claimed.args.id).await.unwrap();
            assert_eq!(job.is_some(), place >= 50);
        }
    }
}
