//! Watches the handlers from the worker's own thread: whether their runtime moves, and how many cannot be stopped.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use tokio::time::{Instant, MissedTickBehavior, interval};

use super::{handler::Shared, thread::STUCK};

/// How long after its time-out an attempt is told, at the latest: before the process ends.
const LAST_WORD: Duration = Duration::from_secs(1);
/// How often it looks.
const LOOK: Duration = Duration::from_millis(250);

/// Returns how many handlers are stuck, once they hold half of the slots. Ends the process when the runtime of the handlers
/// has not moved for a lease beyond the last time-out of what runs there: nothing but the process can end them.
pub async fn handlers(shared: Arc<Shared>, slots: u32, lease: Duration) -> u32 {
    let mut looks = interval(LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let has_moved = Arc::new(AtomicBool::new(true));
    let mut moved_at = Instant::now();
    let mut looked_at = Instant::now();
    loop {
        looks.tick().await;
        // What stood still together with this thread was frozen from outside, and blocks nobody.
        if looked_at.elapsed() > lease / 2 {
            moved_at = Instant::now();
        }
        looked_at = Instant::now();
        if has_moved.swap(false, Ordering::AcqRel) {
            moved_at = Instant::now();
            let has_moved = Arc::clone(&has_moved);
            shared
                .runtime
                .spawn(async move { has_moved.store(true, Ordering::Release) });
        }
        let Some(last) = shared.running.last_deadline() else {
            // What else the program does there is its own business.
            moved_at = Instant::now();
            continue;
        };
        if last.max(moved_at).elapsed() > lease + LAST_WORD && !shared.stopping.is_cancelled() {
            tracing::error!(
                "the runtime of the handlers has not moved for a lease: a handler blocks it; this process ends with {STUCK}"
            );
            std::process::exit(STUCK);
        }
        let stuck = shared.running.stuck();
        if stuck > 0 && stuck.saturating_mul(2) >= slots {
            tracing::error!(
                stuck,
                slots,
                "{stuck} of {slots} slots are held by handlers that cannot be stopped: the worker ends"
            );
            return stuck;
        }
    }
}
