//! What a handler or a provider says of an attempt.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Trigger;
use crate::words::words;

/// The answer of a handler.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Done; `result` is what the target answered, as JSON text.
    Accepted {
        /// JSON text, bounded by the handler.
        result: Option<String>,
    },
    /// Nothing to do.
    Skipped {
        /// Why, for people.
        why: String,
    },
    /// Run it again later; this was not a try.
    Snoozed {
        /// How much later.
        after: Duration,
    },
    /// It was stopped because somebody asked for it.
    Canceled,
    /// It did not work, in the way the failure's class tells.
    Failed {
        /// What went wrong.
        failure: Failure,
        /// What the target asked for (Retry-After).
        retry_after: Option<Duration>,
    },
}

impl Verdict {
    /// A failure without a wish of the target.
    #[must_use]
    pub fn failed(class: Class, code: &str, message: impl Into<String>) -> Self {
        Self::Failed {
            failure: Failure::new(class, code, message),
            retry_after: None,
        }
    }
}

words! {
    /// What sort of failure it was.
    pub enum Class as "FailureClass", or "{text} names no class of failure" {
        /// It may work later: 408, 425, 5xx, no connection.
        Retry = "retry",
        /// The target asks for patience; not a try.
        Throttled = "throttled",
        /// The address is dead.
        Gone = "gone",
        /// The recipient does not want it.
        Refused = "refused",
        /// It will never work as asked.
        Permanent = "permanent",
        /// Our own fault: credentials, template, money; not a try.
        Misconfigured = "misconfigured",
        /// The request left, no verdict came.
        Unknown = "unknown",
        /// The worker vanished.
        Lost = "lost",
    }
}

/// Why an attempt failed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Failure {
    /// What sort of failure it was.
    pub class: Class,
    /// A stable word for it.
    #[schema(example = "http_503")]
    pub code: String,
    /// What happened.
    pub message: String,
}

impl Failure {
    /// How much of a message is kept, in bytes.
    pub const LONGEST_MESSAGE: usize = 1_000;
    /// How long a code may be, in bytes.
    pub const LONGEST_CODE: usize = 100;

    /// A failure with its message cut to length and freed of what databases refuse.
    #[must_use]
    pub fn new(class: Class, code: &str, message: impl Into<String>) -> Self {
        let mut message = message.into().replace('\0', "\u{fffd}");
        if message.len() > Self::LONGEST_MESSAGE {
            let end = message.floor_char_boundary(Self::LONGEST_MESSAGE - '…'.len_utf8());
            message.truncate(end);
            message.push('…');
        }
        Self {
            class,
            code: code.to_owned(),
            message,
        }
    }
    /// What went wrong when a move makes a dead letter that no attempt speaks of: every store says it
    /// in these words, so that it is one group everywhere.
    #[must_use]
    pub fn without_attempt(trigger: Trigger) -> Option<Self> {
        let (code, message) = match trigger {
            Trigger::Expire => ("expired", "its expires_at passed before it could run"),
            Trigger::ResolveFailed => ("resolved", "a person said that it had failed"),
            _ => return None,
        };
        Some(Self::new(Class::Permanent, code, message))
    }
}
