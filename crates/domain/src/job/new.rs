//! What a client asks for, and whether it can be had.

use std::time::Duration;

use super::{Backoff, DeliveryGuarantee};
use crate::{JobId, Timestamp, content::RequestDigest, duration, queue};

/// One thing wrong with what was asked, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldError {
    /// The field, as a path: `backoff.base`, `jobs[3].queue`.
    pub field: String,
    /// What is wrong with it, and what would be right.
    pub message: String,
}

impl FieldError {
    /// Names a field and what is wrong with it.
    #[must_use]
    pub fn new(field: &str, message: impl Into<String>) -> Self {
        Self {
            field: field.to_owned(),
            message: message.into(),
        }
    }

    /// The same, seen from one level further out: `queue` becomes `jobs[3].queue`.
    #[must_use]
    pub fn within(self, outer: &str) -> Self {
        Self {
            field: format!("{outer}.{}", self.field),
            ..self
        }
    }
}

/// A job as a client asks for it; what is `None` takes its default.
#[derive(Debug, Clone, Default)]
pub struct JobSpec {
    /// The name that chooses the handler.
    pub kind: String,
    /// JSON text.
    pub payload: String,
    /// The caller's own key.
    pub key: Option<String>,
    /// The line it stands in.
    pub queue: Option<String>,
    /// Smaller is sooner.
    pub priority: Option<i64>,
    /// Not before this moment.
    pub run_at: Option<Timestamp>,
    /// Not before this long from now.
    pub delay: Option<Duration>,
    /// How many tries it has.
    pub max_attempts: Option<i64>,
    /// When to try again.
    pub backoff: Option<Backoff>,
    /// How long one attempt may take.
    pub timeout: Option<Duration>,
    /// Not after this moment.
    pub expires_at: Option<Timestamp>,
    /// What to do in doubt.
    pub delivery: Option<DeliveryGuarantee>,
    /// Words to find it by.
    pub tags: Vec<String>,
}

/// The shortest span that may be asked for.
const SHORTEST: Duration = Duration::from_millis(1);
/// The longest that one attempt may take.
const LONGEST_ATTEMPT: Duration = Duration::from_hours(24);

/// How much a job may ask for.
#[derive(Debug, Clone)]
pub struct Limits {
    /// The longest payload, in bytes.
    pub payload: usize,
    /// How far ahead `run_at` may lie.
    pub horizon: Duration,
    /// Which queues it may name.
    pub queues: queue::AllowList,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            payload: 256 * 1024,
            horizon: duration::LONGEST,
            queues: queue::AllowList::default(),
        }
    }
}

/// A job that can be had: every field checked, every default filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct NewJob {
    /// Its id.
    pub id: JobId,
    /// The caller's own key.
    pub key: Option<String>,
    /// What was asked: the same key with other content is a conflict. Nothing without a key.
    pub content: RequestDigest,
    /// The name that chooses the handler.
    pub kind: String,
    /// The line it stands in.
    pub queue: String,
    /// Smaller is sooner.
    pub priority: i16,
    /// JSON text.
    pub payload: String,
    /// Not before this moment.
    pub run_at: Timestamp,
    /// How many tries it has.
    pub max_attempts: u32,
    /// When to try again.
    pub backoff: Backoff,
    /// How long one attempt may take.
    pub timeout: Duration,
    /// Not after this moment.
    pub expires_at: Option<Timestamp>,
    /// What to do in doubt.
    pub delivery: DeliveryGuarantee,
    /// Words to find it by.
    pub tags: Vec<String>,
    /// When it was accepted.
    pub created_at: Timestamp,
}

impl NewJob {
    /// Checks what was asked and fills in what was not.
    ///
    /// # Errors
    /// Everything that is wrong, field by field.
    pub fn from_spec(
        spec: JobSpec,
        limits: &Limits,
        now: Timestamp,
    ) -> Result<Self, Vec<FieldError>> {
        let errors = spec.errors(limits, now);
        if !errors.is_empty() {
            return Err(errors);
        }
        // Only a key is ever compared by it; the digest is a tenth of what accepting a job costs.
        let key = spec.key.as_ref();
        let content = key.map_or_else(RequestDigest::default, |_| spec.content());
        let run_at = spec
            .run_at
            .or(spec.delay.map(|delay| now + delay))
            .unwrap_or(now)
            .max(now);
        Ok(Self {
            id: JobId::new(now),
            key: spec.key,
            content,
            kind: spec.kind,
            queue: spec.queue.unwrap_or_else(|| queue::DEFAULT.to_owned()),
            priority: spec
                .priority
                .and_then(|p| i16::try_from(p).ok())
                .unwrap_or(0),
            payload: spec.payload,
            run_at,
            max_attempts: spec
                .max_attempts
                .and_then(|n| u32::try_from(n).ok())
                .unwrap_or(4),
            backoff: spec.backoff.unwrap_or_default(),
            timeout: spec.timeout.unwrap_or(Duration::from_secs(30)),
            expires_at: spec.expires_at,
            delivery: spec.delivery.unwrap_or_default(),
            tags: spec.tags,
            created_at: now,
        })
    }
}

