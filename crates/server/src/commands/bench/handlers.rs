//! The kinds of work that are measured: nothing at all, and telling that it has begun.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use async_trait::async_trait;
use baton_domain::job::{FieldError, Verdict};
use baton_ports::{Call, Handler, store::JobArgs};
use parking_lot::Mutex;
use tokio::{sync::oneshot, time::Instant};

use super::witness::Witness;

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

impl Witness for Count {
    type Mark = ();

    fn begins(&self, _order: &JobArgs) {}

    fn ended(&self, (): ()) {
        self.add();
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
