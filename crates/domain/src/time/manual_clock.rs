//! A clock that a test turns by hand.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use super::{Clock, Timestamp};

/// A clock that a test turns by hand.
#[derive(Debug, Clone)]
pub struct ManualClock(Arc<AtomicI64>);

impl ManualClock {
    /// A clock that stands at `at`.
    #[must_use]
    pub fn at(at: Timestamp) -> Self {
        Self(Arc::new(AtomicI64::new(at.as_micros())))
    }

    /// Sets the hand, forward or back.
    pub fn set(&self, at: Timestamp) {
        self.0.store(at.as_micros(), Ordering::SeqCst);
    }

    /// Moves the hand forward.
    pub fn advance(&self, span: Duration) {
        let micros = i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
        self.0.fetch_add(micros, Ordering::SeqCst);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_micros(self.0.load(Ordering::SeqCst))
    }
}
