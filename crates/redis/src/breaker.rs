//! Tells an accident from a Redis that does not do its work, and when one is to be trusted again.

use std::time::Duration;

use tokio::time::Instant;

use crate::errors::Kind;

/// So many silences in a row are no accident.
const SILENCES: u32 = 3;
/// Silences within this time are one: a connection that breaks fails all who are on it.
const TOGETHER: Duration = Duration::from_millis(100);
/// Nor is a silence of this length.
pub const SILENCE: Duration = Duration::from_secs(1);

/// What counts towards giving Redis up, and towards using it again.
pub struct Breaker {
    silences: u32,
    /// When the last one was counted.
    counted: Option<Instant>,
    answered: Instant,
    /// Since when it has been well without a break, while it is away.
    well_since: Option<Instant>,
    /// Nothing is held against a Redis that we have not met.
    is_new: bool,
}

impl Breaker {
    pub fn new() -> Self {
        Self {
            silences: 0,
            counted: None,
            answered: Instant::now(),
            well_since: None,
            is_new: true,
        }
    }

    pub fn answered(&mut self) {
        self.silences = 0;
        self.answered = Instant::now();
    }

    /// Whether Redis has been well for long enough, now that it is.
    pub fn is_back(&mut self, heal: Duration) -> bool {
        let since = *self.well_since.get_or_insert_with(Instant::now);
        std::mem::take(&mut self.is_new) || since.elapsed() >= heal
    }

    /// Whether this is more than an accident.
    pub fn breaks(&mut self, kind: Kind) -> bool {
        self.well_since = None;
        self.is_new = false;
        match kind {
            Kind::Refusing => true,
            Kind::Silent => self.is_silent(),
            Kind::WrongType => false,
        }
    }

    fn is_silent(&mut self) -> bool {
        if self.counted.is_none_or(|last| last.elapsed() >= TOGETHER) {
            self.silences += 1;
            self.counted = Some(Instant::now());
        }
        self.silences >= SILENCES || self.answered.elapsed() >= SILENCE
    }
}
