//! Many seeds, each a simulation of its own: the invariants hold in all of them.

use std::{
    collections::BTreeSet,
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
    thread,
};

use parking_lot::Mutex;

use crate::{
    coverage,
    invariants::violations,
    journal::History,
    story,
    world::{flawless, play},
};

/// How many seeds are played when nobody asks for more with `BATON_SIMULATION_SEEDS`.
const SEEDS: u64 = 400;

/// A number from the environment.
pub fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{name} must be a number, not {text:?}")),
    )
}

#[test]
fn every_invariant_holds_in_every_seed() {
    let seed = number("BATON_SIMULATION_SEED");
    let seeds = match seed {
        Some(seed) => seed..seed + 1,
        None => 0..number("BATON_SIMULATION_SEEDS").unwrap_or(SEEDS),
    };

    let met = Mutex::new(BTreeSet::new());
    let failed = first_failure(seeds.clone(), |seed| {
        let history = play(seed, flawless);
        met.lock().extend(coverage::met(&history));
        history
    });

    if let Some(story) = failed {
        panic!("{story}");
    }
    let met = met.into_inner();
    let missed = coverage::BOUND.iter().filter(|thing| !met.contains(*thing));
    let missed: Vec<_> = missed.collect();
    let is_long = seeds.end - seeds.start >= SEEDS;
    assert!(!is_long || missed.is_empty(), "no seed met {missed:?}");
}

#[test]
fn a_seed_plays_the_same_again() {
    for seed in 0..10 {
        let first = format!("{:#?}", play(seed, flawless));
        let again = format!("{:#?}", play(seed, flawless));

        let mut lines = first.lines().zip(again.lines());
        let fork = lines.find(|(first, again)| first != again);
        assert_eq!(fork, None, "seed {seed} took another turn");
    }
}

/// Plays these seeds on every core until an invariant does not hold; tells that story.
fn first_failure(seeds: Range<u64>, play: impl Fn(u64) -> History + Sync) -> Option<String> {
    let next = AtomicU64::new(seeds.start);
    let failed = Mutex::new(None);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                while failed.lock().is_none() {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= seeds.end {
                        return;
                    }
                    let failure = failure_of(seed, &play(seed));
                    let mut failed = failed.lock();
                    *failed = failed.take().or(failure);
                }
            });
        }
    });
    failed.into_inner()
}

fn failure_of(seed: u64, history: &History) -> Option<String> {
    let violations = violations(history);
    (!violations.is_empty()).then(|| story::tell(seed, history, &violations))
}
