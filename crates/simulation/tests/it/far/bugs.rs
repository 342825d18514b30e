//! The simulation of remote work has teeth: a server that breaks one rule of the protocol is found out.

mod calls;
mod store;

use super::{
    rules::violations,
    world::{Flaw, play},
};

/// How many seeds a mistake may live.
const SEEDS: u64 = 300;

/// Asserts that a mistake is found out, by this rule among others.
fn is_caught(flaw: Flaw, by: &str) {
    let is_caught = (0..SEEDS).any(|seed| {
        let violations = violations(&play(seed, flaw));
        violations.iter().any(|violation| violation.rule == by)
    });

    assert!(is_caught, "{by} has noticed nothing in {SEEDS} seeds");
}
