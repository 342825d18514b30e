//! Virtual time: the clock goes as the runtime's time goes.

use baton_domain::{Clock, Timestamp};
use tokio::time::Instant;

/// When every simulation begins.
pub const DAWN: Timestamp = Timestamp::from_micros(1_000_000_000_000_000);

/// A clock that goes as the runtime's time goes.
pub struct VirtualClock(Instant);

impl VirtualClock {
    /// A clock that shows [`DAWN`] now.
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for VirtualClock {
    fn now(&self) -> Timestamp {
        DAWN + self.0.elapsed()
    }
}
