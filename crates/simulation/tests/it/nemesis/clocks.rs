//! Whoever sets the clocks: the store's, which all follow, and those on the nodes' walls.

use std::{sync::Arc, time::Duration};

use baton_domain::Timestamp;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::time::sleep;

use crate::fleet::{DRIFT, Fleet};

const SECOND: i64 = 1_000_000;
/// What has to wait no longer than that is left to wait when the clocks settle, in microseconds.
const BEARABLE: i64 = 120 * SECOND;

/// Steps clocks and lets them drift until this moment; then they settle.
pub async fn run(fleet: Arc<Fleet>, seed: u64, until: Timestamp) {
    let mut dice = StdRng::seed_from_u64(seed);
    while fleet.now() < until {
        sleep(Duration::from_millis(dice.random_range(300..6_000))).await;
        strike(&fleet, &mut dice);
    }
    settle(&fleet);
}

fn strike(fleet: &Fleet, dice: &mut StdRng) {
    match dice.random_range(0..10) {
        0..6 => step_the_store(fleet, dice),
        6 => fleet.dial.go(dice.random_range(-DRIFT..=DRIFT)),
        _ => {
            let everybody = fleet.everybody();
            let line = &everybody[dice.random_range(0..everybody.len())];
            line.clock.machine().wall.step(a_step(dice));
        }
    }
}

fn step_the_store(fleet: &Fleet, dice: &mut StdRng) {
    let ahead = fleet.store_time().as_micros() - fleet.now().as_micros();
    let by = match dice.random_bool(0.4) {
        true => -ahead,
        false => a_step(dice),
    };
    fleet.dial.step(by);
    let what = match by < 0 {
        true => "clock put back",
        false => "clock put forward",
    };
    fleet.note_mischief(what, None, fleet.store_time());
}

/// Mostly a little more or less than what counts as a step, or by seconds.
fn a_step(dice: &mut StdRng) -> i64 {
    let most = match dice.random_range(0..10) {
        0..3 => 3 * SECOND,
        3..7 => 30 * SECOND,
        7..9 => BEARABLE,
        _ => 3_600 * SECOND,
    };
    let by = dice.random_range(SECOND / 5..most);
    if dice.random_bool(0.5) { by } else { -by }
}

/// What was given a time by a clock that was far ahead shall not wait for it.
fn settle(fleet: &Fleet) {
    let by = fleet.dial.furthest().as_micros() - fleet.store_time().as_micros();
    if by > BEARABLE {
        fleet.dial.step(by);
        fleet.note_mischief("clock settled", None, fleet.store_time());
    }
}
