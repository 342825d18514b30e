//! Hints: what a hint may lead to, which generation there is, what there is to hint at.

use std::collections::BTreeSet;

use baton_domain::{
    JobId, WorkerId,
    job::{JobSpec, NewJob, State},
    queue::{QueueChange, WorkedBy},
};

use super::{
    bench::{ALL, Bench, HOUR, MINUTE, SECOND, delayed, ids, in_queue, paused, spec, want},
    promises,
};
use crate::{
    Hint,
    store::{Atomicity, Claimed, QueueClaim, Turn},
};

fn of_priority(priority: i64) -> JobSpec {
    JobSpec {
        priority: Some(priority),
        ..spec()
    }
}

fn limited() -> QueueChange {
    QueueChange {
        max_running: Some(Some(10)),
        ..QueueChange::default()
    }
}

fn hint(job: JobId, is_urgent: bool) -> Hint {
    Hint {
        queue: "default".to_owned(),
        job,
        is_urgent,
    }
}

async fn claim_named(bench: &Bench, queue: &str, jobs: &[JobId]) -> Vec<Claimed> {
    let want = QueueClaim {
        jobs: Some(jobs.to_vec()),
        ..want(queue, ALL, false)
    };
    bench.claim_queues(bench.worker, vec![want]).await
}

async fn claimable(bench: &Bench) -> Vec<Hint> {
    let page = bench.store.claimable(None, bench.now(), ALL).await.unwrap();
    assert_eq!(page.next, None);
    page.hints
}

