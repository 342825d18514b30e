//! The simulation has teeth: a store that breaks one promise is found out within a few seeds.

mod jobs;
mod leases;

use std::sync::Arc;

use baton_ports::Store;

use crate::{
    layer::{Hook, Layer},
    seeds::first_failure,
    world::{Flaw, play},
};

/// How many seeds a mistake may live.
const SEEDS: u64 = 200;

/// Lays a mistake over a store.
fn with<H: Hook>(below: Arc<dyn Store>, mistake: H) -> Arc<dyn Store> {
    Layer::over(below, mistake)
}

/// Asserts that a mistake is found out, by this rule among others.
fn is_caught(flaw: Flaw, by: &str) {
    let failure = first_failure(0..SEEDS, |seed| play(seed, flaw));

    let failure = failure.unwrap_or_else(|| panic!("nothing was noticed in {SEEDS} seeds"));
    let mut violations = failure.violations.iter();
    assert!(violations.any(|one| one.rule == by), "{}", failure.story);
}
