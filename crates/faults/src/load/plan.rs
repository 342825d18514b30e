//! What clients ask for: mostly calls that go well, and of each trouble its share.

use std::{net::SocketAddr, time::Duration};

use baton_client::{EnqueueJob, Json};
use baton_domain::{
    Timestamp,
    job::{Backoff, DeliveryGuarantee, Jitter, Strategy},
};
use baton_lab::checker::{ITEM, Posted, Request};
use rand::{RngExt, rngs::StdRng};
use serde_json::json;

use crate::now_us;

const MAX_ATTEMPTS: u32 = 4;

/// A job to ask for, and the entry of the log to be.
pub struct Planned {
    pub job: EnqueueJob,
    path: Option<String>,
}

/// Draws a job that calls this target.
pub fn draw(chance: &mut StdRng, target: SocketAddr, key: Option<String>) -> Planned {
    let (path, timeout) = script(chance);
    let delivery = if chance.random_ratio(1, 8) {
        DeliveryGuarantee::AtMostOnce
    } else {
        DeliveryGuarantee::AtLeastOnce
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
    Planned {
        job,
        path: Some(path),
    }
}

/// Draws a job that stands in line as all of its request do, and may share their row: due at once, of no priority.
pub fn alike(chance: &mut StdRng, target: SocketAddr, key: Option<String>) -> Planned {
    let mut planned = draw(chance, target, key);
    planned.job.run_at = None;
    planned.job.priority = None;
    planned
}

/// A job that remote workers do.
pub fn custom(key: Option<String>) -> Planned {
    let job = EnqueueJob {
        key,
        max_attempts: Some(MAX_ATTEMPTS.into()),
        timeout: Some(Duration::from_secs(5)),
        ..EnqueueJob::new(ITEM, Json::from(&json!({})))
    };
    Planned { job, path: None }
}

fn script(chance: &mut StdRng) -> (String, Duration) {
    let path = match chance.random_range(0..100) {
        0..8 => "/flaky/1".to_owned(),
        8..11 => "/flaky/2".to_owned(),
        11..13 => "/flaky/99".to_owned(),
        13..16 => "/bad".to_owned(),
        16..18 => "/gone".to_owned(),
        18..36 => format!("/slow/{}", chance.random_range(50..600)),
        36..39 => "/reset/1".to_owned(),
        39..41 => "/throttle/1".to_owned(),
        41..42 => return ("/hang/1".to_owned(), Duration::from_secs(1)),
        _ => "/ok".to_owned(),
    };
    (path, Duration::from_secs(5))
}

impl Planned {
    /// Whether it may be asked for again when no answer came.
    pub const fn has_key(&self) -> bool {
        self.job.key.is_some()
    }

    /// What the log says of one post of it.
    pub fn request(&self, start_us: i64, end_us: i64, answer: Posted) -> Request {
        let timeout = self.job.timeout.unwrap_or_default();
        Request {
            start_us,
            end_us,
            key: self.job.key.clone(),
            path: self.path.clone(),
            max_attempts: MAX_ATTEMPTS,
            run_at_us: self.job.run_at.map(Timestamp::as_micros),
            timeout_us: i64::try_from(timeout.as_micros()).unwrap_or(i64::MAX),
            at_most_once: self.job.delivery == Some(DeliveryGuarantee::AtMostOnce),
            answer,
        }
    }
}
