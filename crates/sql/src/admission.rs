//! Admission: bulk work gives way to what somebody waits for.
//!
//! Where batches of a thousand keep a database busy, a write of half a millisecond takes twenty: it waits its turn on
//! a processor. So the batches of this process wait while interactive work is under way, and where there was some a moment ago,
//! one goes after the other. Neither wait is long: batches go on, slower, beside any stream of interactive work.

use std::time::Duration;

use tokio::{
    sync::{Mutex, MutexGuard, watch},
    time::{Instant, timeout},
};

/// From how many rows on work is done in bulk.
const BULK: usize = 8;
/// How long after interactive work one batch goes after the other.
const MOMENT: Duration = Duration::from_secs(1);
/// How long a batch waits until the one before it has ended, at the most. What deliveries are told that start together
/// holds for 50 ms, and their look-up is a batch.
const LONGEST: Duration = Duration::from_millis(25);
/// How long batches wait at a stretch until interactive work has ended, at the most, and for no longer than they went on before.
const TIMEOUT: Duration = Duration::from_millis(10);

/// Says who goes first to the database.
pub struct Admission {
    traffic: watch::Sender<Traffic>,
    /// Whoever has it is the batch that is under way.
    permit: Mutex<BatchWait>,
}

/// The interactive work.
#[derive(Default)]
struct Traffic {
    under_way: usize,
    /// When some was under way last.
    last: Option<Instant>,
}

impl Admission {
    pub fn new() -> Self {
        Self {
            traffic: watch::Sender::default(),
            permit: Mutex::new(BatchWait::new()),
        }
    }

    /// Interactive work is under way until this is dropped.
    pub fn interactive(&self) -> Interactive<'_> {
        self.traffic.send_modify(|traffic| traffic.under_way += 1);
        Interactive(self)
    }

    /// Waits until a batch of so many rows may begin; it is under way until what is returned is dropped. Less than a
    /// batch waits for nothing.
    pub async fn bulk(&self, rows: usize) -> Option<Permit<'_>> {
        if rows < BULK {
            return None;
        }
        let mut permit = match self.permit.try_lock() {
            Ok(permit) => permit,
            Err(_) if !self.was_interactive() => return None,
            Err(_) => timeout(LONGEST, self.permit.lock()).await.ok()?,
        };
        permit.wait_for(self.is_clear()).await;
        Some(permit)
    }

    fn was_interactive(&self) -> bool {
        let traffic = self.traffic.borrow();
        traffic.under_way > 0 || traffic.last.is_some_and(|last| last.elapsed() < MOMENT)
    }

    /// Ends when no interactive work is under way.
    async fn is_clear(&self) {
        let mut traffic = self.traffic.subscribe();
        let _ = traffic.wait_for(|traffic| traffic.under_way == 0).await;
    }
}

/// Interactive work that is under way.
pub struct Interactive<'a>(&'a Admission);

impl Drop for Interactive<'_> {
    fn drop(&mut self) {
        self.0.traffic.send_modify(|traffic| {
            traffic.under_way -= 1;
            traffic.last = Some(Instant::now());
        });
    }
}

/// A batch that is under way.
pub type Permit<'a> = MutexGuard<'a, BatchWait>;

/// How long batches may still wait for interactive work. It grows back while they do not wait.
pub struct BatchWait {
    left: Duration,
    at: Instant,
}

impl BatchWait {
    fn new() -> Self {
        Self {
            left: TIMEOUT,
            at: Instant::now(),
        }
    }

    async fn wait_for(&mut self, end: impl Future<Output = ()>) {
        let begun = Instant::now();
        self.left = TIMEOUT.min(self.left + (begun - self.at));
        let _ = timeout(self.left, end).await;
        self.at = Instant::now();
        self.left = self.left.saturating_sub(self.at - begun);
    }
}

#[cfg(test)]
mod tests {
    use tokio::time::{advance, sleep};

    use super::*;

    const MANY: usize = 1_000;

    #[tokio::test(start_paused = true)]
    async fn a_batch_begins_when_the_prompt_work_before_it_has_ended() {
        let admission = Admission::new();
        let interactive = admission.interactive();

        let ends = async {
            sleep(TIMEOUT / 2).await;
            drop(interactive);
        };
        let (waited, ()) = tokio::join!(wait_of(&admission), ends);

        assert_eq!(waited, TIMEOUT / 2);
    }

    #[tokio::test(start_paused = true)]
    async fn prompt_work_without_an_end_takes_half_of_the_time_from_batches() {
        let admission = Admission::new();
        let _interactive = admission.interactive();

        let mut waited = Duration::ZERO;
        for _ in 0..100 {
            waited += wait_of(&admission).await;
            advance(TIMEOUT / 2).await;
        }

        let went_by = waited + 100 * TIMEOUT / 2;
        assert!(waited > went_by * 4 / 10, "{waited:?} of {went_by:?}");
        assert!(waited < went_by * 6 / 10, "{waited:?} of {went_by:?}");
    }

    #[tokio::test(start_paused = true)]
    async fn for_a_moment_after_prompt_work_one_batch_goes_after_the_other() {
        let admission = Admission::new();
        drop(admission.interactive());

        let first = admission.bulk(MANY).await;
        let ends = async {
            sleep(LONGEST - TIMEOUT).await;
            drop(first);
        };
        let (waited, ()) = tokio::join!(wait_of(&admission), ends);

        assert_eq!(waited, LONGEST - TIMEOUT);
    }

    #[tokio::test(start_paused = true)]
    async fn a_batch_that_does_not_end_holds_nobody_up_for_long() {
        let admission = Admission::new();
        drop(admission.interactive());

        let _endless = admission.bulk(MANY).await;

        assert_eq!(wait_of(&admission).await, LONGEST);
    }

    #[tokio::test(start_paused = true)]
    async fn where_nobody_is_prompt_batches_go_at_once() {
        let admission = Admission::new();
        drop(admission.interactive());
        advance(MOMENT).await;

        let _first = admission.bulk(MANY).await;

        assert_eq!(wait_of(&admission).await, Duration::ZERO);
    }

    #[tokio::test(start_paused = true)]
    async fn a_few_rows_wait_for_nothing() {
        let admission = Admission::new();
        let _interactive = admission.interactive();
        let _first = admission.bulk(MANY).await;

        let begun = Instant::now();
        let _few = admission.bulk(BULK - 1).await;

        assert_eq!(begun.elapsed(), Duration::ZERO);
    }

    /// How long a batch waits that ends at once.
    async fn wait_of(admission: &Admission) -> Duration {
        let begun = Instant::now();
        drop(admission.bulk(MANY).await);
        begun.elapsed()
    }
}