impl JobSpec {
    fn errors(&self, limits: &Limits, now: Timestamp) -> Vec<FieldError> {
        let mut errors = Vec::new();
        if self.payload.len() > limits.payload {
            let (most, has) = (limits.payload, self.payload.len());
            let message = format!("can be {most} bytes at most and has {has}");
            errors.push(FieldError::new("payload", message));
        }
        let queue = self.queue.as_deref().unwrap_or(queue::DEFAULT);
        if queue::is_name(queue) && !limits.queues.allows(queue) {
            errors.push(FieldError::new("queue", limits.queues.refusal(queue)));
        }
        let mut check = |ok: bool, field: &str, message: &str| {
            if !ok {
                errors.push(FieldError::new(field, message));
            }
        };
        let latest = now + limits.horizon;
        let is_span = |span: Duration, longest| (SHORTEST..=longest).contains(&span);
        check(queue::is_name(&self.kind), "kind", queue::NAME_RULE);
        check(
            self.queue.as_deref().is_none_or(queue::is_name),
            "queue",
            queue::NAME_RULE,
        );
        check(
            self.queue.as_deref().and_then(queue::campaign_of).is_none(),
            "queue",
            queue::RESERVED,
        );
        check(self.key.as_deref().is_none_or(is_key), "key", KEY_RULE);
        check(
            self.priority.is_none_or(|p| (-100..=100).contains(&p)),
            "priority",
            "must lie between -100 (soonest) and 100 (latest)",
        );
        check(
            self.max_attempts.is_none_or(|n| (1..=100).contains(&n)),
            "max_attempts",
            "must lie between 1 and 100",
        );
        check(
            self.run_at.is_none() || self.delay.is_none(),
            "delay",
            "give either run_at or delay, not both",
        );
        check(
            self.run_at.is_none_or(|at| at <= latest)
                && self.delay.is_none_or(|d| d <= limits.horizon),
            "run_at",
            "can lie ten years ahead at most",
        );
        check(
            self.timeout
                .is_none_or(|span| is_span(span, LONGEST_ATTEMPT)),
            "timeout",
            "must lie between 1ms and 24h",
        );
        check(
            self.expires_at.is_none_or(|at| at > now),
            "expires_at",
            "lies in the past: the job would expire before it runs",
        );
        if let Some(backoff) = &self.backoff {
            check(
                is_span(backoff.base, duration::LONGEST),
                "backoff.base",
                "must be 1ms at least and ten years at most",
            );
            check(
                backoff.cap >= backoff.base,
                "backoff.cap",
                "must not be smaller than backoff.base",
            );
        }
        check(
            self.tags.len() <= 16,
            "tags",
            "a job can have 16 tags at most",
        );
        check(
            self.tags.iter().all(|tag| queue::is_name(tag)),
            "tags",
            queue::NAME_RULE,
        );
        errors
    }
}

/// What a key may be, as a sentence.
pub const KEY_RULE: &str = "must be 1 to 255 bytes long, without control characters";

/// Whether a text can be a key.
#[must_use]
pub fn is_key(text: &str) -> bool {
    (1..=255).contains(&text.len()) && !text.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_micros(1_700_000_000_000_000);

    fn spec() -> JobSpec {
        JobSpec {
            kind: "http".to_owned(),
            payload: "{}".to_owned(),
            key: Some("k".to_owned()),
            ..JobSpec::default()
        }
    }

    fn wrong_fields(spec: JobSpec) -> Vec<String> {
        let errors = NewJob::from_spec(spec, &Limits::default(), NOW).unwrap_err();
        errors.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn what_is_not_given_takes_its_default() {
        let job = NewJob::from_spec(spec(), &Limits::default(), NOW).unwrap();

        assert_eq!(
            (job.queue.as_str(), job.priority, job.max_attempts),
            ("default", 0, 4)
        );
        assert_eq!((job.run_at, job.timeout), (NOW, Duration::from_secs(30)));
    }

    #[test]
    fn everything_that_is_wrong_is_said_at_once() {
        let fields = wrong_fields(JobSpec {
            kind: "no spaces".to_owned(),
            priority: Some(101),
            max_attempts: Some(0),
            key: Some("a\nb".to_owned()),
            expires_at: Some(NOW),
            ..spec()
        });

        assert_eq!(
            fields,
            ["kind", "key", "priority", "max_attempts", "expires_at"]
        );
    }

    #[test]
    fn a_time_and_a_delay_exclude_each_other() {
        let fields = wrong_fields(JobSpec {
            run_at: Some(NOW),
            delay: Some(Duration::from_secs(1)),
            ..spec()
        });

        assert_eq!(fields, ["delay"]);
    }

    #[test]
    fn the_same_request_has_the_same_content_at_any_moment() {
        let earlier = NewJob::from_spec(spec(), &Limits::default(), NOW).unwrap();
        let later =
            NewJob::from_spec(spec(), &Limits::default(), NOW + Duration::from_mins(1)).unwrap();
        let other = NewJob::from_spec(
            JobSpec {
                priority: Some(1),
                ..spec()
            },
            &Limits::default(),
            NOW,
        )
        .unwrap();

        assert_eq!(earlier.content, later.content);
        assert_ne!(earlier.content, other.content);
    }
}
