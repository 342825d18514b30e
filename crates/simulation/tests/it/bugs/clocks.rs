//! Mistakes with clocks.

use async_trait::async_trait;
use baton_ports::{
    Store,
    layer::Hook,
    store::{LeaseView, Result},
};

use super::{SEEDS, is_caught, with};
use crate::{
    invariants::violations,
    journal::History,
    story,
    world::{Flaw, Weather, play, play_in},
};

/// Rescues by the clock on the wall: compares what a lease says of its end with the time.
pub struct ByWallClock;

#[async_trait]
impl Hook for ByWallClock {
    async fn leases(&self, below: &dyn Store, limit: u32) -> Result<Vec<LeaseView>> {
        let now = below.time().await?;
        let mut leases = below.leases(limit).await?;
        for lease in &mut leases {
            lease.is_abandoned |= lease.until <= now;
        }
        Ok(leases)
    }
}

const BY_WALL_CLOCK: Flaw = |store, _| with(store, ByWallClock);
const I31: &str = "no_lease_of_a_living_reachable_worker_is_lost";

#[test]
fn a_rescue_by_the_clock_on_the_wall_is_caught() {
    is_caught(BY_WALL_CLOCK, I31);
}

#[test]
fn a_run_in_which_a_clock_takes_a_lease_from_the_living_plays_the_same_again() {
    let has_found = |history: &History| violations(history).iter().any(|one| one.rule == I31);
    let mut seeds = (0..SEEDS).map(|seed| (seed, play(seed, BY_WALL_CLOCK)));
    let (seed, first) = seeds.find(|(_, history)| has_found(history)).unwrap();

    let again = play(seed, BY_WALL_CLOCK);

    let told = |history: &History| story::tell(seed, history, &violations(history));
    assert_eq!(told(&first), told(&again));
    assert!(told(&first).contains(&format!("BATON_SIMULATION_SEED={seed} ")));
}

fn unkept(weather: &mut Weather) {
    weather.has_wild_clocks = true;
    weather.keeps_time = false;
}

#[test]
fn clocks_that_nobody_keeps_with_the_stores_are_caught() {
    let is_caught = (0..SEEDS).any(|seed| {
        let violations = violations(&play_in(seed, crate::world::flawless, unkept));
        let mut rules = violations.iter().map(|violation| violation.rule);
        rules.any(|rule| rule == "a_delay_set_by_settled_clocks_is_kept")
    });

    assert!(is_caught, "nothing was noticed in {SEEDS} seeds");
}
