//! The nemesis: kills, freezes, cuts and slows whoever it meets.

pub mod clocks;

use std::{sync::Arc, time::Duration};

use baton_domain::Timestamp;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::time::sleep;

use crate::{
    fleet::{Fleet, LEASE, Uplink},
    link::Condition,
};

/// Kills, freezes, cuts and slows until this moment.
pub async fn run(fleet: Arc<Fleet>, seed: u64, until: Timestamp) {
    let mut dice = StdRng::seed_from_u64(seed);
    // In a storm the same job loses worker after worker.
    let longest = if dice.random_bool(0.3) { 1_000 } else { 4_000 };
    while fleet.now() < until {
        sleep(Duration::from_millis(dice.random_range(200..longest))).await;
        strike(&fleet, &mut dice);
    }
}

fn strike(fleet: &Arc<Fleet>, dice: &mut StdRng) {
    let span = LEASE.mul_f64(dice.random_range(0.05..2.5));
    match dice.random_range(0..14) {
        0..3 => kill_a_worker(fleet, dice),
        3 => stop_a_worker(fleet, dice),
        4..7 => on_a_worker(fleet, dice, "frozen", Condition::Frozen, span),
        7 => on_a_worker(fleet, dice, "cut", Condition::Cut, span),
        8 => on_a_worker(fleet, dice, "slow", Condition::Slow, span),
        9..12 => fleet.replace_node(fleet.some_node(dice).process),
        12 => {
            let condition = [Condition::Frozen, Condition::Cut, Condition::Slow];
            let condition = condition[dice.random_range(0..condition.len())];
            disturb(
                fleet,
                fleet.some_node(dice),
                "node disturbed",
                condition,
                span,
            );
        }
        _ => {
            for line in fleet.everybody() {
                disturb(fleet, line, "store down", Condition::Cut, span / 2);
            }
        }
    }
}

fn kill_a_worker(fleet: &Arc<Fleet>, dice: &mut StdRng) {
    if let Some(line) = fleet.some_worker(dice) {
        fleet.kill_worker(line.process);
        start_another(fleet, dice);
    }
}

fn stop_a_worker(fleet: &Arc<Fleet>, dice: &mut StdRng) {
    if let Some(line) = fleet.some_worker(dice) {
        // It goes on by itself.
        drop(fleet.stop_worker(line.process));
        start_another(fleet, dice);
    }
}

fn start_another(fleet: &Arc<Fleet>, dice: &mut StdRng) {
    let pause = Duration::from_millis(dice.random_range(0..4_000));
    let slots = dice.random_range(1..6);
    let fleet = Arc::clone(fleet);
    tokio::spawn(async move {
        sleep(pause).await;
        fleet.start_worker(slots);
    });
}

fn on_a_worker(
    fleet: &Arc<Fleet>,
    dice: &mut StdRng,
    what: &'static str,
    condition: Condition,
    span: Duration,
) {
    if let Some(line) = fleet.some_worker(dice) {
        disturb(fleet, line, what, condition, span);
    }
}

/// Puts a process into a condition, for a while.
pub fn disturb(
    fleet: &Arc<Fleet>,
    line: Uplink,
    what: &'static str,
    condition: Condition,
    span: Duration,
) {
    let now = fleet.now();
    fleet.note(what, Some(line.process), now, now + span);
    line.link.set(condition);
    tokio::spawn(async move {
        sleep(span).await;
        line.link.set(Condition::Up);
    });
}
