//! What clients ask for: mostly calls that go well, and of each trouble its share.

use std::{net::SocketAddr, time::Duration};

use baton_client::{EnqueueJob, Json};
use baton_domain::{
    Timestamp,
    job::{Backoff, Delivery, Jitter, Strategy},
};
use baton_lab::checker::{Posted, Request};
use rand::{RngExt, rngs::StdRng};
use serde_json::json;

use crate::fixture::now_us;

const MAX_ATTEMPTS: u32 = 4;

/// A job to ask for, and the entry of the log to be.
pub struct Planned {
    pub job: EnqueueJob,
    pub path: String,
}

/// Draws a job that calls this target.
pub fn draw(chance: &mut StdRng, target: SocketAddr, key: Option<String>) -> Planned {
    let (path, timeout) = script(chance);
    let delivery = if chance.random_ratio(1, 8) {
        Delivery::AtMostOnce
    } else {
        Delivery::AtLeastOnce
    };
    let run_at = chance.random_ratio(1, 16).then(|| {
        let later = chance.random_range(200_000..1_500_000);
        Timestamp::from_micros(now_us() + later)
    });
    let payload = json!({"url": format!("http://{target}{path}")});
    let job = EnqueueJob {
        key,
        run_at,
        priority: Some(chance.random_range(-5..=5)),
        max_attempts: Some(MAX_ATTEMPTS.into()),
        timeout: Some(timeout),
        delivery: Some(delivery),
        // Short, so that nobody has to wait for the end.
        backoff: Some(Backoff {
            strategy: Strategy::Exponential,
            base: Duration::from_millis(100),
            cap: Duration::from_millis(500),
            jitter: Jitter::Full,
        }),
        ..EnqueueJob::new("http", Json::from(&payload))
    };
    Planned { job, path }
}

fn script(chance: &mut StdRng) -> (String, Duration) {
    let path = match chance.random_range(0..100) {
        0..10 => "/flaky/1".to_owned(),
        10..14 => "/flaky/2".to_owned(),
        14..17 => "/flaky/99".to_owned(),
        17..21 => "/bad".to_owned(),
        21..23 => "/gone".to_owned(),
        23..40 => format!("/slow/{}", chance.random_range(50..600)),
        40..44 => "/reset/1".to_owned(),
        44..46 => "/throttle/1".to_owned(),
        46..47 => return ("/hang/1".to_owned(), Duration::from_secs(1)),
        _ => "/ok".to_owned(),
    };
    (path, Duration::from_secs(5))
}

impl Planned {
    /// Whether it may be asked for again when no answer came.
    pub fn has_key(&self) -> bool {
        self.job.key.is_some()
    }

    /// What the log says of one post of it.
    pub fn request(&self, start_us: i64, end_us: i64, answer: Posted) -> Request {
        let timeout = self.job.timeout.unwrap_or_default();
        Request {
            start_us,
            end_us,
            key: self.job.key.clone(),
            path: Some(self.path.clone()),
            max_attempts: MAX_ATTEMPTS,
            run_at_us: self.job.run_at.map(Timestamp::as_micros),
            timeout_us: i64::try_from(timeout.as_micros()).unwrap(),
            at_most_once: self.job.delivery == Some(Delivery::AtMostOnce),
            answer,
        }
    }
}
