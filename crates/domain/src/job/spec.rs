//! A job as a client asks for it, and what may be asked.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;
use utoipa::ToSchema;

use super::{Backoff, DeliveryGuarantee, Kinds};
use crate::{
    Json, Timestamp, Trace, duration,
    json::{nothing, text},
    queue, strict,
};

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

/// A job to be run once to completion.
#[skip_serializing_none]
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = EnqueueJob)]
pub struct JobSpec {
    /// The name that chooses the handler.
    #[schema(example = "http")]
    pub kind: String,
    /// The handler's arguments, kept to the letter; 256 KiB at most. Those of the kind `http` are `url`, or
    /// `destination` (one that the configuration names, with its credentials) and `path` below it; `method`,
    /// `headers` and `body`; those of `baton.walk` are `url`, `job` (what to make of each row) and how to page.
    #[serde(default = "nothing", with = "text")]
    #[schema(
        value_type = Json,
        example = json!({"url": "https://example.com/hook", "body": {"hello": "world"}})
    )]
    pub payload: String,
    /// Your own key. The same key with the same content is the same job, with other content a conflict.
    #[schema(example = "order-4711")]
    pub key: Option<String>,
    /// The queue it stands in; if none is given `default`, or for a custom kind the queue of its own name.
    pub queue: Option<String>,
    /// Smaller is sooner; 0 if none is given.
    #[schema(minimum = -100, maximum = 100)]
    pub priority: Option<i64>,
    /// Not before this moment.
    pub run_at: Option<Timestamp>,
    /// Not before this long from now; instead of `run_at`.
    #[serde(default, with = "duration::option")]
    #[schema(value_type = Option<duration::Span>)]
    pub delay: Option<Duration>,
    /// How many tries it has; 4 if none is given.
    #[schema(minimum = 1, maximum = 100)]
    pub max_attempts: Option<i64>,
    /// When to try again; exponential from 5s to 15m with full jitter if none is given.
    #[serde(default, deserialize_with = "strict::read")]
    pub backoff: Option<Backoff>,
    /// How long one attempt may take, 24h at most; 30s if none is given.
    #[serde(default, with = "duration::option")]
    #[schema(value_type = Option<duration::Span>)]
    pub timeout: Option<Duration>,
    /// Not after this moment: the job fails with the reason `expired` if it has not run by then.
    pub expires_at: Option<Timestamp>,
    /// What to do when the outcome of a call is in doubt; `at_least_once` if nothing is given.
    pub delivery: Option<DeliveryGuarantee>,
    /// Words to find it by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The trace of whoever asks for it, which its attempts are told; that of the request's `traceparent` and `tracestate` if none is
    /// given. It is no part of the content that a key stands for.
    #[serde(default, deserialize_with = "strict::read")]
    pub trace: Option<Trace>,
}

impl JobSpec {
    /// A job of a kind, with a payload.
    #[must_use]
    pub fn new(kind: impl Into<String>, payload: impl Into<String>) -> Self {
        Self {
            kind: kind.into(),
            payload: payload.into(),
            ..Self::default()
        }
    }
    pub(super) fn errors(&self, limits: &Limits, now: Timestamp) -> Vec<FieldError> {
        let mut errors = Vec::new();
        if self.payload.len() > limits.payload {
            let (most, has) = (limits.payload, self.payload.len());
            let message = format!("can be {most} bytes at most and has {has}");
            errors.push(FieldError::new("payload", message));
        }
        let queue = self.queue.as_deref();
        let queue = queue.unwrap_or_else(|| limits.kinds.queue_of(&self.kind));
        if queue::is_name(&self.kind) {
            let refusal = limits.kinds.refusal(&self.kind);
            errors.extend(refusal.map(|why| FieldError::new("kind", why)));
        }
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
        errors.extend(self.trace.iter().flat_map(Trace::errors));
        errors
    }
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
    /// Of which kinds it may be.
    pub kinds: Kinds,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            payload: 256 * 1024,
            horizon: duration::LONGEST,
            queues: queue::AllowList::default(),
            kinds: Kinds::default(),
        }
    }
}

/// What a key may be, as a sentence.
pub const KEY_RULE: &str = "must be 1 to 255 bytes long, without control characters";

/// Whether a text can be a key.
#[must_use]
pub fn is_key(text: &str) -> bool {
    (1..=255).contains(&text.len()) && !text.chars().any(char::is_control)
}
