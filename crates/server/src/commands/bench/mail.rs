//! What is seen of deliveries from outside: when the last call began, and that a notification was
//! brought.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use async_trait::async_trait;
use baton_domain::{
    job::{FieldError, Verdict},
    notification,
};
use baton_ports::{Call, Handler, Prepared, store::Order};
use tokio::time::Instant;

use super::handlers::Probe;

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

    fn begins(&self) {
        let since = self.born.elapsed().as_micros();
        let since = u64::try_from(since).unwrap_or(u64::MAX);
        self.last.fetch_max(since, Ordering::AcqRel);
    }
}

/// Does what the handler of deliveries does, under somebody's eyes.
pub struct Watched(pub Arc<dyn Handler>, pub Arc<Mail>);

#[async_trait]
impl Handler for Watched {
    fn kind(&self) -> &'static str {
        self.0.kind()
    }

    fn check(&self, payload: &str) -> Result<(), Vec<FieldError>> {
        self.0.check(payload)
    }

    fn most_together(&self) -> usize {
        self.0.most_together()
    }

    async fn prepare(&self, orders: &[&Order]) -> Option<Prepared> {
        self.0.prepare(orders).await
    }

    async fn run(&self, call: Call) -> Verdict {
        let is_news = call.order.queue == notification::QUEUE;
        if !is_news {
            self.1.begins();
        }
        let verdict = self.0.run(call).await;
        if is_news {
            self.1.brought.tell(Instant::now());
        }
        verdict
    }
}
