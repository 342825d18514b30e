//! How long to wait before a store is asked again.

use std::time::Duration;

use baton_domain::chance;
use rand::RngExt;

const FIRST: Duration = Duration::from_millis(50);
const LONGEST: Duration = Duration::from_secs(2);

/// A wait that doubles from 50 ms to 2 s, a random half of it, for as many hours as it takes.
#[derive(Debug)]
pub struct StoreBackoff {
    next: Duration,
    longest: Duration,
}

impl Default for StoreBackoff {
    fn default() -> Self {
        Self::up_to(LONGEST)
    }
}

impl StoreBackoff {
    /// A wait that grows to `longest` at most.
    pub fn up_to(longest: Duration) -> Self {
        Self {
            next: FIRST.min(longest),
            longest,
        }
    }

    /// The next wait.
    pub fn wait(&mut self) -> Duration {
        let wait = jittered(self.next);
        self.next = (self.next * 2).min(self.longest);
        wait
    }

    /// Begins anew, after a success.
    pub fn reset(&mut self) {
        *self = Self::up_to(self.longest);
    }

    /// Whether nothing has failed since the last success.
    pub fn is_fresh(&self) -> bool {
        self.next == FIRST.min(self.longest)
    }
}

/// Between half of a span and the whole, so that a fleet does not knock in step.
pub fn jittered(span: Duration) -> Duration {
    span.mul_f64(chance::draw(|chance| chance.random_range(0.5..=1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_grows_to_two_seconds_and_begins_anew_after_a_success() {
        let mut delay = StoreBackoff::default();

        let waits: Vec<_> = (0..10).map(|_| delay.wait()).collect();
        delay.reset();

        assert!(waits[0] <= FIRST && waits[0] >= FIRST / 2);
        assert!(waits[9] <= LONGEST && waits[9] >= LONGEST / 2);
        assert!(delay.is_fresh());
    }
}
