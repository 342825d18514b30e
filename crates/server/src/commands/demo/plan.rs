//! Which jobs the demonstration enqueues, and how each has to end.

use std::{collections::BTreeMap, time::Duration};

use baton_client::{EnqueueJob, Json};
use baton_domain::job::{Backoff, Jitter, Strategy};
use baton_lab::target::Target;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use serde_json::json;

/// Tries of each job.
pub const MAX_ATTEMPTS: u32 = 4;
/// How long one attempt may take.
pub const TIMEOUT: Duration = Duration::from_secs(10);
/// How many slow calls stand together in the middle, so that many are on their way at the kill.
const SLOW_IN_THE_MIDDLE: usize = 80;

/// What the demonstration enqueues, in this order.
pub struct Plan {
    jobs: Vec<Planned>,
}

/// One job of the plan.
#[derive(Clone)]
pub struct Planned {
    pub job: EnqueueJob,
    /// The script of the target; `None` for a job that calls nobody.
    pub path: Option<String>,
    pub end: End,
}

/// How a job has to end: `None` is success, else the reason of the dead letter.
pub type End = Option<&'static str>;

impl Plan {
    pub fn new(count: u32, seed: u64, target: &Target) -> Self {
        let mut chance = StdRng::seed_from_u64(seed);
        let middle = count as usize / 2;
        let slow = middle..middle + SLOW_IN_THE_MIDDLE.min(count as usize / 4);
        let jobs = (0..count as usize).map(|nth| {
            let (path, end) = if slow.contains(&nth) {
                (Some("/slow/800".to_owned()), None)
            } else {
                script(&mut chance)
            };
            Planned {
                job: job(nth, path.as_deref(), target),
                path,
                end,
            }
        });
        Self {
            jobs: jobs.collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.jobs.len()
    }

    pub fn jobs(&self) -> &[Planned] {
        &self.jobs
    }

    /// How many jobs have to end in each way.
    pub fn ends(&self) -> BTreeMap<End, usize> {
        let mut ends = BTreeMap::new();
        for planned in &self.jobs {
            *ends.entry(planned.end).or_default() += 1;
        }
        ends
    }
}

/// Most calls go well, as in life; each trouble has its share.
fn script(chance: &mut StdRng) -> (Option<String>, End) {
    let (path, end) = match chance.random_range(0..100) {
        0..10 => ("/flaky/1".to_owned(), None),
        10..15 => ("/flaky/2".to_owned(), None),
        15..17 => ("/flaky/99".to_owned(), Some("exhausted")),
        17..22 => ("/bad".to_owned(), Some("permanent")),
        22..24 => ("/gone".to_owned(), Some("gone")),
        24..32 => (format!("/slow/{}", chance.random_range(50..400)), None),
        32..35 => ("/reset/1".to_owned(), None),
        35..36 => ("/throttle/1".to_owned(), None),
        36..39 => return (None, None),
        _ => ("/ok".to_owned(), None),
    };
    (Some(path), end)
}

fn job(nth: usize, path: Option<&str>, target: &Target) -> EnqueueJob {
    let (kind, payload) = match path {
        Some(path) => (
            "http",
            json!({"url": target.url(path), "body": {"no": nth}}),
        ),
        None => ("simulate", json!({"sleep_ms": 20, "fail_times": 1})),
    };
    EnqueueJob {
        key: Some(format!("demo-{nth}")),
        queue: Some("demo".to_owned()),
        max_attempts: Some(MAX_ATTEMPTS.into()),
        timeout: Some(TIMEOUT),
        // Short, so that nobody has to wait for the end.
        backoff: Some(Backoff {
            strategy: Strategy::Exponential,
            base: Duration::from_millis(200),
            cap: Duration::from_secs(1),
            jitter: Jitter::Full,
        }),
        ..EnqueueJob::new(kind, Json::from(&payload))
    }
}
