//! What is seen of deliveries from outside.
//!
//! When the last call began, and that a notification was brought.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use baton_domain::notification;
use baton_ports::store::JobArgs;
use tokio::time::Instant;

use super::{handlers::Probe, witness::Witness};

/// What is seen of deliveries.
pub struct Mail {
    born: Instant,
    /// When the last call of a campaign began, in microseconds since.
    last: AtomicU64,
    /// Hears of each notification that was brought.
    pub brought: Probe,
}

impl Default for Mail {
    fn default() -> Self {
        Self {
            born: Instant::now(),
            last: AtomicU64::new(0),
            brought: Probe::default(),
        }
    }
}

impl Mail {
    /// When the last call of a campaign began; the beginning of all if there was none.
    pub fn last(&self) -> Instant {
        self.born + Duration::from_micros(self.last.load(Ordering::Acquire))
    }

    fn sent(&self) {
        let since = self.born.elapsed().as_micros();
        let since = u64::try_from(since).unwrap_or(u64::MAX);
        self.last.fetch_max(since, Ordering::AcqRel);
    }
}

impl Witness for Arc<Mail> {
    /// Whether it is a notification, and not of a campaign.
    type Mark = bool;

    fn begins(&self, args: &JobArgs) -> bool {
        let is_news = args.queue == notification::QUEUE;
        if !is_news {
            self.sent();
        }
        is_news
    }

    fn ended(&self, is_news: bool) {
        if is_news {
            self.brought.tell(Instant::now());
        }
    }
}
