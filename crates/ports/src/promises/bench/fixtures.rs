//! Fixtures: the words of the bench that need no store.

use std::time::Duration;

use baton_domain::{
    JobId, LeaseId,
    job::{AttemptCounters, Backoff, Class, Failure, Jitter, Job, JobSpec, Strategy, Verdict},
    queue::QueueChange,
};

use super::WAIT;
use crate::store::{Claimed, QueueClaim};

/// A job with nothing special about it.
pub(in crate::promises) fn spec() -> JobSpec {
    JobSpec {
        kind: "mail".to_owned(),
        payload: r#"{"to":"ann"}"#.to_owned(),
        backoff: Some(Backoff {
            strategy: Strategy::Fixed,
            base: WAIT,
            cap: WAIT,
            jitter: Jitter::None,
        }),
        ..JobSpec::default()
    }
}

pub(in crate::promises) fn keyed(key: &str) -> JobSpec {
    JobSpec {
        key: Some(key.to_owned()),
        ..spec()
    }
}

pub(in crate::promises) fn in_queue(queue: &str) -> JobSpec {
    JobSpec {
        queue: Some(queue.to_owned()),
        ..spec()
    }
}

pub(in crate::promises) fn delayed(delay: Duration) -> JobSpec {
    JobSpec {
        delay: Some(delay),
        ..spec()
    }
}

pub(in crate::promises) fn accepted() -> Verdict {
    Verdict::Accepted {
        result: Some(r#"{"ok":true}"#.to_owned()),
    }
}

pub(in crate::promises) fn failing(class: Class) -> Verdict {
    Verdict::failed(class, "http_503", "the target said no")
}

/// A change that pauses a queue.
pub(in crate::promises) fn paused(paused: bool) -> QueueChange {
    QueueChange {
        paused: Some(paused),
        ..QueueChange::default()
    }
}

/// A change that limits how many run at once.
pub(in crate::promises) fn at_most(max_running: Option<u32>) -> QueueChange {
    QueueChange {
        max_running: Some(max_running),
        ..QueueChange::default()
    }
}

/// A wish for jobs under a new lease.
pub(in crate::promises) fn want(queue: &str, limit: u32, limited: bool) -> QueueClaim {
    QueueClaim {
        queue: queue.to_owned(),
        lease: LeaseId::random(),
        limit,
        limited,
        jobs: None,
    }
}

pub(in crate::promises) fn ids(claimed: &[Claimed]) -> Vec<JobId> {
    claimed.iter().map(|claimed| claimed.args.id).collect()
}

pub(in crate::promises) fn attempt_counters(
    attempt: u32,
    tries: u32,
    losses: u32,
    run: u32,
) -> AttemptCounters {
    AttemptCounters {
        attempt,
        tries,
        losses,
        run,
    }
}

/// The failure that [`failing`] speaks of.
pub(in crate::promises) fn failure(class: Class) -> Failure {
    Failure::new(class, "http_503", "the target said no")
}

/// The counters that a job shows.
pub(in crate::promises) fn counters(job: &Job) -> AttemptCounters {
    attempt_counters(job.attempt, job.tries, job.losses, job.run)
}
