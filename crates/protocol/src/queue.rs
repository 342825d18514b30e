//! Queues: lines of jobs that can be paused and limited.

use baton_domain::{Timestamp, queue};
use serde::{Deserialize, Deserializer, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use crate::FieldError;

/// A queue and what stands in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Queue {
    /// Its name.
    pub name: String,
    /// Whether nothing is claimed from it.
    pub paused: bool,
    /// How many of its jobs may run at once, in the whole fleet; null means no limit.
    pub max_running: Option<u32>,
    /// How many of its jobs may start each second, in the whole fleet; null means no limit.
    pub rate: Option<f64>,
    /// How many jobs wait for their time.
    pub pending: u64,
    /// How many jobs any worker may claim.
    pub queued: u64,
    /// How many jobs run.
    pub running: u64,
    /// How many jobs wait for their next attempt.
    pub retry_wait: u64,
    /// How many jobs are dead letters, discarded ones included.
    pub failed: u64,
    /// How many at-most-once jobs ended without anybody knowing whether they were done.
    #[serde(default)]
    pub uncertain: u64,
    /// How many jobs succeeded, pruned ones included.
    pub succeeded: u64,
    /// Since when the longest waiting claimable job has been due.
    pub oldest_queued_at: Option<Timestamp>,
    /// Jobs that ended a second, over the last 60 seconds.
    pub per_second: f64,
    /// How many of its jobs the live workers can run at once; a worker counts once it has met the queue.
    pub slots: u32,
}

impl Queue {
    /// A queue as the store shows it, and what the live workers offer it.
    #[must_use]
    pub fn with_slots(queue: queue::Queue, slots: u32) -> Self {
        Self {
            slots,
            name: queue.name,
            paused: queue.paused,
            max_running: queue.max_running,
            rate: queue.rate,
            pending: queue.pending,
            queued: queue.queued,
            running: queue.running,
            retry_wait: queue.retry_wait,
            failed: queue.failed,
            uncertain: queue.uncertain,
            succeeded: queue.succeeded,
            oldest_queued_at: queue.oldest_queued_at,
            per_second: queue.per_second,
        }
    }
}

/// A change to a queue; what is not given stays.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChangeQueue {
    /// Pauses or resumes it. What runs goes on; nothing new is claimed.
    pub paused: Option<bool>,
    /// Limits how many of its jobs run at once in the whole fleet; null lifts the limit.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<i64>, minimum = 1, maximum = 1_000_000)]
    pub max_running: Option<Option<i64>>,
    /// Limits how many of its jobs start each second in the whole fleet; null lifts the limit.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<f64>, exclusive_minimum = 0, maximum = 1_000_000)]
    pub rate: Option<Option<f64>>,
}

/// Tells a null that was given from a field that was not.
fn given<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<Option<T>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

impl TryFrom<ChangeQueue> for queue::QueueChange {
    type Error = Vec<FieldError>;

    fn try_from(change: ChangeQueue) -> Result<Self, Vec<FieldError>> {
        const MOST: u32 = 1_000_000;
        let mut errors = Vec::new();
        if change == ChangeQueue::default() {
            errors.push(FieldError::new(
                "paused",
                "give at least one of paused, max_running and rate",
            ));
        }
        let max_running = change.max_running.map(|limit| {
            limit.and_then(|n| {
                let n = u32::try_from(n).ok().filter(|n| (1..=MOST).contains(n));
                if n.is_none() {
                    errors.push(FieldError::new(
                        "max_running",
                        "must lie between 1 and 1,000,000, or be null for no limit; to let nothing run, pause the queue",
                    ));
                }
                n
            })
        });
        if let Some(Some(rate)) = change.rate
            && !(rate > 0.0 && rate <= f64::from(MOST))
        {
            errors.push(FieldError::new(
                "rate",
                "must be above 0 and 1,000,000 at most, or null for no limit; to let nothing start, pause the queue",
            ));
        }
        if errors.is_empty() {
            Ok(Self {
                paused: change.paused,
                max_running,
                rate: change.rate,
            })
        } else {
            Err(errors)
        }
    }
}

#[cfg(test)]
mod tests {
    use baton_domain::queue::QueueChange;

    use super::*;

    #[test]
    fn null_lifts_a_limit_and_silence_leaves_it() {
        let change: ChangeQueue = serde_json::from_str(r#"{"max_running": null}"#).unwrap();

        let change = QueueChange::try_from(change).unwrap();

        assert_eq!(change.max_running, Some(None));
        assert_eq!(change.rate, None);
    }

    #[test]
    fn limits_that_make_no_sense_are_all_named() {
        let change: ChangeQueue =
            serde_json::from_str(r#"{"max_running": 0, "rate": -1.5}"#).unwrap();

        let errors = QueueChange::try_from(change).unwrap_err();

        let fields: Vec<_> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["max_running", "rate"]);
    }
}
