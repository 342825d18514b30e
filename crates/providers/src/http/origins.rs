//! How many calls to one origin are under way at once, in the whole process: one slow receiver must not have all slots.

use std::{
    collections::HashMap,
    sync::{Arc, Weak, atomic::AtomicU32, atomic::Ordering::Relaxed},
    time::Duration,
};

use parking_lot::Mutex;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};

/// How long a call waits in its slot; one that would wait longer is put off, and its slot free for other work.
const TIMEOUT: Duration = Duration::from_millis(100);
/// How soon one that was put off comes back, and how late at the latest.
const SOONEST: Duration = Duration::from_secs(1);
const LATEST: Duration = Duration::from_mins(1);
/// How many origins are remembered before those that nobody calls are forgotten.
const MANY: usize = 1_024;

/// The calls under way, by origin. Whoever shares it shares the limit.
#[derive(Debug)]
pub struct OriginLimit {
    each: usize,
    origins: Mutex<HashMap<String, Weak<Origin>>>,
}

/// An origin that is called.
#[derive(Debug)]
struct Origin {
    permits: Arc<Semaphore>,
    /// How many were put off since there was last room.
    put_off: AtomicU32,
}

/// Leave for one call, until it is dropped.
#[derive(Debug)]
pub struct OriginPermit {
    _permit: OwnedSemaphorePermit,
    _origin: Arc<Origin>,
}

impl OriginLimit {
    /// So many calls to each origin at once, at least one.
    #[must_use]
    pub fn new(each: usize) -> Self {
        Self {
            each: each.clamp(1, Semaphore::MAX_PERMITS),
            origins: Mutex::default(),
        }
    }

    /// Leave for a call, perhaps after a short wait; else after how long to come back.
    pub(super) async fn enter(&self, name: &str) -> Result<OriginPermit, Duration> {
        let origin = self.origin(name);
        let permits = Arc::clone(&origin.permits);
        let permit = match Arc::clone(&permits).try_acquire_owned() {
            Ok(permit) => {
                origin.put_off.store(0, Relaxed);
                Some(permit)
            }
            Err(_) => timeout(TIMEOUT, permits.acquire_owned())
                .await
                .ok()
                .and_then(Result::ok),
        };
        match permit {
            Some(permit) => Ok(OriginPermit {
                _permit: permit,
                _origin: origin,
            }),
            None => Err(self.pause(&origin)),
        }
    }

    fn origin(&self, name: &str) -> Arc<Origin> {
        let mut origins = self.origins.lock();
        if let Some(known) = origins.get(name).and_then(Weak::upgrade) {
            return known;
        }
        if origins.len() >= MANY {
            origins.retain(|_, origin| origin.strong_count() > 0);
        }
        let origin = Arc::new(Origin {
            permits: Arc::new(Semaphore::new(self.each)),
            put_off: AtomicU32::new(0),
        });
        origins.insert(name.to_owned(), Arc::downgrade(&origin));
        origin
    }

    /// The more were put off before, the later: all of them at once would only be put off again.
    fn pause(&self, origin: &Origin) -> Duration {
        let before = origin.put_off.fetch_add(1, Relaxed) as usize;
        let rounds = u32::try_from(before / self.each).unwrap_or(u32::MAX);
        SOONEST.saturating_mul(rounds.saturating_add(1)).min(LATEST)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn so_many_calls_to_an_origin_are_under_way_and_no_more() {
        let limit = OriginLimit::new(2);
        let first = limit.enter("http://a").await.unwrap();
        let _second = limit.enter("http://a").await.unwrap();

        let third = limit.enter("http://a").await;
        let elsewhere = limit.enter("http://b").await;
        drop(first);
        let fourth = limit.enter("http://a").await;

        assert!(third.is_err_and(|after| after == SOONEST));
        assert!(elsewhere.is_ok() && fourth.is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn the_more_are_put_off_the_later_they_come_back() {
        let limit = OriginLimit::new(1);
        let _held = limit.enter("http://a").await.unwrap();

        let mut pauses = Vec::new();
        for _ in 0..100 {
            pauses.push(limit.enter("http://a").await.unwrap_err());
        }

        assert!(pauses.is_sorted());
        assert_eq!((pauses[0], pauses[99]), (SOONEST, LATEST));
    }

    #[tokio::test]
    async fn origins_that_nobody_calls_are_forgotten() {
        let limit = OriginLimit::new(1);
        let held = limit.enter("http://held").await.unwrap();

        for i in 0..3 * MANY {
            let _ = limit.enter(&format!("http://{i}")).await.unwrap();
        }

        assert!(limit.origins.lock().len() <= MANY);
        assert!(limit.enter("http://held").await.is_err());
        drop(held);
    }
}
