//! When to try again.

use std::{fmt, time::Duration};

use rand::{Rng, RngExt};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    duration::{self, Span},
    words::words,
};

/// How the wait between tries grows, and how far.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Backoff {
    /// How the wait grows.
    #[schema(required = true, default = "exponential")]
    pub strategy: Strategy,
    /// The wait after the first try.
    #[serde(with = "duration")]
    #[schema(value_type = Span, required = true, default = "5s")]
    pub base: Duration,
    /// The longest wait.
    #[serde(with = "duration")]
    #[schema(value_type = Span, required = true, default = "15m")]
    pub cap: Duration,
    /// Whether chance shortens the wait, so that jobs that failed together do not return together.
    #[schema(required = true, default = "full")]
    pub jitter: Jitter,
}

// Stores keep nothing for the default: with another one, the jobs that are kept need a migration.
impl Default for Backoff {
    fn default() -> Self {
        Self {
            strategy: Strategy::Exponential,
            base: Duration::from_secs(5),
            cap: Duration::from_mins(15),
            jitter: Jitter::Full,
        }
    }
}

impl fmt::Display for Backoff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let strategy = self.strategy;
        let jitter = match self.jitter {
            Jitter::Full => "full jitter",
            Jitter::None => "no jitter",
        };
        let (base, cap) = (duration::format(self.base), duration::format(self.cap));
        write!(f, "{strategy} from {base} up to {cap}, {jitter}")
    }
}

words! {
    /// How the wait before the next attempt grows.
    pub enum Strategy {
        /// base, 2 base, 4 base …
        Exponential = "exponential",
        /// base, 2 base, 3 base …
        Linear = "linear",
        /// base, base, base …
        Fixed = "fixed",
    }
}

words! {
    /// Whether chance shortens the wait.
    pub enum Jitter {
        /// Anything from nothing to the whole wait, so that a thousand failures do not return as one.
        Full = "full",
        /// Exactly the wait.
        None = "none",
    }
}

/// The longest Retry-After that is honoured: a day. A target cannot park a job for a century.
pub const LONGEST_RETRY_AFTER: Duration = Duration::from_hours(24);

impl Backoff {
    /// How long to wait after the failed try number `tries` (from 1).
    ///
    /// A target's `retry_after` is honoured upward only: it can lengthen the wait, never shorten it.
    pub fn wait(
        &self,
        tries: u32,
        retry_after: Option<Duration>,
        chance: &mut impl Rng,
    ) -> Duration {
        let ours = self.jittered(self.ceiling(tries), chance);
        let theirs = retry_after.unwrap_or_default().min(LONGEST_RETRY_AFTER);
        ours.max(theirs)
    }

    /// The wait before chance has its say.
    #[must_use]
    pub fn ceiling(&self, tries: u32) -> Duration {
        let step = tries.max(1);
        let factor = match self.strategy {
            Strategy::Exponential => 1_u32.checked_shl(step - 1).unwrap_or(u32::MAX),
            Strategy::Linear => step,
            Strategy::Fixed => 1,
        };
        self.base
            .checked_mul(factor)
            .unwrap_or(self.cap)
            .min(self.cap)
    }

    fn jittered(&self, wait: Duration, chance: &mut impl Rng) -> Duration {
        match self.jitter {
            Jitter::None => wait,
            Jitter::Full => wait.mul_f64(chance.random::<f64>()),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng, rngs::StdRng};

    use super::*;

    fn backoff(strategy: Strategy) -> Backoff {
        Backoff {
            strategy,
            base: Duration::from_secs(5),
            cap: Duration::from_mins(1),
            jitter: Jitter::None,
        }
    }

    fn waits(backoff: &Backoff) -> Vec<u64> {
        (1..=5)
            .map(|tries| backoff.ceiling(tries).as_secs())
            .collect()
    }

    #[test]
    fn the_wait_grows_by_its_strategy_up_to_the_cap() {
        assert_eq!(waits(&backoff(Strategy::Exponential)), [5, 10, 20, 40, 60]);
        assert_eq!(waits(&backoff(Strategy::Linear)), [5, 10, 15, 20, 25]);
        assert_eq!(waits(&backoff(Strategy::Fixed)), [5, 5, 5, 5, 5]);
    }

    #[test]
    fn full_jitter_spreads_from_nothing_to_the_whole_wait() {
        let backoff = Backoff {
            jitter: Jitter::Full,
            ..backoff(Strategy::Fixed)
        };
        let mut chance = StdRng::seed_from_u64(7);

        let waits: Vec<_> = (0..1_000)
            .map(|_| backoff.wait(1, None, &mut chance))
            .collect();

        assert!(waits.iter().all(|wait| *wait <= Duration::from_secs(5)));
        assert!(waits.iter().any(|wait| *wait < Duration::from_millis(500)));
        assert!(
            waits
                .iter()
                .any(|wait| *wait > Duration::from_millis(4_500))
        );
    }

    #[test]
    fn jobs_that_failed_at_once_come_again_spread_over_the_wait() {
        let backoff = Backoff::default();
        let mut chance = StdRng::seed_from_u64(7);
        let ceiling = backoff.ceiling(1).as_secs_f64();

        let mut parts = [0; 10];
        for _ in 0..10_000 {
            let wait = backoff.wait(1, None, &mut chance).as_secs_f64();
            parts[((wait / ceiling * 10.0) as usize).min(9)] += 1;
        }

        // A storm would put them all into one part.
        assert!(
            parts.iter().all(|jobs| (800..1_200).contains(jobs)),
            "{parts:?}"
        );
    }

    #[test]
    fn retry_after_lengthens_the_wait_and_never_shortens_it() {
        let backoff = backoff(Strategy::Fixed);
        let mut chance = StdRng::seed_from_u64(7);

        let longer = backoff.wait(1, Some(Duration::from_secs(90)), &mut chance);
        let shorter = backoff.wait(1, Some(Duration::from_secs(1)), &mut chance);
        let absurd = backoff.wait(1, Some(Duration::from_secs(u64::MAX / 2)), &mut chance);

        assert_eq!(longer, Duration::from_secs(90));
        assert_eq!(shorter, Duration::from_secs(5));
        assert_eq!(absurd, LONGEST_RETRY_AFTER);
    }

    #[test]
    fn the_wait_after_a_very_late_try_does_not_overflow() {
        assert_eq!(
            backoff(Strategy::Exponential).ceiling(u32::MAX),
            Duration::from_mins(1)
        );
    }
}
