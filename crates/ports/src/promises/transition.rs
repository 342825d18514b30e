//! Shifting: moves of jobs that nobody holds.

use baton_domain::{
    Lifecycle,
    job::{Class, State, Trigger},
};

use super::{
    bench::{Bench, HOUR, MINUTE, attempt_counters, counters, ids, spec},
    promises,
};
use crate::store::UnclaimedTransition;

/// The moves that are made without a lease.
fn free_moves() -> impl Iterator<Item = (State, Trigger, State)> {
    let moves = State::MOVES.iter().copied();
    moves.filter(|(from, _, to)| *from != State::Running && *to != State::Running)
}

async fn is_moved(bench: &Bench, change: &UnclaimedTransition) -> bool {
    let is_moved = bench.store.transition(change, bench.now()).await;
    is_moved.expect("transition")
}

promises! {
    async fn every_move_of_the_table_leads_where_it_says(bench: Bench) {
        for (from, event, to) in free_moves() {
            let id = bench.job_in(from).await;
            let before = bench.plot(id).await.len();

            let is_moved = bench.transition(id, from, event).await;

            let story = bench.story(id).await;
            assert!(is_moved, "{from} on {event:?}");
            bench.assert_state(id, to).await;
            assert_eq!(story.len(), before + 1, "{from} on {event:?}");
            assert_eq!(story[before].kind, format!("job.{to}"));
            assert_eq!(story[before].data["from"], from.as_str());
            assert_eq!(story[before].data["to"], to.as_str());
            assert_eq!(story[before].at, bench.now());
        }
    }

    async fn a_move_from_another_place_changes_nothing(bench: Bench) {
        for state in State::ALL {
            let id = bench.job_in(state).await;
            let (before, plot) = (bench.job(id).await, bench.plot(id).await);
            for (from, event, _) in free_moves().filter(|(from, _, _)| *from != state) {
                let is_moved = bench.transition(id, from, event).await;

                assert!(
                    !is_moved,
                    "{state} is not {from}, which {event:?} starts from"
                );
                assert_eq!(bench.job(id).await, before);
            }
            assert_eq!(bench.plot(id).await, plot);
        }
    }

    async fn what_somebody_holds_is_not_shifted(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let queued = bench.enqueue(spec()).await;
        for (from, event, to) in State::MOVES.iter().copied() {
            let job = match (from, to) {
                (State::Running, _) => claimed.args.id,
                (_, State::Running) => queued,
                _ => continue,
            };

            assert!(!bench.transition(job, from, event).await, "{from} on {event:?}");
        }

        bench.assert_state(claimed.args.id, State::Running).await;
        bench.assert_state(queued, State::Queued).await;
    }

    async fn a_job_that_was_never_added_is_not_shifted(bench: Bench) {
        let id = baton_domain::JobId::new(bench.now());

        for (from, event, _) in free_moves() {
            assert!(!bench.transition(id, from, event).await);
        }
        assert_eq!(bench.facts().await, []);
    }

    async fn a_reason_is_shown_by_the_job_and_its_fact(bench: Bench) {
        let id = bench.enqueue(spec()).await;
        let change = UnclaimedTransition { afresh: false,
            job: id,
            transition: State::Queued.on(Trigger::Cancel).unwrap(),
            reason: Some("no longer wanted".to_owned()),
        };

        assert!(is_moved(&bench, &change).await);

        let job = bench.job(id).await;
        assert_eq!(
            (job.state, job.finished_at),
            (State::Canceled, Some(bench.now()))
        );
        assert_eq!(job.reason.as_deref(), Some("no longer wanted"));
        assert_eq!(bench.story(id).await[1].data["reason"], "no longer wanted");
    }

    async fn a_canceled_job_is_neither_released_nor_claimed(bench: Bench) {
        let pending = bench.job_in(State::Pending).await;
        let queued = bench.job_in(State::Queued).await;
        assert!(bench.transition(pending, State::Pending, Trigger::Cancel).await);
        assert!(bench.transition(queued, State::Queued, Trigger::Cancel).await);
        bench.pass(2 * HOUR);

        assert_eq!((bench.release().await, bench.claim(10).await), (0, vec![]));
    }

    async fn a_job_run_now_is_due_now(bench: Bench) {
        let id = bench.job_in(State::Pending).await;
        bench.pass(MINUTE);

        assert!(bench.transition(id, State::Pending, Trigger::RunNow).await);

        let job = bench.job(id).await;
        assert_eq!((job.state, job.run_at), (State::Queued, bench.now()));
        assert_eq!(ids(&bench.claim(1).await), [id]);
    }

    async fn a_retry_run_now_keeps_its_counters(bench: Bench) {
        let id = bench.job_in(State::RetryWait).await;

        assert!(bench.transition(id, State::RetryWait, Trigger::RunNow).await);

        assert_eq!(bench.claim(1).await[0].counters, attempt_counters(2, 2, 0, 1));
    }

    async fn a_job_run_again_begins_its_next_run(bench: Bench) {
        for state in [
            State::Failed,
            State::Canceled,
            State::Skipped,
            State::Uncertain,
        ] {
            let id = bench.job_in(state).await;
            bench.pass(MINUTE);

            assert!(bench.transition(id, state, Trigger::Redrive).await);

            let job = bench.job(id).await;
            assert_eq!((job.state, job.run_at), (State::Queued, bench.now()));
            assert_eq!(counters(&job), attempt_counters(1, 0, 0, 2));
            assert_eq!(
                (job.reason, job.result, job.finished_at),
                (None, None, None)
            );
            let claimed = bench.claim(1).await.remove(0);
            assert_eq!((claimed.args.id, claimed.counters), (id, attempt_counters(2, 1, 0, 2)));
            bench.succeed(&claimed).await;
            let attempts = bench.store.attempts(id).await.unwrap();
            let runs: Vec<_> = attempts.iter().map(|a| (a.attempt, a.run)).collect();
            assert_eq!(runs, [(1, 1), (2, 2)]);
        }
    }

    async fn a_job_run_again_has_forgotten_its_losses(bench: Bench) {
        let claimed = bench.claimed(spec()).await;
        let id = claimed.args.id;
        bench.lose(&claimed).await;
        bench.release().await;
        let second = bench.claim(1).await.remove(0);
        bench.fail(&second, Class::Permanent).await;

        assert!(bench.transition(id, State::Failed, Trigger::Redrive).await);

        assert_eq!(counters(&bench.job(id).await), attempt_counters(2, 0, 0, 2));
    }

    async fn a_job_run_again_is_a_dead_letter_no_more(bench: Bench) {
        let id = bench.job_in(State::Failed).await;
        let before = bench.groups().await.len();

        assert!(bench.transition(id, State::Failed, Trigger::Redrive).await);

        assert_eq!((before, bench.groups().await), (1, vec![]));
    }

    async fn doubt_is_resolved_either_way(bench: Bench) {
        let answers = [
            (Trigger::ResolveSucceeded, State::Succeeded),
            (Trigger::ResolveFailed, State::Failed),
        ];
        for (event, state) in answers {
            let id = bench.job_in(State::Uncertain).await;
            bench.pass(MINUTE);
            let change = UnclaimedTransition { afresh: false,
                job: id,
                transition: State::Uncertain.on(event).unwrap(),
                reason: (state == State::Failed).then(|| "permanent".to_owned()),
            };

            assert!(is_moved(&bench, &change).await);

            let job = bench.job(id).await;
            assert_eq!((job.state, counters(&job)), (state, attempt_counters(1, 1, 0, 1)));
            assert_eq!((job.reason, job.updated_at), (change.reason, bench.now()));
        }
    }

    async fn of_many_who_shift_a_job_one_wins(bench: Bench) {
        let id = bench.enqueue(spec()).await;
        let mut callers = tokio::task::JoinSet::new();
        for _ in 0..8 {
            let bench = bench.clone();
            callers.spawn(async move { bench.transition(id, State::Queued, Trigger::Cancel).await });
        }

        let answers = callers.join_all().await;

        assert_eq!(answers.iter().filter(|is_moved| **is_moved).count(), 1);
        assert_eq!(bench.plot(id).await, ["job.queued", "job.canceled"]);
    }

    async fn a_job_is_either_claimed_or_canceled(bench: Bench) {
        for _ in 0..20 {
            let id = bench.enqueue(spec()).await;
            let (one, other) = (bench.clone(), bench.clone());
            let cancel =
                tokio::spawn(async move { one.transition(id, State::Queued, Trigger::Cancel).await });
            let claim = tokio::spawn(async move { other.claim(1).await });

            let (is_canceled, claimed) = (cancel.await.unwrap(), claim.await.unwrap());

            assert!(!is_canceled || claimed.is_empty(), "both won");
            match (is_canceled, claimed.first()) {
                (true, _) => bench.assert_state(id, State::Canceled).await,
                (_, Some(claimed)) => {
                    bench.assert_state(id, State::Running).await;
                    bench.succeed(claimed).await;
                }
                // Each may pass over what the other one is just touching.
                (false, None) => {
                    bench.assert_state(id, State::Queued).await;
                    assert!(bench.transition(id, State::Queued, Trigger::Cancel).await);
                }
            }
        }
    }
}
