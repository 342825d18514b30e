//! Chance: what ids and jitter are made of.
//!
//! It comes from the machine, unless a simulation has seeded this thread: then the same seed makes
//! the same ids and the same waits, and a failure can be played again.

use std::cell::RefCell;

use rand::{Rng, SeedableRng, rngs::StdRng};

thread_local! {
    static SEEDED: RefCell<Option<StdRng>> = const { RefCell::new(None) };
}

/// Draws from chance.
pub fn draw<T>(draw: impl FnOnce(&mut dyn Rng) -> T) -> T {
    SEEDED.with_borrow_mut(|seeded| match seeded {
        Some(seeded) => draw(seeded),
        None => draw(&mut rand::rng()),
    })
}

/// Makes this thread's chance follow a seed from now on; for simulations.
pub fn seed(seed: u64) {
    SEEDED.set(Some(StdRng::seed_from_u64(seed)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{JobId, LeaseId, Timestamp};

    fn ids() -> (JobId, LeaseId) {
        (JobId::new(Timestamp::from_micros(0)), LeaseId::random())
    }

    #[test]
    fn the_same_seed_makes_the_same_ids() {
        seed(1);
        let first = ids();
        seed(1);
        let again = ids();
        seed(2);
        let other = ids();

        assert_eq!(first, again);
        assert_ne!(first, other);
    }
}
