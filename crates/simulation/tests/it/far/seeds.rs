//! Many seeds, each a simulation of its own: the rules hold in all of them.

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use parking_lot::Mutex;

use super::{
    rules::{Violation, violations},
    world::{FLAWLESS, Record, play},
};
use crate::seeds::number;

/// How many seeds are played when nobody asks for more with `BATON_SIMULATION_SEEDS`.
const SEEDS: u64 = 100;

#[test]
fn every_rule_of_remote_work_holds_in_every_seed() {
    let seeds = match number("BATON_SIMULATION_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("BATON_SIMULATION_SEEDS").unwrap_or(SEEDS),
    };
    let are_few = seeds.end - seeds.start < SEEDS;
    let next = AtomicU64::new(seeds.start);
    let failed = Mutex::new(None);
    let lost = Mutex::new(BTreeSet::new());

    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while failed.lock().is_none() {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    let mut record = play(seed, FLAWLESS);
                    lost.lock().append(&mut record.lost);
                    if let Some(story) = story_of(seed, &record) {
                        failed.lock().get_or_insert(story);
                    }
                }
            });
        }
    });

    if let Some(story) = failed.into_inner() {
        panic!("{story}");
    }
    let lost = lost.into_inner();
    let each = CALLS
        .into_iter()
        .flat_map(|call| WHEN.map(|when| (call.to_owned(), when)));
    let never: Vec<_> = each.filter(|one| !lost.contains(one)).collect();
    assert!(are_few || never.is_empty(), "never lost: {never:?}");
}

/// What a worker asks, and when it may be lost: many seeds together have each of them.
const CALLS: [&str; 7] = [
    "register",
    "claim",
    "beat",
    "results",
    "checkpoints",
    "release",
    "goodbye",
];
const WHEN: [&str; 2] = ["before", "after"];

/// What went wrong in a seed, if anything did.
fn story_of(seed: u64, record: &Record) -> Option<String> {
    let violations = violations(record);
    let first = violations.first()?;
    let mut story = format!(
        "seed {seed} breaks {} rules: BATON_SIMULATION_SEED={seed}\n{:?}\n",
        violations.len(),
        record.weather
    );
    for Violation { rule, what, .. } in &violations {
        story += &format!("{rule}: {what}\n");
    }
    for mishap in &record.mishaps {
        story += &format!("{mishap:?}\n");
    }
    for (at, deed) in &record.deeds {
        let text = format!("{deed:?}");
        if first
            .job
            .is_none_or(|job| text.contains(&format!("{job:?}")))
        {
            story += &format!("{at:?} {text}\n");
        }
    }
    Some(story)
}
