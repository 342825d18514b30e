//! What the poller of a process has found last, for those of the same process who would look for the same.

use std::{sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::time::Instant;

use crate::store::Outstanding;

/// What a poller has found last.
#[derive(Debug, Clone, Default)]
pub struct Findings(Arc<Mutex<Option<(Instant, Outstanding)>>>);

impl Findings {
    /// Tells what was found by a look that began then.
    pub fn tell(&self, began: Instant, found: Outstanding) {
        *self.0.lock() = Some((began, found));
    }

    /// What was found no longer ago than this.
    #[must_use]
    pub fn within(&self, span: Duration) -> Option<Outstanding> {
        let last = *self.0.lock();
        last.and_then(|(at, found)| (at.elapsed() <= span).then_some(found))
    }
}
