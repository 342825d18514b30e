//! The poltergeist: wipes, poisons and hides the hints, and cuts off who asks for them.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use baton_domain::{JobId, Timestamp};
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::time::sleep;

use crate::{
    client::QUEUES,
    fleet::{Fleet, LEASE},
    witness::Deed,
};

/// Haunts the hints until this moment.
pub async fn run(fleet: Arc<Fleet>, seed: u64, until: Timestamp) {
    let mut dice = StdRng::seed_from_u64(seed);
    while fleet.now() < until {
        sleep(Duration::from_millis(dice.random_range(100..4_000))).await;
        strike(&fleet, &mut dice);
    }
}

fn strike(fleet: &Arc<Fleet>, dice: &mut StdRng) {
    let span = LEASE.mul_f64(dice.random_range(0.05..1.5));
    match dice.random_range(0..10) {
        0..3 => {
            fleet.note_mischief("hints wiped", None, fleet.now());
            fleet.hints.restart_empty();
        }
        3..5 => hide(fleet, span),
        5..8 => poison(fleet, dice),
        _ => cut_off(fleet, dice, span),
    }
}

fn hide(fleet: &Arc<Fleet>, span: Duration) {
    fleet.note_mischief("hints gone", None, fleet.now() + span);
    fleet.hints.go_away("the poltergeist has them");
    let fleet = Arc::clone(fleet);
    tokio::spawn(async move {
        sleep(span).await;
        fleet.hints.come_back();
    });
}

/// Hints at jobs that there are, wherever they stand, and at some that there are not.
fn poison(fleet: &Fleet, dice: &mut StdRng) {
    fleet.note_mischief("hints poisoned", None, fleet.now());
    let deeds = fleet.journal.deeds.lock();
    let mut jobs: Vec<JobId> = deeds
        .iter()
        .filter_map(|(_, deed)| match deed {
            Deed::Added { job } => Some(*job),
            _ => None,
        })
        .collect();
    drop(deeds);
    jobs.extend((0..5).map(|_| JobId::new(fleet.now())));
    for _ in 0..dice.random_range(1..60) {
        let job = jobs[dice.random_range(0..jobs.len())];
        let queue = QUEUES[dice.random_range(0..QUEUES.len())];
        fleet
            .hints
            .poison(queue, [job].repeat(dice.random_range(1..4)));
    }
}

fn cut_off(fleet: &Arc<Fleet>, dice: &mut StdRng, span: Duration) {
    let everybody = fleet.everybody();
    let line = everybody[dice.random_range(0..everybody.len())].clone();
    let until = fleet.now() + span;
    fleet.note_mischief("cut off from hints", Some(line.process), until);
    line.hints.is_cut.store(true, Ordering::SeqCst);
    tokio::spawn(async move {
        sleep(span).await;
        line.hints.is_cut.store(false, Ordering::SeqCst);
    });
}
