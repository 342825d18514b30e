//! Stories of leases: late, lost and raced for.

use std::{
    collections::BTreeSet,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use baton_domain::job::{MAX_LOSSES, Outcome, State};
use baton_engine::Cancel;
use tokio::time::sleep;

use super::Stage;
use baton_ports::layer::Layer;

use crate::{
    bugs::leases::Stubborn,
    client::Client,
    fleet::LEASE,
    invariants::violations,
    journal::ActKind,
    link::Condition,
    script::{Answer, Word},
    world::{Flaw, Hinting, flawless, in_virtual_time},
};

#[test]
fn a_late_success_is_adopted_and_spares_a_second_call() {
    in_virtual_time(1, async {
        let mut stage = Stage::with_workers(1);
        let job = stage.post_one(&[Answer::new(Word::Ok, 500)]).await;
        stage.until_called(1).await;

        let worker = stage.worker();
        stage.disturb(worker, Condition::Cut, LEASE * 2 + Duration::from_secs(2));
        let history = stage.end().await;

        let attempt = &history.attempts[&job][0];
        assert_eq!(attempt.outcome, Some(Outcome::Lost));
        assert!(attempt.late.as_ref().is_some_and(|late| late.adopted));
        assert_eq!(history.jobs[&job].state, State::Succeeded);
        assert_eq!(history.calls.len(), 1);
    });
}

/// Seed 8358 once.
#[test]
fn a_late_success_of_a_revoked_job_does_not_end_its_next_run() {
    in_virtual_time(1, async {
        let mut stage = Stage::with_workers(1);
        let job = stage.post_one(&[Answer::new(Word::Ok, 500)]).await;
        stage.until_called(1).await;
        let worker = stage.worker();
        stage.disturb(worker, Condition::Cut, LEASE);

        let cancel = Cancel {
            force: true,
            reason: None,
        };
        let engine = stage.engine();
        engine.cancel(job, cancel).await.unwrap();
        let mut operator = Client::new(Arc::clone(&stage.world.fleet), 0, 0);
        operator.do_to(job, ActKind::Retry).await;
        let history = stage.end().await;

        let runs: Vec<_> = history.calls.iter().map(|call| call.run).collect();
        assert_eq!(runs, [1, 2]);
    });
}

#[test]
fn a_rescue_and_a_result_that_meet_leave_one_of_them() {
    let outcomes: BTreeSet<_> = (0..24).map(outcome_after_a_cut).collect();

    assert_eq!(outcomes, ["lost", "succeeded"].into());
}

/// What became of an attempt whose worker was cut off for its lease and so many quarter seconds.
fn outcome_after_a_cut(quarters: u32) -> &'static str {
    in_virtual_time(quarters.into(), async {
        let mut stage = Stage::with_workers(2);
        let job = stage.post_one(&[Answer::new(Word::Ok, 100)]).await;
        stage.until_called(1).await;

        let span = LEASE + Duration::from_millis(250) * quarters;
        let caller = stage.world.journal.calls.lock()[0].worker;
        let everybody = stage.world.fleet.everybody();
        let line = everybody.into_iter().find(|line| line.process == caller);
        stage.disturb(line.unwrap(), Condition::Cut, span);
        let history = stage.end().await;

        history.attempts[&job][0].outcome.unwrap().as_str()
    })
}

#[test]
fn a_rescue_from_an_earlier_read_is_caught() {
    let is_caught = |flaw: Flaw| {
        let moments = (0..100).map(|twenties| Duration::from_millis(20) * twenties);
        let mut all = moments.flat_map(|moment| (1..=8).map(move |seed| (seed, moment)));
        all.any(|(seed, moment)| has_rescued_too_soon(flaw, seed, moment))
    };

    assert!(is_caught(|store, _| Layer::over(store, Stubborn)));
    assert!(!is_caught(flawless));
}

/// Whether a lease is taken back that was renewed: its worker stands still from this moment of its call
/// on, perhaps with a renewal on its way, and moves when the lease has just run out.
fn has_rescued_too_soon(flaw: Flaw, seed: u64, moment: Duration) -> bool {
    in_virtual_time(seed, async {
        let mut stage = Stage::flawed(1, Hinting::No, flaw);
        stage.post_one(&[Answer::new(Word::Ok, 15_000)]).await;
        stage.until_called(1).await;

        sleep(moment).await;
        let worker = stage.worker();
        stage.disturb(worker, Condition::Frozen, LEASE + Duration::from_secs(4));
        let history = stage.world.recover().await;

        let mut found = violations(&history).into_iter();
        found.any(|one| one.rule == "a_lease_is_rescued_only_when_it_has_run_out")
    })
}

#[test]
fn jobs_of_a_claim_whose_answer_was_lost_are_run_by_the_same_worker() {
    in_virtual_time(1, async {
        let mut stage = Stage::with_workers(1);
        sleep(Duration::from_secs(1)).await;
        let link = stage.worker().link;
        link.loses_a_claim.store(true, Ordering::SeqCst);

        let job = stage.post_one(&[Answer::new(Word::Ok, 10)]).await;
        let history = stage.end().await;

        assert!(!link.loses_a_claim.load(Ordering::SeqCst));
        assert_eq!(history.jobs[&job].state, State::Succeeded);
        assert_eq!(history.jobs[&job].attempt, 2);
        assert_eq!(history.calls.len(), 1);
    });
}

#[test]
fn a_job_that_takes_its_workers_down_is_given_up() {
    in_virtual_time(1, async {
        let mut stage = Stage::with_workers(1);
        let job = stage.post_one(&[Answer::new(Word::Ok, 20_000)]).await;

        for loss in 1..=MAX_LOSSES {
            stage.until_called(loss as usize).await;
            let process = stage.worker().process;
            stage.world.fleet.kill_worker(process);
            stage.world.fleet.start_worker(1);
        }
        let history = stage.end().await;

        let poison = &history.jobs[&job];
        assert_eq!(poison.state, State::Failed);
        assert_eq!(poison.reason.as_deref(), Some("lost"));
        let keys: BTreeSet<_> = history.calls.iter().map(|call| &call.key).collect();
        assert_eq!((history.calls.len(), keys.len()), (3, 1));
    });
}
