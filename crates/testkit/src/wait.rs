//! Waiting for a condition instead of for a while.

use std::{panic::Location, pin::pin, time::Duration};

use crate::Stopwatch;

const FIRST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(50);

/// Waits until the condition holds, and panics with the sentence when the time is up. Time in which the
/// machine stood still is waited on top.
///
/// ```
/// # use std::time::Duration;
/// # use baton_testkit::eventually;
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// # let jobs = std::sync::atomic::AtomicU32::new(0);
/// # let count = async || jobs.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
/// eventually("three jobs are counted", Duration::from_secs(5), async || count().await == 3).await;
/// # }
/// ```
#[track_caller]
pub fn eventually(
    what: &str,
    within: Duration,
    mut condition: impl AsyncFnMut() -> bool,
) -> impl Future<Output = ()> {
    let asked_at = Location::caller();
    async move {
        let until_it_holds = async {
            let mut pause = FIRST_PAUSE;
            while !condition().await {
                tokio::time::sleep(pause).await;
                pause = LONGEST_PAUSE.min(pause * 2);
            }
        };
        let mut until_it_holds = pin!(until_it_holds);
        let (watch, mut left, mut added) = (Stopwatch::start(), within, Duration::ZERO);
        while tokio::time::timeout(left, &mut until_it_holds)
            .await
            .is_err()
        {
            left = watch.lost().saturating_sub(added);
            added += left;
            assert!(
                !left.is_zero(),
                "waited {within:?} in vain until {what} ({asked_at})"
            );
        }
    }
}
