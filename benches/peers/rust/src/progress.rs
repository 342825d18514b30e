//! How many jobs the handlers have seen, and who waits for the next one.
//!
//! One for the process: the peers' handlers are plain functions that carry nothing of ours.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio::time::sleep;

static HANDLED: AtomicUsize = AtomicUsize::new(0);
static WAITING: Mutex<Option<oneshot::Sender<Instant>>> = Mutex::new(None);

pub fn handled() {
    HANDLED.fetch_add(1, Relaxed);
    let waiting = WAITING.lock().ok().and_then(|mut waiting| waiting.take());
    if let Some(waiting) = waiting {
        let _ = waiting.send(Instant::now());
    }
}

/// The moment at which the next job is handled.
pub fn next() -> oneshot::Receiver<Instant> {
    let (sender, receiver) = oneshot::channel();
    if let Ok(mut waiting) = WAITING.lock() {
        *waiting = Some(sender);
    }
    receiver
}

pub async fn until(jobs: usize) {
    while HANDLED.load(Relaxed) < jobs {
        sleep(Duration::from_millis(5)).await;
    }
}
