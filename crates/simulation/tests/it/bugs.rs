//! The simulation has teeth: a store that breaks one promise is found out within a few seeds.

mod campaigns;
pub mod clocks;
pub mod hints;
mod jobs;
pub mod leases;

use std::sync::Arc;

use baton_ports::{
    Store,
    layer::{Hook, Layer},
};

use crate::{
    invariants::violations,
    world::{Flaw, Hinting, Weather, play, play_in},
};

/// How many seeds a mistake may live.
const SEEDS: u64 = 200;

/// Lays a mistake over a store.
fn with<H: Hook>(below: Arc<dyn Store>, mistake: H) -> Arc<dyn Store> {
    Layer::over(below, mistake)
}

/// Asserts that a mistake is found out, by this rule among others.
fn is_caught(flaw: Flaw, by: &str) {
    let is_caught = (0..SEEDS).any(|seed| {
        let violations = violations(&play(seed, flaw));
        violations.iter().any(|violation| violation.rule == by)
    });

    assert!(is_caught, "{by} has noticed nothing in {SEEDS} seeds");
}

/// The same, where workers are led by hints.
fn is_caught_with_hints(flaw: Flaw, by: &str) {
    let is_caught = (0..SEEDS).any(|seed| {
        let violations = violations(&play_in(seed, flaw, hinted));
        violations.iter().any(|violation| violation.rule == by)
    });

    assert!(is_caught, "{by} has noticed nothing in {SEEDS} seeds");
}

fn hinted(weather: &mut Weather) {
    weather.hinting = Hinting::ByNodes;
}
