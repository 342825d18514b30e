//! The kinds of work that are measured: nothing at all, and telling that it has begun.

use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use baton_domain::job::{FieldError, Verdict};
use baton_ports::{Call, Handler};
use parking_lot::Mutex;
use tokio::{sync::oneshot, time::Instant};

/// The kind that does nothing.
pub const NOOP: &str = "bench";
/// The kind that tells when it begins.
pub const PROBE: &str = "bench-probe";

/// Does nothing, and counts how often.
#[derive(Default)]
pub struct Noop {
    ran: AtomicU64,
}

impl Noop {
    pub fn ran(&self) -> u64 {
        self.ran.load(Ordering::Acquire)
    }
}

#[async_trait]
impl Handler for Noop {
    fn kind(&self) -> &'static str {
        NOOP
    }

    fn check(&self, _payload: &str) -> Result<(), Vec<FieldError>> {
        Ok(())
    }

    async fn run(&self, _call: Call) -> Verdict {
        self.ran.fetch_add(1, Ordering::Release);
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
        let begun = Instant::now();
        if let Some(tell) = self.waiting.lock().take() {
            // Who waited may have given up.
            let _ = tell.send(begun);
        }
        Verdict::Accepted { result: None }
    }
}
