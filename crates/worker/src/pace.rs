//! How far ahead of its slots a queue is claimed.

use std::time::Duration;

/// How much one run moves the mean: a thirty-second part.
const WEIGHT: f64 = 1.0 / 32.0;
/// A claim counts as this long at least, or a fast store would never be claimed ahead from.
const SHORTEST_TRIP: Duration = Duration::from_millis(2);

/// The mean time of a queue's handlers.
#[derive(Debug, Default)]
pub struct HandlerTime {
    mean: Option<f64>,
}

impl HandlerTime {
    /// Takes a run into account.
    pub fn ran(&mut self, span: Duration) {
        let span = span.as_secs_f64();
        self.mean = Some(match self.mean {
            Some(mean) => mean + (span - mean) * WEIGHT,
            None => span,
        });
    }

    /// Takes into account that jobs have stood behind running ones for so long.
    pub fn stood(&mut self, span: Duration) {
        self.mean = Some(self.mean.unwrap_or_default().max(span.as_secs_f64()));
    }

    /// How many jobs to hold beyond `slots`: what they finish in two claims, `max` at most.
    ///
    /// Nothing before the first run, and nothing once a run takes as long as a claim: such jobs are
    /// as well off in the store, where any other worker can have them.
    pub fn ahead(&self, slots: u32, trip: Duration, max: u32) -> u32 {
        let trip = trip.max(SHORTEST_TRIP).as_secs_f64();
        match self.mean {
            Some(mean) if mean < trip => {
                let jobs = 2.0 * trip / mean.max(1e-9) * f64::from(slots);
                jobs.min(f64::from(max)) as u32
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIP: Duration = Duration::from_millis(5);

    #[test]
    fn nothing_is_claimed_ahead_before_the_first_run_and_for_slow_handlers() {
        let mut pace = HandlerTime::default();

        let before = pace.ahead(50, TRIP, 1_000);
        pace.ran(Duration::from_millis(20));

        assert_eq!(before, 0);
        assert_eq!(pace.ahead(50, TRIP, 1_000), 0);
    }

    #[test]
    fn fast_handlers_are_claimed_for_as_far_ahead_as_two_claims_take() {
        let mut pace = HandlerTime::default();

        pace.ran(Duration::from_millis(1));

        assert_eq!(pace.ahead(50, TRIP, 1_000), 500);
        assert_eq!(pace.ahead(500, TRIP, 1_000), 1_000);
    }

    #[test]
    fn jobs_that_stood_in_line_end_the_claiming_ahead() {
        let mut pace = HandlerTime::default();
        pace.ran(Duration::from_micros(10));

        pace.stood(Duration::from_secs(2));

        assert_eq!(pace.ahead(50, TRIP, 1_000), 0);
    }
}
