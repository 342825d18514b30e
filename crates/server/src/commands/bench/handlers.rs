//! The kinds of work that are measured: nothing at all, and telling that it has begun.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use async_trait::async_trait;
use baton_domain::job::{FieldError, Verdict};
use baton_ports::{Call, Handler, Prepared, store::Order};
use parking_lot::Mutex;
use tokio::{sync::oneshot, time::Instant};

/// The kind that does nothing.
pub const NOOP: &str = "bench";
/// The kind that tells when it begins.
pub const PROBE: &str = "bench-probe";

/// How many attempts have been made.
#[derive(Clone, Default)]
pub struct Count(Arc<AtomicU64>);

impl Count {
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Acquire)
    }

    fn add(&self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

/// Does nothing, and counts how often.
pub struct Noop(pub Count);

#[async_trait]
impl Handler for Noop {
    fn kind(&self) -> &'static str {
        NOOP
    }

    fn check(&self, _payload: &str) -> Result<(), Vec<FieldError>> {
        Ok(())
    }

    async fn run(&self, _call: Call) -> Verdict {
        self.0.add();
        Verdict::Accepted { result: None }
    }
}

/// Does what another handler does, and counts how often.
pub struct Counted(pub Arc<dyn Handler>, pub Count);

#[async_trait]
impl Handler for Counted {
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
        let verdict = self.0.run(call).await;
        self.1.add();
        verdict
    }
}

/// Tells whoever waits for it when it began.
#[derive(Default)]
pub struct Probe {
    waiting: Mutex<Option<oneshot::Sender<Instant>>>,
}

impl Probe {
    /// Waits for the next job of this kind; to be called before it is enqueued.
    pub fn next(&self) -> oneshot::Receiver<Instant> {
        let (tell, told) = oneshot::channel();
        *self.waiting.lock() = Some(tell);
        told
    }

    /// Tells whoever waits that it was then.
    pub fn tell(&self, then: Instant) {
        if let Some(tell) = self.waiting.lock().take() {
            // Who waited may have given up.
            let _ = tell.send(then);
        }
    }
}

#[async_trait]
impl Handler for Probe {
    fn kind(&self) -> &'static str {
        PROBE
    }

    fn check(&self, _payload: &str) -> Result<(), Vec<FieldError>> {
        Ok(())
    }

    async fn run(&self, _call: Call) -> Verdict {
        self.tell(Instant::now());
        Verdict::Accepted { result: None }
    }
}