promises! {
    async fn a_hinted_claim_takes_those_jobs_and_no_others(bench: Bench) {
        let jobs = bench.enqueue_many(5, spec()).await;

        let claimed = claim_named(&bench, "default", &[jobs[3], jobs[1]]).await;

        assert_eq!(BTreeSet::from_iter(ids(&claimed)), BTreeSet::from([jobs[1], jobs[3]]));
        assert_eq!(ids(&bench.claim(ALL).await), [jobs[0], jobs[2], jobs[4]]);
    }

    async fn a_hinted_claim_is_leased_and_told_like_any_other(bench: Bench) {
        let id = bench.enqueue(spec()).await;

        let claimed = claim_named(&bench, "default", &[id]).await.remove(0);

        bench.assert_state(id, State::Running).await;
        assert_eq!(bench.plot(id).await, ["job.queued", "job.running"]);
        assert_eq!(bench.succeed(&claimed).await, crate::store::SettleOutcome::Recorded);
    }

    async fn a_hinted_claim_whose_answer_was_lost_is_repeated_under_the_same_lease(bench: Bench) {
        let jobs = bench.enqueue_many(2, spec()).await;
        let want = QueueClaim { jobs: Some(jobs.clone()), ..want("default", ALL, false) };

        let lost = bench.claim_queues(bench.worker, vec![want.clone()]).await;
        let heard = bench.claim_queues(bench.worker, vec![want]).await;

        assert_eq!((ids(&lost), ids(&heard)), (jobs.clone(), jobs));
        assert_eq!(lost[0].lease, heard[0].lease);
    }

    async fn a_hint_repeated_many_times_leads_to_one_claim(bench: Bench) {
        let id = bench.enqueue(spec()).await;

        let first = claim_named(&bench, "default", &[id; 10]).await;
        let second = claim_named(&bench, "default", &[id; 10]).await;

        assert_eq!((ids(&first), ids(&second)), (vec![id], vec![]));
    }

    async fn a_hint_at_a_job_that_cannot_be_claimed_leads_to_nothing(bench: Bench) {
        let mut jobs = vec![JobId::new(bench.now())];
        for state in State::ALL.into_iter().filter(|state| *state != State::Queued) {
            jobs.push(bench.job_in(state).await);
        }
        let fleeting = JobSpec { expires_at: Some(bench.now() + MINUTE), ..spec() };
        jobs.push(bench.enqueue(fleeting).await);
        bench.pass(2 * HOUR);

        assert_eq!(claim_named(&bench, "default", &jobs).await, []);
    }

    async fn a_hint_under_the_name_of_another_queue_leads_to_nothing(bench: Bench) {
        let id = bench.enqueue(in_queue("a")).await;

        assert_eq!(claim_named(&bench, "default", &[id]).await, []);
        assert_eq!(claim_named(&bench, "no-such", &[id]).await, []);
        bench.assert_state(id, State::Queued).await;
    }

    async fn a_paused_or_limited_queue_gives_nothing_for_hints(bench: Bench) {
        let a = bench.enqueue(in_queue("a")).await;
        let b = bench.enqueue(in_queue("b")).await;
        bench.change_queue("a", paused(true)).await;
        bench.change_queue("b", limited()).await;

        assert_eq!(claim_named(&bench, "a", &[a]).await, []);
        assert_eq!(claim_named(&bench, "b", &[b]).await, []);
    }

    async fn a_release_names_what_there_is_to_hint_at(bench: Bench) {
        let soon = bench.enqueue(JobSpec { priority: Some(-1), ..delayed(MINUTE) }).await;
        let normal = bench.enqueue(delayed(2 * MINUTE)).await;
        bench.enqueue(JobSpec { priority: Some(1), ..delayed(MINUTE) }).await;
        bench.enqueue(delayed(HOUR)).await;
        bench.pass(3 * MINUTE);

        let released = bench.store.release(ALL, bench.now()).await.unwrap();

        assert_eq!(released.count, 3);
        assert_eq!(released.hints, [hint(soon, true), hint(normal, false)]);
    }

    async fn the_first_node_to_begin_a_generation_wins(bench: Bench) {
        let before = bench.store.generation().await.unwrap();

        let first = bench.store.begin_generation(0, "run 1", "it restarted", bench.now()).await;
        let second = bench.store.begin_generation(0, "run 2", "it restarted", bench.now()).await;

        let after = bench.store.generation().await.unwrap();
        assert_eq!((before.number, first.unwrap(), second.unwrap()), (0, Some(1), None));
        assert_eq!((after.number, after.incarnation.as_str()), (1, "run 1"));
        assert_eq!(after.installation, before.installation);
    }

    async fn the_loss_of_hints_is_a_fact_with_its_reason(bench: Bench) {
        bench.store.begin_generation(0, "run 1", "it restarted", bench.now()).await.unwrap();
        bench.store.begin_generation(0, "run 1", "it restarted", bench.now()).await.unwrap();

        let facts = bench.facts().await;

        let facts: Vec<_> = facts.iter().filter(|fact| fact.kind == "hints.lost").collect();
        assert_eq!((facts.len(), facts[0].subject.as_str()), (1, "hints"));
        assert_eq!((&facts[0].data["generation"], &facts[0].data["reason"]), (&1.into(), &"it restarted".into()));
    }

    async fn what_can_be_claimed_is_listed_by_queue_and_turn(bench: Bench) {
        bench.job_in(State::Pending).await;
        bench.job_in(State::Running).await;
        let later = bench.enqueue(of_priority(0)).await;
        let sooner = bench.enqueue(of_priority(-5)).await;
        let other = bench.enqueue(in_queue("a")).await;
        bench.enqueue(of_priority(5)).await;
        bench.pass(SECOND);

        let hints = claimable(&bench).await;

        let in_a = Hint { queue: "a".to_owned(), ..hint(other, false) };
        assert_eq!(hints, [in_a, hint(sooner, true), hint(later, false)]);
    }

    async fn what_became_claimable_later_is_not_listed(bench: Bench) {
        let old = bench.enqueue(spec()).await;
        bench.pass(MINUTE);
        let before = bench.now();
        bench.enqueue(spec()).await;

        let page = bench.store.claimable(None, before, ALL).await.unwrap();

        assert_eq!(page.hints, [hint(old, false)]);
    }

    async fn paused_and_limited_queues_are_not_listed(bench: Bench) {
        bench.enqueue(in_queue("a")).await;
        bench.enqueue(in_queue("b")).await;
        bench.change_queue("a", paused(true)).await;
        bench.change_queue("b", limited()).await;
        bench.pass(SECOND);

        assert_eq!(claimable(&bench).await, []);
    }

    async fn pages_of_what_can_be_claimed_miss_nothing_and_repeat_nothing(bench: Bench) {
        let mut jobs = bench.enqueue_many(7, spec()).await;
        jobs.extend(bench.enqueue_many(5, in_queue("z")).await);
        bench.enqueue_many(3, of_priority(9)).await;
        bench.pass(SECOND);

        let (mut listed, mut after) = (Vec::new(), None::<Turn>);
        loop {
            let page = bench.store.claimable(after.as_ref(), bench.now(), 2).await.unwrap();
            listed.extend(page.hints.into_iter().map(|hint| hint.job));
            after = page.next;
            if after.is_none() {
                break;
            }
        }

        assert_eq!(listed, jobs);
    }

    async fn nothing_is_hinted_at_that_remote_workers_work_off(bench: Bench) {
        let of = |spec, worked_by| NewJob { worked_by, ..bench.new_job(spec) };
        let hour = |queue: &str| JobSpec { queue: Some(queue.to_owned()), ..delayed(HOUR) };
        let jobs = vec![
            of(in_queue("far"), WorkedBy::Remote), of(in_queue("here"), WorkedBy::Server),
            of(hour("far"), WorkedBy::Remote), of(hour("here"), WorkedBy::Server),
        ];
        let ids: Vec<_> = jobs.iter().map(|job| job.id).collect();
        bench.add(jobs, Atomicity::All).await;
        bench.pass(HOUR);

        let claimable = bench.store.claimable(None, bench.now(), ALL).await.unwrap();
        let released = bench.store.release(ALL, bench.now()).await.unwrap();

        let hinted = |hints: Vec<Hint>| hints.into_iter().map(|hint| hint.job).collect::<Vec<_>>();
        assert_eq!(hinted(claimable.hints), [ids[1]]);
        assert_eq!((released.count, hinted(released.hints)), (2, vec![ids[3]]));
    }

    async fn workers_who_share_hints_claim_each_job_once(bench: Bench) {
        let jobs = bench.enqueue_many(200, spec()).await;
        let claims = (0..4).map(|_| {
            let (bench, jobs) = (bench.clone(), jobs.clone());
            let worker = WorkerId::new(bench.now());
            tokio::spawn(async move {
                let mut mine = Vec::new();
                for some in jobs.chunks(10) {
                    let want = QueueClaim { jobs: Some(some.to_vec()), ..want("default", ALL, false) };
                    mine.extend(ids(&bench.claim_queues(worker, vec![want]).await));
                }
                mine
            })
        });
        let claims: Vec<_> = claims.collect();

        let mut claimed = Vec::new();
        for claim in claims {
            claimed.extend(claim.await.unwrap());
        }

        // A claimer may pass over what another one is just taking, which then gets it.
        assert_eq!(claimed.len(), jobs.len());
        assert_eq!(BTreeSet::from_iter(claimed), BTreeSet::from_iter(jobs));
    }
}
