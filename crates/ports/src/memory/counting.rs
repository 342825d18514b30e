//! How the counters of a job go on.

use baton_domain::job::{AttemptCounters, Decision};

/// How the counters of a job go on.
pub(super) trait Counting {
    /// The counters of a job that nobody has claimed.
    fn before_the_first() -> Self;
    /// Those of the attempt that a claim begins.
    fn of_next_attempt(self) -> Self;
    /// Those that an attempt leaves behind.
    fn after(self, decision: &Decision) -> Self;
    /// Those of a job that a person runs again: attempts are numbered on, the rest begins anew.
    fn of_next_run(self) -> Self;
}

impl Counting for AttemptCounters {
    fn before_the_first() -> Self {
        Self {
            attempt: 0,
            tries: 0,
            losses: 0,
            run: 1,
        }
    }

    fn of_next_attempt(self) -> Self {
        Self {
            attempt: self.attempt + 1,
            tries: self.tries + 1,
            ..self
        }
    }

    fn after(self, decision: &Decision) -> Self {
        Self {
            tries: decision.tries,
            losses: decision.losses,
            ..self
        }
    }

    fn of_next_run(self) -> Self {
        Self {
            attempt: self.attempt,
            tries: 0,
            losses: 0,
            run: self.run + 1,
        }
    }
}
