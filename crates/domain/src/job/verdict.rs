//! What a handler or a provider says of an attempt.

use std::{fmt, str::FromStr, time::Duration};

use serde::{Deserialize, Serialize};

use super::Trigger;

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

/// What kind of failure it was; it decides what follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// It may work later: 408, 425, 5xx, no connection.
    Retry,
    /// The target asks for patience; not a try.
    Throttled,
    /// The address is dead.
    Gone,
    /// The recipient does not want it.
    Refused,
    /// It will never work as asked.
    Permanent,
    /// Our own fault: credentials, template, money; not a try.
    Misconfigured,
    /// The request left, no verdict came.
    Unknown,
    /// The worker vanished.
    Lost,
}

impl Class {
    const ALL: [Self; 8] = [
        Self::Retry,
        Self::Throttled,
        Self::Gone,
        Self::Refused,
        Self::Permanent,
        Self::Misconfigured,
        Self::Unknown,
        Self::Lost,
    ];

    /// The word for it, everywhere.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::Throttled => "throttled",
            Self::Gone => "gone",
            Self::Refused => "refused",
            Self::Permanent => "permanent",
            Self::Misconfigured => "misconfigured",
            Self::Unknown => "unknown",
            Self::Lost => "lost",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Class {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|class| class.as_str() == text)
            .ok_or_else(|| format!("{text} names no class of failure"))
    }
}

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// What kind of failure it was.
    pub class: Class,
    /// A stable word for machines: `http_503`, `timeout`, `connect`, `panic`.
    pub code: String,
    /// A sentence for people, at most [`Failure::LONGEST_MESSAGE`] bytes.
    pub message: String,
}

impl Failure {
    /// How much of a message is kept, in bytes.
    pub const LONGEST_MESSAGE: usize = 1_000;

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
