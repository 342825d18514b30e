//! Stops work whose lease may have ended, whatever the store is doing.

use std::sync::Arc;

use tokio::time::Instant;

use crate::core::Core;

/// Watches the leases' deadlines until the worker is over.
///
/// A loop of its own: the renewer may be waiting for a store that does not answer.
pub async fn run(core: Arc<Core>) {
    while !core.over.is_cancelled() {
        let next = core.book.expire(Instant::now());
        let passed = async {
            match next {
                Some(next) => tokio::time::sleep_until(next).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = passed => {}
            () = core.book.added.notified() => {}
            () = core.over.cancelled() => {}
        }
    }
}
