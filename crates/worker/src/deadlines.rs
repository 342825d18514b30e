//! Stops work whose lease may have ended, whatever the store is doing.

use std::sync::Arc;

use tokio::time::{Instant, sleep_until};

use crate::core::Core;

/// Watches the leases' deadlines until the worker is over.
///
/// A loop of its own: the renewer may be waiting for a store that does not answer. It looks often enough
/// to meet each lease before its deadline, as no handler starts when less than a fifth of the lease is
/// left; a wake-up at each new lease would be one more task that an idle system wakes before a handler.
pub async fn run(core: Arc<Core>) {
    while !core.over.is_cancelled() {
        let now = Instant::now();
        let look = now + core.config.lease / 10;
        let next = core.leases.expire(now).map_or(look, |next| next.min(look));
        tokio::select! {
            () = sleep_until(next) => {}
            () = core.over.cancelled() => {}
        }
    }
}
