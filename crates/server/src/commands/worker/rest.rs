//! The rest of a kind whose command cannot be started: a second at first, five minutes at the most.

use std::time::Duration;

use parking_lot::Mutex;
use tokio::time::Instant;

const FIRST: Duration = Duration::from_secs(1);
const LONGEST: Duration = Duration::from_mins(5);

/// The rest of a kind.
#[derive(Debug, Default)]
pub struct Rest(Mutex<Option<(Instant, Duration)>>);

impl Rest {
    /// How long it lasts yet, if it does.
    pub fn left(&self) -> Option<Duration> {
        let (until, _) = (*self.0.lock())?;
        let left = until.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }

    /// Begins, or begins again for twice as long; says for how long.
    pub fn begin(&self) -> Duration {
        let mut rest = self.0.lock();
        let span = rest.map_or(FIRST, |(_, last)| (last * 2).min(LONGEST));
        *rest = Some((Instant::now() + span, span));
        span
    }

    /// Is over: a command was started.
    pub fn end(&self) {
        *self.0.lock() = None;
    }
}
