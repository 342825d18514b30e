//! How much of a provider one process asks: so many calls at once, so many each second.
//!
//! A short wait holds the slot, as putting a job off and fetching it again costs more. A long one does
//! not: the job is put off, without a try, and the slot is free for other work.

use std::time::Duration;

use baton_domain::{
    duration,
    job::{Class, Failure, Verdict},
};
use baton_ports::Call;
use parking_lot::Mutex;
use tokio::{
    sync::{Semaphore, SemaphorePermit},
    time::{Instant, sleep, timeout},
};

use super::BadProvider;

/// How long a call waits in its slot.
const TIMEOUT: Duration = Duration::from_millis(500);
/// How long a call is put off when there is no telling when there is room.
const PAUSE: Duration = Duration::from_secs(1);
/// How far a rate may be run ahead of after a pause.
const AHEAD: Duration = Duration::from_millis(100);

/// How much of a provider one process asks; what is `None` is not limited.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Limits {
    /// Calls at once.
    pub concurrency: Option<u32>,
    /// Calls each second.
    pub rate: Option<f64>,
}

/// Lets calls through as the limits allow.
pub struct Gate {
    permits: Option<Semaphore>,
    pace: Option<Mutex<Pacer>>,
}

impl Gate {
    /// A gate, or what is wrong with its limits.
    pub fn new(provider: &str, limits: Limits) -> Result<Self, BadProvider> {
        let wrong = |setting: &str, message: &str| BadProvider::Setting {
            provider: provider.to_owned(),
            setting: setting.to_owned(),
            message: message.to_owned(),
        };
        if limits.concurrency == Some(0) {
            return Err(wrong(
                "concurrency",
                "must be 1 at least; leave it out for no limit",
            ));
        }
        if limits
            .rate
            .is_some_and(|rate| !(0.001..=1e6).contains(&rate))
        {
            let message =
                "must lie between 0.001 and 1000000 calls each second; leave it out for no limit";
            return Err(wrong("rate", message));
        }
        let permits = |count: u32| Semaphore::new((count as usize).min(Semaphore::MAX_PERMITS));
        Ok(Self {
            permits: limits.concurrency.map(permits),
            pace: limits.rate.map(|rate| Mutex::new(Pacer::new(rate))),
        })
    }

    /// Waits for a place, for as long as that is short; else says when to come back.
    pub async fn enter(&self, call: &Call) -> Result<Option<SemaphorePermit<'_>>, Verdict> {
        if self.is_open() && !call.cancel.is_cancelled() {
            return Ok(None);
        }
        tokio::select! {
            biased;
            () = call.cancel.cancelled() => Err(Verdict::Canceled),
            entered = self.wait() => entered,
        }
    }

    /// Whether nobody ever waits.
    const fn is_open(&self) -> bool {
        self.permits.is_none() && self.pace.is_none()
    }

    async fn wait(&self) -> Result<Option<SemaphorePermit<'_>>, Verdict> {
        let permit = match &self.permits {
            None => None,
            Some(permits) => {
                if let Ok(permit) = timeout(TIMEOUT, permits.acquire()).await {
                    permit.ok()
                } else {
                    let why = "as many calls of its provider are under way as it bears";
                    return Err(put_off(why, PAUSE));
                }
            }
        };
        if let Some(pace) = &self.pace {
            let reserved = pace.lock().reserve(Instant::now());
            match reserved {
                Ok(wait) => sleep(wait).await,
                Err(after) => return Err(put_off("the rate of its provider is used up", after)),
            }
        }
        Ok(permit)
    }
}

fn put_off(why: &str, after: Duration) -> Verdict {
    let message = format!(
        "nothing was sent: {why}; it comes back in {} at the earliest",
        duration::format(after)
    );
    Verdict::Failed {
        failure: Failure::new(Class::Throttled, "provider_limit", message),
        retry_after: Some(after),
    }
}

/// An even pace: each call has a moment of its own.
struct Pacer {
    step: Duration,
    next: Option<Instant>,
}

impl Pacer {
    fn new(rate: f64) -> Self {
        Self {
            step: Duration::from_secs_f64(1.0 / rate),
            next: None,
        }
    }

    /// How long to wait for a moment that is now taken; or, if that is too long, when to come back.
    fn reserve(&mut self, now: Instant) -> Result<Duration, Duration> {
        let earliest = now.checked_sub(AHEAD).unwrap_or(now);
        let at = self.next.unwrap_or(now).max(earliest);
        let wait = at.saturating_duration_since(now);
        if wait > TIMEOUT {
            return Err(Duration::from_millis(wait.as_millis() as u64 + 1));
        }
        self.next = Some(at + self.step);
        Ok(wait)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_leave_at_an_even_pace_and_the_rest_come_back_later() {
        let mut pace = Pacer::new(4.0);
        let now = Instant::now();

        let waits: Vec<_> = (0..4).map(|_| pace.reserve(now)).collect();

        let millis = Duration::from_millis;
        assert_eq!(
            waits[..3],
            [Ok(millis(0)), Ok(millis(250)), Ok(millis(500))]
        );
        assert!(waits[3].is_err_and(|after| after >= millis(750)));
    }

    #[test]
    fn a_pause_is_not_saved_up_for_a_burst() {
        let mut pace = Pacer::new(100.0);
        let start = Instant::now();
        let _ = pace.reserve(start);

        let later = start + Duration::from_mins(1);
        let at_once = (0..50).filter(|_| pace.reserve(later) == Ok(Duration::ZERO));

        assert!(at_once.count() <= 12);
    }

    #[test]
    fn limits_that_let_nothing_through_are_refused_by_name() {
        let limits = |concurrency, rate| Limits { concurrency, rate };

        for (limits, setting) in [
            (limits(Some(0), None), "providers.push.concurrency"),
            (limits(None, Some(0.0)), "providers.push.rate"),
            (limits(None, Some(f64::NAN)), "providers.push.rate"),
        ] {
            let error = Gate::new("push", limits).err().unwrap().to_string();

            assert!(error.starts_with(setting), "{error}");
        }
    }
}
