//! Askings: how often, and until when, a claim is asked again whose answer did not come.

use std::time::Duration;

use baton_ports::store::{Error, Result};
use tokio::time::Instant;

use super::SHORTEST;

/// The askings of one claim so far.
pub struct Askings {
    /// Half a lease: enough of one is to be left for a job that comes last.
    half: Duration,
    /// After which none is begun. A server that says how long a claim has waited sets none, until one has failed.
    end: Option<Instant>,
    /// Whether one may have done something: that it was not heard the last time does not undo it.
    is_unknown: bool,
}

impl Askings {
    /// Begins; where leases count from when they were asked for, what is left for waiting counts from then.
    pub fn begin(began: Instant, lease: Duration, is_told_of_waits: bool) -> Self {
        let half = lease / 2;
        Self {
            half,
            end: (!is_told_of_waits).then(|| began + half),
            is_unknown: false,
        }
    }

    /// How long one that is sent now may wait.
    pub fn left(&self, sent: Instant) -> Duration {
        self.end
            .map_or(Duration::MAX, |end| end.saturating_duration_since(sent))
    }

    /// Takes note of one that failed; an error if it was the last.
    pub fn go_on_after(&mut self, error: Error, is_over: bool) -> Result<()> {
        let now = Instant::now();
        let end = *self.end.get_or_insert(now + self.half);
        self.is_unknown |= matches!(error, Error::Unconfirmed(_));
        let may_be_repeated = matches!(error, Error::Unconfirmed(_) | Error::Unavailable(_));
        let is_late = now + SHORTEST / 5 >= end;
        if self.is_unknown && may_be_repeated && !is_late && !is_over {
            return Ok(());
        }
        Err(match error {
            Error::Unavailable(text) if self.is_unknown => Error::Unconfirmed(text),
            error => error,
        })
    }
}
