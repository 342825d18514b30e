//! Stories of the store's clock: put forward and back while everybody is well.

use std::{sync::Arc, time::Duration};

use baton_domain::{
    Timestamp,
    job::{JobSpec, State},
    queue::QueueChange,
};
use tokio::time::sleep;

use super::Stage;
use crate::{
    bugs::clocks::ByWallClock,
    invariants::violations,
    journal::History,
    script::{Answer, Script, Word},
    target::KIND,
    world::{Flaw, Hinting, flawless, in_virtual_time},
};
use baton_ports::layer::Layer;

const SECOND: i64 = 1_000_000;
const HOUR: i64 = 3_600 * SECOND;
/// How long it takes a node to follow a step at the most, and then some.
const FOLLOWED: Duration = Duration::from_secs(4);

/// What came of one long call while the clock was stepped, over and over.
fn history_of_a_call_beside_steps(flaw: Flaw) -> History {
    in_virtual_time(1, async {
        let mut stage = Stage::flawed(1, Hinting::No, flaw);
        stage.post_one(&[Answer::new(Word::Ok, 30_000)]).await;
        stage.until_called(1).await;

        for by in [HOUR, -2 * HOUR, 90 * SECOND, -5 * SECOND, 3 * HOUR, -HOUR] {
            stage.world.fleet.dial.step(by);
            sleep(FOLLOWED).await;
        }
        stage.world.recover().await
    })
}

#[test]
fn a_lease_that_is_renewed_outlives_every_step_of_the_clock() {
    let rule = "no_lease_of_a_living_reachable_worker_is_lost";

    let well = history_of_a_call_beside_steps(flawless);
    let by_wall = history_of_a_call_beside_steps(|store, _| Layer::over(store, ByWallClock));

    assert!(violations(&well).is_empty());
    assert_eq!(well.calls[0].attempt, 1);
    assert!(well.jobs.values().all(|job| job.losses == 0));
    let found = violations(&by_wall);
    assert!(found.iter().any(|one| one.rule == rule), "{found:?}");
}

#[test]
fn a_delay_that_is_set_after_a_step_is_kept() {
    for by in [-HOUR, -10 * SECOND, HOUR] {
        in_virtual_time(1, async {
            let mut stage = Stage::with_workers(1);
            sleep(Duration::from_secs(10)).await;
            stage.world.fleet.dial.step(by);
            sleep(FOLLOWED).await;

            let asked = stage.world.fleet.now();
            let spec = JobSpec {
                kind: KIND.to_owned(),
                payload: Script::of(1, &[Answer::new(Word::Ok, 1)]).payload(),
                delay: Some(Duration::from_secs(2)),
                ..JobSpec::default()
            };
            let job = stage.engine().enqueue(spec).await.unwrap().id();
            stage.until_called(1).await;

            let took = stage.world.fleet.now().since(asked).as_secs_f64();
            assert!((1.9..5.0).contains(&took), "{by}: {took}");
            let history = stage.world.recover().await;
            assert_eq!(history.jobs[&job].state, State::Succeeded);
        });
    }
}

#[test]
fn a_rate_goes_on_after_a_step() {
    for by in [-HOUR, -10 * SECOND, HOUR] {
        in_virtual_time(1, async {
            let mut stage = Stage::with_workers(1);
            let change = QueueChange {
                rate: Some(Some(2.0)),
                ..QueueChange::default()
            };
            let changed = stage.engine().change_queue("default", &change).await;
            changed.unwrap();
            let scripts = (0..60).map(|number| Script::of(number, &[Answer::new(Word::Ok, 1)]));
            stage.post(scripts.collect()).await;
            stage.until_called(6).await;

            stage.world.fleet.dial.step(by);
            sleep(FOLLOWED).await;
            let from = stage.world.fleet.now();
            sleep(Duration::from_secs(10)).await;

            let calls = calls_since(&stage, from);
            assert!((16..=22).contains(&calls), "{by}: {calls} calls in 10 s");
            stage.end().await;
        });
    }
}

fn calls_since(stage: &Stage, from: Timestamp) -> usize {
    let calls = Arc::clone(&stage.world.journal);
    let calls = calls.calls.lock();
    calls.iter().filter(|call| call.started >= from).count()
}
